"""Tables of Office documents: merged cells, header rows and column names, the same way for every format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .rendering import Rendering

_MAX_REPEATED = 200_000
"""Characters that cells over several rows may add to one table; what would be over stays empty."""
MAX_SPAN = 200
"""Columns that one cell is believed to take."""
_MAX_PLACES = 2_000_000
"""Places in the grid of one table; in a larger one each cell takes one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as stored. `joins_above` is true for the lower part of a cell over several rows."""

    words: str
    width: int = 1
    joins_above: bool = False


@dataclass(frozen=True, slots=True)
class OfficeTable:
    """A table as rows of words; `widths` says how many columns each cell takes."""

    rows: list[list[str]] = field(default_factory=list)
    widths: list[list[int]] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    """For each row, its number among the stored ones: rows without words are left out."""
    header_rows: int = 0
    columns: tuple[str, ...] = ()
    title: str = ""
    """The words of a first row that is one cell over all columns."""

    def render(self, out: Rendering, caption: str = "", page: int = 0) -> bool:
        """Append to a text; False, and nothing done, when the table has no words."""
        if not self.rows:
            return False
        out.table(
            self.rows,
            columns=self.columns,
            header_rows=self.header_rows,
            caption=caption or self.title,
            page=page,
            widths=self.widths,
        )
        return True


def office_table(stored: Sequence[Sequence[Cell]], marked: int = 0) -> OfficeTable:
    """Lay a table out. `marked` rows at its top are said to be its header; without, it is the first row."""
    if sum(cell.width for cells in stored for cell in cells) > _MAX_PLACES:
        stored = [[replace(cell, width=1) for cell in cells] for cells in stored]
    rows: list[list[str]] = []
    widths: list[list[int]] = []
    kept: list[int] = []
    above: dict[int, str] = {}
    header_rows = repeated = 0
    for number, cells in enumerate(stored):
        words: list[str] = []
        column = 0
        for cell in cells:
            if cell.joins_above and column in above:
                repeated += len(above[column])
                own = above[column] if repeated <= _MAX_REPEATED else ""
                words.append(f"{own} {cell.words}".strip() if cell.words != own else own)
            else:
                above[column] = cell.words
                words.append(cell.words)
            column += cell.width
        if not any(words):
            continue
        rows.append(words)
        widths.append([cell.width for cell in cells])
        kept.append(number)
        header_rows += number < marked
    return _with_header(rows, widths, kept, header_rows)


def _with_header(rows: list[list[str]], widths: list[list[int]], kept: list[int], marked: int) -> OfficeTable:
    title = ""
    wide = max(map(sum, widths), default=0)
    if len(rows) > 1 and wide > 1 and widths[0] == [wide]:
        title = rows[0][0]
    header_rows = min(marked, len(rows) - 1) if marked else min(1, len(rows) - 1)
    if title and not marked and len(rows) > 2:
        header_rows = 2
    naming = slice(1 if title and header_rows > 1 else 0, max(header_rows, 0))
    columns = column_names(rows[naming], widths[naming])
    return OfficeTable(rows, widths, kept, max(header_rows, 0), columns, title)


def column_names(rows: list[list[str]], widths: list[list[int]]) -> tuple[str, ...]:
    """Names from top to bottom: `Sales` over `2023` and `2024` gives `Sales 2023`, `Sales 2024`."""
    names: list[list[str]] = []
    for words, spans in zip(rows, widths, strict=True):
        spread = [word for word, width in zip(words, spans, strict=True) for _ in range(width)]
        names.extend([] for _ in range(len(spread) - len(names)))
        for column, word in enumerate(spread):
            if word and word not in names[column]:
                names[column].append(word)
    return tuple(" ".join(parts) for parts in names)
