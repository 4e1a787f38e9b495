"""Messages as extracted documents: parts put together, and counted against what the sender says it sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from findspot.errors import DataLoss
from findspot.model import (
    Block,
    BlockKind,
    Box,
    ExtractedDocument,
    Marginalia,
    MarginaliaKind,
    Notice,
    OutlineEntry,
    Page,
    PageKind,
    Reader,
    Span,
    Table,
    TableRow,
    Words,
)
from findspot.v1 import common_pb2, extraction_pb2

_BLOCK_KINDS = {extraction_pb2.BlockKind.Value(f"BLOCK_KIND_{kind.name}"): kind for kind in BlockKind}
_PAGE_KINDS = {extraction_pb2.PageKind.Value(f"PAGE_KIND_{kind.name}"): kind for kind in PageKind}
_READERS = {extraction_pb2.TextReader.Value(f"TEXT_READER_{reader.name}"): reader for reader in Reader}
_MARGINALIA = {
    extraction_pb2.MarginaliaKind.Value(f"MARGINALIA_KIND_{kind.name}"): kind for kind in MarginaliaKind
}


class DocumentAssembly:
    """Takes the parts of an `Extract` answer in their order; `document` checks that all of them came."""

    def __init__(self) -> None:
        self._header: extraction_pb2.ExtractedHeader | None = None
        self._summary: extraction_pb2.ExtractSummary | None = None
        self._text: list[str] = []
        self._blocks: list[Block] = []
        self._words: list[Words] = []
        self._marginalia: list[Marginalia] = []

    def add(self, part: extraction_pb2.ExtractResponse) -> None:
        """Take the next part."""
        kind = part.WhichOneof("part")
        if kind == "header":
            self._header = part.header
        elif kind == "text":
            self._text.append(part.text.text)
        elif kind == "blocks":
            add_blocks(self._blocks, part.blocks.blocks)
        elif kind == "words":
            _add_words(self._words, part.words)
        elif kind == "marginalia":
            self._marginalia.extend(map(_marginalia, part.marginalia.pieces))
        elif kind == "summary":
            self._summary = part.summary

    def document(self) -> ExtractedDocument:
        """The whole document. DataLoss when parts are missing."""
        header, summary = self._header, self._summary
        if header is None or summary is None:
            raise DataLoss("The answer of the extraction service ended before its summary; ask again.")
        text = "".join(self._text)
        words = sum(len(page.starts) for page in self._words)
        received = (len(text), len(self._blocks), words)
        sent = (header.text_length, summary.block_count, summary.word_count)
        if received != sent:
            raise DataLoss(
                f"Of (characters, blocks, words) {sent} were sent and {received} arrived; ask again."
            )
        return ExtractedDocument(
            text=text,
            document_type=header.document_type,
            media_type=header.media_type,
            category=header.category,
            title=header.title,
            language=header.language,
            blocks=tuple(self._blocks),
            pages=tuple(map(page_value, header.pages)),
            words=tuple(self._words),
            marginalia=tuple(self._marginalia),
            outline=tuple(OutlineEntry(entry.level, entry.title, entry.page) for entry in header.outline),
            metadata=dict(header.metadata),
            warnings=notices(summary.notices),
            extractor_stamp=header.extractor_stamp,
        )


def add_blocks(blocks: list[Block], messages: Iterable[extraction_pb2.Block]) -> None:
    """Append blocks; a table block with the range of the one before it is the rest of that table."""
    for message in messages:
        block = _block(message)
        last = blocks[-1] if blocks else None
        rest = block.table
        same = last is not None and (last.start, last.end, last.kind) == (block.start, block.end, block.kind)
        if same and last is not None and last.table is not None and rest is not None:
            blocks[-1] = replace(last, table=replace(last.table, rows=last.table.rows + rest.rows))
        else:
            blocks.append(block)


def notices(messages: Iterable[common_pb2.Notice]) -> tuple[Notice, ...]:
    """Notices in their order."""
    return tuple(Notice(message.code, message.message, message.page) for message in messages)


def _block(message: extraction_pb2.Block) -> Block:
    return Block(
        kind=_BLOCK_KINDS.get(message.kind, BlockKind.PARAGRAPH),
        start=message.range.start,
        end=message.range.end,
        level=message.level,
        title=message.title,
        language=message.language,
        symbol_path=tuple(message.symbol_path),
        page=message.page,
        table=_table(message.table) if message.HasField("table") else None,
    )


def _table(message: extraction_pb2.Table) -> Table:
    return Table(
        columns=tuple(message.columns),
        rows=tuple(map(_row, message.rows)),
        header_rows=message.header_rows,
        caption=message.caption,
        continues=message.continues,
        first_row=message.first_row if message.HasField("first_row") else 1,
    )


def _row(message: extraction_pb2.TableRow) -> TableRow:
    cells = tuple(Span(cell.start, cell.end) for cell in message.cells)
    return TableRow(message.range.start, message.range.end, cells)


def _add_words(words: list[Words], batch: extraction_pb2.WordBatch) -> None:
    starts, lengths, boxes = tuple(batch.starts), tuple(batch.lengths), tuple(batch.boxes)
    if words and words[-1].page == batch.page:
        last = words[-1]
        words[-1] = Words(last.page, last.starts + starts, last.lengths + lengths, last.boxes + boxes)
    else:
        words.append(Words(batch.page, starts, lengths, boxes))


def page_value(message: extraction_pb2.Page) -> Page:
    """One page, slide or sheet; what is not given is a page that its text layer was read from."""
    return Page(
        number=message.number,
        start=message.range.start,
        end=message.range.end,
        kind=_PAGE_KINDS.get(message.kind, PageKind.PAGE),
        label=message.label,
        width=message.width,
        height=message.height,
        reader=_READERS.get(message.reader, Reader.TEXT_LAYER),
        confidence=message.confidence if message.HasField("confidence") else None,
    )


def _marginalia(message: extraction_pb2.Marginalia) -> Marginalia:
    box = message.box
    return Marginalia(
        page=message.page,
        kind=_MARGINALIA.get(message.kind, MarginaliaKind.HEADER),
        text=message.text,
        box=Box(box.x, box.y, box.width, box.height) if message.HasField("box") else None,
    )
