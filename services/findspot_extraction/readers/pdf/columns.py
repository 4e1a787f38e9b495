"""Reading order: a page falls into bands from top to bottom, a band into columns from left to right.

A corridor is a vertical strip that no fragment of a run of rows crosses. Columns of prose have one; so have tables.
What tells them apart: the lines of prose columns are long, or the two sides do not share their baselines.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.rows import is_rtl, rows_of

Corridor = tuple[float, float]

_NARROWEST = 0.4
"""Of the text height: the width of a corridor."""
_PROSE_WORDS = 3.5
"""Words in the middle line of a column of prose, at least."""
_FEWEST_ROWS = 3
"""Lines a column has, at least."""
_ALIGNED = 0.6
"""Share of a side's lines that stand on a line of its neighbour from which the two are rows of one table."""
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
    """Maximal runs of rows that share a corridor, or that have none."""
    bands: list[tuple[list[Fragment], list[Corridor]]] = []
    left = min(fragment.x0 for row in rows for fragment in row)
    right = max(fragment.x1 for row in rows for fragment in row)
    for row in rows:
        free = _free(row, left, right)
        if bands:
            band, corridors = bands[-1]
            shared = _shared(corridors, free, _NARROWEST * row[0].height)
            if _separates(shared, [*band, *row]) or (
                not _separates(corridors, band) and not _separates(free, row)
            ):
                bands[-1] = ([*band, *row], shared)
                continue
        bands.append((list(row), free))
    return bands


def _free(row: list[Fragment], left: float, right: float) -> list[Corridor]:
    """The strips between `left` and `right` that the row leaves empty, its margins included."""
    free: list[Corridor] = []
    at = left
    for fragment in row:
        if fragment.x0 > at:
            free.append((at, fragment.x0))
        at = max(at, fragment.x1)
    if right > at:
        free.append((at, right))
    return free


def _shared(one: list[Corridor], other: list[Corridor], narrowest: float) -> list[Corridor]:
    found: list[Corridor] = []
    for a0, a1 in one:
        for b0, b1 in other:
            low, high = max(a0, b0), min(a1, b1)
            if high - low >= narrowest:
                found.append((low, high))
    return found


def _separates(corridors: list[Corridor], fragments: list[Fragment]) -> bool:
    """True when some corridor has text on both of its sides."""
    for low, high in corridors:
        if any(f.x1 <= low + 0.1 for f in fragments) and any(f.x0 >= high - 0.1 for f in fragments):
            return True
    return False


def _sides(band: list[Fragment], corridors: list[Corridor]) -> list[list[Fragment]]:
    """The columns of a band from left to right; one side when it is a table or a single column."""
    cuts = [low for low, high in corridors if _separates([(low, high)], band)]
    if not cuts:
        return [band]
    sides: list[list[Fragment]] = [[] for _ in range(len(cuts) + 1)]
    for fragment in band:
        sides[sum(1 for cut in cuts if fragment.x0 >= cut)].append(fragment)
    if not all(sides) or not _are_columns(sides):
        return [band]
    return sides[::-1] if is_rtl(fragment.text for fragment in band) else sides


def _are_columns(sides: list[list[Fragment]]) -> bool:
    rows = [rows_of(side) for side in sides]
    if _numbers_lines(rows[0]):
        return True
    if min(len(side) for side in rows) < _FEWEST_ROWS:
        return False
    if all(_is_prose(side) for side in rows):
        return True
    return all(_aligned(one, other) < _ALIGNED for one, other in zip(rows, rows[1:], strict=False))


def _is_prose(rows: list[list[Fragment]]) -> bool:
    counts = [sum(f.last - f.first for f in row) for row in rows]
    lengths = [sum(len(word) for f in row for word in f.words) for row in rows]
    return median(counts) >= _PROSE_WORDS or (median(lengths) >= 18 and median(counts) <= 1.5)


def _numbers_lines(rows: list[list[Fragment]]) -> bool:
    """True for the numbers beside the lines of a transcript: whole numbers that count up one by one."""
    if len(rows) < 5 or any(len(row) > 1 or not row[0].text.isdecimal() for row in rows):
        return False
    numbers = [int(row[0].text) for row in rows]
    return all(b - a == 1 for a, b in zip(numbers, numbers[1:], strict=False))


def _aligned(one: list[list[Fragment]], other: list[list[Fragment]]) -> float:
    """Share of the shorter side's lines that stand on a line of the other side."""
    short, long = sorted((one, other), key=len)
    tolerance = 0.2 * median(row[0].height for row in short)
    bottoms = [row[0].y1 for row in long]
    return sum(any(abs(row[0].y1 - bottom) <= tolerance for bottom in bottoms) for row in short) / len(short)
