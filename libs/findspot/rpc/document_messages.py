"""Extracted documents as messages: text, blocks, words and marginalia in parts that stay under 1 MiB each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from findspot.model import (
    Block,
    BlockKind,
    ExtractedDocument,
    Marginalia,
    MarginaliaKind,
    Notice,
    Page,
    PageKind,
    Reader,
    Table,
    TableRow,
)
from findspot.v1 import common_pb2, extraction_pb2

TEXT_CHARACTERS = 200_000
"""Code points in one part of a text: at most 800 KB as UTF-8."""
_BATCH_BYTES = 400_000
_TABLE_RANGES = 20_000
"""Rows and cells of one table in one message; what is over goes on in further blocks with the same range."""
_PIECES = 1_000

_BLOCK_KINDS = {kind: extraction_pb2.BlockKind.Value(f"BLOCK_KIND_{kind.name}") for kind in BlockKind}
_PAGE_KINDS = {kind: f"PAGE_KIND_{kind.name}" for kind in PageKind}
_READERS = {reader: f"TEXT_READER_{reader.name}" for reader in Reader}
_MARGINALIA = {kind: f"MARGINALIA_KIND_{kind.name}" for kind in MarginaliaKind}


def text_parts(text: str) -> Iterator[extraction_pb2.TextPart]:
    """A text in order and without gaps; an empty text has no part."""
    for start in range(0, len(text), TEXT_CHARACTERS):
        yield extraction_pb2.TextPart(start=start, text=text[start : start + TEXT_CHARACTERS])


def block_batches(blocks: Iterable[Block]) -> Iterator[extraction_pb2.BlockBatch]:
    """Blocks in order. A table that is too large for one message is sent as several blocks of the same range."""
    batch, size = extraction_pb2.BlockBatch(), 0
    for block in blocks:
        for number, rows in enumerate(_row_runs(block.table.rows if block.table else ())):
            # Made in their place: a message that is put into another one is copied.
            message = batch.blocks.add(kind=_BLOCK_KINDS[block.kind], page=block.page)
            message.range.start, message.range.end = block.start, block.end
            if number == 0:
                _describe(message, block)
            if block.table:
                _add_rows(message.table, rows)
            size += message.ByteSize()
            if size >= _BATCH_BYTES:
                yield batch
                batch, size = extraction_pb2.BlockBatch(), 0
    if batch.blocks:
        yield batch


def header_message(document: ExtractedDocument, text_length: int) -> extraction_pb2.ExtractedHeader:
    """The document as a whole."""
    return extraction_pb2.ExtractedHeader(
        document_type=document.document_type,
        media_type=document.media_type,
        category=document.category,
        title=document.title,
        language=document.language,
        text_length=text_length,
        pages=map(page_message, document.pages),
        outline=[
            extraction_pb2.OutlineEntry(level=entry.level, title=entry.title, page=entry.page)
            for entry in document.outline
        ],
        metadata=dict(document.metadata),
        extractor_stamp=document.extractor_stamp,
    )


def page_message(page: Page) -> extraction_pb2.Page:
    """One page, slide or sheet."""
    return extraction_pb2.Page(
        number=page.number,
        range=common_pb2.Range(start=page.start, end=page.end),
        kind=_PAGE_KINDS[page.kind],
        label=page.label,
        width=page.width,
        height=page.height,
        reader=_READERS[page.reader],
        confidence=page.confidence,
    )


def marginalia_batches(pieces: Sequence[Marginalia]) -> Iterator[extraction_pb2.MarginaliaBatch]:
    """Marginalia in order."""
    for first in range(0, len(pieces), _PIECES):
        batch = extraction_pb2.MarginaliaBatch()
        for piece in pieces[first : first + _PIECES]:
            message = batch.pieces.add(page=piece.page, kind=_MARGINALIA[piece.kind], text=piece.text)
            if piece.box is not None:
                message.box.x, message.box.y = piece.box.x, piece.box.y
                message.box.width, message.box.height = piece.box.width, piece.box.height
        yield batch


def summary_message(
    block_count: int, word_count: int, notices: Iterable[Notice]
) -> extraction_pb2.ExtractSummary:
    """What was delivered, and what the caller should know."""
    return extraction_pb2.ExtractSummary(
        block_count=block_count,
        word_count=word_count,
        notices=[
            common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)
            for notice in notices
        ],
    )


def _row_runs(rows: Sequence[TableRow]) -> Iterator[Sequence[TableRow]]:
    """Rows in runs that fit into one message each; one empty run where there are none."""
    first = count = 0
    for number, row in enumerate(rows):
        count += 1 + len(row.cells)
        if count >= _TABLE_RANGES:
            yield rows[first : number + 1]
            first, count = number + 1, 0
    if first < len(rows) or not rows:
        yield rows[first:]


def _describe(message: extraction_pb2.Block, block: Block) -> None:
    """What the first message of a block holds, and those with further rows of its table do not."""
    message.level, message.title, message.language = block.level, block.title, block.language
    message.symbol_path.extend(block.symbol_path)
    if block.table:
        _describe_table(message.table, block.table)


def _describe_table(message: extraction_pb2.Table, table: Table) -> None:
    message.columns.extend(table.columns)
    message.header_rows, message.caption, message.continues = (
        table.header_rows,
        table.caption,
        table.continues,
    )
    message.first_row = table.first_row


def _add_rows(message: extraction_pb2.Table, rows: Iterable[TableRow]) -> None:
    for row in rows:
        made = message.rows.add()
        made.range.start, made.range.end = row.start, row.end
        add = made.cells.add
        for cell in row.cells:
            add(start=cell.start, end=cell.end)
