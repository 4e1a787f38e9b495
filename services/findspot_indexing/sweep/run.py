"""All loops of the sweep as one: started together, ended together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import Connection

from findspot.errors import Unavailable
from findspot_indexing.directories.watch import watch_directories
from findspot_indexing.operations.runner import run_operations
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.composing import compose_waiting
from findspot_indexing.sweep.embedding import EmbedLoop
from findspot_indexing.sweep.healing import keep_text_whole
from findspot_indexing.sweep.kinds import KINDS
from findspot_indexing.sweep.members import join, keep_alive, leave
from findspot_indexing.sweep.upkeep import keep_up

log = logging.getLogger(__name__)

_AGAIN_SECONDS = 1.0
"""Between two looks whether the manifest is back."""


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
        # Others wait for its commits: it ends with the service only.
        group.create_task(indexing.text.run(), name="text commits")
        if not indexing.membership.alone:
            group.create_task(keep_alive(indexing), name="signs of life")
        group.create_task(_through_outages(indexing), name="loops")


async def _through_outages(indexing: Indexing) -> None:
    """Run the loops; when the manifest is away, begin anew with all of them once it is back."""
    while True:
        away: Unavailable | None = None
        try:
            await _loops(indexing)
        except* Unavailable as problems:
            away = _first(problems)
        assert away is not None
        log.warning("The sweep pauses: %s", away.message)
        await _begin_anew(indexing)
        log.info("The sweep goes on.")


async def _loops(indexing: Indexing) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(compose_waiting(indexing), name="compose")
        group.create_task(EmbedLoop(indexing).run(), name="embed")
        group.create_task(keep_up(indexing), name="upkeep")
        if indexing.membership.owner:
            group.create_task(watch_directories(indexing), name="directories")
            group.create_task(keep_text_whole(indexing), name="text index")
            group.create_task(run_operations(indexing, KINDS), name="operations")


async def _begin_anew(indexing: Indexing) -> None:
    """Returns when the manifest is back, and holds no claim of what was cut short."""

    def write(connection: Connection) -> None:
        leave(connection, indexing)
        join(connection, indexing)

    while True:
        try:
            await indexing.manifest.write(write)
        except Unavailable:
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            return


def _first(problems: BaseExceptionGroup[Unavailable]) -> Unavailable:
    found = problems.exceptions[0]
    return _first(found) if isinstance(found, BaseExceptionGroup) else found
