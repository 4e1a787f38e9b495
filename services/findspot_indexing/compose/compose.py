"""Composing a document: extract, chunk, reconcile, stage, index the text, switch."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason
from findspot.model import ChunkedDocument, ChunkingOptions, DocumentState, ExtractedDocument, Strategy
from findspot.stores import extractions
from findspot.stores.manifest import (
    blob_rows,
    chunks,
    claims,
    collections,
    generations,
    remaking,
    vectors,
)
from findspot.stores.manifest.requests import request_hash
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing import stored_blobs
from findspot_indexing.compose.plan import Generation, plan
from findspot_indexing.compose.source import extracted_text
from findspot_indexing.embed.cutting import cutting, models_changed
from findspot_indexing.embed.wanted import want_vectors
from findspot_indexing.outages import PartAway
from findspot_indexing.service import Indexing
from findspot_indexing.stamps import Stamps
from findspot_indexing.text_commits import DocumentClaim, TextChange

NOTHING = ChunkedDocument(sections=(), chunks=(), strategy=Strategy.PARAGRAPH, size=0, overlap=0)
"""What a document without text is cut into."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What was made of the bytes, and how."""

    extracted: ExtractedDocument
    chunked: ChunkedDocument
    options: ChunkingOptions
    fitted: str = ""
    """Keys of the identities whose inputs the chunks were made to fit."""


async def compose(
    indexing: Indexing,
    document: StoredDocument,
    owner: str,
    slots: asyncio.Semaphore,
    stamps: Stamps | None = None,
) -> None:
    """Make the next generation of a claimed document live. `stamps` are those from before this try began.

    Raises Aborted LEASE_LOST when newer bytes came or the document was deleted meanwhile: nothing was switched.
    `slots` bounds how many documents are extracted and chunked at once.
    """
    async with indexing.holding.hold(document.id):
        async with slots:
            pieces = await _read_and_cut(indexing, document)
        stored = await indexing.manifest.read(lambda c: chunks.of_document(c, document.id))
        generation = await indexing.in_thread(
            plan, document, pieces.extracted, pieces.chunked, stored, indexing.clock()
        )
        await _stage(indexing, document, owner, pieces, generation)
        change = TextChange(
            add=generation.entries,
            delete=generation.reconciled.dropped,
            claim=DocumentClaim(document.id, owner, document.next_generation),
        )
        if change.add or change.delete:
            with indexing.outages.watch("text index"):
                await indexing.text.apply(change)
        abandoned = await indexing.manifest.write(
            partial(
                _switch,
                document=document,
                owner=owner,
                generation=generation,
                tried_stamp=_tried_stamp(document, pieces.extracted, stamps),
                now=indexing.clock(),
            )
        )
        await stored_blobs.release(indexing, abandoned)
    indexing.wake.embed.set()


async def _read_and_cut(indexing: Indexing, document: StoredDocument) -> Pieces:
    overrides = await indexing.manifest.read(lambda c: collections.find(c, document.collection_path))
    extracted = await extracted_text(indexing, document)
    options = chunking_options(overrides, extracted.document_type)
    if not extracted.text.strip():
        return Pieces(extracted, NOTHING, options)
    needed = await cutting(indexing)
    try:
        with indexing.outages.watch("chunking"):
            chunked = await indexing.chunker.chunk(
                extracted,
                options,
                identity=needed.identity,
                also_fit=needed.also_fit,
                timeout=indexing.limits.chunking_timeout_seconds,
            )
    except PartAway as away:
        models_changed(indexing, away)
        raise
    return Pieces(extracted, chunked, options, needed.recorded)


def chunking_options(collection: collections.Collection | None, document_type: str) -> ChunkingOptions:
    """How a collection wants documents of a type to be cut, where that differs from the profile."""
    overrides = (collection.settings.profile_overrides or {}) if collection else {}
    chosen: dict[str, Any] = dict(overrides.get(document_type, {}))
    if chosen.get("strategy"):
        chosen["strategy"] = Strategy(chosen["strategy"])
    return ChunkingOptions(**chosen)


def options_stamp(options: ChunkingOptions) -> str:
    """Another value whenever a collection wants documents to be cut in another way."""
    return request_hash(
        {name: getattr(options, name) for name in ("strategy", "size", "overlap", "token_cap")}
    )


async def _stage(
    indexing: Indexing, document: StoredDocument, owner: str, pieces: Pieces, generation: Generation
) -> None:
    """Write everything beside what serves; the blobs first, so that no row names one that is not there."""
    extraction, text = await asyncio.gather(
        indexing.in_thread(extractions.encode, pieces.extracted),
        indexing.in_thread(pieces.extracted.text.encode),
    )
    async with (
        stored_blobs.stored(indexing, extraction, blob_rows.EXTRACTION) as extraction_blob,
        stored_blobs.stored(indexing, text, blob_rows.TEXT) as text_blob,
    ):
        values = _generation_values(document, pieces, generation, extraction_blob.key, text_blob.key)
        now = indexing.clock()

        def write(connection: Connection) -> None:
            _require_claim(connection, document, owner)
            extraction_blob.record(connection, now)
            text_blob.record(connection, now)
            generations.stage(connection, values | {"created_at": now})
            chunks.stage(connection, generation.section_rows, generation.added_rows)
            chunks.expect_revived(connection, [chunk.id for chunk in generation.reconciled.revived])

        await indexing.manifest.write(write)


def _generation_values(
    document: StoredDocument, pieces: Pieces, generation: Generation, extraction_key: str, text_key: str
) -> dict[str, Any]:
    extracted, chunked = pieces.extracted, pieces.chunked
    return {
        "document_id": document.id,
        "generation": document.next_generation,
        "content_hash": document.observed_hash,
        "extractor_stamp": extracted.extractor_stamp,
        "chunker_stamp": chunked.chunker_stamp,
        "options_stamp": options_stamp(pieces.options),
        "blob_key": document.observed_hash,
        "extraction_key": extraction_key,
        "text_key": text_key,
        "text_length": len(extracted.text),
        "page_count": len(extracted.pages),
        "section_count": len(generation.section_rows),
        "chunk_count": generation.chunk_count,
        "effective_limit": chunked.effective_limit,
        "token_cap": chunked.token_cap or 0,
        "token_identities": pieces.fitted,
        "warnings": [
            {"code": notice.code, "message": notice.message, "page": notice.page}
            for notice in (*extracted.warnings, *chunked.warnings)
        ],
    }


def _tried_stamp(document: StoredDocument, extracted: ExtractedDocument, stamps: Stamps | None) -> str:
    """What extraction stood at when the file was read: while its type's stamp is this, reading it again is no use.

    Where a part failed at this file the document's own stamp says so, which no type's does.
    """
    if stamps is None or remaking.reuses_extraction(document.stage):
        return extracted.extractor_stamp
    return stamps.extractor(extracted.document_type) or extracted.extractor_stamp


def _switch(
    connection: Connection,
    *,
    document: StoredDocument,
    owner: str,
    generation: Generation,
    tried_stamp: str,
    now: int,
) -> list[str]:
    """One transaction: the new generation is live, the old one retired, the counters right, the revision raised."""
    _require_claim(connection, document, owner)
    reconciled = generation.reconciled
    chunks.switch(
        connection,
        document.id,
        document.collection_id,
        staged=[chunk.id for chunk in reconciled.added],
        moved=generation.moved_rows,
        retired=reconciled.retired,
        dropped=reconciled.dropped,
        now=now,
    )
    abandoned = generations.publish(connection, document.id, document.next_generation, now)
    vectors.remove(connection, reconciled.retired)
    active = want_vectors(connection, document.id, document.collection_id, generation.to_embed, now)
    empty = generation.chunk_count == 0
    state = DocumentState.EMPTY if empty else DocumentState.CHUNKED
    values = _published_values(document, generation, empty) | {"tried_stamp": tried_stamp}
    claims.finish(connection, document, state, values, now)
    if active is not None and not empty:
        claims.promote(connection, active.key, [document.id], now)
    return abandoned


def _published_values(document: StoredDocument, generation: Generation, empty: bool) -> dict[str, Any]:
    description = generation.description
    return {
        "generation": document.next_generation,
        "content_hash": document.observed_hash,
        "diverged_at": 0,
        "title": description.title,
        "summary": description.summary,
        "media_type": description.media_type,
        "document_type": description.document_type,
        "language": description.language,
        "metadata": dict(description.metadata),
        "source_modified_at": description.source_modified_at,
        "attempts": 0,
        "error_reason": Reason.NO_TEXT if empty else "",
        "error_message": "The file holds no text that can be read." if empty else "",
    }


def _require_claim(connection: Connection, document: StoredDocument, owner: str) -> None:
    if not claims.owns(connection, document, owner):
        raise Aborted(
            f"Document {document.id} was changed or deleted while generation {document.next_generation} was made.",
            reason=Reason.LEASE_LOST,
        )
