"""How fresh one document is, with its file and both projections looked at: for whoever asks for that document."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Row

from findspot.errors import FindspotError
from findspot.freshness import Evidence, Verdict, fingerprint, judge
from findspot.payload import PAYLOAD_RECIPE
from findspot.stores.manifest import chunks, collections, embeddings
from findspot.stores.manifest.collections import DIRECTORY
from findspot.stores.manifest.stored import StoredDocument
from findspot.stores.text.entries import ids_of_document
from findspot_indexing.seen_file import look_at
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)

MOST_COMPARED = 10_000
"""Chunks of a document whose entries are compared: looking up more would hold up those who wait for the answer."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What the manifest has of a document, read in one moment with the document itself."""

    rows: Sequence[Row[tuple[str, str, str, int, int]]]
    """(id, state, chunk_hash, occurrence, payload_recipe) of its chunks in any state."""
    vectors: str
    """The collection of its vectors; empty without an active identity."""
    root: str
    """The directory of its file; empty where files are sent."""


def stored(connection: Connection, document: StoredDocument) -> Stored:
    """What `look_closely` compares with."""
    collection = collections.find(connection, document.collection_path)
    settings = collection.settings if collection else None
    active = embeddings.active(connection)
    names = (
        {row.key: row.qdrant_collection for row in embeddings.all_identities(connection)} if active else {}
    )
    return Stored(
        rows=chunks.positions_of(connection, document.id),
        vectors=names.get(active.key, "") if active else "",
        root=settings.source_root if settings and settings.source_kind == DIRECTORY else "",
    )


async def look_closely(
    indexing: Indexing, document: StoredDocument, known: Stored, evidence: Evidence
) -> Verdict:
    """The verdict on `evidence`, completed by what the file holds and the projections have now."""
    if not evidence.published:
        return judge(evidence)
    if known.root:
        now = await indexing.in_thread(
            look_at, known.root, document.file_path, indexing.limits.max_document_bytes
        )
        evidence = replace(
            evidence,
            source=now.source,
            file_hash=now.content_hash,
            file_changed_at=now.changed_at,
            unread_reason=now.why,
        )
    outdated = sum(row.state == chunks.LIVE and row.payload_recipe != PAYLOAD_RECIPE for row in known.rows)
    evidence = replace(evidence, outdated_entries=outdated)
    return judge(await _with_fingerprints(indexing, document, known, evidence))


async def _with_fingerprints(
    indexing: Indexing, document: StoredDocument, known: Stored, evidence: Evidence
) -> Evidence:
    live = {row.id: (row.chunk_hash, row.occurrence) for row in known.rows if row.state == chunks.LIVE}
    if len(live) > MOST_COMPARED:
        return evidence
    try:
        held = await _held(indexing, document.id, list(live), known.vectors)
    except FindspotError as failure:
        # The document is shown all the same, and its evidence says by its absence that this was not compared.
        log.info("The entries of document %s were not compared: %s", document.id, failure.message)
        return evidence
    others = {row.id for row in known.rows if row.state != chunks.LIVE}
    entries = [live.get(key, (key, 0)) for key in held if key not in others]
    return replace(
        evidence, row_fingerprint=fingerprint(live.values()), index_fingerprint=fingerprint(entries)
    )


async def _held(indexing: Indexing, document_id: str, live: Sequence[str], vectors: str) -> set[str]:
    """Ids of a document that the text index has; of the live ones only those with a vector, where they need one."""
    index = indexing.text.index
    with indexing.outages.recognised("text index"):
        held = set(await indexing.text.call(lambda: ids_of_document(index.searcher(), document_id)))
    if vectors and live:
        with indexing.outages.recognised("vectors"):
            there = await indexing.vectors.present(vectors, live)
        held -= set(live) - there
    return held
