"""Waiting for documents, following the work, counting it, and finding out what is wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from indexing_fakes import Desk, FakeEmbedder, desk_over

from findspot.errors import InvalidArgument, NotFound, Reason, Unavailable
from findspot.model import EVERYTHING, Caller
from findspot_indexing import removal, status, waiting
from findspot_indexing.diagnose import Outcome, diagnose
from findspot_indexing.documents import DocumentName

A = DocumentName(collection="acme/notes", file_path="a.txt")


async def test_a_wait_ends_when_the_document_is_found(desk: Desk) -> None:
    desk.extractor.gate = asyncio.Event()
    await desk.put("a.txt", "x")
    waits = [
        asyncio.create_task(waiting.wait_for_document(EVERYTHING, desk.indexing, A, vector=vector))
        for vector in (False, True)
    ]
    await desk.extractor.called.wait()
    assert not any(wait.done() for wait in waits)
    desk.extractor.gate.set()
    text, vector = await asyncio.gather(*waits)
    assert text.reached
    assert vector.reached
    assert vector.view.document.state == "INDEXED"
    assert vector.view.embedded_chunks == 1
    assert text.revision <= vector.revision


async def test_a_wait_for_newer_bytes_is_not_content_with_older_ones(desk: Desk) -> None:
    await desk.put("a.txt", "Old.")
    await desk.until(lambda: desk.indexed("a.txt", 1))
    await desk.put("a.txt", "New.")
    waited = await waiting.wait_for_document(EVERYTHING, desk.indexing, A, vector=True)
    assert waited.view.document.generation == 2


@pytest.mark.parametrize(("text", "state"), [("bad", "FAILED"), (" ", "EMPTY")])
async def test_a_wait_ends_without_success_when_there_is_nothing_to_wait_for(
    desk: Desk, text: str, state: str
) -> None:
    if text == "bad":
        desk.extractor.always["a.txt"] = InvalidArgument("no", reason=Reason.DOCUMENT_CORRUPT)
    await desk.put("a.txt", text)
    waited = await waiting.wait_for_document(EVERYTHING, desk.indexing, A, vector=False)
    assert (waited.reached, waited.view.document.state) == (False, state)
    await removal.delete(EVERYTHING, desk.indexing, A)
    waited = await waiting.wait_for_document(EVERYTHING, desk.indexing, A, vector=True)
    assert (waited.reached, waited.view.document.state) == (False, "RETIRED")


async def test_a_wait_for_vectors_that_never_come_ends(tmp_path: Path) -> None:
    async with desk_over(tmp_path / "one", embedder=FakeEmbedder(identity=None)) as desk:
        await desk.put("a.txt", "x")
        waited = await waiting.wait_for_document(EVERYTHING, desk.indexing, A, vector=True)
        assert (waited.reached, waited.view.document.state) == (False, "CHUNKED")
    refusing = FakeEmbedder(refused={"x": Reason.EMBEDDING_INPUT_TOO_LONG})
    async with desk_over(tmp_path / "two", embedder=refusing) as desk:
        await desk.put("a.txt", "x")
        waited = await waiting.wait_for_document(EVERYTHING, desk.indexing, A, vector=True)
        assert not waited.reached
        assert waited.view.document.error_reason == "EMBEDDING_INPUT_TOO_LONG"


async def test_waits_end_when_the_service_stops(still: Desk) -> None:
    await still.put("a.txt", "x")
    wait = asyncio.create_task(waiting.wait_for_document(EVERYTHING, still.indexing, A, vector=False))
    still.indexing.stopping.set()
    still.indexing.changes.announce()
    with pytest.raises(Unavailable, match="stopping"):
        await wait
    events = [event async for event in waiting.watch(EVERYTHING, still.indexing)]
    assert len(events) == 1


async def test_what_is_not_there_is_not_waited_for(still: Desk) -> None:
    with pytest.raises(NotFound):
        await waiting.wait_for_document(EVERYTHING, still.indexing, A, vector=False)


async def test_the_work_can_be_followed_until_it_is_done(desk: Desk) -> None:
    for n in range(5):
        await desk.put(f"{n}.txt", f"Text {n}.")
    events = [event async for event in waiting.watch(EVERYTHING, desk.indexing, "acme", until_idle=True)]
    assert events[-1].idle
    assert (events[-1].documents, events[-1].chunks, events[-1].embedded) == (5, 5, 5)
    assert all(not event.idle for event in events[:-1])
    assert len({event.revision for event in events}) == len(events) or len(events) > 1


async def test_watching_says_why_the_work_stands_still(tmp_path: Path) -> None:
    async with desk_over(tmp_path, embedder=FakeEmbedder(down=True)) as desk:
        await desk.put("a.txt", "x")
        async with asyncio.timeout(10):
            async for event in waiting.watch(EVERYTHING, desk.indexing, until_idle=True):
                assert not event.idle
                if event.blocked_by is not None and event.chunks == 1:
                    assert event.blocked_by.part == "embedding"
                    break


async def test_status_counts_what_the_caller_may_see(desk: Desk) -> None:
    desk.extractor.always["bad.txt"] = InvalidArgument("torn", reason=Reason.DOCUMENT_CORRUPT)
    for name in ("a.txt", "b.txt", "bad.txt"):
        await desk.put(name, f"Text of {name}")
    await desk.put("c.txt", "x", collection="other")
    await desk.until(
        lambda: (
            desk.rows("SELECT state, count(*) FROM documents GROUP BY 1 ORDER BY 1")
            == [("FAILED", 1), ("INDEXED", 3)]
        )
    )
    seen = await status.status(EVERYTHING, desk.indexing, "acme")
    assert seen.states == {"INDEXED": 2, "FAILED": 1}
    assert (seen.chunks, seen.collections) == (2, 1)
    assert [(i.state, i.embedded, i.pending, i.failed) for i in seen.identities] == [("ACTIVE", 2, 0, 0)]
    assert [(f.reason, f.count, f.file_path) for f in seen.failures] == [("DOCUMENT_CORRUPT", 1, "bad.txt")]
    assert seen.oldest_pending_at == 0
    assert seen.chunks_per_second > 0
    mine = await status.status(Caller("ann", ("other",)), desk.indexing)
    assert mine.states == {"INDEXED": 1}
    assert mine.failures == []
    none = await status.status(Caller("eve", ("third",)), desk.indexing, "acme")
    assert (none.states, none.collections, none.chunks_per_second) == ({}, 0, 0.0)


async def test_status_knows_how_long_the_oldest_waits(still: Desk) -> None:
    before = still.indexing.clock()
    await still.put("a.txt", "x")
    await still.put("b.txt", "x")
    seen = await status.status(EVERYTHING, still.indexing)
    assert before <= seen.oldest_pending_at <= still.indexing.clock()
    assert seen.states == {"PENDING": 2}


async def test_a_healthy_service_has_nothing_to_tell(desk: Desk) -> None:
    await desk.put("a.txt", "x")
    await desk.until(lambda: desk.indexed("a.txt", 1))
    checks = await diagnose(EVERYTHING, desk.indexing, thorough=True)
    assert {check.outcome for check in checks} == {Outcome.OK}
    assert {check.name for check in checks} >= {"manifest.counters", "text.count", "vectors.count"}


async def test_each_thing_that_is_wrong_is_named(desk: Desk) -> None:
    await desk.put("a.txt", "x")
    await desk.until(lambda: desk.indexed("a.txt", 1))

    async def failed() -> set[str]:
        checks = await diagnose(EVERYTHING, desk.indexing, thorough=True)
        return {check.name for check in checks if check.outcome is not Outcome.OK}

    for points in desk.vectors.points.values():
        points.clear()
    assert await failed() == {"vectors.count", "vectors.entries"}
    await desk.indexing.manifest.write(
        lambda c: c.exec_driver_sql("UPDATE counters SET value = 5 WHERE name = 'chunks.live'").rowcount
    )
    assert await failed() == {"vectors.count", "vectors.entries", "manifest.counters", "text.count"}
    desk.embedder.down = True
    assert "embedding.reachable" in await failed()
