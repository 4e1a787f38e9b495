"""What has to be true once a suite that was killed is at rest again; each function tells what is not."""

from __future__ import annotations

import asyncio

from findspot.client import AsyncClient, requests
from findspot.client.requests import At
from findspot.errors import NotFound
from findspot.v1 import indexing_pb2, query_pb2
from tests.crash.book import Book, Entry
from tests.crash.documents import Version
from tests.crash.projections import compare
from tests.crash.world import World
from tests.stub_calls import call

IDLE_SECONDS = 90.0
_LATER = ("scrub",)
"""Operations that rest on purpose between two times, so that many purges share one."""
_MEANT = ("embedding.configured",)
"""Checks that warn of what was asked for: that another model serves than the one that is configured."""
CLEAN_SECONDS = 30.0
_NEAREST = 10
_SAME = 0.999
"""Least cosine between a text and itself, in float16 or float32."""


async def rest(client: AsyncClient) -> list[str]:
    """Returns once nothing waits and no operation runs; what still does when it takes too long."""
    seen = ""
    try:
        async with asyncio.timeout(IDLE_SECONDS):
            while True:
                async for event in client.watch(until_idle=True):
                    seen = str(event)
                running = indexing_pb2.ListOperationsRequest(state=indexing_pb2.OPERATION_STATE_RUNNING)
                listed = (await call(client.indexing.ListOperations, running)).operations
                operations = [operation for operation in listed if operation.kind not in _LATER]
                if not operations:
                    return []
                seen = str(operations)
    except TimeoutError:
        return [f"not at rest after {IDLE_SECONDS:.0f} s; last seen: {' '.join(seen.split())}"]


async def documents(client: AsyncClient, book: Book) -> list[str]:
    """Every path holds what it may hold, whole, and is found by its words and by its meaning; the book learns which."""
    gate = asyncio.Semaphore(4)

    async def one(path: str) -> list[str]:
        async with gate:
            return await _document(client, path, book)

    told = await asyncio.gather(*(one(path) for path in sorted(book.entries)))
    return [
        f"{path}: {fault}"
        for path, faults in zip(sorted(book.entries), told, strict=True)
        for fault in faults
    ]


async def _document(client: AsyncClient, path: str, book: Book) -> list[str]:
    entry = book.of(path)
    place = At(book.collection, path)
    version, faults = await _held(client, place, entry)
    if faults:
        return faults
    names = version.names if version else frozenset()
    others = [was for was in (*entry.former, *entry.allowed()) if was is not None and was is not version]
    gone = frozenset[str]().union(*(was.names for was in others)) - names
    faults = await _by_words(client, place, names, gone)
    if version is not None:
        faults += await _by_meaning(client, place)
    for was in others[:1] if version is None else ():
        near = await _hits(client, book.collection, was.paragraphs[0].text, "semantic", _NEAREST)
        faults += ["is deleted, and found by its meaning" for hit in near if hit.file_path == path]
    book.seen(path, version)
    return faults


async def _held(client: AsyncClient, place: At, entry: Entry) -> tuple[Version | None, list[str]]:
    try:
        document = await client.document(place)
        retired = document.state == indexing_pb2.DOCUMENT_STATE_RETIRED
        text = "" if retired else (await client.text(place)).text
    except NotFound:
        retired, text = True, ""
    allowed = entry.allowed()
    if retired:
        return None, [] if None in allowed else ["is gone, although it was acknowledged and not deleted"]
    if document.state != indexing_pb2.DOCUMENT_STATE_INDEXED:
        state = indexing_pb2.DocumentState.Name(document.state)
        return None, [f"is {state} when all is at rest: {document.failure.message}"]
    for version in allowed:
        if version is not None and version.text == text:
            counts = (document.chunk_count, document.embedded_chunk_count)
            return version, [] if counts[0] == counts[1] > 0 else [f"has (chunks, vectors) {counts}"]
    was = next((was for was in entry.former if was.text == text), None)
    what = "an older version" if was is not None else "a text that was never sent"
    return None, [f"holds {what}: {text[:60]!r}; allowed were {len(allowed)} others"]


async def _by_words(client: AsyncClient, place: At, names: frozenset[str], gone: frozenset[str]) -> list[str]:
    if not names | gone:
        return []
    hits = await _hits(client, place.collection, " ".join(sorted(names | gone)), "text")
    ids = [hit.chunk_id for hit in hits]
    found = " ".join(hit.text for hit in hits if hit.file_path == place.file_path).lower()
    faults = [f"not found by its word {name}" for name in sorted(names) if name not in found]
    faults += [f"still found by the word {name}" for name in sorted(gone) if name in found]
    if len(ids) != len(set(ids)):
        faults.append("one of its chunks is found twice")
    return faults


async def _by_meaning(client: AsyncClient, place: At) -> list[str]:
    """Each chunk is the nearest to its own text, as near as the same text is: its vector is not of another text."""
    listed = query_pb2.ListChunksRequest(at_path=requests.chunk_name(place).at_path)
    faults = []
    for chunk in (await call(client.query.ListChunks, listed)).chunks:
        near = await _hits(client, place.collection, chunk.text, "semantic", _NEAREST)
        itself = [hit.similarity for hit in near if hit.chunk_id == chunk.chunk_id]
        if not itself or itself[0] < _SAME:
            faults.append(
                f"chunk {chunk.chunk_index} not found by its meaning: {[hit.similarity for hit in near]}"
            )
    return faults


async def _hits(
    client: AsyncClient, collection: str, query: str, mode: str, limit: int = 50
) -> list[query_pb2.SearchHit]:
    answer = await client.search_chunks(
        query, mode=mode, collection=collection, limit=limit, view="text", group_by="none"
    )
    if not answer.searched or answer.degradations:
        raise AssertionError(
            f"{mode} search for {query[:40]!r} was not done: {answer.failure} {answer.degradations}"
        )
    return [result.hit for result in answer.results]


async def counts(client: AsyncClient, world: World, documents_there: int) -> list[str]:
    """The counts agree in the manifest, the text index and the vectors, and `Diagnose` has nothing to say."""
    status = await client.status()
    present = {
        state.state: state.document_count
        for state in status.states
        if state.document_count and state.state != indexing_pb2.DOCUMENT_STATE_RETIRED
    }
    faults = []
    if present != {indexing_pb2.DOCUMENT_STATE_INDEXED: documents_there} and documents_there:
        faults.append(f"{documents_there} documents are there; the status counts {present}")
    active = [one for one in status.identities if one.state == indexing_pb2.IDENTITY_STATE_ACTIVE]
    if documents_there and (len(active) != 1 or active[0].embedded_chunk_count != status.chunk_count):
        faults.append(f"{status.chunk_count} chunks, vectors: {[one.embedded_chunk_count for one in active]}")
    loop = asyncio.get_running_loop()
    until = loop.time() + CLEAN_SECONDS
    while True:
        wrong = [*await _diagnosed(client), *await compare(world)] if documents_there else []
        if not wrong or loop.time() > until:
            return faults + wrong
        # Retired chunks leave the projections a sweep after the switch; connections come back after a moment.
        await asyncio.sleep(0.1)


async def _diagnosed(client: AsyncClient) -> list[str]:
    examined = await call(client.indexing.Diagnose, indexing_pb2.DiagnoseRequest(thorough=True))
    return [
        f"Diagnose {check.name}: {check.message}"
        for check in examined.checks
        if check.outcome != indexing_pb2.CHECK_OUTCOME_OK and check.name not in _MEANT
    ]
