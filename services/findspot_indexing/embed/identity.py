"""Which model's vectors are searched: taken up when there was none, never mixed with another's."""

from __future__ import annotations

import logging

from sqlalchemy import Connection

from findspot.model import EmbeddingIdentity
from findspot.payload import embedded_text
from findspot.stores.manifest import claims, counters, embeddings, vector_facts, vectors
from findspot.stores.vectors.names import collection_name
from findspot_indexing.embed.recipe import embed_hash
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)

_BACKFILL = 500


async def settle(indexing: Indexing) -> EmbeddingIdentity | None:
    """Ask embedding for its model and return the identity to embed with now; None while there is none.

    The first model ever met becomes the active one. Another one later is noted as FILLING and not used:
    what serves goes on serving, and its chunks wait for a vector until the embedding service has it again.
    Raises PartAway when embedding or the vector store does not answer, or no provider is configured.
    """
    with indexing.outages.watch("embedding"):
        offered = await indexing.embedder.active_identity()
    active = await indexing.manifest.read(embeddings.active)
    if active is not None and active.key != offered.key:
        await _note_other(indexing, active, offered)
        return None
    with indexing.outages.watch("vectors"):
        await indexing.vectors.ensure_collection(collection_name(offered.key), offered.dimension)
    if active is None:
        await _take_up(indexing, offered)
    await _backfill(indexing, offered)
    return offered


async def _take_up(indexing: Indexing, identity: EmbeddingIdentity) -> None:
    now = indexing.clock()

    def write(connection: Connection) -> None:
        name = collection_name(identity.key)
        embeddings.register(connection, identity, name, embeddings.ACTIVE, now)
        embeddings.activate(connection, identity.key, now)

    await indexing.manifest.write(write)
    log.info("Embedding with %s from now on.", identity.display)


async def _note_other(indexing: Indexing, active: EmbeddingIdentity, offered: EmbeddingIdentity) -> None:
    known = {row.key for row in await indexing.manifest.read(embeddings.all_identities)}
    if offered.key in known:
        return
    log.warning(
        "The embedding service offers %s, the index serves %s: it goes on serving, and new chunks wait for a vector.",
        offered.display,
        active.display,
    )
    now = indexing.clock()
    await indexing.manifest.write(
        lambda c: embeddings.register(c, offered, collection_name(offered.key), embeddings.FILLING, now)
    )


async def _backfill(indexing: Indexing, identity: EmbeddingIdentity) -> None:
    """Ask for a vector for every live chunk that was made while there was no model."""
    if not await indexing.manifest.read(lambda c: _some_lack(c, identity.key)):
        return
    while await indexing.manifest.write(lambda c: _want_lacking(c, identity.key, indexing.clock())):
        indexing.wake.embed.set()


def _some_lack(connection: Connection, identity: str) -> bool:
    """Told by the counters: looking at every chunk takes too long to do it each time the model is asked for."""
    totals = counters.totals(connection)
    known = sum(totals.get((identity, counters.vectors_in(state)), 0) for state in vectors.COUNTED)
    return known < totals.get(("", counters.CHUNKS_LIVE), 0)


def _want_lacking(connection: Connection, identity: str, now: int) -> int:
    rows = vector_facts.lacking(connection, identity, _BACKFILL)
    by_document: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        hashed = embed_hash(identity, embedded_text(row.context, row.text))
        by_document.setdefault((row.document_id, row.collection_id), []).append((row.id, hashed))
    for (document_id, collection_id), hashes in by_document.items():
        vectors.want(connection, identity, document_id, collection_id, hashes, now)
    claims.demote(connection, [document_id for document_id, _ in by_document])
    return len(rows)
