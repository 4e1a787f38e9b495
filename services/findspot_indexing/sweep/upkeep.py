"""The loop behind the work: leases, retired chunks, purges that were cut short, old requests, unused blobs."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from itertools import count

from sqlalchemy import Connection

from findspot.errors import FindspotError
from findspot.stores.manifest import (
    blob_rows,
    chunks,
    claims,
    documents,
    generations,
    operation_leases,
    operations,
    purging,
    requests,
    waits,
)
from findspot.stores.manifest.clock import SECOND
from findspot_indexing import removal, stored_blobs, unprojected
from findspot_indexing.choosing import finish_drops
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause
from findspot_indexing.sweep.retrying import retry_fruitless
from findspot_indexing.text_commits import TextChange

log = logging.getLogger(__name__)

Chore = Callable[[Indexing], Awaitable[object]]

_SWEPT_TOGETHER = 500
_BLOBS_TOGETHER = 200
_UNUSED_BLOB_SECONDS = 3600
_OTHERS_PURGE_SECONDS = 60
_CLOCKS_DIFFER_SECONDS = 60
"""Of the machines of several processes, at most."""


async def keep_up(indexing: Indexing) -> None:
    """Do all of it every sweep, until cancelled. What fails is tried again with the next sweep."""
    for turn in count():
        indexing.wake.upkeep.clear()
        for chore in _due(indexing, turn):
            try:
                await chore(indexing)
            except FindspotError as failure:
                log.warning("%s has to wait: %s", chore.__name__.strip("_"), failure.message)
            except Exception:
                log.exception("%s failed; it is tried again.", chore.__name__.strip("_"))
        await pause(indexing.wake.upkeep, indexing.limits.sweep_seconds)


def _due(indexing: Indexing, turn: int) -> tuple[Chore, ...]:
    if not indexing.membership.owner:
        return (_keep_leases, _heed_the_clock)
    return (*_CHORES, *(_RARE_CHORES if turn % _RARELY == 0 else ()))


async def _keep_leases(indexing: Indexing) -> None:
    now = indexing.clock()
    until = now + int(indexing.limits.lease_seconds * SECOND)
    working = list(indexing.holding.composing())

    def write(connection: Connection) -> int:
        claims.renew(connection, working, indexing.instance, until)
        operation_leases.renew(connection, indexing.instance, until)
        return claims.reclaim(connection, now, everyone=False)

    if await indexing.manifest.write(write):
        indexing.wake.compose.set()


async def _heed_the_clock(indexing: Indexing) -> None:
    """Nothing waits longer than the longest pause between two tries, whatever the clock said when it was noted."""
    now = indexing.clock()
    latest = now + int((indexing.limits.retry_longest_seconds + _CLOCKS_DIFFER_SECONDS) * SECOND)
    if found := await indexing.manifest.write(lambda c: waits.bring_forward(c, latest, now)):
        log.warning(
            "The clock was set back: %d documents and chunks waited for a time that is far off, and are tried now.",
            found,
        )
        indexing.wake.compose.set()
        indexing.wake.embed.set()


async def _finish_purges(indexing: Indexing) -> None:
    # Of a purge that another worker is at, only what it leaves behind.
    before = indexing.clock() - (0 if indexing.membership.alone else _OTHERS_PURGE_SECONDS * SECOND)
    for document_id in await indexing.manifest.read(lambda c: purging.begun(c, before)):
        if indexing.holding.held(document_id):
            continue
        document = await indexing.manifest.read(partial(documents.get, document_id=document_id))
        if document is not None:
            await removal.erase(indexing, document)


async def sweep_retired(indexing: Indexing) -> int:
    """Take chunks that were retired long enough ago out of the projections; returns how many."""
    before = indexing.clock() - int(indexing.limits.retired_seconds * SECOND)
    swept = 0
    while rows := await indexing.manifest.read(lambda c: chunks.unswept(c, before, _SWEPT_TOGETHER)):
        done = await _sweep(indexing, rows)
        swept += done
        if done < len(rows):
            # The rest belongs to documents that are being worked on: the next sweep takes them.
            break
    return swept


async def _sweep(indexing: Indexing, rows: list[tuple[str, str]]) -> int:
    async with AsyncExitStack() as stack:
        for document_id in sorted({document_id for _, document_id in rows}):
            if not indexing.holding.held(document_id):
                await stack.enter_async_context(indexing.holding.hold(document_id))
            else:
                rows = [row for row in rows if row[1] != document_id]
        # A batch in flight could write a vector after it was taken out.
        ids = [chunk_id for chunk_id, _ in rows if chunk_id not in indexing.being_embedded]
        if ids:
            with indexing.outages.watch("text index"):
                taken = await indexing.text.apply(TextChange(delete=ids, if_idle=True))
            await unprojected.remove_chunks(indexing, taken)
            await indexing.manifest.write(lambda c: chunks.mark_swept(c, taken))
            return len(taken)
        return 0


async def sweep_abandoned(indexing: Indexing) -> int:
    """Take away what was staged for generations that nobody will finish; returns of how many documents.

    It was never live, so no search has shown it, but the text index may hold it.
    """
    swept = 0
    for document_id in await indexing.manifest.read(lambda c: generations.abandoned(c, _SWEPT_TOGETHER)):
        if not indexing.holding.held(document_id):
            async with indexing.holding.hold(document_id):
                await _drop_staged(indexing, document_id)
            swept += 1
    return swept


async def _drop_staged(indexing: Indexing, document_id: str) -> None:
    ids = await indexing.manifest.read(partial(chunks.staged_ids, document_id=document_id))
    if ids:
        with indexing.outages.watch("text index"):
            await indexing.text.apply(TextChange(delete=ids, if_idle=True))

    def write(connection: Connection) -> list[str]:
        if not generations.is_abandoned(connection, document_id):
            # Another worker has begun with it: what was staged is taken up by that try.
            return []
        chunks.drop(connection, ids)
        return generations.drop_staged(connection, document_id)

    await stored_blobs.release(indexing, await indexing.manifest.write(write))


async def _forget_requests(indexing: Indexing) -> None:
    await indexing.manifest.write(lambda c: requests.forget_old(c, indexing.clock()))


async def _forget_operations(indexing: Indexing) -> None:
    await indexing.manifest.write(lambda c: operations.forget_old(c, indexing.clock()))


async def _drop_unused_blobs(indexing: Indexing) -> None:
    before = indexing.clock() - _UNUSED_BLOB_SECONDS * SECOND
    keys = await indexing.manifest.read(lambda c: blob_rows.unreferenced(c, before, _BLOBS_TOGETHER))
    if keys:
        await stored_blobs.release(indexing, keys)


_CHORES = (
    _keep_leases,
    _heed_the_clock,
    _finish_purges,
    sweep_retired,
    sweep_abandoned,
    retry_fruitless,
    finish_drops,
)
_RARE_CHORES = (_forget_requests, _forget_operations, _drop_unused_blobs)
_RARELY = 100
"""These look at every row: at start, and then every so many sweeps."""
