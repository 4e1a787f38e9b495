"""The operation `scrub`: takes what purged documents left inside the files of the stores out of them.

Nothing of a purged document can be found or read from the moment it is purged; what stays for a while are bytes that
the engines have marked as deleted. Each store is written anew from what is live, while it serves.
"""

from __future__ import annotations

import asyncio
from functools import partial

from findspot.errors import NotFound, Reason, Unavailable
from findspot.stores.manifest import embeddings, forgetting
from findspot.stores.manifest.operations import Operation
from findspot_indexing.operations.progress import Progress
from findspot_indexing.repair import rebuild_text
from findspot_indexing.repair.findings import Steps
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

_LOOK_SECONDS = 0.25
"""Between two looks at a vector store that is rewriting its files: it tells nobody when it is done."""
_REQUESTS = 500
_TRIES = 20


async def scrub(indexing: Indexing, operation: Operation, progress: Progress) -> None:
    """Write text index, vectors and manifest anew; all of it again when it was cut short."""
    progress.reset()
    progress.total = 3
    await progress.save(now=True)
    progress.count("text_written", await rebuild_text.rebuild(indexing, _Stoppable(progress)))
    await _step(progress)
    for identity in await indexing.manifest.read(embeddings.all_identities):
        await _scrub_vectors(indexing, identity.qdrant_collection, progress)
    await _step(progress)
    await _scrub_manifest(indexing)
    await _step(progress)


async def _step(progress: Progress) -> None:
    progress.done += 1
    await progress.save(now=True)


class _Stoppable(Steps):
    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    async def step(self, steps: int = 1) -> None:
        await self._progress.save()


async def _scrub_vectors(indexing: Indexing, collection: str, progress: Progress) -> None:
    try:
        with indexing.outages.watch("vectors"):
            await indexing.vectors.vacuum(collection)
            while await indexing.vectors.busy(collection):
                await pause(asyncio.Event(), _LOOK_SECONDS)
                await progress.save()
        progress.count("collections_rewritten")
    except NotFound:
        # It was dropped meanwhile, or never filled: its files are gone as a whole.
        return


async def _scrub_manifest(indexing: Indexing) -> None:
    after = ""
    while True:
        after = await indexing.manifest.write(
            partial(forgetting.forget_requests_of_none, after=after, limit=_REQUESTS)
        )
        if not after:
            break
    for _ in range(_TRIES):
        if await indexing.manifest.compact():
            return
        await pause(asyncio.Event(), _LOOK_SECONDS)
    raise Unavailable(
        "Readers kept the log of the manifest in use for minutes, so it may still hold what was purged. Purge again, "
        "or end what reads manifest.sqlite for so long.",
        reason=Reason.SERVICE_UNAVAILABLE,
        retry_after=1.0,
    )
