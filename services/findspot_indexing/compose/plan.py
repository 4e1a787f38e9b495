"""One generation of a document, worked out to the last row before anything is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from findspot.ids import ancestor_paths, section_id
from findspot.model import ChunkedDocument, ExtractedDocument
from findspot.payload import PAYLOAD_RECIPE
from findspot.stores.manifest import remaking
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.stored import StoredDocument
from findspot.stores.text.schema import TextEntry
from findspot_indexing.compose.boxes import chunk_boxes
from findspot_indexing.compose.describe import summary_of, title_of
from findspot_indexing.compose.reconcile import NamedChunk, Reconciled, name_chunks, reconcile
from findspot_indexing.embed.recipe import metadata_terms

# What the id was made of, and when: it never changes, and the text is most of a row.
_OF_THE_ID = ("document_id", "kind", "chunk_hash", "occurrence", "context", "text", "created_at")


@dataclass(frozen=True, slots=True)
class Description:
    """What the switch writes on the document itself, and both projections repeat."""

    title: str
    summary: str
    media_type: str
    document_type: str
    language: str
    metadata: Mapping[str, str]
    source_modified_at: int


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation ready to be written: rows, entries of the text index, and chunks that need a vector."""

    description: Description
    chunk_count: int
    section_rows: Sequence[Mapping[str, Any]]
    added_rows: Sequence[Mapping[str, Any]]
    moved_rows: Sequence[Mapping[str, Any]]
    reconciled: Reconciled
    entries: Sequence[TextEntry]
    """To be put into the text index: all but kept chunks whose entry would be the same."""
    to_embed: Sequence[tuple[str, str, str]]
    """(chunk id, context, text): all but kept chunks whose vector and payload would be the same."""


def describe(document: StoredDocument, extracted: ExtractedDocument) -> Description:
    """What is known of a document: what the sender said goes before what was found."""
    options = document.options
    return Description(
        title=title_of(extracted, document.file_path),
        summary=summary_of(extracted),
        media_type=options.get("media_type") or extracted.media_type,
        document_type=extracted.document_type,
        language=extracted.language,
        metadata=options.get("metadata", {}),
        source_modified_at=options.get("source_modified_at", 0),
    )


def plan(
    document: StoredDocument,
    extracted: ExtractedDocument,
    chunked: ChunkedDocument,
    stored: Sequence[Row[Any]],
    now: int,
) -> Generation:
    """Work out the next generation against the rows that are stored of the document. Pure; milliseconds."""
    description = describe(document, extracted)
    named = name_chunks(document.id, chunked.chunks)
    reconciled = reconcile(named, {row.id: row.state for row in stored})
    rows = _chunk_rows(document, extracted, chunked, named, now)
    before = {row.id: row for row in stored}
    rewritten = document.options.get("force", False) or remaking.rewrites(document.stage)
    same = _same_description(document, description) and not rewritten
    unchanged = {
        chunk.id for chunk in reconciled.kept if same and _same_payload(before[chunk.id], rows[chunk.id])
    }
    fresh = [chunk for chunk in named if chunk.id not in unchanged]
    moved = [
        {name: value for name, value in rows[chunk.id].items() if name not in _OF_THE_ID}
        for chunk in (*reconciled.kept, *reconciled.revived)
    ]
    return Generation(
        description=description,
        chunk_count=len(named),
        section_rows=_section_rows(document, chunked),
        added_rows=[rows[chunk.id] | {"state": "STAGED"} for chunk in reconciled.added],
        moved_rows=moved,
        reconciled=reconciled,
        entries=[_entry(document, description, chunk) for chunk in fresh],
        to_embed=[(chunk.id, chunk.chunk.context, chunk.chunk.text) for chunk in fresh],
    )


def _section_rows(document: StoredDocument, chunked: ChunkedDocument) -> list[dict[str, Any]]:
    return [
        {
            "id": section_id(document.id, document.next_generation, section.index),
            "document_id": document.id,
            "generation": document.next_generation,
            "section_index": section.index,
            "kind": section.kind.value,
            "start": section.start,
            "end": section.end,
            "page_start": section.page_start,
            "page_end": section.page_end,
            "locator": section.locator,
            "heading_path": list(section.heading_path),
        }
        for section in chunked.sections
    ]


def _chunk_rows(
    document: StoredDocument,
    extracted: ExtractedDocument,
    chunked: ChunkedDocument,
    named: Sequence[NamedChunk],
    now: int,
) -> dict[str, dict[str, Any]]:
    words = {page.page: page for page in extracted.words}
    shared = {
        "document_id": document.id,
        "generation": document.next_generation,
        "text_state": "READY",
        "extractor_stamp": extracted.extractor_stamp,
        "chunker_stamp": chunked.chunker_stamp,
        "payload_recipe": PAYLOAD_RECIPE,
        "created_at": now,
        "retired_at": 0,
    }
    rows: dict[str, dict[str, Any]] = {}
    for position, item in enumerate(named):
        chunk = item.chunk
        rows[item.id] = shared | {
            "id": item.id,
            "chunk_index": position,
            "section_id": section_id(document.id, document.next_generation, chunk.section_index),
            "kind": chunk.kind.value,
            "language": chunk.language or extracted.language,
            "start": chunk.start,
            "end": chunk.end,
            "overlap": chunk.overlap,
            "page": chunk.page,
            "contains_code": chunk.contains_code,
            "token_count": chunk.token_count,
            "chunk_hash": item.chunk_hash,
            "occurrence": item.occurrence,
            "locator": chunk.locator,
            "heading_path": list(chunk.heading_path),
            "identifiers": list(chunk.identifiers),
            "boxes": chunk_boxes(words, chunk.page, chunk.start, chunk.end),
            "context": chunk.context,
            "text": chunk.text,
        }
    return rows


def _same_description(document: StoredDocument, description: Description) -> bool:
    projected = ("title", "document_type", "source_modified_at")
    return dict(document.metadata) == dict(description.metadata) and all(
        getattr(document, name) == getattr(description, name) for name in projected
    )


def _same_payload(stored: Row[Any], row: Mapping[str, Any]) -> bool:
    return all(
        getattr(stored, name) == row[name]
        for name in ("language", "contains_code", "heading_path", "identifiers", "payload_recipe")
    )


def _entry(document: StoredDocument, description: Description, named: NamedChunk) -> TextEntry:
    chunk = named.chunk
    return TextEntry(
        id=named.id,
        document_id=document.id,
        collection_path=document.collection_path,
        ancestors=ancestor_paths(document.collection_path),
        file_path=document.file_path,
        document_type=description.document_type,
        kind=chunk.kind.value,
        language=chunk.language or description.language,
        title=description.title,
        heading_path=chunk.heading_path,
        context=chunk.context,
        text=chunk.text,
        identifiers=chunk.identifiers,
        contains_code=chunk.contains_code,
        metadata_terms=tuple(metadata_terms(description.metadata)),
        modified=description.source_modified_at // SECOND,
    )


def as_sent(document: StoredDocument, extracted: ExtractedDocument) -> ExtractedDocument:
    """The extracted document with the title and language that the sender gave, where they gave any."""
    options = document.options
    return dataclasses.replace(
        extracted,
        title=options.get("title") or extracted.title,
        language=options.get("language") or extracted.language,
    )
