"""All loops of the sweep as one: started together, ended together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from findspot_indexing.directories.watch import watch_directories
from findspot_indexing.operations.runner import run_operations
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.composing import compose_waiting
from findspot_indexing.sweep.embedding import EmbedLoop
from findspot_indexing.sweep.healing import keep_text_whole
from findspot_indexing.sweep.kinds import KINDS
from findspot_indexing.sweep.members import join, keep_alive, leave
from findspot_indexing.sweep.upkeep import keep_up


@asynccontextmanager
async def sweeping(indexing: Indexing) -> AsyncIterator[asyncio.Task[None]]:
    """Run the sweep while the block runs; the task ends by itself only when a loop broke."""
    await indexing.manifest.write(lambda c: join(c, indexing))
    task = asyncio.create_task(_run(indexing), name="sweep")
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await indexing.manifest.write(lambda c: leave(c, indexing))


async def _run(indexing: Indexing) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(indexing.text.run(), name="text commits")
        group.create_task(compose_waiting(indexing), name="compose")
        group.create_task(EmbedLoop(indexing).run(), name="embed")
        group.create_task(keep_up(indexing), name="upkeep")
        if not indexing.membership.alone:
            group.create_task(keep_alive(indexing), name="signs of life")
        if indexing.membership.owner:
            group.create_task(watch_directories(indexing), name="directories")
            group.create_task(keep_text_whole(indexing), name="text index")
            group.create_task(run_operations(indexing, KINDS), name="operations")
