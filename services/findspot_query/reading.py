"""Reads chunks, ranges, sections and documents: each from one manifest snapshot, ranges in the caller's unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Engine

from findspot import paging
from findspot.errors import InvalidArgument
from findspot.model import Caller, Span
from findspot.stores.blobs import BlobStore
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.stored import LiveChunk
from findspot_query.checks import require_revision
from findspot_query.names import ChunkName, DocumentName, find_chunk, require_document
from findspot_query.request import OffsetUnit
from findspot_query.rows import chunk_range, read_snapshot
from findspot_query.texts import DocumentTexts
from findspot_query.units import Units

MAX_BATCH = 200
MAX_AROUND = 50
MAX_LIST_PAGE = 1_000
DEFAULT_LIST_PAGE = 100


@dataclass(frozen=True)
class ReadSources:
    """What reads need."""

    engine: Engine
    texts: DocumentTexts
    blobs: BlobStore


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """A chunk with its range in the caller's unit."""

    chunk: LiveChunk
    range: Span


@dataclass(frozen=True, slots=True)
class ChunkAnswer:
    """A chunk and its neighbours; `chunk` None: there is none, and the message says which positions are valid."""

    chunk: ReadChunk | None
    prev_index: int | None = None
    next_index: int | None = None
    total: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """Neighbouring chunks as one text."""

    chunks: tuple[ReadChunk, ...] = ()
    text: str = ""
    range: Span = field(default_factory=lambda: Span(0, 0))
    total: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class ListAnswer:
    """A page of the chunks of a document."""

    document_id: str
    title: str
    total: int
    chunks: tuple[ReadChunk, ...]
    next_page_token: str


def get_chunk(
    caller: Caller,
    name: ChunkName,
    sources: ReadSources,
    *,
    unit: OffsetUnit = OffsetUnit.CODE_POINT,
    min_revision: int = 0,
) -> ChunkAnswer:
    """One chunk. A position outside the document is an answer with the valid range, no error."""
    with read_snapshot(sources.engine) as snapshot:
        require_revision(snapshot.revision, min_revision)
        return _chunk_answer(snapshot, caller, name, Units(snapshot, sources.texts, unit))


def get_chunks(
    caller: Caller,
    names: Sequence[ChunkName],
    sources: ReadSources,
    *,
    unit: OffsetUnit = OffsetUnit.CODE_POINT,
) -> tuple[ChunkAnswer, ...]:
    """Several chunks of one moment, in the order asked; each that is not there says so for itself."""
    if not 1 <= len(names) <= MAX_BATCH:
        raise InvalidArgument(f"{len(names)} chunks were asked for; 1 to {MAX_BATCH} are read at once.")
    with read_snapshot(sources.engine) as snapshot:
        units = Units(snapshot, sources.texts, unit)
        return tuple(_chunk_answer(snapshot, caller, name, units) for name in names)


def _chunk_answer(snapshot: Snapshot, caller: Caller, name: ChunkName, units: Units) -> ChunkAnswer:
    found = find_chunk(snapshot, caller, name)
    chunk = found.chunk
    if chunk is None:
        return ChunkAnswer(None, total=found.total, message=found.message)
    read = ReadChunk(chunk, units.span(chunk, chunk.start, chunk.end))
    if chunk.retired_at:
        return ChunkAnswer(read, total=found.total)
    index, last = chunk.chunk_index, found.total - 1
    return ChunkAnswer(
        read, index - 1 if index > 0 else None, index + 1 if index < last else None, found.total
    )


def get_range(
    caller: Caller,
    name: ChunkName,
    sources: ReadSources,
    *,
    before: int = 0,
    after: int = 0,
    within_section: bool = False,
    unit: OffsetUnit = OffsetUnit.CODE_POINT,
) -> RangeAnswer:
    """A chunk and those around it as one text, exactly as in the document: what chunks repeat stands once."""
    if max(before, after) > MAX_AROUND or min(before, after) < 0:
        raise InvalidArgument(
            f"{before} before and {after} after were asked for; 0 to {MAX_AROUND} are read."
        )
    with read_snapshot(sources.engine) as snapshot:
        found = find_chunk(snapshot, caller, name)
        middle = found.chunk
        if middle is None:
            return RangeAnswer(total=found.total, message=found.message)
        chunks: Sequence[LiveChunk] = (middle,)
        if not middle.retired_at:
            start = max(0, middle.chunk_index - before)
            around = chunk_range(snapshot, middle.document_id, start, middle.chunk_index + after + 1)
            chunks = [near for near in around if not within_section or near.section_id == middle.section_id]
        first, last = chunks[0].start, max(near.end for near in chunks)
        units = Units(snapshot, sources.texts, unit)
        text = (
            chunks[0].text
            if len(chunks) == 1
            else units.text(middle.document_id, middle.generation)[first:last]
        )
        read = tuple(ReadChunk(near, units.span(near, near.start, near.end)) for near in chunks)
        return RangeAnswer(read, text, units.span(middle, first, last), found.total)


def list_chunks(
    caller: Caller,
    name: DocumentName,
    sources: ReadSources,
    *,
    page_size: int = 0,
    page_token: str = "",
    unit: OffsetUnit = OffsetUnit.CODE_POINT,
) -> ListAnswer:
    """The chunks of a document in order, page by page."""
    size = paging.page_size(page_size, usual=DEFAULT_LIST_PAGE, most=MAX_LIST_PAGE)
    with read_snapshot(sources.engine) as snapshot:
        document = require_document(snapshot, caller, name)
        # A new generation is another list: a token of the old one does not continue it.
        bound = ["ListChunks", caller.subject, document.id, document.generation, unit]
        start = int(next(iter(paging.read_page_token(page_token, bound, 1)), 0))
        units = Units(snapshot, sources.texts, unit)
        chunks = chunk_range(snapshot, document.id, start, start + size)
        end = start + len(chunks)
        token = paging.page_token([str(end)], bound) if end < document.chunk_count else ""
        read = tuple(ReadChunk(chunk, units.span(chunk, chunk.start, chunk.end)) for chunk in chunks)
        return ListAnswer(document.id, document.title, document.chunk_count, read, token)
