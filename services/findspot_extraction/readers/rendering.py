"""Builds the full text of formats that have none of their own, and the blocks over it, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from findspot.model import Block, BlockKind, Span, Table, TableRow

CELL_SEPARATOR = " | "


class Rendering:
    """Text that grows at its end: an empty line between blocks, a line end between items and between rows."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def __len__(self) -> int:
        """Characters so far."""
        return self._length

    def block(
        self,
        kind: BlockKind,
        words: str,
        *,
        level: int = 0,
        title: str = "",
        language: str = "",
        page: int = 0,
    ) -> None:
        """Append a block; words of white space only are left out."""
        if not words.strip():
            return
        self._separate(kind)
        start = self._append(words)
        self.blocks.append(
            Block(kind, start, self._length, level=level, title=title, language=language, page=page)
        )

    def table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        columns: tuple[str, ...] = (),
        header_rows: int = 0,
        caption: str = "",
        page: int = 0,
        widths: Sequence[Sequence[int]] | None = None,
        first_row: int = 1,
    ) -> None:
        """Append a table, one row a line. `widths` says how many columns each cell takes (1 without it)."""
        self._separate(BlockKind.TABLE)
        start = self._length
        found: list[TableRow] = []
        for number, row in enumerate(rows):
            if number:
                self._append("\n")
            found.append(self._row(row, widths[number] if widths else None))
        table = Table(columns, tuple(found), header_rows, caption, first_row=first_row)
        self.blocks.append(Block(BlockKind.TABLE, start, self._length, page=page, table=table))

    def _row(self, cells: Sequence[str], widths: Sequence[int] | None) -> TableRow:
        start = position = self._length
        spans: list[Span] = []
        for number, cell in enumerate(cells):
            position += len(CELL_SEPARATOR) if number else 0
            span = Span(position, position + len(cell))
            spans.extend([span] * (widths[number] if widths else 1))
            position = span.end
        self._append(CELL_SEPARATOR.join(cells))
        return TableRow(start, self._length, tuple(spans))

    def _separate(self, kind: BlockKind) -> None:
        if not self.blocks:
            return
        last = self.blocks[-1].kind
        close = last is kind is BlockKind.LIST_ITEM or (last is BlockKind.CAPTION and kind is BlockKind.TABLE)
        self._append("\n" if close else "\n\n")

    def _append(self, words: str) -> int:
        start = self._length
        self._pieces.append(words)
        self._length += len(words)
        return start


def one_line(words: str) -> str:
    """Runs of white space become one space: what a cell or a title holds."""
    return " ".join(words.split())
