"""Reads whole documents: their extracted text, and their original bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from findspot.errors import InvalidArgument, NotFound, Reason
from findspot.model import Caller, Page, Span
from findspot.stores.extractions import StoredExtraction
from findspot.stores.manifest.stored import StoredDocument
from findspot_query.names import DocumentName, require_document
from findspot_query.offsets import TextUnits
from findspot_query.reading import ReadSources
from findspot_query.request import OffsetUnit
from findspot_query.rows import read_snapshot

DEFAULT_LENGTH = 1_000_000
MAX_LENGTH = 4_000_000
FRAME_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """A range of a document's text. All positions are in the unit asked for."""

    document: StoredDocument
    text: str
    range: Span
    total_length: int
    next_start: int | None
    pages: tuple[tuple[Page, Span], ...] = ()
    """Pages that the range touches, with their ranges in the unit."""


@dataclass(frozen=True, slots=True)
class Download:
    """The original bytes of a document, frame by frame. `size_bytes` and `sha256` are those of all of them."""

    document: StoredDocument
    file_name: str
    size_bytes: int
    sha256: str
    frames: Iterator[bytes]


def get_text(
    caller: Caller,
    name: DocumentName,
    sources: ReadSources,
    *,
    start: int = 0,
    max_length: int = 0,
    unit: OffsetUnit = OffsetUnit.CODE_POINT,
) -> TextAnswer:
    """The text of a document from `start` on. A range never begins or ends inside a character."""
    if max_length > MAX_LENGTH:
        raise InvalidArgument(f"max_length is {max_length}; at most {MAX_LENGTH} are sent at once.")
    with read_snapshot(sources.engine) as snapshot:
        document = require_document(snapshot, caller, name)
    if not document.text_key:
        raise NotFound(
            f"{document.collection_path}/{document.file_path} has no text now: its state is {document.state}.",
            reason=Reason.DOCUMENT_NOT_FOUND,
            metadata={"state": document.state},
        )
    text = sources.texts.text(document.text_key)
    units = TextUnits(text, unit)
    total = units.outside(len(text))
    if start > total:
        raise InvalidArgument(f"start is {start}; the text has {total} ({unit.value}).")
    first = units.inside(start)
    last = units.inside(units.outside(first) + (max_length or DEFAULT_LENGTH))
    # At least one character, or a caller who follows next_start with a tiny length would never arrive.
    last = max(last, min(first + 1, len(text)))
    return TextAnswer(
        document=document,
        text=text[first:last],
        range=units.span(first, last),
        total_length=total,
        next_start=units.outside(last) if last < len(text) else None,
        pages=_pages(document, sources, units, first, last),
    )


def _pages(
    document: StoredDocument, sources: ReadSources, units: TextUnits, first: int, last: int
) -> tuple[tuple[Page, Span], ...]:
    if not document.page_count or not document.extraction_key:
        return ()
    extraction = StoredExtraction(sources.blobs, document.extraction_key)
    touched = [page for page in extraction.document().pages if page.start < last and page.end > first]
    return tuple((page, units.span(page.start, page.end)) for page in touched)


def download(caller: Caller, name: DocumentName, sources: ReadSources) -> Download:
    """The original bytes of the published generation."""
    with read_snapshot(sources.engine) as snapshot:
        document = require_document(snapshot, caller, name)
    if not document.blob_key:
        raise NotFound(
            f"{document.collection_path}/{document.file_path} was never published: its state is {document.state}.",
            reason=Reason.DOCUMENT_NOT_FOUND,
            metadata={"state": document.state},
        )
    data = sources.blobs.get(document.blob_key)
    frames = (data[at : at + FRAME_BYTES] for at in range(0, len(data), FRAME_BYTES))
    return Download(document, document.file_path.rpartition("/")[2], len(data), document.content_hash, frames)
