"""What is read of the manifest, as frozen values, and how each is made from a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from findspot.model import EmbeddingIdentity, Notice


@dataclass(frozen=True, slots=True)
class SnapshotState:
    """What the whole index stands at: its revision, and the identity whose vectors are searched."""

    revision: int
    active: EmbeddingIdentity | None
    qdrant_collection: str | None


@dataclass(frozen=True, slots=True)
class CollectionRef:
    """A collection by id and path."""

    id: str
    path: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a scope can be found: chunks live and with a vector, documents waiting and failed."""

    live_chunks: int
    embedded_chunks: int
    pending_documents: int
    failed_documents: int


@dataclass(frozen=True, slots=True)
class ChunkPosition:
    """Where a live chunk stands: all that ranking needs."""

    document_id: str
    chunk_index: int
    section_id: str


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file of a directory as the last scan saw it."""

    content_hash: str
    """SHA-256 in hex; empty when it could not be taken."""
    modified_ns: int
    """Nanoseconds since 1970."""
    error_message: str
    """Why it could not be taken."""


@dataclass(frozen=True, slots=True)
class LiveChunk:
    """A chunk with what a hit says about its document. `state` is LIVE or, read by id, RETIRED."""

    id: str
    state: str
    document_id: str
    collection_path: str
    file_path: str
    title: str
    document_type: str
    document_language: str
    metadata: Mapping[str, str]
    source_modified_at: int
    generation: int
    chunk_count: int
    """Chunks of the document's published generation."""
    chunk_index: int
    section_id: str
    kind: str
    language: str
    heading_path: tuple[str, ...]
    locator: str
    page: int
    boxes: tuple[tuple[float, ...], ...]
    """(page, x, y, width, height): first the union, then one a line; empty without layout."""
    text: str
    context: str
    start: int
    end: int
    overlap: int
    contains_code: bool
    identifiers: tuple[str, ...]
    token_count: int | None
    chunk_hash: str
    retired_at: int
    row_hash: str
    """Of the bytes that the document's published generation was made from."""
    received_hash: str
    """Of the newest bytes received."""
    diverged_at: int
    file: FileRow | None
    """The file of a directory as it was last seen; None where nobody scans for it."""
    vector_state: str
    """PENDING, READY or FAILED under the active identity, or anything else when nobody has asked for a vector; empty
    without an active identity."""
    payload_recipe: int
    """By which its entries in the index were made."""


@dataclass(frozen=True, slots=True)
class StoredSection:
    """A section of one generation of a document."""

    id: str
    document_id: str
    generation: int
    index: int
    kind: str
    start: int
    end: int
    heading_path: tuple[str, ...]
    locator: str
    page_start: int
    page_end: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document and its published generation; `generation` 0: nothing is published, blob keys are empty."""

    id: str
    collection_id: str
    collection_path: str
    file_path: str
    state: str
    title: str
    summary: str
    media_type: str
    document_type: str
    language: str
    metadata: Mapping[str, str]
    size_bytes: int
    content_hash: str
    """Of the published bytes; empty before the first publication."""
    observed_hash: str
    """Of the newest bytes received."""
    source_modified_at: int
    generation: int
    chunk_count: int
    section_count: int
    page_count: int
    text_length: int
    blob_key: str
    extraction_key: str
    text_key: str
    error_reason: str
    error_message: str
    revision: int
    created_at: int
    updated_at: int
    indexed_at: int
    deleted_at: int
    next_generation: int
    """Of the newest bytes received; equal to `generation` once they are published."""
    options: Mapping[str, Any]
    """What the sender said of the newest bytes, beside their path."""
    attempts: int
    stage: str
    """Where making the next generation begins, see `findspot.stores.manifest.remaking`; empty after an upload."""
    queued_at: int
    extractor_stamp: str
    chunker_stamp: str
    notices: tuple[Notice, ...]
    diverged_at: int = 0
    """Since when the newest bytes received are not the published ones; 0 while they are."""
    file: FileRow | None = None
    """The file of a directory as it was last seen; None where nobody scans for it."""


def identity_of(row: Row[Any]) -> EmbeddingIdentity:
    """An identity from its row."""
    return EmbeddingIdentity(
        key=row.key,
        display=row.display,
        name=row.name,
        dimension=row.dimension,
        input_limit=row.input_limit,
        special_tokens=row.special_tokens,
    )


def file_of(content_hash: str | None, modified_ns: int | None, error_message: str | None) -> FileRow | None:
    """A file from the columns of an outer join: all None where there is no row."""
    if content_hash is None:
        return None
    return FileRow(content_hash, modified_ns or 0, error_message or "")


def chunk_of(row: Row[Any]) -> LiveChunk:
    """A chunk from its row joined with those of its document and generation."""
    return LiveChunk(
        id=row.id,
        state=row.state,
        document_id=row.document_id,
        collection_path=row.collection_path,
        file_path=row.file_path,
        title=row.title,
        document_type=row.document_type,
        document_language=row.document_language,
        metadata=row.document_metadata,
        source_modified_at=row.source_modified_at,
        generation=row.generation,
        chunk_count=row.chunk_count,
        chunk_index=row.chunk_index,
        section_id=row.section_id,
        kind=row.kind,
        language=row.language,
        heading_path=tuple(row.heading_path),
        locator=row.locator,
        page=row.page,
        boxes=tuple(tuple(box) for box in row.boxes),
        text=row.text,
        context=row.context,
        start=row.start,
        end=row.end,
        overlap=row.overlap,
        contains_code=row.contains_code,
        identifiers=tuple(row.identifiers),
        token_count=row.token_count,
        chunk_hash=row.chunk_hash,
        retired_at=row.retired_at,
        row_hash=row.row_hash,
        received_hash=row.received_hash,
        diverged_at=row.diverged_at,
        file=file_of(row.seen_hash, row.seen_modified_ns, row.seen_error),
        vector_state=row.vector_state,
        payload_recipe=row.payload_recipe,
    )


def section_of(row: Row[Any]) -> StoredSection:
    """A section from its row."""
    return StoredSection(
        id=row.id,
        document_id=row.document_id,
        generation=row.generation,
        index=row.section_index,
        kind=row.kind,
        start=row.start,
        end=row.end,
        heading_path=tuple(row.heading_path),
        locator=row.locator,
        page_start=row.page_start,
        page_end=row.page_end,
    )


def document_of(row: Row[Any]) -> StoredDocument:
    """A document from its row joined with that of its published generation."""
    return StoredDocument(
        id=row.id,
        collection_id=row.collection_id,
        collection_path=row.collection_path,
        file_path=row.file_path,
        state=row.state,
        title=row.title,
        summary=row.summary,
        media_type=row.media_type,
        document_type=row.document_type,
        language=row.language,
        metadata=row.metadata,
        size_bytes=row.size_bytes,
        content_hash=row.content_hash,
        observed_hash=row.observed_hash,
        source_modified_at=row.source_modified_at,
        generation=row.generation,
        chunk_count=row.chunk_count,
        section_count=row.section_count,
        page_count=row.page_count,
        text_length=row.text_length,
        blob_key=row.published_blob_key,
        extraction_key=row.extraction_key,
        text_key=row.text_key,
        error_reason=row.error_reason,
        error_message=row.error_message,
        revision=row.revision,
        created_at=row.created_at,
        updated_at=row.updated_at,
        indexed_at=row.indexed_at,
        deleted_at=row.deleted_at,
        next_generation=row.next_generation,
        options=row.options,
        attempts=row.attempts,
        stage=row.stage,
        queued_at=row.queued_at,
        extractor_stamp=row.extractor_stamp or "",
        chunker_stamp=row.chunker_stamp or "",
        notices=tuple(Notice(**notice) for notice in row.warnings or ()),
        diverged_at=row.diverged_at,
        file=file_of(row.seen_hash, row.seen_modified_ns, row.seen_error),
    )
