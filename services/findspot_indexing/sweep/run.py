"""All loops of the sweep as one: started together, ended together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import Connection

from findspot.stores.manifest import claims, operations
from findspot_indexing.directories.watch import watch_directories
from findspot_indexing.operations.runner import run_operations
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.composing import compose_waiting
from findspot_indexing.sweep.embedding import EmbedLoop
from findspot_indexing.sweep.healing import keep_text_whole
from findspot_indexing.sweep.kinds import KINDS
from findspot_indexing.sweep.upkeep import keep_up, reclaim_everything


@asynccontextmanager
async def sweeping(indexing: Indexing) -> AsyncIterator[asyncio.Task[None]]:
    """Run the sweep while the block runs; the task ends by itself only when a loop broke."""
    await indexing.manifest.write(lambda c: reclaim_everything(c, indexing.clock()))
    task = asyncio.create_task(_run(indexing), name="sweep")
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        # What is under way when the service is stopped is nobody's fault: those tries do not count.
        await indexing.manifest.write(lambda c: _give_back(c, indexing.instance))


def _give_back(connection: Connection, owner: str) -> None:
    claims.give_back(connection, owner)
    operations.give_back(connection, owner)


async def _run(indexing: Indexing) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(watch_directories(indexing), name="directories")
        group.create_task(indexing.text.run(), name="text commits")
        group.create_task(compose_waiting(indexing), name="compose")
        group.create_task(EmbedLoop(indexing).run(), name="embed")
        group.create_task(keep_up(indexing), name="upkeep")
        group.create_task(keep_text_whole(indexing), name="text index")
        group.create_task(run_operations(indexing, KINDS), name="operations")
