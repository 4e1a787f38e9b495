"""Reading order: a page falls into bands from top to bottom, a band into columns from left to right.

A corridor is a vertical strip that no fragment of a run of rows crosses. Columns of prose have one; so have
tables. What tells them apart: the lines of prose are long, or the two sides do not share their baselines.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from statistics import median

from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.rows import rows_of, runs_left

Corridor = tuple[float, float, bool, bool]
"""A strip from the first to the second x, and whether any fragment was seen to its left and to its right."""
Row = list[Fragment]

_NARROWEST = 0.4
"""Of the text height: the width of a corridor."""
_PROSE_WORDS = 3.5
"""Words in the middle line of a column of prose, at least."""
_FEWEST_ROWS = 3
"""Lines a column has, at least."""
_ALIGNED = 0.6
"""Share of a side's lines that stand on a line of its neighbour from which the two are rows of one table."""
_MOST_COLUMNS = 6
_FEWEST_NUMBERS = 10
"""Numbers beside the lines of a transcript; fewer may be those of a list."""
_DEEPEST = 6


def reading_order(rows: list[Row], depth: int = 0) -> list[list[Row]]:
    """Regions in reading order, each the rows of one column; `rows` are those of the page from the top down."""
    if not rows:
        return []
    regions: list[list[Row]] = []
    plain: list[Row] = []
    for band, corridors in _bands(rows):
        sides = _sides(band, corridors) if depth < _DEEPEST else None
        if sides is None:
            plain.extend(band)
            continue
        if plain:
            regions.append(plain)
            plain = []
        for side in sides:
            regions.extend(reading_order(side, depth + 1))
    if plain:
        regions.append(plain)
    return regions


def _bands(rows: list[Row]) -> list[tuple[list[Row], list[Corridor]]]:
    """Maximal runs of rows that share a corridor with text on both sides, or of rows that have none."""
    bands: list[tuple[list[Row], list[Corridor]]] = []
    left = min([row[0].x0 for row in rows])
    right = max([fragment.x1 for row in rows for fragment in row])
    for row in rows:
        free = _free(row, left, right)
        if bands:
            band, corridors = bands[-1]
            joined = _joined(band[-1], corridors, row, free)
            if joined is not None:
                band.append(row)
                bands[-1] = (band, joined)
                continue
        bands.append(([row], free))
    return bands


def _joined(above: Row, corridors: list[Corridor], row: Row, free: list[Corridor]) -> list[Corridor] | None:
    """The corridors of a band once the row has joined it; None when the row begins a band of its own."""
    shared = _shared(corridors, free, _NARROWEST * row[0].height)
    if _any_separates(corridors):
        return shared if _any_separates(shared) else None
    if _any_separates(free):
        return None
    if _any_separates(shared) and row[0].y0 >= above[-1].y1 - 0.1 * row[0].height:
        # Short rows one below the other leave a strip between them by chance; columns would interlock.
        return []
    return shared


def _free(row: Row, left: float, right: float) -> list[Corridor]:
    """The strips between `left` and `right` that the row leaves empty, its margins included."""
    free: list[Corridor] = []
    at = left
    for fragment in row:
        x0, x1 = fragment.x0, fragment.x1
        if x0 > at:
            free.append((at, x0, at > left, True))
        if x1 > at:
            at = x1
    if right > at:
        free.append((at, right, True, False))
    return free


def _shared(one: list[Corridor], other: list[Corridor], narrowest: float) -> list[Corridor]:
    found: list[Corridor] = []
    i = j = 0
    while i < len(one) and j < len(other):
        a0, a1, a_left, a_right = one[i]
        b0, b1, b_left, b_right = other[j]
        low, high = a0 if a0 > b0 else b0, a1 if a1 < b1 else b1
        if high - low >= narrowest:
            found.append((low, high, a_left or b_left, a_right or b_right))
        if a1 <= b1:
            i += 1
        else:
            j += 1
    return found


def _any_separates(corridors: list[Corridor]) -> bool:
    return any(corridor[2] and corridor[3] for corridor in corridors)


def _sides(band: list[Row], corridors: list[Corridor]) -> list[list[Row]] | None:
    """The columns of a band in reading order; None when it is a table or a single column."""
    cuts = [low for low, _, text_left, text_right in corridors if text_left and text_right]
    if not 0 < len(cuts) < _MOST_COLUMNS:
        return None
    parts: list[list[Fragment]] = [[] for _ in range(len(cuts) + 1)]
    for row in band:
        for fragment in row:
            parts[bisect_right(cuts, fragment.x0)].append(fragment)
    if not all(parts):
        return None
    sides = [rows_of(part) for part in parts]
    if _numbers_lines(sides[0]) and _is_prose(rows_of([f for part in parts[1:] for f in part])):
        return [*sides[1:], sides[0]]
    if not _are_columns(sides):
        return None
    return sides[::-1] if runs_left([fragment for row in band for fragment in row]) else sides


def _are_columns(sides: list[list[Row]]) -> bool:
    if min(len(side) for side in sides) < _FEWEST_ROWS:
        return False
    if all(_is_prose(side) for side in sides):
        return True
    return all(_aligned(one, other) < _ALIGNED for one, other in pairwise(sides))


def _is_prose(rows: list[Row]) -> bool:
    counts = [sum([f.last - f.first for f in row]) for row in rows]
    lengths = [sum([f.letters for f in row]) for row in rows]
    return median(counts) >= _PROSE_WORDS or (median(lengths) >= 18 and median(counts) <= 1.5)


def _numbers_lines(rows: list[Row]) -> bool:
    """True for the numbers beside the lines of a transcript: whole numbers that count up one by one."""
    if len(rows) < _FEWEST_NUMBERS or any(len(row) > 1 or not row[0].text.isdecimal() for row in rows):
        return False
    numbers = [int(row[0].text) for row in rows]
    return all(b - a == 1 for a, b in pairwise(numbers))


def _aligned(one: list[Row], other: list[Row]) -> float:
    """Share of the shorter side's lines that stand on a line of the other side."""
    short, long = sorted((one, other), key=len)
    tolerance = 0.25 * median(row[0].height for row in short)
    # Middles, not baselines: boxes of two typefaces on one line need not end at the same height.
    middles = [row[0].y0 + row[0].y1 for row in long]
    beside = [any(abs(row[0].y0 + row[0].y1 - at) <= 2 * tolerance for at in middles) for row in short]
    return sum(beside) / len(short)
