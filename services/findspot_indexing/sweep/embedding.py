"""The loop of stage two: keeps a few batches in flight, so that the model never waits for the stores."""

from __future__ import annotations

import asyncio
import logging

from findspot.errors import FindspotError
from findspot.model import EmbeddingIdentity
from findspot.stores.manifest import vector_facts
from findspot.stores.manifest.clock import SECOND
from findspot_indexing.embed.batch import Batch, claim, embed
from findspot_indexing.embed.identity import settle
from findspot_indexing.outages import PartAway
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)

_PARTS = ("embedding", "vectors")


class EmbedLoop:
    """Embeds whatever waits, by the active identity, until cancelled."""

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing
        self._running: set[asyncio.Task[None]] = set()
        self._identity: EmbeddingIdentity | None = None
        self._settled_until = 0
        self._batches = 0

    async def run(self) -> None:
        """One batch after another, a few at once; waits for work, for parts that are away, and for retries."""
        indexing = self._indexing
        async with asyncio.TaskGroup() as group:
            while True:
                indexing.wake.embed.clear()
                wait = indexing.outages.wait_seconds(*_PARTS)
                if wait == 0 and len(self._running) < indexing.limits.embed_batches_in_flight:
                    batch = await self._next_batch()
                    if batch is not None and batch.work:
                        self._start(group, batch)
                        continue
                    wait = indexing.outages.wait_seconds(*_PARTS) or await self._until_due()
                await pause(indexing.wake.embed, min(wait or self._sweep, self._sweep))

    @property
    def _sweep(self) -> float:
        return self._indexing.limits.sweep_seconds

    async def _next_batch(self) -> Batch | None:
        """The next batch, empty when nothing waits; None while there is no model to embed with."""
        try:
            identity = await self._settle()
        except FindspotError as failure:
            log.info("Embedding waits: %s", failure.message)
            return None
        if identity is None:
            return None
        self._batches += 1
        owner = f"{self._indexing.instance}/{self._batches}"
        return await claim(self._indexing, identity, owner)

    async def _settle(self) -> EmbeddingIdentity | None:
        """The identity to embed with, asked for again from time to time and after every outage."""
        now = self._indexing.clock()
        away = self._indexing.outages.any_away(*_PARTS)
        if self._identity is None or away or now >= self._settled_until:
            self._identity = None
            self._identity = await settle(self._indexing)
            self._settled_until = now + int(self._sweep * SECOND)
        return self._identity

    def _start(self, group: asyncio.TaskGroup, batch: Batch) -> None:
        task = group.create_task(self._embed(batch))
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._indexing.wake.embed.set()

    async def _embed(self, batch: Batch) -> None:
        chunk_ids = {item.chunk_id for item in batch.work}
        self._indexing.being_embedded.update(chunk_ids)
        try:
            await embed(self._indexing, batch)
        except PartAway as outage:
            log.info("Embedding waits: %s", outage.message)
        except Exception:
            # The chunks were given back and the try counted: the next batch is not to pay for this one.
            log.exception("A batch of %d chunks could not be embedded.", len(batch.work))
        finally:
            self._indexing.being_embedded.difference_update(chunk_ids)

    async def _until_due(self) -> float:
        if self._identity is None:
            return self._sweep
        key = self._identity.key
        due = await self._indexing.manifest.read(lambda c: vector_facts.next_due(c, key))
        return self._sweep if due is None else max(0.01, (due - self._indexing.clock()) / SECOND)
