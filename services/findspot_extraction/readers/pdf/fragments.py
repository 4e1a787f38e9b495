"""Runs of words on one baseline without a wide gap: what lines, table cells and columns are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from findspot_extraction.readers.pdf.fonts import Font
from findspot_extraction.readers.pdf.geometry import Rect
from findspot_extraction.readers.pdf.glyphs import PageWords

WIDE_GAP = 0.85
"""Of the word height: a wider gap between two words is no word space, not even in justified text."""
_BACKWARDS = 0.6
"""Of the word height: how far a word may begin before the end of the one before it on the same line."""
_SAME_LINE = 0.5
"""Of the lower of two words: how much of it must lie beside the other."""
_SIZE_STEP = 1.5
"""Of the word height: a bigger step ends the run even on one baseline."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """Words `first` to `last` (exclusive) of a page, in upright coordinates."""

    page: PageWords
    first: int
    last: int
    x0: float
    y0: float
    x1: float
    y1: float
    turn: int
    font: Font

    @property
    def words(self) -> list[str]:
        """The words in reading order."""
        return self.page.texts[self.first : self.last]

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(self.words)

    @property
    def height(self) -> float:
        """Height of its boxes; never zero, so that gaps can be divided by it."""
        return max(self.y1 - self.y0, 0.1)

    @property
    def rect(self) -> Rect:
        """x0, y0, x1, y1."""
        return self.x0, self.y0, self.x1, self.y1


def fragments_of(page: PageWords, font_of: Callable[[int], Font]) -> list[Fragment]:
    """Cut the words of a page into runs, in content order. `font_of` takes the index of a character."""
    runs: list[Fragment] = []
    first = 0
    rect: Rect = (0.0, 0.0, 0.0, 0.0)
    boxes = page.boxes.tolist()
    for index in range(len(page.texts)):
        word = (boxes[4 * index], boxes[4 * index + 1], boxes[4 * index + 2], boxes[4 * index + 3])
        if index == 0:
            rect = word
        elif (
            page.breaks[index] or page.turns[index] != page.turns[first] or not _continues(boxes, index, rect)
        ):
            runs.append(_fragment(page, first, index, rect, font_of))
            first, rect = index, word
        else:
            rect = (
                min(rect[0], word[0]),
                min(rect[1], word[1]),
                max(rect[2], word[2]),
                max(rect[3], word[3]),
            )
    if page.texts:
        runs.append(_fragment(page, first, len(page.texts), rect, font_of))
    return runs


def _continues(boxes: list[float], index: int, rect: Rect) -> bool:
    """True when word `index` goes on where the word before it ended. Text may run to the left as well."""
    px0, py0, px1, py1 = boxes[4 * index - 4 : 4 * index]
    x0, y0, x1, y1 = boxes[4 * index : 4 * index + 4]
    height, before = y1 - y0, py1 - py0
    lower, higher = min(height, before), max(height, before)
    if min(y1, rect[3]) - max(y0, rect[1]) < _SAME_LINE * lower:
        return False
    if lower <= 0 or higher / lower > _SIZE_STEP:
        # Superscripts stay with their word; a drop cap or a big initial does not swallow the line.
        return lower > 0 and -_BACKWARDS * higher < x0 - px1 < 0.3 * lower
    gap = x0 - px1 if x0 >= px0 else px0 - x1
    return -_BACKWARDS * lower < gap < WIDE_GAP * higher


def _fragment(page: PageWords, first: int, last: int, rect: Rect, font_of: Callable[[int], Font]) -> Fragment:
    longest = max(range(first, last), key=lambda index: len(page.texts[index]))
    return Fragment(page, first, last, *rect, page.turns[first], font_of(page.characters[longest]))
