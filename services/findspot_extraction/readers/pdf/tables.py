"""Tables without a hint from the file: rows whose fragments stand in the same columns.

Conservative on purpose: what is not taken for a table stays prose and loses nothing but its grid.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.lists import is_marker

_FEWEST_ROWS = 3
"""Rows with more than one cell. Two are enough from three columns on."""
_MOSTLY = 0.6
"""Share of rows that must have more than one cell."""
_LOOSE = 1.9
"""Of the row height: a bigger distance to the row above ends the table."""
_CROSSED = 0.1
"""Share of rows that may cross the strip between two columns: merged header cells do."""
_NARROWEST = 0.35
"""Of the row height: the width of a strip between columns."""
_PROSE_CELL = 9
"""Words: when the middle cell of a table of two columns is longer, it is prose with a gap."""


Cells = list[tuple[tuple[Fragment, ...], ...]]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as found on a page: rows of cells, each cell the fragments in it; one list a column."""

    rows: tuple[tuple[tuple[Fragment, ...], ...], ...]
    edges: tuple[float, ...]
    """Where the columns begin, in points from the left of the upright page; one a column."""
    header_rows: int


def split_tables(rows: Sequence[list[Fragment]]) -> Iterator[Grid | list[list[Fragment]]]:
    """Rows of one region from the top down, cut into tables and the rows between them."""
    plain: list[list[Fragment]] = []
    at = 0
    while at < len(rows):
        end = _run_end(rows, at)
        grid, used = _grid(rows[at:end]) if end - at >= 2 else (None, 0)
        if grid is None:
            plain.extend(rows[at : max(end, at + 1)])
            at = max(end, at + 1)
            continue
        if plain:
            yield plain
            plain = []
        yield grid
        at += used
    if plain:
        yield plain


def _run_end(rows: Sequence[list[Fragment]], start: int) -> int:
    """End of the run of rows from `start` that may form a table: it begins with a row of several cells."""
    if len(rows[start]) < 2 or is_marker(rows[start][0].text):
        return start
    width = max(f.x1 for f in rows[start]) - min(f.x0 for f in rows[start])
    end = start + 1
    while end < len(rows):
        row, above = rows[end], rows[end - 1]
        height = max(row[0].height, above[0].height)
        if min(f.y0 for f in row) - max(f.y1 for f in above) > _LOOSE * height:
            break
        if len(row) == 1 and (row[0].x1 - row[0].x0) > 0.55 * width and _words(row[0]) > _PROSE_CELL:
            break
        if is_marker(row[0].text):
            break
        end += 1
    while end > start + 1 and len(rows[end - 1]) < 2:
        end -= 1
    return end


def _grid(rows: Sequence[list[Fragment]]) -> tuple[Grid | None, int]:
    """The table in a run of rows and how many of them it takes."""
    strips = _columns(rows)
    several = [row for row in rows if len(row) > 1]
    enough = _FEWEST_ROWS if len(strips) < 3 else 2
    if len(strips) < 2 or len(several) < enough or len(several) < _MOSTLY * len(rows):
        return None, 0
    cells = [_cells(row, strips) for row in rows]
    filled = [sum(1 for cell in row if cell) for row in cells]
    if sum(count > 1 for count in filled) < max(enough, _MOSTLY * len(rows)):
        return None, 0
    lengths = [sum(map(_words, cell)) for row in cells for cell in row if cell]
    if len(strips) == 2 and median(lengths) > _PROSE_CELL:
        return None, 0
    return Grid(tuple(cells), tuple(low for low, _ in strips), header_rows(cells)), len(rows)


def _words(fragment: Fragment) -> int:
    return fragment.last - fragment.first


def _columns(rows: Sequence[list[Fragment]]) -> list[tuple[float, float]]:
    """Extent of each column: what remains between the strips that hardly any row crosses."""
    events: list[tuple[float, int]] = []
    several = [row for row in rows if len(row) > 1]
    for row in several:
        for fragment in row:
            events.append((fragment.x0, 1))
            events.append((fragment.x1, -1))
    events.sort()
    allowed = _CROSSED * len(several)
    narrowest = _NARROWEST * median(row[0].height for row in rows)
    columns: list[tuple[float, float]] = []
    depth = 0
    begin: float | None = None
    for x, step in events:
        depth += step
        if begin is None and depth > allowed:
            close = columns and x - columns[-1][1] < narrowest
            begin = columns.pop()[0] if close else x
        elif begin is not None and depth <= allowed:
            columns.append((begin, x))
            begin = None
    return columns


def _cells(row: list[Fragment], columns: Sequence[tuple[float, float]]) -> tuple[tuple[Fragment, ...], ...]:
    """The fragments of a row by column: the column that each overlaps most, else the nearest."""
    cells: list[list[Fragment]] = [[] for _ in columns]
    lows = [low for low, _ in columns]
    for fragment in row:
        first = max(bisect_right(lows, fragment.x0) - 1, 0)
        last = max(bisect_right(lows, fragment.x1) - 1, 0)
        best = (
            max(range(first, last + 1), key=lambda at: _overlap(fragment, columns[at]))
            if last > first
            else first
        )
        if best + 1 < len(columns) and fragment.x0 >= columns[best][1]:
            # Between two columns: to the nearer one.
            best += columns[best + 1][0] - fragment.x1 < fragment.x0 - columns[best][1]
        cells[best].append(fragment)
    return tuple(map(tuple, cells))


def _overlap(fragment: Fragment, column: tuple[float, float]) -> float:
    return min(fragment.x1, column[1]) - max(fragment.x0, column[0])


def header_rows(rows: Cells) -> int:
    """How many rows at the top name the columns: set in bold above plain rows, or words above numbers."""
    bold = [all(f.font.bold for cell in row for f in cell) for row in rows]
    leading = bold.index(False) if False in bold else 0
    if 0 < leading <= 3:
        return leading
    if _has_digit(rows[0]) or sum(1 for cell in rows[0] if cell) < 2:
        return 0
    below = rows[1:]
    return int(sum(map(_has_digit, below)) > 0.6 * len(below))


def _has_digit(row: tuple[tuple[Fragment, ...], ...]) -> bool:
    return any(any(map(str.isdigit, fragment.text)) for cell in row for fragment in cell)
