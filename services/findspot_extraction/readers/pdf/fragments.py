"""Runs of words on one baseline without a wide gap: what lines, table cells and columns are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from findspot_extraction.readers.pdf.fonts import Font
from findspot_extraction.readers.pdf.geometry import SLANTED, Rect
from findspot_extraction.readers.pdf.glyphs import PageWords

WIDE_GAP = 0.85
"""Of the word height: a wider gap between two words is no word space, not even in justified text."""
_BACKWARDS = 0.6
"""Of the word height: how far a word may begin before the end of the one before it on the same line."""
_SAME_LINE = 0.5
"""Of the lower of two words: how much of it must lie beside the other."""
_TIGHT = 0.3
"""Of the lower of two words of different size: the widest gap between them."""
_DROP_CAP = 1.8
"""Times the usual height."""
_LEAST = 0.1
_SAME_HEIGHT = 0.01
_SIZE_STEP = 1.5
"""Of the word height: a bigger step ends the run even on one baseline."""


@dataclass(slots=True, eq=False)
class Fragment:
    """Words `first` to `last` (exclusive) of a page, in upright coordinates.

    Never changed once made; not declared frozen because a page has hundreds, and frozen ones take thrice as long.
    """

    page: PageWords
    first: int
    last: int
    x0: float
    y0: float
    x1: float
    y1: float
    middle: float
    """Twice the height of its middle: what rows are sorted by."""
    height: float
    """Height of its boxes; never zero, so that gaps can be divided by it."""
    turn: int
    font: Font
    letters: int
    """Characters of its words together."""

    @property
    def words(self) -> list[str]:
        """The words in reading order."""
        return self.page.texts[self.first : self.last]

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(self.page.texts[self.first : self.last])

    @property
    def rect(self) -> Rect:
        """x0, y0, x1, y1."""
        return self.x0, self.y0, self.x1, self.y1


def fragments_of(page: PageWords, font_of: Callable[[int, float], Font]) -> list[Fragment]:
    """Cut the words of a page into runs, in content order. `font_of` takes the index of a character and its height."""
    if not page.texts:
        return []
    x0s, y0s, x1s, y1s = page.x0.tolist(), page.y0.tolist(), page.x1.tolist(), page.y1.tolist()
    starts = _starts(page, x0s, y0s, x1s, y1s)
    sizes = list(map(len, page.texts))
    turns, breaks = page.turns, page.breaks
    runs: list[Fragment] = []
    font, height, turn = None, 0.0, -1
    for first, last in zip(starts, [*starts[1:], len(sizes)], strict=True):
        if last == first + 1:
            x0, y0, x1, y1 = x0s[first], y0s[first], x1s[first], y1s[first]
            letters = sizes[first]
        else:
            x0, y0, x1, y1 = (
                min(x0s[first:last]),
                min(y0s[first:last]),
                max(x1s[first:last]),
                max(y1s[first:last]),
            )
            letters = sum(sizes[first:last])
        # The cells of one row are set alike: asking PDFium for each would cost more than reading the page.
        before, height = height, (y1 - y0 if y1 > y0 + _LEAST else _LEAST)
        if font is None or breaks[first] or turns[first] != turn or abs(before - height) >= _SAME_HEIGHT:
            font = _font_of_run(page, first, last, sizes, height, font_of)
            turn = turns[first]
        runs.append(Fragment(page, first, last, x0, y0, x1, y1, y0 + y1, height, turn, font, letters))
    _raise_drop_caps(runs)
    return runs


def _raise_drop_caps(runs: list[Fragment]) -> None:
    """Put initials of several lines' height on the first of these lines."""
    usual = median([run.height for run in runs])
    for run in runs:
        if run.letters == 1 and run.height > _DROP_CAP * usual:
            run.middle = 2 * run.y0 + usual


def _font_of_run(
    page: PageWords,
    first: int,
    last: int,
    sizes: list[int],
    height: float,
    font_of: Callable[[int, float], Font],
) -> Font:
    """The font of the longest word, which speaks for the run: a marker or a superscript does not."""
    if last == first + 1:
        return font_of(page.characters[first], height)
    run = sizes[first:last]
    longest = first + run.index(max(run))
    font = font_of(page.characters[longest], page.y1[longest] - page.y0[longest])
    if font.bold:
        # A label in bold type before plain text does not make the run bold.
        end = font_of(page.characters[last - 1], page.y1[last - 1] - page.y0[last - 1])
        return font if end.bold else end
    return font


def _starts(page: PageWords, x0: list[float], y0: list[float], x1: list[float], y1: list[float]) -> list[int]:
    """The words with which a run begins."""
    starts = [0]
    breaks, turns = page.breaks, page.turns
    top, bottom = y0[0], y1[0]
    # Most words go on the line of the word before, in the same type: they take one comparison each.
    doubtful = [
        index
        for index, (fresh, a, b, c, d, e, f) in enumerate(
            zip(breaks[1:], y0[1:], y0, y1[1:], y1, x0[1:], x1, strict=False), 1
        )
        if fresh or a != b or c != d or not -0.2 * (c - a) < e - f < WIDE_GAP * (c - a)
    ]
    for index in doubtful:
        if not breaks[index] and turns[index] == turns[index - 1]:
            if turns[index] == SLANTED:
                # Boxes of slanted words overlap in no useful way: the content stream has their order.
                continue
            before = index - 1
            a, b = y0[index], y1[index]
            height, previous = b - a, y1[before] - y0[before]
            lower, higher = (height, previous) if height < previous else (previous, height)
            shared = (b if b < bottom else bottom) - (a if a > top else top)
            near = _continues(x0[index], x1[index], x0[before], x1[before], lower, higher)
            if shared >= _SAME_LINE * lower and near:
                top, bottom = min(top, a), max(bottom, b)
                continue
        starts.append(index)
        top, bottom = y0[index], y1[index]
    return starts


def _continues(x0: float, x1: float, px0: float, px1: float, lower: float, higher: float) -> bool:
    """True when a word goes on where the word before it ended. Text may run to the left as well."""
    if lower <= 0 or higher > _SIZE_STEP * lower:
        # Superscripts stay with their word; a drop cap or a big initial does not swallow the line.
        return lower > 0 and -_BACKWARDS * higher < x0 - px1 < _TIGHT * lower
    gap = x0 - px1 if x0 >= px0 else px0 - x1
    return -_BACKWARDS * lower < gap < WIDE_GAP * higher
