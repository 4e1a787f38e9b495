"""The operation `repair`: compares everything with the manifest, mends what differs, and counts both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from findspot.errors import DataLoss, FindspotError, NotFound, Reason
from findspot.model import Notice
from findspot.stores.manifest import embeddings, identities
from findspot.stores.manifest.operations import Operation
from findspot_indexing.operations.progress import Progress
from findspot_indexing.repair import books, compare, mend, rebuild_text, rebuild_vectors
from findspot_indexing.repair.findings import Ledger, Steps, enter
from findspot_indexing.service import Indexing

KIND = "repair"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to repair. `within` are subtrees of collections, None for everything."""

    within: tuple[str, ...] | None = None
    rebuild_text: bool = False
    rebuild_vectors: bool = False


async def repair(indexing: Indexing, operation: Operation, progress: Progress) -> None:
    """Do a repair, or all of it again after a crash: what is mended already is found in order."""
    asked = operation.request
    progress.reset()
    within = asked["within"]
    wish = Wish(None if within is None else tuple(within), asked["rebuild_text"], asked["rebuild_vectors"])
    steps = _Saved(progress)
    await look_through(indexing, wish, progress, steps, mending=True)
    await progress.save(now=True)


class _Saved(Steps):
    """Progress that is kept with the operation, and stops where that is stopped."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    async def expect(self, steps: int) -> None:
        self._progress.total += steps
        await self._progress.save()

    async def step(self, steps: int = 1) -> None:
        self._progress.done += steps
        self._progress.total = max(self._progress.total, self._progress.done)
        await self._progress.save()


async def look_through(
    indexing: Indexing, wish: Wish, ledger: Ledger, steps: Steps, *, mending: bool
) -> None:
    """Compare, and with `mending` mend; without it nothing is changed, and rebuilding is only compared."""
    whole = wish.within is None
    if whole:
        await books.counters(indexing, ledger, mend=mending)
    if mending and wish.rebuild_text:
        ledger.count("text_written", await rebuild_text.rebuild(indexing, steps))
    else:
        await _text(indexing, wish.within, ledger, steps, mending)
    for identity in await indexing.manifest.read(embeddings.all_identities):
        if await _has_points(indexing, identity):
            await _vectors(indexing, identity, wish, ledger, steps, mending)
    if whole:
        await books.blobs(indexing, ledger, steps, mend=mending)
        await _collections(indexing, ledger, mending)


async def _text(
    indexing: Indexing, within: Sequence[str] | None, ledger: Ledger, steps: Steps, mending: bool
) -> None:
    for root in within if within is not None else ("",):
        for comparison in (compare.text, compare.stray_text):
            async for found in comparison(indexing, root, steps):
                enter(ledger, "text", found)
                if mending:
                    await mend.text(indexing, found)
    if mending and within is None:
        index = indexing.text.index
        index.doubtful = False
        if not index.complete:
            await indexing.text.call(index.mark_complete)


async def _has_points(indexing: Indexing, identity: Row[Any]) -> bool:
    """False of an identity that is being dropped, or has just begun to be filled: it may have no collection."""
    if identity.state == embeddings.FILLING:
        # Points that it lost keep it from ever being switched to.
        return (await indexing.manifest.read(lambda c: identities.fill(c, identity.key))).ready > 0
    return bool(identity.state != identities.DROPPING)


async def _vectors(
    indexing: Indexing, identity: Row[Any], wish: Wish, ledger: Ledger, steps: Steps, mending: bool
) -> None:
    try:
        if mending and wish.rebuild_vectors:
            await rebuild_vectors.rebuild(indexing, identity, ledger, steps)
            return
        for root in wish.within if wish.within is not None else ("",):
            key, collection = identity.key, identity.qdrant_collection
            async for found in compare.vectors(indexing, key, collection, root, steps):
                enter(ledger, "vectors", found)
                if mending:
                    _, wanted = await mend.points(indexing, key, collection, found)
                    if wanted:
                        ledger.count("vectors_wanted_of_the_model", wanted)
    except (NotFound, DataLoss) as lost:
        await _lost_vectors(indexing, identity, ledger, lost, mending)


async def _lost_vectors(
    indexing: Indexing, identity: Row[Any], ledger: Ledger, lost: FindspotError, mending: bool
) -> None:
    if mending:
        await rebuild_vectors.begin_anew(indexing, identity, ledger)
        return
    ledger.count("collections_lost")
    ledger.note(Notice("VECTORS_LOST", f"The vectors of {identity.display} cannot be read: {lost.message}"))


async def _collections(indexing: Indexing, ledger: Ledger, mending: bool) -> None:
    try:
        await books.collections(indexing, ledger, mend=mending)
    except FindspotError as failure:
        if failure.reason is not Reason.VECTOR_STORE_UNAVAILABLE or await _has_vectors(indexing):
            raise
        # Without any identity nobody ever used the vector store: that it is not there is how it was set up.


async def _has_vectors(indexing: Indexing) -> bool:
    return bool(await indexing.manifest.read(embeddings.all_identities))
