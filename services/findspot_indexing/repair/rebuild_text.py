"""Builds the text index anew from the manifest: beside the one that serves, or in place of one that was lost."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from findspot.stores.manifest import comparing
from findspot.stores.text.schema import TextEntry
from findspot_indexing.repair import compare, mend
from findspot_indexing.repair.findings import Steps
from findspot_indexing.repair.text_entries import entry_of
from findspot_indexing.service import Indexing

_DOCUMENTS = 50
_CHUNKS = 1000


async def rebuild(indexing: Indexing, steps: Steps) -> int:
    """Fill a new index and switch to it; the number of chunks in it. Searches go on in the old one meanwhile.

    Every change that comes in between goes to both. A crash leaves the old one serving, and nothing of the new.
    """
    index = indexing.text.index
    expected = await indexing.manifest.read(comparing.expected_entries)
    await steps.expect(expected)
    with indexing.outages.watch("text index"):
        await indexing.text.call(index.begin_again)
    try:
        await _fill(indexing, steps)
        with indexing.outages.watch("text index"):
            return await indexing.text.call(index.switch)
    except BaseException:
        await indexing.text.call(index.give_up)
        raise


async def _fill(indexing: Indexing, steps: Steps) -> None:
    after, busy = "", list[str]()
    while page := await indexing.manifest.read(
        partial(comparing.document_ids, after=after, limit=_DOCUMENTS)
    ):
        async with AsyncExitStack() as holding:
            free = [key for key in page if not indexing.holding.held(key)]
            for key in free:
                await holding.enter_async_context(indexing.holding.hold(key))
            await _fill_from(indexing, free, steps)
        busy += [key for key in page if key not in set(free)]
        after = page[-1]
    # Those that somebody was at work on: by now most are done, and the others are waited for.
    for key in busy:
        async with indexing.holding.hold(key):
            await _fill_from(indexing, [key], steps)


async def _fill_from(indexing: Indexing, documents: list[str], steps: Steps) -> None:
    """Put in what belongs into the index of documents that are held."""
    waiting: list[TextEntry] = []
    for document_id in documents:
        after = ""
        while rows := await indexing.manifest.read(
            partial(comparing.entry_rows_of_document, document_id=document_id, after=after, limit=_CHUNKS)
        ):
            waiting += [entry_of(row) for row in rows]
            after = rows[-1].id
            if len(waiting) >= _CHUNKS:
                await _put(indexing, waiting, steps)
                waiting = []
    if waiting:
        await _put(indexing, waiting, steps)


async def _put(indexing: Indexing, entries: list[TextEntry], steps: Steps) -> None:
    with indexing.outages.watch("text index"):
        await indexing.text.call(partial(indexing.text.index.fill, entries))
    await steps.step(len(entries))


async def make_whole(indexing: Indexing, steps: Steps) -> int:
    """Put in what an index that serves incompletely lacks, then let it answer searches; how many chunks it lacked.

    Goes on where it was when it was cut short: what is there already is not written again.
    """
    written = 0
    async for found in compare.text(indexing, "", steps):
        await mend.text(indexing, found)
        written += len(found.rewritten)
    await indexing.text.call(indexing.text.index.mark_complete)
    return written
