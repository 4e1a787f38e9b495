"""The parts that the sweep stands on: shared writes, shared commits, outages, rates, locks and pins."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path

import pytest
from indexing_fakes import Desk, away, desk_over, lay_out
from sqlalchemy import Connection, text

from findspot.errors import FailedPrecondition, InvalidArgument, Reason, Unavailable
from findspot.stores.manifest.engine import open_engine, write
from findspot.stores.text.schema import TextEntry
from findspot_indexing.access import Manifest
from findspot_indexing.changes import Changes
from findspot_indexing.holding import Holding
from findspot_indexing.outages import Outages, PartAway, backoff
from findspot_indexing.pins import Pins
from findspot_indexing.rates import Rate
from findspot_indexing.sweep.pause import pause
from findspot_indexing.text_commits import TextChange, TextCommits


def raise_counter(connection: Connection) -> int:
    connection.execute(text("INSERT INTO revision VALUES (1, 1) ON CONFLICT DO UPDATE SET value = value + 1"))
    return int(connection.execute(text("SELECT value FROM revision")).scalar_one())


def fail(connection: Connection) -> None:
    raise_counter(connection)
    raise InvalidArgument("not this one")


async def test_writes_that_wait_together_share_a_commit_and_not_a_failure(tmp_path: Path) -> None:
    lay_out(tmp_path)
    commits = 0

    def committed() -> None:
        nonlocal commits
        commits += 1

    manifest = Manifest(open_engine(tmp_path), on_commit=committed)
    begun, gate = threading.Event(), threading.Event()
    first = asyncio.create_task(manifest.write(lambda _: begun.set() or gate.wait(10)))
    await asyncio.to_thread(begun.wait, 10)
    works = [asyncio.create_task(manifest.write(fail if n == 3 else raise_counter)) for n in range(10)]
    await asyncio.sleep(0)
    gate.set()
    results = await asyncio.gather(*works, return_exceptions=True)
    await first
    assert isinstance(results[3], InvalidArgument)
    assert [r for r in results if isinstance(r, int)] == list(range(1, 10))
    assert commits == 2
    manifest.close()


async def test_a_write_is_done_even_when_its_caller_goes_away(tmp_path: Path) -> None:
    lay_out(tmp_path)
    manifest = Manifest(open_engine(tmp_path))
    gate = threading.Event()

    def slow(connection: Connection) -> None:
        gate.wait(10)
        raise_counter(connection)

    caller = asyncio.create_task(manifest.write(slow))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    gate.set()
    assert await manifest.write(raise_counter) == 2
    manifest.close()


async def test_a_manifest_that_another_holds_is_unavailable_and_then_goes_on(tmp_path: Path) -> None:
    lay_out(tmp_path)
    engine = open_engine(tmp_path)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 10")
    manifest = Manifest(engine)
    other = open_engine(tmp_path)
    with write(other), pytest.raises(Unavailable, match="locked"):
        await manifest.write(raise_counter)
    assert await manifest.write(raise_counter) == 1
    manifest.close()
    other.dispose()


class CountingIndex:
    """A text index that notes what it is asked to do, and fails when told to."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.problem: Exception | None = None

    def add(self, entries: list[TextEntry]) -> None:
        self.log.append(f"add {len(entries)}")
        if self.problem:
            raise self.problem

    def delete(self, ids: list[str]) -> None:
        self.log.append(f"delete {len(ids)}")

    def delete_document(self, document_id: str) -> None:
        self.log.append(f"delete document {document_id}")

    def commit(self) -> int:
        self.log.append("commit")
        return 0

    def rollback(self) -> None:
        self.log.append("rollback")

    def count(self) -> int:
        return 0


def entry(name: str) -> TextEntry:
    return TextEntry(name, name, "a", ("a",), "f", "text")


async def test_changes_that_come_together_are_committed_together_in_order() -> None:
    index = CountingIndex()
    commits = TextCommits(index, 0.05, asyncio.get_running_loop().time)
    running = asyncio.create_task(commits.run())
    await asyncio.gather(
        commits.apply(TextChange(add=[entry("a")])),
        commits.apply(TextChange(delete=["x", "y"], add=[entry("b")])),
        commits.apply(TextChange(delete_document="d")),
    )
    assert index.log == ["add 1", "delete 2", "add 1", "delete document d", "commit"]
    began = asyncio.get_running_loop().time()
    await commits.apply(TextChange(delete=["z"]))
    await commits.apply(TextChange(delete=["z"]))
    assert asyncio.get_running_loop().time() - began >= 0.05
    running.cancel()
    commits.close()


async def test_a_failed_commit_fails_all_who_waited_and_nobody_after() -> None:
    index = CountingIndex()
    index.problem = Unavailable("disk full", reason=Reason.TEXT_INDEX_UNAVAILABLE)
    commits = TextCommits(index, 0.0, asyncio.get_running_loop().time)
    running = asyncio.create_task(commits.run())
    results = await asyncio.gather(
        commits.apply(TextChange(add=[entry("a")])),
        commits.apply(TextChange(delete=["x"])),
        return_exceptions=True,
    )
    assert results == [index.problem] * 2
    assert index.log[-1] == "rollback"
    index.problem = None
    await commits.apply(TextChange(add=[entry("a")]))
    assert index.log[-1] == "commit"
    running.cancel()
    commits.close()


def test_an_outage_is_noticed_once_and_ends_with_an_answer() -> None:
    now = 0.0
    outages = Outages(lambda: now, first=1.0, longest=8.0)

    def call(failure: Exception | None) -> None:
        with outages.watch("extraction"):
            if failure is not None:
                raise failure

    for _ in range(3):
        with pytest.raises(PartAway) as raised:
            call(away("extraction"))
        assert raised.value.part == "extraction"
    outage = outages.current()
    assert outage is not None
    assert outage.tries == 1
    assert 0.5 <= outages.wait_seconds("extraction", "chunking") <= 1.0
    now = 2.0
    assert outages.wait_seconds("extraction") == 0
    with pytest.raises(PartAway):
        call(away("extraction"))
    assert (outages.current() or outage).tries == 2
    with pytest.raises(InvalidArgument):
        call(InvalidArgument("refused, so it is there"))
    assert not outages.any_away("extraction")
    call(None)


def test_a_part_that_answers_questions_and_fails_at_its_work_is_tried_less_and_less_often() -> None:
    now = 0.0
    outages = Outages(lambda: now, first=1.0, longest=8.0)
    waits = []
    for _ in range(5):
        with outages.watch("vectors"):
            pass
        with pytest.raises(PartAway), outages.watch("vectors"):
            raise away("vectors")
        waits.append(outages.wait_seconds("vectors"))
        now += waits[-1] + 0.1
    assert waits[-1] >= 4.0
    with outages.watch("vectors"):
        pass
    now += 5.0
    with pytest.raises(PartAway), outages.watch("vectors"):
        raise away("vectors")
    assert outages.wait_seconds("vectors") <= 1.0


def test_a_call_that_does_not_end_is_told_once_it_is_late() -> None:
    now = 0.0
    outages = Outages(lambda: now)
    with outages.watch("vectors"), outages.watch("extraction"):
        now = 9.0
        assert outages.blocking() is None
        now = 59.0
        blocking = outages.blocking()
        assert blocking is not None
        assert (blocking.part, blocking.reason) == ("vectors", Reason.DEADLINE_EXCEEDED)
        assert "59 s" in blocking.message
        assert outages.current() is None
        assert outages.wait_seconds("vectors") == 0
    assert outages.blocking() is None


def test_no_provider_is_an_outage_of_embedding_only() -> None:
    outages = Outages(lambda: 0.0)
    failure = FailedPrecondition("none", reason=Reason.SEARCH_NOT_PERFORMED)
    for part, raised in (("embedding", PartAway), ("chunking", FailedPrecondition)):
        with pytest.raises(raised) as caught, outages.watch(part):
            raise failure
        assert type(caught.value) is raised


def test_waits_grow_to_a_limit_and_differ() -> None:
    for tries in (1, 2, 5, 50, 5000):
        whole = min(30.0, 2.0 ** min(tries - 1, 30))
        assert all(whole / 2 <= backoff(tries, 1.0, 30.0) <= whole for _ in range(20))
    assert len({backoff(3, 1.0, 30.0) for _ in range(20)}) > 1


def test_rates_look_back_ten_seconds() -> None:
    now = 100.0
    rate = Rate(lambda: now)
    rate.add({"a": 10, "b": 5})
    now = 105.0
    rate.add({"a": 10})
    assert rate.per_second() == 5.0
    assert rate.per_second({"b"}) == 1.0
    now = 112.0
    assert rate.per_second() == 1.0
    now = 130.0
    assert rate.per_second() == 0.0


async def test_one_at_a_time_works_on_a_document() -> None:
    holding = Holding()
    order: list[str] = []

    async def work(name: str, document: str) -> None:
        async with holding.hold(document):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")

    await asyncio.gather(work("one", "d"), work("two", "d"))
    assert order == ["one in", "one out", "two in", "two out"]
    assert not holding.held("d")


async def test_announced_changes_wake_who_waits() -> None:
    changes = Changes(asyncio.get_running_loop())
    seen = changes.count
    waiter = asyncio.create_task(changes.after(seen))
    await asyncio.to_thread(changes.announce)
    assert await waiter == seen + 1
    assert await changes.after(seen) == seen + 1


def test_a_pinned_blob_is_not_removed() -> None:
    pins = Pins()
    pins.pin("k")
    pins.pin("k")
    pins.unpin("k")
    assert not pins.remove_unless_pinned("k", lambda _: True)
    pins.unpin("k")
    assert pins.remove_unless_pinned("k", lambda _: True)


async def test_unused_blobs_go_and_used_ones_stay(still: Desk) -> None:
    from findspot.stores.manifest import blob_rows
    from findspot_indexing import stored_blobs

    await still.put("a.txt", "used")
    async with stored_blobs.stored(still.indexing, b"abandoned", blob_rows.EXTRACTION) as blob:
        await still.indexing.manifest.write(lambda c: blob.record(c, 0))
        assert await stored_blobs.release(still.indexing, [blob.key]) == 0
        assert still.indexing.blobs.exists(blob.key)
        await still.indexing.manifest.write(lambda c: blob.record(c, 0))
    found = await still.indexing.manifest.read(lambda c: blob_rows.unreferenced(c, 1, 10))
    assert found == [blob.key]
    assert await stored_blobs.release(still.indexing, found) == 1
    assert still.rows("SELECT count(*) FROM blobs") == [(1,)]


async def test_an_outage_is_told_of_once_however_often_the_part_is_tried(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with desk_over(tmp_path) as desk:
        desk.embedder.down = True
        await desk.put("a.txt", "Text.")
        async with asyncio.timeout(10):
            while not (found := desk.indexing.outages.current()) or found.tries < 10:
                await pause(asyncio.Event(), 0.01)
        desk.embedder.down = False
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert sum("does not answer" in record.message for record in caplog.records) == 1
    assert any(record.message.startswith("embedding is back after") for record in caplog.records)
