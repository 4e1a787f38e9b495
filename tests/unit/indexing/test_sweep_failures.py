"""Failures cost the document they belong to, outages cost nobody, and a dead process loses nothing."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest
from indexing_fakes import QUICK, Desk, FakeEmbedder, FakeVectors, away, desk_over, replace
from sqlalchemy import Connection

from findspot.errors import FindspotError, Internal, InvalidArgument, Reason, ResourceExhausted
from findspot.stores.manifest import claims, vectors
from findspot.stores.manifest.clock import SECOND
from findspot_indexing.embed.batch import claim


def execute(statement: str, connection: Connection) -> None:
    connection.exec_driver_sql(statement)


@pytest.mark.parametrize(
    ("failure", "tries"),
    [
        (InvalidArgument("unknown", reason=Reason.UNSUPPORTED_TYPE), 1),
        (InvalidArgument("broken", reason=Reason.DOCUMENT_CORRUPT), 1),
        (InvalidArgument("locked", reason=Reason.DOCUMENT_ENCRYPTED), 1),
        (ResourceExhausted("large", reason=Reason.DOCUMENT_TOO_LARGE), 1),
        (Internal("died", reason=Reason.EXTRACTION_CRASHED), 2),
        (Internal("slow", reason=Reason.EXTRACTION_TIMEOUT), 2),
        (Internal("odd"), 5),
    ],
)
async def test_a_document_that_fails_is_tried_as_often_as_it_makes_sense(
    desk: Desk, failure: FindspotError, tries: int
) -> None:
    desk.extractor.always["bad.txt"] = failure
    await desk.put("bad.txt", "x")
    await desk.put("good.txt", "x")
    await desk.until(lambda: desk.state("bad.txt") == "FAILED" and desk.state("good.txt") == "INDEXED")
    assert desk.extractor.calls.count("bad.txt") == tries
    rows = desk.rows(
        "SELECT error_reason, error_message, attempts FROM documents WHERE file_path = 'bad.txt'"
    )
    assert rows == [(failure.reason.value, failure.message, tries)]
    assert desk.counters_match()


async def test_a_failed_edit_leaves_the_old_text_serving(desk: Desk) -> None:
    await desk.put("a.txt", "Old.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    desk.extractor.always["a.txt"] = InvalidArgument("broken", reason=Reason.DOCUMENT_CORRUPT)
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    assert desk.rows("SELECT text FROM chunks WHERE state = 'LIVE'") == [("Old.",)]
    assert desk.rows("SELECT generation, observed_hash = content_hash FROM documents") == [(1, 0)]
    del desk.extractor.always["a.txt"]
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")


async def test_a_passing_failure_is_tried_again(desk: Desk) -> None:
    desk.extractor.failures = [Internal("once"), Internal("twice")]
    await desk.put("a.txt", "x")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.rows("SELECT attempts, error_reason FROM documents") == [(0, "")]


async def test_a_fault_of_our_own_is_counted_and_told(desk: Desk) -> None:
    desk.chunker.failures = [ValueError("a bug")] * 5  # type: ignore[list-item]
    await desk.put("a.txt", "x")
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    assert desk.rows("SELECT error_reason, error_message FROM documents") == [
        ("INTERNAL", "ValueError: a bug")
    ]


async def test_a_service_that_is_away_costs_no_try(desk: Desk) -> None:
    desk.extractor.failures = [away("extraction")] * 12
    await asyncio.gather(*(desk.put(f"{n}.txt", str(n)) for n in range(3)))
    await desk.until(lambda: desk.rows("SELECT count(*) FROM documents WHERE state = 'INDEXED'") == [(3,)])
    assert desk.indexing.outages.current() is None
    assert desk.counters_match()


async def test_while_a_part_is_away_one_document_asks_for_all(desk: Desk) -> None:
    desk.extractor.failures = [away("extraction")] * 6
    for n in range(6):
        await desk.put(f"{n}.txt", str(n))
    await desk.until(lambda: desk.rows("SELECT count(*) FROM documents WHERE state = 'INDEXED'") == [(6,)])
    # At most the six first calls and one for each outage after that met nobody.
    assert len(desk.extractor.calls) <= 12


async def test_text_stays_searchable_while_embedding_and_vectors_are_away(tmp_path: Path) -> None:
    embedder, store = FakeEmbedder(down=True), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=store) as desk:
        await desk.put("a.txt", "x")
        await desk.until(lambda: desk.state("a.txt") == "CHUNKED")
        outage = desk.indexing.outages.current()
        assert outage is not None
        assert outage.part == "embedding"
        embedder.down, store.down = False, True
        await desk.put("b.txt", "y")
        await desk.until(lambda: desk.state("b.txt") == "CHUNKED")
        store.down = False
        await desk.until(lambda: {desk.state("a.txt"), desk.state("b.txt")} == {"INDEXED"})
        assert desk.rows("SELECT DISTINCT attempts FROM chunk_vectors") == [(0,)]
        assert desk.counters_match()


async def test_vectors_that_were_made_survive_a_store_that_is_away(desk: Desk) -> None:
    await desk.put("first.txt", "first")
    await desk.until(lambda: desk.state("first.txt") == "INDEXED")
    desk.vectors.down = True
    await desk.put("a.txt", "x")
    await desk.until(lambda: desk.indexing.outages.any_away("vectors"))
    desk.vectors.down = False
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.embedder.texts == ["first", "x"]


async def test_a_text_that_the_model_refuses_costs_only_its_chunk(desk: Desk) -> None:
    desk.embedder.refused = {"too long": Reason.EMBEDDING_INPUT_TOO_LONG}
    await desk.put("a.txt", "fine\n\ntoo long\n\nalso fine")
    await desk.until(lambda: desk.rows("SELECT count(*) FROM chunk_vectors WHERE state = 'READY'") == [(2,)])
    states = dict(desk.rows("SELECT c.text, v.state FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id"))
    assert states == {"fine": "READY", "too long": "FAILED", "also fine": "READY"}
    assert desk.state("a.txt") == "CHUNKED"
    assert desk.rows("SELECT error_reason, error_message FROM documents") == [
        ("EMBEDDING_INPUT_TOO_LONG", "1 chunks have no vector: refused")
    ]
    assert desk.embedder.texts.count("too long") == 1
    assert desk.counters_match()


async def test_a_text_that_breaks_the_whole_call_is_found_by_halving(desk: Desk) -> None:
    desk.embedder.poison = "poison"
    texts = [f"text {n}" for n in range(20)] + ["poison"]
    await desk.put("a.txt", "\n\n".join(texts))
    await desk.until(lambda: desk.rows("SELECT count(*) FROM chunk_vectors WHERE state = 'FAILED'") == [(1,)])
    assert desk.rows("SELECT count(*) FROM chunk_vectors WHERE state = 'READY'") == [(20,)]
    assert desk.rows("SELECT attempts FROM chunk_vectors WHERE state = 'FAILED'") == [(5,)]
    assert desk.counters_match()


async def test_a_zero_vector_is_a_failure_and_not_a_vector(desk: Desk) -> None:
    desk.embedder.zeros = {"flaky"}
    await desk.put("a.txt", "flaky")
    await desk.until(lambda: desk.rows("SELECT state, attempts FROM chunk_vectors") == [("FAILED", 5)])
    assert desk.rows("SELECT error_reason FROM documents") == [("EMBEDDING_RESPONSE_INVALID",)]
    assert desk.vectors.all == {}
    assert desk.counters_match()


async def test_a_vector_that_comes_at_the_second_try_makes_the_document_indexed(desk: Desk) -> None:
    desk.embedder.refused_once = {"flaky": Reason.INTERNAL}
    await desk.put("a.txt", "flaky")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.rows("SELECT state, attempts FROM chunk_vectors") == [("READY", 0)]
    assert desk.embedder.calls == 2
    assert desk.counters_match()


async def test_claims_of_a_dead_process_are_taken_back_at_start(tmp_path: Path) -> None:
    async with desk_over(tmp_path) as desk:
        await desk.put("done.txt", "done")
        await desk.until(lambda: desk.state("done.txt") == "INDEXED")
    async with desk_over(tmp_path, sweep=False) as desk:
        await desk.put("a.txt", "x")
        await desk.put("done.txt", "done", force=True)
        lease, now = 600 * SECOND, desk.indexing.clock()
        taken = await desk.indexing.manifest.write(lambda c: claims.claim(c, "dead", now, lease, 9))
        assert len(taken) == 2
        assert await desk.indexing.manifest.write(lambda c: claims.claim(c, "other", now, lease, 9)) == []
        assert desk.state("a.txt") == "EXTRACTING"
        assert desk.counters_match()
    async with desk_over(tmp_path) as desk:
        await desk.until(lambda: {desk.state("a.txt"), desk.state("done.txt")} == {"INDEXED"})
        assert desk.counters_match()


async def test_a_lease_that_ran_out_is_taken_over_and_its_owner_changes_nothing(still: Desk) -> None:
    await still.put("a.txt", "x")
    now, lease = still.indexing.clock(), 10 * SECOND
    (mine,) = await still.indexing.manifest.write(lambda c: claims.claim(c, "one", now, lease, 1))
    later = now + lease + 1
    assert await still.indexing.manifest.write(lambda c: claims.reclaim(c, now, everyone=False)) == 0
    assert await still.indexing.manifest.write(lambda c: claims.reclaim(c, later, everyone=False)) == 1
    (theirs,) = await still.indexing.manifest.write(lambda c: claims.claim(c, "two", later, lease, 1))
    assert theirs.id == mine.id
    assert theirs.attempts == 2
    assert not await still.indexing.manifest.read(lambda c: claims.owns(c, mine, "one"))
    kept = await still.indexing.manifest.write(
        lambda c: claims.put_back(
            c, mine, "one", next_attempt_at=0, counted=True, failure=claims.Failure("INTERNAL", ""), now=later
        )
    )
    assert not kept
    assert await still.indexing.manifest.read(lambda c: claims.owns(c, theirs, "two"))


async def test_renewed_leases_hold(still: Desk) -> None:
    await still.put("a.txt", "x")
    (mine,) = await still.indexing.manifest.write(lambda c: claims.claim(c, "one", 10**18, 5, 1))
    await still.indexing.manifest.write(lambda c: claims.renew(c, [mine.id], "one", 2 * 10**18))
    assert await still.indexing.manifest.write(lambda c: claims.reclaim(c, 10**18 + 9, everyone=False)) == 0


async def test_a_document_that_ends_the_process_every_time_is_given_up(tmp_path: Path) -> None:
    async with desk_over(tmp_path, sweep=False) as desk:
        await desk.put("a.txt", "x")
        for _ in range(5):
            await desk.indexing.manifest.write(lambda c: claims.claim(c, "dying", 10**18, 1, 1))
            await desk.indexing.manifest.write(lambda c: claims.reclaim(c, 0, everyone=True))
    async with desk_over(tmp_path) as desk:
        await desk.until(lambda: desk.state("a.txt") == "FAILED")
        assert desk.extractor.calls == []
        assert desk.rows("SELECT error_reason FROM documents") == [("EXTRACTION_CRASHED",)]


async def test_an_orderly_stop_counts_no_try(tmp_path: Path) -> None:
    for _ in range(7):
        async with desk_over(tmp_path) as desk:
            desk.extractor.gate = asyncio.Event()
            await desk.put("a.txt", "x")
            await desk.extractor.called.wait()
        assert desk.rows("SELECT state, attempts, lease_owner FROM documents") == [("PENDING", 0, "")]
        assert desk.counters_match()
    async with desk_over(tmp_path) as desk:
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")


async def test_a_batch_in_flight_never_overwrites_what_was_wanted_after_it(tmp_path: Path) -> None:
    async with desk_over(tmp_path) as desk:
        await desk.put("a.txt", "x")
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    async with desk_over(tmp_path, sweep=False) as desk:
        manifest, identity = desk.indexing.manifest, desk.embedder.identity
        assert identity is not None
        document, collection = desk.rows("SELECT id, collection_id FROM documents")[0]
        chunk, hashed = desk.rows("SELECT chunk_id, embed_hash FROM chunk_vectors")[0]
        args = (identity.key, str(document), str(collection), [(str(chunk), str(hashed))], 0)
        await manifest.write(lambda c: vectors.want(c, *args))
        first = await claim(desk.indexing, identity, "first")
        assert [item.chunk_id for item in first.work] == [chunk]
        await manifest.write(lambda c: vectors.want(c, *args))
        assert (await claim(desk.indexing, identity, "second")).work == []
        assert (
            await manifest.write(lambda c: vectors.mark_ready(c, identity.key, "first", [str(chunk)], 1))
            == []
        )
        await manifest.write(lambda c: vectors.let_go(c, identity.key, [str(chunk)]))
        second = await claim(desk.indexing, identity, "second")
        assert [item.chunk_id for item in second.work] == [chunk]
        assert desk.counters_match()


async def test_staged_rows_of_a_dead_try_are_made_again_or_go(tmp_path: Path) -> None:
    async with desk_over(tmp_path) as desk:
        await desk.put("a.txt", "kept\n\nonly old")
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    async with desk_over(tmp_path, sweep=False) as desk:
        # As a crash between the commit of the text index and the switch leaves it.
        for statement in (
            "UPDATE chunks SET state = 'STAGED'",
            "DELETE FROM chunk_vectors",
            "DELETE FROM counters WHERE name NOT LIKE 'documents.%%'",
        ):
            await desk.indexing.manifest.write(partial(execute, statement))
        await desk.put("a.txt", "kept\n\nonly new")
    async with desk_over(tmp_path) as desk:
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        assert sorted(desk.rows("SELECT text, state FROM chunks")) == [("kept", "LIVE"), ("only new", "LIVE")]
        assert desk.text.count() == 2
        assert desk.counters_match()


async def test_attempts_are_bounded_by_the_settings(tmp_path: Path) -> None:
    async with desk_over(tmp_path, limits=replace(QUICK, max_attempts=2)) as desk:
        desk.extractor.always["a.txt"] = Internal("odd")
        await desk.put("a.txt", "x")
        await desk.until(lambda: desk.state("a.txt") == "FAILED")
        assert len(desk.extractor.calls) == 2
