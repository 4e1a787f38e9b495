"""Fills the vectors of an identity anew from the stored ones, without calling the model."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from findspot.errors import DataLoss, NotFound
from findspot.model import Notice
from findspot.stores.manifest import comparing, repairing
from findspot_indexing.repair import compare, mend
from findspot_indexing.repair.findings import Ledger, Steps, enter
from findspot_indexing.service import Indexing

_DOCUMENTS = 200


async def rebuild(indexing: Indexing, identity: Row[Any], ledger: Ledger, steps: Steps) -> None:
    """Write every point again, over the one that is there, and take out what nobody has.

    Searches go on meanwhile: each point is the old one or the new one. A collection that is gone, or cannot be
    opened, is made anew; then its vectors count as still to come until each is back, and searches say so.
    """
    key, collection = identity.key, identity.qdrant_collection
    await steps.expect(await indexing.manifest.read(comparing.expected_entries))
    if not await _usable(indexing, collection):
        await begin_anew(indexing, identity, ledger)
        return
    async for found in compare.vectors(indexing, key, collection, "", Steps()):
        enter(ledger, "vectors", found)
        await mend.points(indexing, key, collection, found)
    after = ""
    while page := await indexing.manifest.read(
        partial(comparing.document_ids, after=after, limit=_DOCUMENTS)
    ):
        for document_id in page:
            async with indexing.holding.hold(document_id):
                ids = await indexing.manifest.read(
                    partial(comparing.ready_ids_of_document, identity=key, document_id=document_id)
                )
                for start in range(0, len(ids), _DOCUMENTS):
                    batch = ids[start : start + _DOCUMENTS]
                    written, wanted = await mend.write_points(indexing, key, collection, batch)
                    ledger.count("vectors_written", written)
                    if wanted:
                        ledger.count("vectors_wanted_of_the_model", wanted)
                    await steps.step(len(batch))
        after = page[-1]


async def _usable(indexing: Indexing, collection: str) -> bool:
    try:
        with indexing.outages.watch("vectors"):
            await indexing.vectors.count(collection)
    except (NotFound, DataLoss):
        return False
    return True


async def begin_anew(indexing: Indexing, identity: Row[Any], ledger: Ledger) -> None:
    def write(connection: Connection) -> int:
        return repairing.want_all_again(connection, identity.key, indexing.clock())

    # First the truth about what can be found, then the collection.
    wanted = await indexing.manifest.write(write)
    with indexing.outages.watch("vectors"):
        with suppress(NotFound):
            await indexing.vectors.drop_collection(identity.qdrant_collection)
        await indexing.vectors.ensure_collection(identity.qdrant_collection, identity.dimension)
    ledger.count("vectors_missing", wanted)
    ledger.note(
        Notice(
            "VECTORS_BEGUN_ANEW",
            f"The vectors of {identity.display} could not be opened and are filled anew from the stored ones; until "
            f"then searches by meaning find only some of {wanted} chunks. `findspot status` shows how far it is.",
        )
    )
    indexing.wake.embed.set()
