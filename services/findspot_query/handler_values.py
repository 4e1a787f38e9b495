"""Values that several messages share, from and to protobuf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from findspot.errors import FieldViolation, InvalidArgument
from findspot.freshness import judge
from findspot.model import ChunkKind, EmbeddingIdentity, Notice, Page, PageKind, Reader, Span
from findspot.rpc.freshness_messages import FRESHNESS, evidence_unless_fresh
from findspot.stores.manifest import evidence
from findspot.stores.manifest.stored import LiveChunk
from findspot.v1 import common_pb2, extraction_pb2, query_pb2
from findspot_query.failures import Failure
from findspot_query.names import ChunkName, DocumentName
from findspot_query.request import OffsetUnit

_UNITS = {
    common_pb2.OFFSET_UNIT_UNSPECIFIED: OffsetUnit.CODE_POINT,
    common_pb2.OFFSET_UNIT_CODE_POINT: OffsetUnit.CODE_POINT,
    common_pb2.OFFSET_UNIT_UTF8_BYTE: OffsetUnit.UTF8_BYTE,
    common_pb2.OFFSET_UNIT_UTF16_UNIT: OffsetUnit.UTF16_UNIT,
}
KINDS = {
    common_pb2.CHUNK_KIND_SECTION: ChunkKind.SECTION,
    common_pb2.CHUNK_KIND_CODE: ChunkKind.CODE,
    common_pb2.CHUNK_KIND_TABLE: ChunkKind.TABLE,
}
_KIND_MESSAGES = {kind.value: number for number, kind in KINDS.items()}
_PAGE_KINDS = {
    PageKind.PAGE: extraction_pb2.PAGE_KIND_PAGE,
    PageKind.SLIDE: extraction_pb2.PAGE_KIND_SLIDE,
    PageKind.SHEET: extraction_pb2.PAGE_KIND_SHEET,
}
_READERS = {
    Reader.TEXT_LAYER: extraction_pb2.TEXT_READER_TEXT_LAYER,
    Reader.OCR: extraction_pb2.TEXT_READER_OCR,
    Reader.MODEL: extraction_pb2.TEXT_READER_MODEL,
}


def unknown_value(field: str, value: int) -> InvalidArgument:
    """The error for an enum number that this version does not know."""
    description = f"{value} is no value that this version knows"
    return InvalidArgument(f"{field}: {description}.", fields=[FieldViolation(field, description)])


def unit_of(value: common_pb2.OffsetUnit) -> OffsetUnit:
    """The unit of ranges."""
    if value not in _UNITS:
        raise unknown_value("offset_unit", value)
    return _UNITS[value]


def kind_message(kind: str) -> common_pb2.ChunkKind:
    """What a chunk holds."""
    return _KIND_MESSAGES[kind]


def range_message(span: Span) -> common_pb2.Range:
    """A range."""
    return common_pb2.Range(start=span.start, end=span.end)


def time_message(microseconds: int) -> Timestamp | None:
    """A time; None for 0, which means that there is none."""
    if not microseconds:
        return None
    return Timestamp(seconds=microseconds // 1_000_000, nanos=microseconds % 1_000_000 * 1_000)


def box_messages(boxes: Iterable[Sequence[float]]) -> list[common_pb2.PageBox]:
    """Boxes stored as (page, x, y, width, height)."""
    return [
        common_pb2.PageBox(page=int(page), box=common_pb2.Box(x=x, y=y, width=width, height=height))
        for page, x, y, width, height in boxes
    ]


def page_message(page: Page, span: Span) -> extraction_pb2.Page:
    """A page with its range in the unit of the request."""
    return extraction_pb2.Page(
        number=page.number,
        range=range_message(span),
        kind=_PAGE_KINDS[page.kind],
        label=page.label,
        width=page.width,
        height=page.height,
        reader=_READERS[page.reader],
        confidence=page.confidence,
    )


def identity_message(identity: EmbeddingIdentity) -> common_pb2.EmbeddingIdentity:
    """An embedding identity."""
    return common_pb2.EmbeddingIdentity(
        key=identity.key,
        display=identity.display,
        name=identity.name,
        dimension=identity.dimension,
        input_limit=identity.input_limit,
        special_tokens=identity.special_tokens,
    )


def notice_message(notice: Notice) -> common_pb2.Notice:
    """Something the caller should know."""
    return common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)


def failure_message(failure: Failure) -> common_pb2.Failure:
    """The failure of a part."""
    return common_pb2.Failure(
        reason=f"ERROR_REASON_{failure.reason.value}",
        message=failure.message,
        name=failure.name,
        fixed_by=failure.fixed_by,
    )


def chunk_name(name: query_pb2.ChunkName, field: str = "name") -> ChunkName:
    """How a chunk is named."""
    match name.WhichOneof("by"):
        case "chunk_id":
            return ChunkName(chunk_id=name.chunk_id)
        case "at_path":
            place = name.at_path
            document = DocumentName(collection=place.collection, file_path=place.file_path)
            return ChunkName(document=document, index=place.index)
        case "in_document":
            document = DocumentName(document_id=name.in_document.document_id)
            return ChunkName(document=document, index=name.in_document.index)
        case _:
            raise _missing(field, "name a chunk by chunk_id, at_path or in_document")


def document_name(
    request: query_pb2.ListChunksRequest
    | query_pb2.GetDocumentTextRequest
    | query_pb2.DownloadDocumentRequest,
) -> DocumentName:
    """How a document is named."""
    match request.WhichOneof("by"):
        case "document_id":
            return DocumentName(document_id=request.document_id)
        case "at_path":
            return DocumentName(collection=request.at_path.collection, file_path=request.at_path.file_path)
        case _:
            raise _missing("by", "name a document by document_id or at_path")


def _missing(field: str, what: str) -> InvalidArgument:
    return InvalidArgument(f"{field} is missing: {what}.", fields=[FieldViolation(field, what)])


def code_language(chunk: LiveChunk) -> str:
    """The language of code; empty for prose, whose language the API does not show."""
    return chunk.language if chunk.kind == ChunkKind.CODE else ""


def chunk_message(chunk: LiveChunk, span: Span, *, text: bool = True) -> query_pb2.Chunk:
    """A chunk as stored."""
    verdict = judge(evidence.of_chunk(chunk))
    return query_pb2.Chunk(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        collection=chunk.collection_path,
        file_path=chunk.file_path,
        title=chunk.title,
        chunk_index=chunk.chunk_index,
        section_id=chunk.section_id,
        kind=kind_message(chunk.kind),
        language=code_language(chunk),
        text=chunk.text if text else "",
        context=chunk.context,
        range=range_message(span),
        overlap=chunk.overlap,
        heading_path=chunk.heading_path,
        locator=chunk.locator,
        page=chunk.page or None,
        boxes=box_messages(chunk.boxes),
        contains_code=chunk.contains_code,
        retired_time=time_message(chunk.retired_at),
        generation=chunk.generation,
        document_type=chunk.document_type,
        freshness=FRESHNESS[verdict.freshness],
        stale=verdict.stale,
        evidence=evidence_unless_fresh(verdict),
    )
