"""Builds the text index anew from the manifest: beside the one that serves, or in place of one that was lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, TypeAlias

from findspot.stores.manifest import comparing
from findspot.stores.text.schema import TextEntry
from findspot_indexing.ports import TextIndex
from findspot_indexing.repair.findings import Steps
from findspot_indexing.repair.text_entries import entry_of
from findspot_indexing.service import Indexing

_DOCUMENTS = 100
_CHUNKS = 2000

Put: TypeAlias = Callable[[list[TextEntry]], Awaitable[None]]


async def rebuild(indexing: Indexing, steps: Steps) -> int:
    """Fill a new index and switch to it; the number of chunks in it. Searches go on in the old one meanwhile.

    Every change that comes in between goes to both. A crash leaves the old one serving, and nothing of the new. A
    repair and a scrub may both want this: one begins when the other has ended.
    """
    expected = await indexing.manifest.read(comparing.expected_entries)
    await steps.expect(expected)
    async with indexing.rebuilding:
        return await _rebuild_beside(indexing, steps)


async def _rebuild_beside(indexing: Indexing, steps: Steps) -> int:
    index = indexing.text.index
    with indexing.outages.watch("text index"):
        await indexing.text.call(index.begin_again)
    try:
        await _each_document(indexing, partial(_put_beside, indexing, steps))
        with indexing.outages.watch("text index"):
            return await indexing.text.call(index.switch)
    except BaseException:
        await indexing.text.call(index.give_up)
        raise


async def make_whole(indexing: Indexing, steps: Steps) -> int:
    """Put everything into an index that serves incompletely, then let it answer searches; the number of chunks.

    What is there already is put in again: the same takes its place.
    """
    await steps.expect(await indexing.manifest.read(comparing.expected_entries))
    written = 0

    async def put(entries: list[TextEntry]) -> None:
        nonlocal written
        with indexing.outages.watch("text index"):
            await indexing.text.call(partial(_put_now, indexing.text.index, entries))
        written += len(entries)
        await steps.step(len(entries))

    await _each_document(indexing, put)
    await indexing.text.call(indexing.text.index.mark_complete)
    return written


def _put_now(index: TextIndex, entries: list[TextEntry]) -> None:
    """Not with the commits of others, which are spread out so that searches keep their pace: here none is answered."""
    try:
        index.add(entries)
        index.commit()
    except BaseException:
        index.rollback()
        raise


async def _put_beside(indexing: Indexing, steps: Steps, entries: list[TextEntry]) -> None:
    with indexing.outages.watch("text index"):
        await indexing.text.call(partial(indexing.text.index.fill, entries))
    await steps.step(len(entries))


async def _each_document(indexing: Indexing, put: Put) -> None:
    """Put in the entries of every document, each while it is held, many at a time."""
    after, busy = "", list[str]()
    while page := await indexing.manifest.read(
        partial(comparing.document_ids, after=after, limit=_DOCUMENTS)
    ):
        async with AsyncExitStack() as holding:
            free = [key for key in page if not indexing.holding.held(key)]
            for key in free:
                await holding.enter_async_context(indexing.holding.hold(key))
            await _put_documents(indexing, free, put)
        busy += [key for key in page if key not in set(free)]
        after = page[-1]
    # Those that somebody was at work on: by now most are done, and the others are waited for.
    for key in busy:
        async with indexing.holding.hold(key):
            await _put_documents(indexing, [key], put)


async def _put_documents(indexing: Indexing, documents: list[str], put: Put) -> None:
    """Put in what belongs into the index of documents that are held."""
    waiting: list[TextEntry] = []
    for document_id in documents:
        after = ""
        while rows := await indexing.manifest.read(
            partial(comparing.entry_rows_of_document, document_id=document_id, after=after, limit=_CHUNKS)
        ):
            waiting += await indexing.in_thread(_entries, rows)
            after = rows[-1].id
            if len(waiting) >= _CHUNKS:
                await put(waiting)
                waiting = []
    if waiting:
        await put(waiting)


def _entries(rows: list[Any]) -> list[TextEntry]:
    return [entry_of(row) for row in rows]
