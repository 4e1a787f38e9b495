"""Documents that gave nothing are read again when the extractor is another one: OCR was installed, a reader mended."""

from __future__ import annotations

import logging

from sqlalchemy import Connection

from findspot.errors import Reason
from findspot.stores.manifest import remaking, tries
from findspot.stores.manifest.tries import Tried
from findspot_indexing.service import Indexing
from findspot_indexing.stamps import Stamps, current_stamps

log = logging.getLogger(__name__)

HEALED_BY_EXTRACTORS = frozenset(
    {
        Reason.UNSUPPORTED_TYPE,
        Reason.DOCUMENT_CORRUPT,
        Reason.EXTRACTION_CRASHED,
        Reason.EXTRACTION_TIMEOUT,
    }
)
"""Failures that another reader may not have. A password or a smaller file has to come from people."""

_TOGETHER = 200


async def retry_fruitless(indexing: Indexing) -> int:
    """Queue documents without text, and failed ones, whose last try was of another extractor; returns how many."""
    # Most indexes have none, and then nobody has to be asked.
    groups = await indexing.manifest.read(lambda c: list(tries.tried(c)))
    if not groups:
        return 0
    stamps = await current_stamps(indexing)
    queued = 0
    for group in groups:
        now_is = worth_another_try(group, stamps)
        if now_is:
            queued += await _queue(indexing, group, now_is)
    if queued:
        indexing.wake.compose.set()
    return queued


def worth_another_try(group: Tried, stamps: Stamps) -> str:
    """The stamp that extraction has now, where it is another one than that of the last try; else empty."""
    if group.reason == Reason.NO_TEXT:
        stamp = stamps.extractor(group.document_type)
    elif group.reason in HEALED_BY_EXTRACTORS:
        # What the file is was not told with the failure, or may be told otherwise now.
        stamp = stamps.registry
    else:
        return ""
    return "" if stamp == group.stamp else stamp


async def _queue(indexing: Indexing, group: Tried, now_is: str) -> int:
    def write(connection: Connection) -> int:
        found = tries.documents_tried(connection, group, _TOGETHER)
        for document in found:
            remaking.make_again(
                connection,
                document.id,
                document.collection_id,
                document.state,
                remaking.EXTRACT,
                indexing.clock(),
                everything=False,
            )
        return len(found)

    queued = 0
    while found := await indexing.manifest.write(write):
        queued += found
    log.info(
        "Reading again what gave nothing (%s, type %s, %d in all): extraction is at %s, and was at %s when it was tried.",
        group.reason,
        group.document_type or "unknown",
        queued,
        now_is,
        group.stamp or "an unknown stamp",
    )
    return queued
