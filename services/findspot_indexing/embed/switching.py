"""Switching to an identity that is full: in one transaction, and never so that less can be found by its meaning."""

from __future__ import annotations

import logging

from sqlalchemy import Connection

from findspot.model import EmbeddingIdentity
from findspot.stores.manifest import counters, embeddings, identities
from findspot.stores.vectors.names import collection_name
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)


async def switch_when_full(indexing: Indexing, identity: EmbeddingIdentity) -> bool:
    """Have queries answered with an identity that is being filled, once nothing of it is missing."""
    full = await indexing.manifest.read(lambda c: _is_full(c, identity.key, indexing.loaded))
    if not full or not await holds_all(indexing, identity):
        return False
    now = indexing.clock()

    def write(connection: Connection) -> int:
        # Chunks may have come since it was looked at.
        if not _is_full(connection, identity.key, indexing.loaded):
            return 0
        return identities.switch(connection, identity.key, now)

    revision = await indexing.manifest.write(write)
    if revision:
        log.info("Searching with %s from revision %d on.", identity.display, revision)
    return revision > 0


def _is_full(connection: Connection, key: str, loaded: set[str]) -> bool:
    active = embeddings.active(connection)
    if active is None or active.key == key or not identities.is_in_use(connection, key):
        return False
    totals = counters.totals(connection)
    new, old = identities.fill_of(totals, key), identities.fill_of(totals, active.key)
    # What the old model will never make cannot be lost by leaving it.
    hopeless = old.failed if active.key in loaded else old.failed + old.pending + old.lacking
    return new.complete and new.failed <= hopeless


async def holds_all(indexing: Indexing, identity: EmbeddingIdentity) -> bool:
    """True when the vector store has as many vectors of an identity as the manifest counts, or more."""
    counted = await indexing.manifest.read(lambda c: identities.fill(c, identity.key))
    with indexing.outages.watch("vectors"):
        held = await indexing.vectors.count(collection_name(identity.key))
    if held < counted.ready:
        log.warning(
            "The vector store holds %d vectors of %s, the manifest counts %d: it is not switched to. Repair it.",
            held,
            identity.display,
            counted.ready,
        )
    return held >= counted.ready
