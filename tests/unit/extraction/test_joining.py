"""Documents in pieces become one: ranges move, everything else of a block stays."""

from __future__ import annotations

from dataclasses import fields, replace

from findspot.model import Block, BlockKind, Span, Table, TableRow
from findspot_extraction.readers.joining import Joining
from findspot_extraction.readers.reader import ReadLimits

TABLE = Table(("a",), (TableRow(0, 3, (Span(0, 1), Span(2, 3))),), 1, "c", continues=True, first_row=7)
BLOCK = Block(BlockKind.DEFINITION, 0, 3, 2, "t", "rust", ("m", "t"), 4, TABLE)


def test_a_moved_block_keeps_all_but_its_ranges() -> None:
    assert all(getattr(BLOCK, field.name) != field.default for field in fields(Block))
    joined = Joining(ReadLimits())
    joined.add("a b", [BLOCK])
    joined.add("a b", [BLOCK])
    first, second = joined.blocks
    rows = (TableRow(5, 8, (Span(5, 6), Span(7, 8))),)
    assert first == BLOCK
    assert second == replace(BLOCK, start=5, end=8, table=replace(TABLE, rows=rows))
    assert joined.text[second.start : second.end] == "a b"
