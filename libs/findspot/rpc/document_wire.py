"""Text, blocks, pages and notices of documents as extraction and chunking exchange them, in both directions.

Messages stay under 1 MiB: text goes in parts, blocks in batches, and a table of many rows as several blocks
of which each later one continues the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from findspot.errors import FieldViolation, InvalidArgument
from findspot.model import (
    Block,
    BlockKind,
    ChunkingOptions,
    ChunkKind,
    Notice,
    Page,
    PageKind,
    Reader,
    Span,
    Strategy,
    Table,
    TableRow,
)
from findspot.v1 import common_pb2, extraction_pb2

TEXT_PART = 200_000
"""Code points in one part of a text: at most 800 KB."""
BATCH_BYTES = 512 * 1024
"""A batch of messages is closed when it has this many bytes."""
TABLE_CELLS = 10_000
"""Cells in one block of a table: about 250 KB."""

_BLOCKS = {kind: getattr(extraction_pb2, f"BLOCK_KIND_{kind.name}") for kind in BlockKind}
_BLOCK_KINDS = {number: kind for kind, number in _BLOCKS.items()}
_PAGES = {kind: getattr(extraction_pb2, f"PAGE_KIND_{kind.name}") for kind in PageKind}
_PAGE_KINDS = {number: kind for kind, number in _PAGES.items()}
_READERS = {reader: getattr(extraction_pb2, f"TEXT_READER_{reader.name}") for reader in Reader}
_READER_KINDS = {number: reader for reader, number in _READERS.items()}
CHUNK_KINDS = {kind: getattr(common_pb2, f"CHUNK_KIND_{kind.name}") for kind in ChunkKind}
"""Kinds of chunks by what they are on the wire."""
STRATEGIES = {strategy: getattr(common_pb2, f"CHUNKING_STRATEGY_{strategy.name}") for strategy in Strategy}
"""Strategies by what they are on the wire."""
_CHUNK_KINDS = {number: kind for kind, number in CHUNK_KINDS.items()}
_STRATEGY_KINDS = {number: strategy for strategy, number in STRATEGIES.items()}


def text_parts(text: str) -> Iterator[extraction_pb2.TextPart]:
    """The full text in parts, in order and without a gap; none for an empty text."""
    for start in range(0, len(text), TEXT_PART):
        yield extraction_pb2.TextPart(start=start, text=text[start : start + TEXT_PART])


M = TypeVar("M", bound="extraction_pb2.Block")


def batches(messages: Iterable[M], limit: int = BATCH_BYTES) -> Iterator[list[M]]:
    """Messages in lists of about `limit` bytes; one message that is larger goes alone."""
    batch: list[M] = []
    size = 0
    for message in messages:
        length = message.ByteSize()
        if batch and size + length > limit:
            yield batch
            batch, size = [], 0
        batch.append(message)
        size += length
    if batch:
        yield batch


def block_batches(blocks: Iterable[Block]) -> Iterator[extraction_pb2.BlockBatch]:
    """Blocks in batches."""
    pieces = (block_to_wire(piece) for block in blocks for piece in table_pieces(block))
    for batch in batches(pieces):
        yield extraction_pb2.BlockBatch(blocks=batch)


def table_pieces(block: Block) -> Iterator[Block]:
    """The block itself, or the pieces of a large table: each later one continues the one before."""
    table = block.table
    if table is None or sum(len(row.cells) + 1 for row in table.rows) <= TABLE_CELLS:
        yield block
        return
    start = block.start
    groups = list(_row_groups(table.rows))
    header = table.header_rows
    for index, rows in enumerate(groups):
        end = groups[index + 1][0].start if index + 1 < len(groups) else block.end
        part = replace(
            table,
            rows=tuple(rows),
            header_rows=min(header, len(rows)),
            continues=table.continues or index > 0,
        )
        header -= part.header_rows
        yield replace(block, start=start, end=end, table=part)
        start = end


def _row_groups(rows: Sequence[TableRow]) -> Iterator[list[TableRow]]:
    group: list[TableRow] = []
    cells = 0
    for row in rows:
        if group and cells + len(row.cells) + 1 > TABLE_CELLS:
            yield group
            group, cells = [], 0
        group.append(row)
        cells += len(row.cells) + 1
    if group:
        yield group


def block_to_wire(block: Block) -> extraction_pb2.Block:
    """One block."""
    return extraction_pb2.Block(
        kind=_BLOCKS[block.kind],
        range=_range(block.start, block.end),
        level=block.level,
        title=block.title,
        language=block.language,
        symbol_path=block.symbol_path,
        page=block.page,
        table=None if block.table is None else _table_to_wire(block.table),
    )


def block_from_wire(block: extraction_pb2.Block) -> Block:
    """One block; InvalidArgument for a kind that this version does not know."""
    kind = _BLOCK_KINDS.get(block.kind)
    if kind is None:
        raise _unknown("blocks.kind", block.kind)
    return Block(
        kind=kind,
        start=block.range.start,
        end=block.range.end,
        level=block.level,
        title=block.title,
        language=block.language,
        symbol_path=tuple(block.symbol_path),
        page=block.page,
        table=_table_from_wire(block.table) if block.HasField("table") else None,
    )


def _table_to_wire(table: Table) -> extraction_pb2.Table:
    return extraction_pb2.Table(
        columns=table.columns,
        rows=[
            extraction_pb2.TableRow(
                range=_range(row.start, row.end), cells=[_range(cell.start, cell.end) for cell in row.cells]
            )
            for row in table.rows
        ],
        header_rows=table.header_rows,
        caption=table.caption,
        continues=table.continues,
    )


def _table_from_wire(table: extraction_pb2.Table) -> Table:
    return Table(
        columns=tuple(table.columns),
        rows=tuple(
            TableRow(row.range.start, row.range.end, tuple(Span(cell.start, cell.end) for cell in row.cells))
            for row in table.rows
        ),
        header_rows=table.header_rows,
        caption=table.caption,
        continues=table.continues,
    )


def page_to_wire(page: Page) -> extraction_pb2.Page:
    """One page, slide or sheet."""
    return extraction_pb2.Page(
        number=page.number,
        range=_range(page.start, page.end),
        kind=_PAGES[page.kind],
        label=page.label,
        width=page.width,
        height=page.height,
        reader=_READERS[page.reader],
        confidence=page.confidence,
    )


def page_from_wire(page: extraction_pb2.Page) -> Page:
    """One page, slide or sheet; what is not given is a page that its text layer was read from."""
    return Page(
        number=page.number,
        start=page.range.start,
        end=page.range.end,
        kind=_PAGE_KINDS.get(page.kind, PageKind.PAGE),
        label=page.label,
        width=page.width,
        height=page.height,
        reader=_READER_KINDS.get(page.reader, Reader.TEXT_LAYER),
        confidence=page.confidence if page.HasField("confidence") else None,
    )


def notice_to_wire(notice: Notice) -> common_pb2.Notice:
    """One notice."""
    return common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)


def notice_from_wire(notice: common_pb2.Notice) -> Notice:
    """One notice."""
    return Notice(notice.code, notice.message, notice.page)


def options_to_wire(options: ChunkingOptions) -> common_pb2.ChunkingOptions:
    """Options; what is None stays absent."""
    return common_pb2.ChunkingOptions(
        strategy=None if options.strategy is None else STRATEGIES[options.strategy],
        size=options.size,
        overlap=options.overlap,
        token_cap=options.token_cap,
    )


def options_from_wire(options: common_pb2.ChunkingOptions) -> ChunkingOptions:
    """Options; InvalidArgument for a strategy that this version does not know."""
    strategy = _STRATEGY_KINDS.get(options.strategy)
    if strategy is None and options.strategy != common_pb2.CHUNKING_STRATEGY_UNSPECIFIED:
        raise _unknown("options.strategy", options.strategy)
    return ChunkingOptions(
        strategy=strategy,
        size=options.size if options.HasField("size") else None,
        overlap=options.overlap if options.HasField("overlap") else None,
        token_cap=options.token_cap if options.HasField("token_cap") else None,
    )


def chunk_kind_from_wire(number: int) -> ChunkKind:
    """A kind of chunks; InvalidArgument for one that this version does not know."""
    kind = _CHUNK_KINDS.get(number)
    if kind is None:
        raise _unknown("kind", number)
    return kind


def strategy_from_wire(number: int) -> Strategy:
    """A strategy; InvalidArgument for one that this version does not know."""
    strategy = _STRATEGY_KINDS.get(number)
    if strategy is None:
        raise _unknown("strategy", number)
    return strategy


def _range(start: int, end: int) -> common_pb2.Range:
    return common_pb2.Range(start=start, end=end)


def _unknown(field: str, number: int) -> InvalidArgument:
    told = f"{number} is no value that this version knows."
    return InvalidArgument(f"{field}: {told}", fields=[FieldViolation(field, told)])
