"""Where shapes lie on a slide: offsets, groups that scale and turn what they hold, fractions of the slide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from findspot.model import Box
from findspot_extraction.readers.ooxml_xml import A, is_on, whole_number

POINT = 12_700
"""English metric units in a point."""
_TURN = 60_000
"""Units in a degree of rotation."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle in English metric units, origin at the top left of the slide."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its bottom edge."""
        return self.y + self.height

    def on(self, width: float, height: float) -> Box:
        """As fractions of a slide of this size; what lies outside of it is cut off."""
        left, right = (min(1.0, max(0.0, edge / width)) for edge in (self.x, self.right))
        top, bottom = (min(1.0, max(0.0, edge / height)) for edge in (self.y, self.bottom))
        return Box(left, top, right - left, bottom - top)


@dataclass(frozen=True, slots=True)
class Placing:
    """An affine map from the units of a group to those of the slide: x' = ax + cy + e, y' = bx + dy + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the group lies on the slide."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, first: Placing) -> Placing:
        """The map that applies `first`, then this one."""
        e, f = self.point(first.e, first.f)
        return Placing(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            e,
            f,
        )

    def frame(self, frame: Frame) -> Frame:
        """The upright rectangle around a rectangle of the group."""
        corners = [self.point(x, y) for x in (frame.x, frame.right) for y in (frame.y, frame.bottom)]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        return Frame(left, top, max(x for x, _ in corners) - left, max(y for _, y in corners) - top)


def stated_frame(transform: Element | None) -> Frame | None:
    """The rectangle that a transform (`a:xfrm`) states, before it is turned."""
    if transform is None:
        return None
    offset, extent = transform.find(A + "off"), transform.find(A + "ext")
    if offset is None or extent is None:
        return None
    return Frame(
        whole_number(offset.get("x")),
        whole_number(offset.get("y")),
        max(0, whole_number(extent.get("cx"))),
        max(0, whole_number(extent.get("cy"))),
    )


def turned(transform: Element, frame: Frame) -> Placing:
    """The rotation and mirroring that a transform states, about the middle of its rectangle."""
    angle = math.radians(whole_number(transform.get("rot")) % (360 * _TURN) / _TURN)
    across = -1.0 if is_on_attribute(transform, "flipH") else 1.0
    down = -1.0 if is_on_attribute(transform, "flipV") else 1.0
    if angle == 0 and across == down == 1:
        return Placing()
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = frame.x + frame.width / 2, frame.y + frame.height / 2
    spin = Placing(cosine * across, sine * across, -sine * down, cosine * down)
    moved = spin.point(x, y)
    return Placing(spin.a, spin.b, spin.c, spin.d, x - moved[0], y - moved[1])


def is_on_attribute(node: Element, name: str) -> bool:
    """True when an attribute is there and says yes."""
    return node.get(name) is not None and is_on(node, name)


def group_placing(transform: Element | None) -> Placing:
    """From the units inside a group to those around it; no change where the group states no place."""
    outer = stated_frame(transform)
    if transform is None or outer is None:
        return Placing()
    offset, extent = transform.find(A + "chOff"), transform.find(A + "chExt")
    if offset is None or extent is None:
        return turned(transform, outer)
    width, height = whole_number(extent.get("cx")), whole_number(extent.get("cy"))
    across = outer.width / width if width > 0 else 1.0
    down = outer.height / height if height > 0 else 1.0
    x, y = whole_number(offset.get("x")), whole_number(offset.get("y"))
    scaled = Placing(across, 0.0, 0.0, down, outer.x - x * across, outer.y - y * down)
    return turned(transform, outer).after(scaled)
