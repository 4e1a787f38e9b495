"""The operation `reindex`: marks documents a few at a time and follows them until they are found again as a whole."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Any

from sqlalchemy import Connection

from findspot.errors import Reason
from findspot.stores.manifest.operations import Operation
from findspot_indexing.operations.progress import Progress
from findspot_indexing.reindex.stages import Stage
from findspot_indexing.reindex.survey import Wish, current_recipe
from findspot_indexing.reindex.turn import Look, Turn, look, take
from findspot_indexing.service import Indexing
from findspot_indexing.stamps import current_stamps

KIND = "reindex"
_SHARE = 2.0
"""Looking may take a third of the time: the more there is to look at, the less often."""


async def reindex(indexing: Indexing, operation: Operation, progress: Progress) -> None:
    """Make every document of the operation anew that needs it. What was marked before a crash is not marked again."""
    wish = wish_of(operation.request)
    while True:
        changes, began = indexing.changes.count, time.monotonic()
        seen = await indexing.manifest.read(partial(_look, indexing=indexing, operation=operation))
        if seen.anything_to_do:
            turn = Turn(
                operation.id,
                operation.created_at,
                wish,
                await current_stamps(indexing),
                indexing.clock(),
            )
            await indexing.manifest.write(partial(take, turn=turn, seen=seen, progress=progress))
            indexing.wake.compose.set()
            indexing.wake.embed.set()
        elif not seen.left:
            return
        else:
            await asyncio.sleep(_SHARE * (time.monotonic() - began))
            await _changed(indexing, changes)


def wish_of(request: Any) -> Wish:
    """What was asked for, as it was stored."""
    within = request["within"]
    return Wish(
        within=None if within is None else tuple(within),
        document_id=request["document_id"],
        stage=Stage[request["stage"]] if request["stage"] else None,
        force=request["force"],
    )


def as_request(wish: Wish) -> dict[str, Any]:
    """A wish as it is stored."""
    return {
        "within": None if wish.within is None else list(wish.within),
        "document_id": wish.document_id,
        "stage": wish.stage.name if wish.stage else "",
        "force": wish.force,
    }


def _look(connection: Connection, indexing: Indexing, operation: Operation) -> Look:
    outage = indexing.outages.current()
    no_model = outage is not None and outage.reason is Reason.SEARCH_NOT_PERFORMED
    return look(connection, operation.id, current_recipe(connection).identity, no_model=no_model)


async def _changed(indexing: Indexing, seen: int) -> None:
    """Wait for a change; those of other processes are looked for."""
    try:
        async with asyncio.timeout(indexing.membership.look_seconds(indexing.limits.sweep_seconds)):
            await indexing.changes.after(seen)
    except TimeoutError:
        return
