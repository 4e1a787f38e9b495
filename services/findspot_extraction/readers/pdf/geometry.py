"""From the coordinates of a PDF page to those of the page as displayed, and to the direction of its text.

Three systems, all in points:
- user space: what PDFium answers; origin anywhere, y upwards, before /Rotate.
- displayed: the CropBox after /Rotate; origin at the top left, y downwards.
- upright: displayed, turned so that text which runs in one of the four directions reads from left to right.
  Layout works in upright coordinates only, so a sideways table is laid out like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SMALLEST_SIDE = 0.5
"""Points. A page with a shorter side shows nothing: its text is kept, its boxes would be noise."""

SLANTED = 4
"""The direction of text at an angle, such as a watermark: its boxes stay as displayed."""

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1 with y downwards."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The visible rectangle of a page in user space and its /Rotate in quarter turns clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int = 0

    @property
    def width(self) -> float:
        """Displayed width in points."""
        return self.top - self.bottom if self.rotation % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """Displayed height in points."""
        return self.right - self.left if self.rotation % 2 else self.top - self.bottom

    @property
    def degenerate(self) -> bool:
        """True when the page has no area to speak of, so that no fraction of it means anything."""
        return not (self.width >= SMALLEST_SIDE and self.height >= SMALLEST_SIDE)

    def displayed(self, left: float, top: float, right: float, bottom: float) -> Rect:
        """A rectangle of user space (top above bottom) on the displayed page."""
        x0, y0, x1, y1 = self.displayed_edges([left], [top], [right], [bottom])
        return x0[0], y0[0], x1[0], y1[0]

    def displayed_edges(
        self, left: list[float], top: list[float], right: list[float], bottom: list[float]
    ) -> tuple[list[float], list[float], list[float], list[float]]:
        """The same for many rectangles, given and returned edge by edge."""
        west, east, south, north = self.left, self.right, self.bottom, self.top
        if self.rotation == 0:
            return _less(left, west), _from(north, top), _less(right, west), _from(north, bottom)
        if self.rotation == 1:
            return _less(bottom, south), _less(left, west), _less(top, south), _less(right, west)
        if self.rotation == 2:
            return _from(east, right), _less(bottom, south), _from(east, left), _less(top, south)
        return _from(north, top), _from(east, right), _from(north, bottom), _from(east, left)


def _less(edges: list[float], origin: float) -> list[float]:
    return [edge - origin for edge in edges]


def _from(origin: float, edges: list[float]) -> list[float]:
    return [origin - edge for edge in edges]


def upright_size(width: float, height: float, turn: int) -> tuple[float, float]:
    """The page's width and height as seen by text that runs in direction `turn`."""
    return (height, width) if turn % 2 else (width, height)


def to_upright(rect: Rect, width: float, height: float, turn: int) -> Rect:
    """A displayed rectangle as text in direction `turn` (quarter turns clockwise) sees it."""
    x0, y0, x1, y1 = rect
    if turn in (0, SLANTED):
        return rect
    if turn == 1:
        return y0, width - x1, y1, width - x0
    if turn == 2:
        return width - x1, height - y1, width - x0, height - y0
    return height - y1, x0, height - y0, x1


def to_displayed(rect: Rect, width: float, height: float, turn: int) -> Rect:
    """The inverse of `to_upright`; `width` and `height` are those of the displayed page."""
    x0, y0, x1, y1 = rect
    if turn in (0, SLANTED):
        return rect
    if turn == 1:
        return width - y1, x0, width - y0, x1
    if turn == 2:
        return width - x1, height - y1, width - x0, height - y0
    return y0, height - x1, y1, height - x0


def fractions(rect: Rect, width: float, height: float) -> Rect:
    """x, y, width, height of a displayed rectangle as fractions of the page, clamped to it."""
    x0, y0 = _clamp(rect[0] / width), _clamp(rect[1] / height)
    return x0, y0, max(0.0, _clamp(rect[2] / width) - x0), max(0.0, _clamp(rect[3] / height) - y0)


def _clamp(fraction: float) -> float:
    return 0.0 if fraction < 0.0 else min(fraction, 1.0)


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all of them; there must be one at least."""
    x0s, y0s, x1s, y1s = zip(*rects, strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)
