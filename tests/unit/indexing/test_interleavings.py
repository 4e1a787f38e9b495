"""Two things at once, in the order that hurts: each of these lost something once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from indexing_fakes import IDENTITY, OTHER, QUICK, Desk, FakeEmbedder, FakeVectors, desk_over, replace
from sqlalchemy import Connection

from findspot.errors import Unavailable
from findspot.model import EVERYTHING
from findspot.stores.manifest import clock
from findspot.stores.vectors.model import VectorPoint
from findspot.stores.vectors.names import collection_name
from findspot_indexing import choosing, collections, removal
from findspot_indexing.checks import Outcome
from findspot_indexing.documents import DocumentName
from findspot_indexing.embed.batch import claim, embed
from findspot_indexing.operations import calls as operation_calls
from findspot_indexing.repair import rebuild_text
from findspot_indexing.repair.findings import Report, Steps
from findspot_indexing.repair.run import Wish, look_through
from findspot_indexing.store_checks import check_purges

A = DocumentName(collection="acme/notes", file_path="a.txt")
REQUEST = "7b6a2a4e-5f0c-4b0e-9d6d-0f3f5b1c2d3e"


@pytest.mark.both_manifests
async def test_a_document_is_not_indexed_while_vectors_of_it_were_never_asked_for(tmp_path: Path) -> None:
    async with desk_over(tmp_path, embedder=FakeEmbedder(identity=None)) as desk:
        await desk.put("a.txt", "One.\n\nTwo.")
        await desk.until(lambda: desk.state("a.txt") == "CHUNKED")
        await desk.at_rest()
    # The model comes. As a page of the look for missing vectors may, this one ends between the two chunks.
    async with desk_over(tmp_path) as desk:
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    async with desk_over(tmp_path, sweep=False) as desk:
        write = desk.indexing.manifest.write
        (first,), (second,) = desk.rows("SELECT id FROM chunks ORDER BY id")
        for sql in (
            "UPDATE documents SET state = 'CHUNKED'",
            f"UPDATE chunk_vectors SET state = 'PENDING' WHERE chunk_id = '{first}'",
            f"DELETE FROM chunk_vectors WHERE chunk_id = '{second}'",
        ):
            await write(lambda c, sql=sql: c.exec_driver_sql(sql).close())
        desk.vectors.points[collection_name(IDENTITY.key)] = {}
        await embed(desk.indexing, await claim(desk.indexing, IDENTITY, "me"))
        assert desk.rows("SELECT state FROM chunk_vectors") == [("READY",)]
        assert desk.state("a.txt") == "CHUNKED"


async def test_two_rebuildings_of_the_text_index_lose_no_entry(tmp_path: Path) -> None:
    names = [f"{number}.txt" for number in range(4)]
    async with desk_over(tmp_path) as desk:
        for name in names:
            await desk.put(name, f"Text of {name}.")
        await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in names))
        await desk.at_rest()
        before = list(desk.text.ids())
    async with desk_over(tmp_path, sweep=False) as desk:
        half, go_on = asyncio.Event(), asyncio.Event()

        class Halfway(Steps):
            async def step(self, steps: int = 1) -> None:
                half.set()
                await go_on.wait()

        repairing = asyncio.create_task(rebuild_text.rebuild(desk.indexing, Halfway()))
        await half.wait()
        # The first has put its entries in. A scrub begins: it must neither empty that index nor serve half of one.
        scrubbing = asyncio.create_task(rebuild_text.rebuild(desk.indexing, Steps()))
        for _ in range(20):
            await desk.indexing.text.call(lambda: None)
            await asyncio.sleep(0)
        go_on.set()
        assert await repairing == len(before)
        assert list(desk.text.ids()) == before
        assert await scrubbing == len(before)
        assert list(desk.text.ids()) == before


@pytest.mark.both_manifests
async def test_bytes_that_come_while_their_predecessor_is_purged_are_not_purged_with_it(desk: Desk) -> None:
    await desk.put("a.txt", "Old.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    await desk.at_rest()
    desk.vectors.down = True
    with pytest.raises(Unavailable):
        await removal.purge(EVERYTHING, desk.indexing, A)
    with pytest.raises(Unavailable, match=r"a\.txt .*purged") as refused:
        await desk.put("a.txt", "New.")
    assert refused.value.retry_after
    desk.vectors.down = False
    await removal.purge(EVERYTHING, desk.indexing, A)
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.rows("SELECT text FROM chunks") == [("New.",)]
    assert desk.counters_match()


@pytest.mark.both_manifests
async def test_a_purge_that_is_asked_for_twice_at_once_is_answered_twice(desk: Desk) -> None:
    await desk.put("a.txt", "Old.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    await desk.at_rest()
    once, twice = await asyncio.gather(
        *(removal.purge(EVERYTHING, desk.indexing, A, request_id=REQUEST) for _ in range(2))
    )
    assert once == twice
    assert (once.chunks, once.vectors) == (1, 1)
    assert desk.counters_match()


@pytest.mark.both_manifests
async def test_a_purge_that_the_sweep_finished_is_answered_under_its_request_id(tmp_path: Path) -> None:
    vectors = FakeVectors()
    async with desk_over(tmp_path, vectors=vectors) as desk:
        await desk.put("a.txt", "Old.")
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        await desk.at_rest()
        vectors.down = True
        with pytest.raises(Unavailable):
            await removal.purge(EVERYTHING, desk.indexing, A, request_id=REQUEST)
        vectors.down = False
    async with desk_over(tmp_path, vectors=vectors) as desk:
        await desk.until(lambda: desk.rows("SELECT count(*) FROM documents") == [(0,)])
        # Others have taken the path since: the call that was cut short must not purge what is theirs.
        await desk.put("a.txt", "New.")
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        purged = await removal.purge(EVERYTHING, desk.indexing, A, request_id=REQUEST)
        assert purged.chunks == 1
        assert desk.state("a.txt") == "INDEXED"


async def test_an_identity_that_lost_points_while_it_was_filled_is_repaired(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("a.txt", "One.\n\nTwo.")
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        await desk.at_rest()
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        # What was written of it is gone whenever it is looked at, so it is not switched to.
        count = vectors.count

        async def none(name: str) -> int:
            if name == collection_name(OTHER.key):
                vectors.points[name].clear()
            return await count(name)

        vectors.count = none  # type: ignore[method-assign]
        desk.indexing.wake.models.set()
        desk.indexing.wake.embed.set()
        ready = f"SELECT count(*) FROM chunk_vectors WHERE identity = '{OTHER.key}' AND state = 'READY'"
        await desk.until(lambda: desk.rows(ready) == [(2,)])
    vectors.count = count  # type: ignore[method-assign]
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors, sweep=False) as desk:
        vectors.points[collection_name(OTHER.key)].clear()
        report = Report()
        await look_through(desk.indexing, Wish(), report, Steps(), mending=True)
        assert report.counts["vectors_missing"] == 2
        assert len(vectors.points[collection_name(OTHER.key)]) == 2


@pytest.mark.both_manifests
async def test_what_was_queued_by_a_clock_that_went_fast_does_not_wait_for_that_time(tmp_path: Path) -> None:
    hour = 3600 * clock.SECOND
    ahead = [hour]
    async with desk_over(tmp_path, sweep=False, now=lambda: clock.now() + ahead[0]) as desk:
        await desk.put("a.txt", "One.")
    ahead[0] = 0
    limits = replace(QUICK, sweep_seconds=0.05)
    async with desk_over(tmp_path, limits=limits, now=lambda: clock.now() + ahead[0]) as desk:
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")


@pytest.mark.both_manifests
async def test_text_that_leaves_and_returns_while_it_is_embedded_is_embedded_once(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    embedder.gates[IDENTITY.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder) as desk:
        states = "SELECT c.state, v.state, v.lease_owner <> '' FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id "
        await desk.put("a.txt", "Text.", metadata={"status": "draft"})
        await desk.until(lambda: desk.rows(states) == [("LIVE", "PENDING", True)])
        await removal.delete(EVERYTHING, desk.indexing, A)
        await desk.put("a.txt", "Text.", metadata={"status": "final"})
        await desk.until(lambda: desk.state("a.txt") == "CHUNKED")
        await desk.at_rest()
        # Were it claimed again now, the old batch could write its payload over the new one.
        assert not (await claim(desk.indexing, IDENTITY, "another")).work
        embedder.gates[IDENTITY.key].set()
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        (point,) = desk.vectors.all.values()
        assert point.payload["metadata"] == ["status=final"]
        assert embedder.texts == ["Text."]
        assert desk.counters_match()


@pytest.mark.both_manifests
async def test_what_is_asked_for_twice_at_once_under_one_id_is_answered_twice(desk: Desk) -> None:
    await desk.put("a.txt", "Text.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    await desk.at_rest()
    activated = await asyncio.gather(
        *(choosing.activate(EVERYTHING, desk.indexing, "fake@8", request_id=REQUEST) for _ in range(2))
    )
    assert activated[0] == activated[1]
    request = "7b6a2a4e-5f0c-4b0e-9d6d-0f3f5b1c2d3f"
    removed = await asyncio.gather(
        *(
            collections.remove(EVERYTHING, desk.indexing, "acme/notes", force=True, request_id=request)
            for _ in range(2)
        )
    )
    assert removed[0] == removed[1]
    assert desk.rows("SELECT count(*) FROM documents") == [(0,)]
    assert desk.counters_match()


async def test_a_scrub_that_somebody_stopped_is_told_of(desk: Desk) -> None:
    await desk.put("a.txt", "Text.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    purged = await removal.purge(EVERYTHING, desk.indexing, A)
    await operation_calls.cancel(EVERYTHING, desk.indexing, purged.scrub_id)
    check = await check_purges(desk.indexing)
    assert (check.outcome, "stopped" in check.message) == (Outcome.WARNING, True)


async def test_a_purge_leaves_no_vector_of_a_batch_that_could_not_take_it_out_again(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    embedder.gates[IDENTITY.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("a.txt", "Text.")
        await desk.until(lambda: desk.indexing.being_embedded)
        upsert = vectors.upsert

        async def last(name: str, points: Sequence[VectorPoint]) -> None:
            await upsert(name, points)
            vectors.down = True

        vectors.upsert = last  # type: ignore[method-assign]
        purge = asyncio.create_task(removal.purge(EVERYTHING, desk.indexing, A))
        await desk.until(lambda: desk.state("a.txt") in ("RETIRED", "") and not list(desk.text.ids()))
        embedder.gates[IDENTITY.key].set()
        await asyncio.gather(purge, return_exceptions=True)
        await desk.until(lambda: not desk.indexing.being_embedded)
        vectors.upsert = upsert  # type: ignore[method-assign]
        vectors.down = False
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: desk.state("a.txt") == "")
        assert vectors.all == {}


@pytest.mark.both_manifests
async def test_a_collection_goes_though_documents_of_it_are_purged_by_others_meanwhile(desk: Desk) -> None:
    names = [f"{number}.txt" for number in range(5)]
    for name in names:
        await desk.put(name, f"Text of {name}.")
    await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in names))
    await desk.at_rest()
    read = desk.indexing.manifest.read
    purged: list[object] = []

    async def late(work: Callable[[Connection], Any]) -> Any:
        found = await read(work)
        if isinstance(found, list) and len(found) == len(names) and not purged:
            # Between the look for its documents and their purge.
            purged.append(await removal.purge(EVERYTHING, desk.indexing, replace(A, file_path="3.txt")))
        return found

    desk.indexing.manifest.read = late  # type: ignore[method-assign, assignment]
    await collections.remove(EVERYTHING, desk.indexing, "acme/notes", force=True)
    assert purged
    assert desk.rows("SELECT count(*) FROM documents") == [(0,)]
