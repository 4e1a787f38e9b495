"""Extracted documents as messages: text, blocks, words and marginalia in parts that stay under 1 MiB each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from findspot.model import (
    Block,
    BlockKind,
    ExtractedDocument,
    MarginaliaKind,
    Page,
    PageKind,
    Reader,
    Table,
    TableRow,
    Words,
)
from findspot.v1 import common_pb2, extraction_pb2

TEXT_CHARACTERS = 200_000
"""Code points in one part of a text: at most 800 KB as UTF-8."""
_BATCH_BYTES = 400_000
_TABLE_RANGES = 20_000
"""Rows and cells of one table in one message; what is over goes on in further blocks with the same range."""
_WORDS = 30_000
_PIECES = 1_000

_BLOCK_KINDS = {kind: f"BLOCK_KIND_{kind.name}" for kind in BlockKind}
_PAGE_KINDS = {kind: f"PAGE_KIND_{kind.name}" for kind in PageKind}
_READERS = {reader: f"TEXT_READER_{reader.name}" for reader in Reader}
_MARGINALIA = {kind: f"MARGINALIA_KIND_{kind.name}" for kind in MarginaliaKind}


def response_parts(
    document: ExtractedDocument, *, omit_words: bool = False
) -> Iterator[extraction_pb2.ExtractResponse]:
    """The answer of `Extract`, part by part, in the order that the API promises."""
    yield extraction_pb2.ExtractResponse(header=_header(document))
    for text in text_parts(document.text):
        yield extraction_pb2.ExtractResponse(text=text)
    for blocks in block_batches(document.blocks):
        yield extraction_pb2.ExtractResponse(blocks=blocks)
    words = () if omit_words else document.words
    for page in words:
        for batch in _word_batches(page):
            yield extraction_pb2.ExtractResponse(words=batch)
    for marginalia in _marginalia(document):
        yield extraction_pb2.ExtractResponse(marginalia=marginalia)
    yield extraction_pb2.ExtractResponse(summary=_summary(document, words))


def text_parts(text: str) -> Iterator[extraction_pb2.TextPart]:
    """A text in order and without gaps; an empty text has no part."""
    for start in range(0, len(text), TEXT_CHARACTERS):
        yield extraction_pb2.TextPart(start=start, text=text[start : start + TEXT_CHARACTERS])


def block_batches(blocks: Iterable[Block]) -> Iterator[extraction_pb2.BlockBatch]:
    """Blocks in order. A table that is too large for one message is sent as several blocks of the same range."""
    batch: list[extraction_pb2.Block] = []
    size = 0
    for message in (message for block in blocks for message in _block(block)):
        batch.append(message)
        size += message.ByteSize()
        if size >= _BATCH_BYTES:
            yield extraction_pb2.BlockBatch(blocks=batch)
            batch, size = [], 0
    if batch:
        yield extraction_pb2.BlockBatch(blocks=batch)


def _header(document: ExtractedDocument) -> extraction_pb2.ExtractedHeader:
    return extraction_pb2.ExtractedHeader(
        document_type=document.document_type,
        media_type=document.media_type,
        category=document.category,
        title=document.title,
        language=document.language,
        text_length=len(document.text),
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


def _block(block: Block) -> Iterator[extraction_pb2.Block]:
    message = extraction_pb2.Block(
        kind=_BLOCK_KINDS[block.kind],
        range=common_pb2.Range(start=block.start, end=block.end),
        level=block.level,
        title=block.title,
        language=block.language,
        symbol_path=block.symbol_path,
        page=block.page,
    )
    if block.table is None:
        yield message
        return
    runs = _row_runs(block.table.rows)
    message.table.CopyFrom(_table(block.table, next(runs, ())))
    yield message
    for rows in runs:
        more = extraction_pb2.Block(kind=message.kind, range=message.range, page=block.page)
        more.table.rows.extend(map(_row, rows))
        yield more


def _row_runs(rows: Sequence[TableRow]) -> Iterator[Sequence[TableRow]]:
    first = count = 0
    for number, row in enumerate(rows):
        count += 1 + len(row.cells)
        if count >= _TABLE_RANGES:
            yield rows[first : number + 1]
            first, count = number + 1, 0
    if first < len(rows):
        yield rows[first:]


def _table(table: Table, rows: Iterable[TableRow]) -> extraction_pb2.Table:
    return extraction_pb2.Table(
        columns=table.columns,
        rows=map(_row, rows),
        header_rows=table.header_rows,
        caption=table.caption,
        continues=table.continues,
        first_row=table.first_row,
    )


def _row(row: TableRow) -> extraction_pb2.TableRow:
    make = common_pb2.Range
    return extraction_pb2.TableRow(
        range=make(start=row.start, end=row.end),
        cells=[make(start=cell.start, end=cell.end) for cell in row.cells],
    )


def _word_batches(words: Words) -> Iterator[extraction_pb2.WordBatch]:
    for first in range(0, len(words.starts), _WORDS):
        last = first + _WORDS
        yield extraction_pb2.WordBatch(
            page=words.page,
            starts=words.starts[first:last],
            lengths=words.lengths[first:last],
            boxes=words.boxes[4 * first : 4 * last],
        )


def _marginalia(document: ExtractedDocument) -> Iterator[extraction_pb2.MarginaliaBatch]:
    pieces = document.marginalia
    for first in range(0, len(pieces), _PIECES):
        batch = extraction_pb2.MarginaliaBatch()
        for piece in pieces[first : first + _PIECES]:
            message = batch.pieces.add(page=piece.page, kind=_MARGINALIA[piece.kind], text=piece.text)
            if piece.box is not None:
                message.box.x, message.box.y = piece.box.x, piece.box.y
                message.box.width, message.box.height = piece.box.width, piece.box.height
        yield batch


def _summary(document: ExtractedDocument, words: Sequence[Words]) -> extraction_pb2.ExtractSummary:
    return extraction_pb2.ExtractSummary(
        block_count=len(document.blocks),
        word_count=sum(len(page.starts) for page in words),
        notices=[
            common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)
            for notice in document.warnings
        ],
    )
