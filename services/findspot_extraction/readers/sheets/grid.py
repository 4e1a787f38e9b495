"""The cells of one sheet without its blank rows, and the regions into which blank rows and columns part them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from findspot_extraction.readers.reader import corrupt
from findspot_extraction.readers.rendering import one_line

from .values import Value

Merge = tuple[tuple[int, int], tuple[int, int]]
"""First and last row and column of a merged range, from 0, both included."""

_DEEPEST = 12
"""Cuts inside each other: what is still not apart is one region."""
_MOST_COVERED_ROWS = 5_000_000


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows that hold something, with the numbers that the sheet gives to them and to the columns, from 0."""

    rows: Sequence[int]
    columns: Sequence[int]
    """Rising; as long as each row of `cells`."""
    cells: list[list[Value]]


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a grid, by positions in it, half open: no row and no column of it is blank."""

    top: int
    bottom: int
    left: int
    right: int


def grid_of(
    rows: Iterable[tuple[int, Sequence[Value]]],
    columns: Sequence[int],
    errors: Mapping[int, Mapping[int, str]],
) -> Grid:
    """Rows in order, each as wide as `columns`. `errors` names the error values, by row and column."""
    numbers: list[int] = []
    kept: list[list[Value]] = []
    for number, row in rows:
        cells = [one_line(value) if isinstance(value, str) and value else value for value in row]
        for column, error in errors.get(number, {}).items():
            position = bisect_left(columns, column)
            if position < len(cells) and columns[position] == column and cells[position] == "":
                cells[position] = error
        if cells.count("") < len(cells):
            numbers.append(number)
            kept.append(cells)
    return Grid(numbers, columns, kept)


def clear_covered(grid: Grid, merges: Iterable[Merge]) -> None:
    """Empty the cells below merged ones: programs keep old values there and show only the first."""
    work = 0
    for (top, left), (bottom, right) in merges:
        first, last = bisect_left(grid.columns, left), bisect_right(grid.columns, right)
        rows = range(bisect_left(grid.rows, top), bisect_right(grid.rows, bottom))
        work += len(rows)
        if work > _MOST_COVERED_ROWS:
            raise corrupt("The merged cells of a sheet lie over each other many times.")
        for position in rows:
            row = grid.cells[position]
            anchor = grid.rows[position] == top and first < last and grid.columns[first] == left
            for column in range(first + anchor, last):
                row[column] = ""


def regions(grid: Grid) -> Iterator[Region]:
    """From top to bottom and, between blank rows, from left to right."""
    return _cut(grid, Region(0, len(grid.rows), 0, len(grid.columns)), _DEEPEST)


def _cut(grid: Grid, whole: Region, depth: int) -> Iterator[Region]:
    for top, bottom in _bands(grid, whole):
        spans = list(_spans(grid, top, bottom, whole.left, whole.right))
        if len(spans) == 1 or depth == 0:
            yield Region(top, bottom, spans[0][0], spans[-1][1])
            continue
        for left, right in spans:
            yield from _cut(grid, Region(top, bottom, left, right), depth - 1)


def _bands(grid: Grid, whole: Region) -> Iterator[tuple[int, int]]:
    """Runs of rows that follow each other in the sheet, none blank between the columns of the region."""
    left, right = whole.left, whole.right
    full = left == 0 and right == len(grid.columns)
    used = [
        position
        for position in range(whole.top, whole.bottom)
        if full or grid.cells[position][left:right].count("") < right - left
    ]
    return _runs(used, grid.rows)


def _spans(grid: Grid, top: int, bottom: int, left: int, right: int) -> Iterator[tuple[int, int]]:
    """Runs of columns that follow each other in the sheet, none blank between the rows."""
    rows = grid.cells[top:bottom]
    used = [position for position in range(left, right) if any(row[position] != "" for row in rows)]
    return _runs(used, grid.columns)


def _runs(positions: Sequence[int], numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = 0
    for index in range(1, len(positions) + 1):
        last = positions[index - 1]
        if index == len(positions) or numbers[positions[index]] != numbers[last] + 1:
            yield positions[first], last + 1
            first = index
