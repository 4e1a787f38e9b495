"""Waiting for a document to be found, and following the work: woken by changes, never by polling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection

from findspot.errors import Reason, Unavailable
from findspot.model import Caller, DocumentState
from findspot.stores.manifest import embeddings, revisions, vector_facts
from findspot_indexing import names
from findspot_indexing.documents import DocumentName, DocumentView, find, views
from findspot_indexing.service import Indexing
from findspot_indexing.status import Progress, progress

EVENTS_PER_SECOND = 4
_LOOK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Waited:
    """How a wait ended: the document, whether it is as far as was asked, and the revision that holds it."""

    view: DocumentView
    reached: bool
    revision: int


async def wait_for_document(
    caller: Caller, indexing: Indexing, name: DocumentName, *, vector: bool
) -> Waited:
    """Return when the newest bytes of a document are found by text (`vector`: by meaning too), or never will be.

    It ends without success when the document FAILED, is EMPTY or RETIRED, when some of its chunks get no vector,
    or when there is no embedding provider to wait for. Else only the deadline of the call ends it.
    """
    while True:
        seen = indexing.changes.count
        ended = await indexing.manifest.read(lambda c: _look(c, caller, indexing, name, vector))
        if ended is not None:
            return ended
        if indexing.stopping.is_set():
            raise Unavailable(
                "The indexing service is stopping. Wait again: nothing is lost.", retry_after=1.0
            )
        await indexing.changes.after(seen)


def _look(
    connection: Connection, caller: Caller, indexing: Indexing, name: DocumentName, vector: bool
) -> Waited | None:
    document = find(connection, caller, name)
    newest = document.generation == document.next_generation
    text = newest and document.state in (DocumentState.CHUNKED, DocumentState.INDEXED)
    reached = text and (not vector or document.state == DocumentState.INDEXED)
    over = document.state in (DocumentState.FAILED, DocumentState.EMPTY, DocumentState.RETIRED)
    if not reached and not over and not (text and _no_vector_to_come(connection, indexing, document.id)):
        return None
    return Waited(views(connection, [document])[0], reached, revisions.current(connection))


def _no_vector_to_come(connection: Connection, indexing: Indexing, document_id: str) -> bool:
    active = embeddings.active(connection)
    if active is None:
        outage = indexing.outages.current()
        return outage is not None and outage.reason is Reason.SEARCH_NOT_PERFORMED
    pending, failed = vector_facts.unready_of_document(connection, active.key, document_id)
    return failed > 0 and pending == 0


async def watch(
    caller: Caller, indexing: Indexing, subtree: str = "", *, until_idle: bool = False
) -> AsyncIterator[Progress]:
    """How far the work is: at once, then whenever that changed, at most four times a second.

    With `until_idle` it ends when nothing is pending.
    """
    names.subtree(subtree)
    last: Progress | None = None
    while True:
        seen = indexing.changes.count
        now = await progress(caller, indexing, subtree)
        if now != last:
            yield now
            last = now
        if indexing.stopping.is_set() or (until_idle and now.idle):
            return
        # Changes come by the hundred: what happens meanwhile is told in one event.
        await asyncio.sleep(1 / EVENTS_PER_SECOND)
        # A part that hangs changes nothing: it has to be looked for.
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                await indexing.changes.after(seen)
