"""The loop of stage one: claims waiting documents, composes many at once, retries, gives up, never stalls on one."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import Connection

from findspot.errors import Aborted, FindspotError, Internal, Reason
from findspot.model import DocumentState
from findspot.stores.manifest import claims
from findspot.stores.manifest.claims import Failure
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing.compose.compose import compose
from findspot_indexing.faults import FAULTS_OF_DOCUMENTS, RARE_TRIES, RARELY_TRIED
from findspot_indexing.outages import PartAway, backoff
from findspot_indexing.service import Indexing
from findspot_indexing.stamps import Stamps, stamps_if_told
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)

_PARTS = ("extraction", "chunking", "text index")


async def compose_waiting(indexing: Indexing) -> None:
    """Compose whatever waits, until cancelled."""
    slots = asyncio.Semaphore(indexing.limits.extractions)
    running: set[asyncio.Task[None]] = set()

    def ended(task: asyncio.Task[None]) -> None:
        running.discard(task)
        indexing.wake.compose.set()

    async with asyncio.TaskGroup() as group:
        while True:
            indexing.wake.compose.clear()
            wait = indexing.outages.wait_seconds(*_PARTS)
            # One document tries whether a part is back; the others wait for what it finds.
            most = 1 if indexing.outages.any_away(*_PARTS) else indexing.limits.documents_in_flight
            if wait == 0 and len(running) >= most:
                wait = indexing.limits.sweep_seconds
            elif wait == 0:
                for document in await _claim(indexing, most - len(running)):
                    task = group.create_task(_compose_one(indexing, document, slots))
                    running.add(task)
                    indexing.holding.begin(document.id, task)
                    task.add_done_callback(ended)
                wait = await _until_due(indexing, len(running) >= most)
            await pause(indexing.wake.compose, min(wait, indexing.limits.sweep_seconds))


async def _claim(indexing: Indexing, limit: int) -> list[StoredDocument]:
    lease = int(indexing.limits.lease_seconds * SECOND)
    now = indexing.clock()
    return await indexing.manifest.write(lambda c: claims.claim(c, indexing.instance, now, lease, limit))


async def _until_due(indexing: Indexing, full: bool) -> float:
    """Seconds until another document may be claimed."""
    due = None if full else await indexing.manifest.read(claims.next_due)
    if due is None:
        return indexing.limits.sweep_seconds
    return max(0.0, (due - indexing.clock()) / SECOND)


async def _compose_one(indexing: Indexing, document: StoredDocument, slots: asyncio.Semaphore) -> None:
    stamps: Stamps | None = None
    try:
        stamps = await stamps_if_told(indexing)
        if document.attempts > indexing.limits.max_attempts:
            raise Internal(
                f"{document.attempts - 1} tries began and none ended: each may have ended the whole process.",
                reason=Reason.EXTRACTION_CRASHED,
            )
        await compose(indexing, document, indexing.instance, slots, stamps)
    except PartAway as outage:
        await _put_back(indexing, document, outage, counted=False)
    except Aborted as lost:
        # Newer bytes are waiting already, or the document is gone: either way there is nothing to do here.
        log.debug("%s: %s", document.id, lost.message)
    except FindspotError as failure:
        await _failed(indexing, document, failure, stamps)
    except Exception as error:
        log.exception("Composing document %s of %s failed.", document.id, document.collection_path)
        await _failed(indexing, document, Internal(f"{type(error).__name__}: {error}"), stamps)


async def _failed(
    indexing: Indexing, document: StoredDocument, failure: FindspotError, stamps: Stamps | None
) -> None:
    most = RARE_TRIES if failure.reason in RARELY_TRIED else indexing.limits.max_attempts
    if failure.reason in FAULTS_OF_DOCUMENTS or document.attempts >= most:
        await _give_up(indexing, document, failure, stamps)
    else:
        await _put_back(indexing, document, failure, counted=True)


async def _put_back(
    indexing: Indexing, document: StoredDocument, failure: FindspotError, *, counted: bool
) -> None:
    limits = indexing.limits
    wait = (
        backoff(document.attempts, limits.retry_first_seconds, limits.retry_longest_seconds) if counted else 0
    )
    now = indexing.clock()
    await indexing.manifest.write(
        lambda c: claims.put_back(
            c,
            document,
            indexing.instance,
            next_attempt_at=now + int(wait * SECOND),
            counted=counted,
            failure=Failure(failure.reason, failure.message),
            now=now,
        )
    )


async def _give_up(
    indexing: Indexing, document: StoredDocument, failure: FindspotError, stamps: Stamps | None
) -> None:
    """The document FAILED; the generation before it, if any, goes on serving."""
    now = indexing.clock()
    values = {
        "error_reason": failure.reason,
        "error_message": failure.message,
        "tried_stamp": stamps.registry if stamps else "",
    }

    def write(connection: Connection) -> None:
        if claims.owns(connection, document, indexing.instance):
            claims.finish(connection, document, DocumentState.FAILED, values, now)

    await indexing.manifest.write(write)
