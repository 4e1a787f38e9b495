"""The loop of stage two: keeps a few batches in flight, so that the model never waits for the stores."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from findspot.errors import FindspotError
from findspot.model import EmbeddingIdentity
from findspot.stores.manifest import vector_facts
from findspot.stores.manifest.clock import SECOND
from findspot_indexing.embed.backfill import Backfill
from findspot_indexing.embed.batch import Batch, claim, embed
from findspot_indexing.embed.cutting import cut_too_long
from findspot_indexing.embed.identity import Settled, settle
from findspot_indexing.embed.switching import switch_when_full
from findspot_indexing.outages import PartAway
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)

_PARTS = ("embedding", "vectors")
_LOADING_SECONDS = 1.0
"""Between two questions for a model that is being loaded."""


class EmbedLoop:
    """Embeds whatever waits, by the active identity first, then by the one that is filled, until cancelled."""

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing
        self._running: dict[asyncio.Task[None], str] = {}
        self._settled: Settled | None = None
        self._settled_until = 0
        self._backfill = Backfill(indexing)
        self._batches = 0

    async def run(self) -> None:
        """One batch after another, a few at once; waits for work, for parts that are away, and for retries."""
        indexing = self._indexing
        async with asyncio.TaskGroup() as group:
            while True:
                indexing.wake.embed.clear()
                wait = indexing.outages.wait_seconds(*_PARTS)
                if wait == 0 and len(self._running) < indexing.limits.embed_batches_in_flight:
                    if await self._start_next(group):
                        continue
                    wait = indexing.outages.wait_seconds(*_PARTS) or await self._until_due()
                await pause(indexing.wake.embed, min(wait or self._sweep, self._sweep))

    @property
    def _sweep(self) -> float:
        return self._indexing.limits.sweep_seconds

    async def _start_next(self, group: asyncio.TaskGroup) -> bool:
        """Begin the next batch, or switch to an identity that is full; False when there is nothing to do now."""
        try:
            settled = await self._settle()
            for identity in settled.identities:
                served = identity.key == settled.active
                if not served and not self._has_room():
                    continue
                batch = await self._next_batch(identity)
                if batch.work:
                    self._start(group, batch)
                    return True
                await cut_too_long(self._indexing, identity)
                if not served and await switch_when_full(self._indexing, identity):
                    self._settled = None
                    return True
        except PartAway as outage:
            self._settled = None
            log.debug("Embedding waits: %s", outage.message)
        except FindspotError as failure:
            self._settled = None
            log.info("Embedding waits: %s", failure.message)
        return False

    def _has_room(self) -> bool:
        """False while batches of an identity that does not serve yet hold all places but one.

        That one is kept for what people search for now: it never waits for a batch that only fills.
        """
        assert self._settled is not None
        filling = sum(key != self._settled.active for key in self._running.values())
        return filling < max(1, self._indexing.limits.embed_batches_in_flight - 1)

    async def _next_batch(self, identity: EmbeddingIdentity) -> Batch:
        """The chunks that have waited longest for a vector of an identity; the batch is empty when none waits."""
        self._batches += 1
        owner = f"{self._indexing.instance}/{self._batches}"
        batch = await claim(self._indexing, identity, owner)
        if not batch.work and await self._backfill.want_page(identity):
            batch = await claim(self._indexing, identity, owner)
        return batch

    async def _settle(self) -> Settled:
        """What to embed with, asked for again from time to time and after every outage."""
        now = self._indexing.clock()
        away = self._indexing.outages.any_away(*_PARTS)
        asked = self._indexing.wake.models.is_set()
        if self._settled is None or away or asked or now >= self._settled_until:
            self._settled = None
            self._indexing.wake.models.clear()
            self._settled = await settle(self._indexing)
            self._backfill.look_again()
            wait = min(self._sweep, _LOADING_SECONDS) if self._settled.hurry else self._sweep
            self._settled_until = now + int(wait * SECOND)
        return self._settled

    def _start(self, group: asyncio.TaskGroup, batch: Batch) -> None:
        task = group.create_task(self._embed(batch))
        self._running[task] = batch.identity.key
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._indexing.wake.embed.set()

    async def _embed(self, batch: Batch) -> None:
        chunk_ids = [item.chunk_id for item in batch.work]
        held = self._indexing.being_embedded
        held.update(chunk_ids)
        try:
            await embed(self._indexing, batch)
        except PartAway as outage:
            log.debug("Embedding waits: %s", outage.message)
        except Exception:
            # The chunks were given back and the try counted: the next batch is not to pay for this one.
            log.exception("A batch of %d chunks could not be embedded.", len(batch.work))
        finally:
            for chunk_id in chunk_ids:
                held[chunk_id] -= 1
                if held[chunk_id] <= 0:
                    del held[chunk_id]
            self._indexing.batch_ended.set()

    async def _until_due(self) -> float:
        """Seconds until another chunk may be claimed, or the models are asked for again."""
        if self._settled is None:
            return self._sweep
        now = self._indexing.clock()
        times = [self._settled_until]
        for identity in self._settled.identities:
            if identity.key != self._settled.active and not self._has_room():
                continue  # the end of a batch wakes the loop
            due = await self._indexing.manifest.read(partial(vector_facts.next_due, identity=identity.key))
            if due is not None:
                times.append(due)
        return max(0.01, (min(times) - now) / SECOND)
