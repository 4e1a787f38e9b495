"""Reading order: a page falls into bands from top to bottom, a band into columns from left to right.

A corridor is a vertical strip that no fragment of a run of rows crosses. Columns of prose have one; so have
tables. What tells them apart: the lines of prose are long, or the two sides do not share their baselines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.rows import rows_of, runs_left


@dataclass(slots=True, eq=False)
class Corridor:
    """A strip from `low` to `high`, and whether any fragment was seen on either side of it."""

    low: float
    high: float
    text_left: bool
    text_right: bool

    @property
    def separates(self) -> bool:
        """True when there is text on both sides."""
        return self.text_left and self.text_right


_NARROWEST = 0.4
"""Of the text height: the width of a corridor."""
_PROSE_WORDS = 3.5
"""Words in the middle line of a column of prose, at least."""
_FEWEST_ROWS = 3
"""Lines a column has, at least."""
_ALIGNED = 0.6
"""Share of a side's lines that stand on a line of its neighbour from which the two are rows of one table."""
_MOST_COLUMNS = 6
_DEEPEST = 6


def reading_order(fragments: Sequence[Fragment], depth: int = 0) -> list[list[Fragment]]:
    """Regions in reading order, each a set of fragments that form one column."""
    if not fragments:
        return []
    regions: list[list[Fragment]] = []
    for band, corridors in _bands(rows_of(fragments)):
        sides = _sides(band, corridors) if depth < _DEEPEST else [band]
        if len(sides) > 1:
            for side in sides:
                regions.extend(reading_order(side, depth + 1))
        elif regions and not _was_columns(regions):
            regions[-1].extend(band)
        else:
            regions.append(_Region(band))
    return regions


class _Region(list[Fragment]):
    """A band that was not split: the next such band continues it."""


def _was_columns(regions: list[list[Fragment]]) -> bool:
    return not isinstance(regions[-1], _Region)


def _bands(rows: list[list[Fragment]]) -> list[tuple[list[Fragment], list[Corridor]]]:
    """Maximal runs of rows that share a corridor with text on both sides, or of rows that have none."""
    bands: list[tuple[list[Fragment], list[Corridor]]] = []
    left = min(fragment.x0 for row in rows for fragment in row)
    right = max(fragment.x1 for row in rows for fragment in row)
    for row in rows:
        free = _free(row, left, right)
        if bands:
            band, corridors = bands[-1]
            joined = _joined(band, corridors, row, free)
            if joined is not None:
                band.extend(row)
                bands[-1] = (band, joined)
                continue
        bands.append((list(row), free))
    return bands


def _joined(
    band: list[Fragment], corridors: list[Corridor], row: list[Fragment], free: list[Corridor]
) -> list[Corridor] | None:
    """The corridors of a band once the row has joined it; None when the row begins a band of its own."""
    shared = _shared(corridors, free, _NARROWEST * row[0].height)
    if _any_separates(corridors):
        return shared if _any_separates(shared) else None
    if _any_separates(free):
        return None
    if _any_separates(shared) and row[0].y0 >= band[-1].y1 - 0.1 * row[0].height:
        # Short rows one below the other leave a strip between them by chance; columns would interlock.
        return []
    return shared


def _free(row: list[Fragment], left: float, right: float) -> list[Corridor]:
    """The strips between `left` and `right` that the row leaves empty, its margins included."""
    free: list[Corridor] = []
    at = left
    for fragment in row:
        if fragment.x0 > at:
            free.append(Corridor(at, fragment.x0, text_left=at > left, text_right=True))
        at = max(at, fragment.x1)
    if right > at:
        free.append(Corridor(at, right, text_left=True, text_right=False))
    return free


def _shared(one: list[Corridor], other: list[Corridor], narrowest: float) -> list[Corridor]:
    found: list[Corridor] = []
    i = j = 0
    while i < len(one) and j < len(other):
        a, b = one[i], other[j]
        low, high = max(a.low, b.low), min(a.high, b.high)
        if high - low >= narrowest:
            found.append(Corridor(low, high, a.text_left or b.text_left, a.text_right or b.text_right))
        if a.high <= b.high:
            i += 1
        else:
            j += 1
    return found


def _any_separates(corridors: list[Corridor]) -> bool:
    return any(corridor.separates for corridor in corridors)


def _sides(band: list[Fragment], corridors: list[Corridor]) -> list[list[Fragment]]:
    """The columns of a band from left to right; one side when it is a table or a single column."""
    cuts = [corridor.low for corridor in corridors if corridor.separates]
    if not 0 < len(cuts) < _MOST_COLUMNS:
        return [band]
    sides: list[list[Fragment]] = [[] for _ in range(len(cuts) + 1)]
    for fragment in band:
        sides[sum(1 for cut in cuts if fragment.x0 >= cut)].append(fragment)
    if not all(sides) or not _are_columns(sides):
        return [band]
    if _numbers_lines(rows_of(sides[0])):
        return [*sides[1:], sides[0]]
    return sides[::-1] if runs_left(band) else sides


def _are_columns(sides: list[list[Fragment]]) -> bool:
    rows = [rows_of(side) for side in sides]
    if _numbers_lines(rows[0]):
        return True
    if min(len(side) for side in rows) < _FEWEST_ROWS:
        return False
    if all(_is_prose(side) for side in rows):
        return True
    return all(_aligned(one, other) < _ALIGNED for one, other in pairwise(rows))


def _is_prose(rows: list[list[Fragment]]) -> bool:
    counts = [sum(f.last - f.first for f in row) for row in rows]
    lengths = [sum(len(word) for f in row for word in f.words) for row in rows]
    return median(counts) >= _PROSE_WORDS or (median(lengths) >= 18 and median(counts) <= 1.5)


def _numbers_lines(rows: list[list[Fragment]]) -> bool:
    """True for the numbers beside the lines of a transcript: whole numbers that count up one by one."""
    if len(rows) < 5 or any(len(row) > 1 or not row[0].text.isdecimal() for row in rows):
        return False
    numbers = [int(row[0].text) for row in rows]
    return all(b - a == 1 for a, b in pairwise(numbers))


def _aligned(one: list[list[Fragment]], other: list[list[Fragment]]) -> float:
    """Share of the shorter side's lines that stand on a line of the other side."""
    short, long = sorted((one, other), key=len)
    tolerance = 0.2 * median(row[0].height for row in short)
    bottoms = [row[0].y1 for row in long]
    return sum(any(abs(row[0].y1 - bottom) <= tolerance for bottom in bottoms) for row in short) / len(short)
