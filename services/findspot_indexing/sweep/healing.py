"""The loop that keeps the text index whole: fills one that was lost, compares one that an error made doubtful."""

from __future__ import annotations

import asyncio
import logging

from findspot.errors import FindspotError
from findspot.stores.manifest import repairing
from findspot_indexing.repair import compare, mend, rebuild_text
from findspot_indexing.repair.findings import Steps
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)


async def keep_text_whole(indexing: Indexing) -> None:
    """Look after every failed commit and every sweep, until cancelled. What fails is tried again."""
    while True:
        indexing.text.failed.clear()
        try:
            await heal(indexing)
        except FindspotError as failure:
            log.warning("The text index has to wait: %s", failure.message)
        except Exception:
            log.exception("Mending the text index failed; it is tried again.")
        await pause(indexing.text.failed, indexing.limits.sweep_seconds)


async def heal(indexing: Indexing) -> int:
    """Bring the text index to what the manifest says, where there is a sign that it is not; entries written.

    Signs are files that are gone, an error of the engine since the last look, and fewer chunks than are live.
    """
    index = indexing.text.index
    live = await indexing.manifest.read(repairing.live_chunks)
    await indexing.text.call(index.look)
    if not index.complete:
        written = await rebuild_text.make_whole(indexing, Steps())
        log.log(
            logging.WARNING if written else logging.INFO, "The text index is complete: %d written.", written
        )
        index.doubtful = False
        return written
    if not index.doubtful and await indexing.text.count() >= live:
        return 0
    index.doubtful = False
    written = 0
    try:
        async for found in compare.text(indexing, "", Steps()):
            await mend.text(indexing, found)
            written += len(found.rewritten)
    except (FindspotError, asyncio.CancelledError):
        index.doubtful = True
        raise
    if written:
        log.warning("The text index lacked %d chunks after an error, and has them again.", written)
    return written
