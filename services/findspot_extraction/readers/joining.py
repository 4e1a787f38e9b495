"""Puts documents behind each other: the chapters of a book, the cells of a notebook, the parts of a message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from findspot.model import Block, Span, Table, TableRow

from .reader import ReadLimits, too_large

_GAP = "\n\n"


class Joining:
    """One full text that grows by whole pieces, an empty line between them, and their blocks moved along."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._pieces: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def add(self, text: str, blocks: Iterable[Block]) -> None:
        """Append a piece with blocks over it; one without blocks is left out. Raises DOCUMENT_TOO_LARGE."""
        found = list(blocks)
        if not found:
            return
        if self._length + len(text) > self._limits.max_characters:
            raise too_large(
                f"The text has more than {self._limits.max_characters:,} characters. Split the file.",
                limit=str(self._limits.max_characters),
            )
        if self._pieces:
            self._pieces.append(_GAP)
            self._length += len(_GAP)
        self.blocks.extend(_moved(block, self._length) for block in found)
        self._pieces.append(text)
        self._length += len(text)


def _moved(block: Block, by: int) -> Block:
    table = block.table
    if table is not None:
        table = _moved_table(table, by)
    # `replace` takes four times as long, and books have a hundred thousand blocks.
    return Block(
        block.kind,
        block.start + by,
        block.end + by,
        block.level,
        block.title,
        block.language,
        block.symbol_path,
        block.page,
        table,
    )


def _moved_table(table: Table, by: int) -> Table:
    rows = (
        TableRow(
            row.start + by,
            row.end + by,
            tuple(Span(cell.start + by, cell.end + by) for cell in row.cells),
        )
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))
