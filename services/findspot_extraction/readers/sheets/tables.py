"""A region of a sheet as a table: its title, the names of its columns, its rows in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .grid import Grid, Merge, Region
from .values import Value, is_data, is_year, shown

_MOST_TITLES = 5
_SAMPLE_ROWS = 100
_LONGEST_NAME = 200
_MOST_HEADER_ROWS = 3
_NEAR = 3
"""Rows from a title to the table that it is the title of."""


@dataclass(frozen=True, slots=True)
class SheetTable:
    """What is rendered of one region. The header rows hold the title rows too, since each is a row of the sheet."""

    rows: list[list[str]]
    first_row: int
    """Row of the sheet from 1."""
    first_column: int
    columns: tuple[str, ...] = ()
    header_rows: int = 0
    caption: str = ""
    is_title: bool = False
    """True for one text by itself."""


def tables(grid: Grid, regions: Iterator[Region], merges: Sequence[Merge]) -> Iterator[SheetTable]:
    """Every region; a table without names takes those of the table right above it, or its title."""
    before: SheetTable | None = None
    merged_rows = {top for (top, left), (_, right) in merges if right > left}
    for region in regions:
        table = _table(grid, region, merged_rows)
        if before is not None:
            table = _after(table, before)
        yield table
        before = table


def _table(grid: Grid, region: Region, merged_rows: set[int]) -> SheetTable:
    cells = [row[region.left : region.right] for row in grid.cells[region.top : region.bottom]]
    titles = _titles(cells)
    body = cells[titles:]
    first = grid.rows[region.top]
    count = _header_rows(body, [first + titles + number in merged_rows for number in range(len(body[:3]))])
    return SheetTable(
        rows=[_trimmed([shown(value) for value in row]) for row in cells],
        first_row=first + 1,
        first_column=grid.columns[region.left],
        columns=_names(body[:count]) if count else (),
        header_rows=titles + count,
        caption=" ".join(shown(value) for row in cells[:titles] for value in row if value != ""),
        is_title=len(cells) == 1 and len(cells[0]) == 1 and not is_data(cells[0][0]),
    )


def _after(table: SheetTable, before: SheetTable) -> SheetTable:
    """What the region above says about this one: its title, or its columns where only a blank row parts them."""
    gap = table.first_row - (before.first_row + len(before.rows))
    if not 0 <= gap <= _NEAR:
        return table
    if before.is_title and 0 <= before.first_column - table.first_column < _width(table):
        return replace(table, caption=table.caption or before.rows[0][0])
    same = before.first_column == table.first_column and _width(before) == _width(table)
    if table.header_rows == 0 and same:
        alone = before.rows[0] if len(before.rows) == 1 else []
        return replace(table, columns=before.columns or tuple(alone), caption=before.caption)
    return table


def _width(table: SheetTable) -> int:
    return max(map(len, table.rows))


def _titles(rows: Sequence[Sequence[Value]]) -> int:
    """How many rows at the top hold one text and nothing else, above rows that hold more."""
    if max(_filled(row) for row in rows[:_SAMPLE_ROWS]) < 2:
        return 0
    for number, row in enumerate(rows[: _MOST_TITLES + 1]):
        if _filled(row) != 1 or any(value != "" and is_data(value) for value in row):
            return number
    return 0


def _filled(row: Sequence[Value]) -> int:
    return len(row) - row.count("")


def _header_rows(body: Sequence[Sequence[Value]], merged: Sequence[bool]) -> int:
    """How many rows name the columns: more than one where cells are merged over several columns."""
    if not _has_header(body):
        return 0
    count = 1
    while (
        count < min(_MOST_HEADER_ROWS, len(body) - 1)
        and merged[count - 1]
        and all(isinstance(value, str) and not is_data(value) for value in body[count])
    ):
        count += 1
    return count


def _has_header(body: Sequence[Sequence[Value]]) -> bool:
    if len(body) < 2:
        return False
    first, below = body[0], body[1:_SAMPLE_ROWS]
    if any(isinstance(value, str) and len(value) > _LONGEST_NAME for value in first):
        return False
    if len(first) == 1:
        return not is_data(first[0]) and all(is_data(row[0]) for row in below)
    numbers = [column for column, value in enumerate(first) if is_data(value)]
    if not numbers:
        return _filled(first) > 1
    if not all(is_year(first[column]) for column in numbers):
        return False
    # Years name columns of amounts; above other years they are a row like the others.
    return any(row[column] != "" and not is_year(row[column]) for row in below for column in numbers)


def _names(rows: Sequence[Sequence[Value]]) -> tuple[str, ...]:
    """One name a column: the words above each other, those of a merged cell over all of its columns."""
    filled: list[list[str]] = []
    for number, row in enumerate(rows):
        words = [shown(value) for value in row]
        if number < len(rows) - 1:
            for column in range(1, len(words)):
                # Nothing below it in the last row: then the cell is empty because nothing is there.
                if not words[column] and rows[-1][column] != "" and rows[-1][column - 1] != "":
                    words[column] = words[column - 1]
        filled.append(words)
    return tuple(" ".join(filter(None, column)) for column in zip(*filled, strict=True))


def _trimmed(row: list[str]) -> list[str]:
    """Without the empty cells at its end: they would be read as separators of nothing."""
    end = len(row)
    while end > 1 and not row[end - 1]:
        end -= 1
    return row[:end]
