"""Long operations: run one after another, resumed after a crash, stopped at a safe point, ended with their reason."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from indexing_fakes import Desk, away, desk_over
from sqlalchemy import Connection

from findspot.errors import FailedPrecondition, InvalidArgument, NotFound, PermissionDenied, Reason
from findspot.model import EVERYTHING, Caller, Notice
from findspot.stores.manifest import operation_items, operation_leases, operations
from findspot.stores.manifest.operations import Operation, Standing
from findspot_indexing.operations import calls
from findspot_indexing.operations.progress import Progress
from findspot_indexing.operations.runner import Work, run_operations
from findspot_indexing.outages import PartAway
from findspot_indexing.service import Indexing

SECOND = 1_000_000


async def begin(desk: Desk, kind: str = "count", scope: str = "acme", **request: Any) -> str:
    def write(connection: Connection) -> str:
        return operations.begin(
            connection, kind, scope=scope, within=[scope] if scope else None, request=request,
            now=desk.indexing.clock(),
        )  # fmt: skip

    identifier = await desk.indexing.manifest.write(write)
    desk.indexing.wake.operations.set()
    return identifier


@asynccontextmanager
async def runner(desk: Desk, kinds: Mapping[str, Work]) -> Any:
    """The loop that runs operations, ended hard, as a crash would."""
    task = asyncio.create_task(run_operations(desk.indexing, kinds))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def ended(desk: Desk, operation_id: str) -> Operation:
    await desk.until(
        lambda: not desk.rows(f"SELECT 1 FROM operations WHERE id = '{operation_id}' AND state = 'RUNNING'")
    )
    return await calls.get(EVERYTHING, desk.indexing, operation_id)


async def count_to_three(indexing: Indexing, operation: Operation, progress: Progress) -> None:
    progress.total = 3
    for _ in range(3):
        progress.done += 1
        progress.count("counted")
        await progress.save()
    progress.note(Notice("SAID", str(operation.request["word"])))


async def test_an_operation_runs_and_tells_what_it_did(still: Desk) -> None:
    async with runner(still, {"count": count_to_three}):
        identifier = await begin(still, word="heron")
        operation = await ended(still, identifier)
    assert (operation.state, operation.kind, operation.scope) == ("SUCCEEDED", "count", "acme")
    standing = operation.standing
    assert (standing.done, standing.total, standing.failed) == (3, 3, 0)
    assert (standing.counts, standing.notices) == ({"counted": 3}, (Notice("SAID", "heron"),))
    assert operation.created_at <= operation.started_at <= operation.finished_at


async def test_operations_of_a_kind_run_one_after_another_and_kinds_beside_each_other(still: Desk) -> None:
    gates = {"first": asyncio.Event(), "second": asyncio.Event(), "other": asyncio.Event()}
    running: set[str] = set()
    most: list[set[str]] = []
    two = asyncio.Event()

    async def work(indexing: Indexing, operation: Operation, progress: Progress) -> None:
        name = str(operation.request["name"])
        running.add(name)
        most.append(set(running))
        if running == {"first", "other"}:
            two.set()
        await gates[name].wait()
        running.remove(name)

    async with runner(still, {"a": work, "b": work}):
        first = await begin(still, "a", name="first")
        second = await begin(still, "a", name="second")
        other = await begin(still, "b", name="other")
        await asyncio.wait_for(two.wait(), 5)
        gates["first"].set()
        await ended(still, first)
        gates["second"].set()
        await ended(still, second)
        gates["other"].set()
        await ended(still, other)
    assert {"first", "second"} not in [seen & {"first", "second"} for seen in most]


async def test_a_failure_is_kept_with_its_reason_and_a_fault_with_its_name(still: Desk) -> None:
    async def fail(indexing: Indexing, operation: Operation, progress: Progress) -> None:
        if operation.request["typed"]:
            raise FailedPrecondition("The folder is gone.", reason=Reason.SOURCE_UNREADABLE)
        raise ValueError("seven")

    async with runner(still, {"fail": fail}):
        typed = await ended(still, await begin(still, "fail", typed=True))
        fault = await ended(still, await begin(still, "fail", typed=False))
    assert (typed.state, typed.error_reason, typed.error_message) == (
        "FAILED", "SOURCE_UNREADABLE", "The folder is gone.",
    )  # fmt: skip
    assert (fault.state, fault.error_reason, fault.error_message) == (
        "FAILED",
        "INTERNAL",
        "ValueError: seven",
    )


async def test_a_part_that_is_away_fails_nothing(still: Desk) -> None:
    calls_made: list[int] = []

    async def work(indexing: Indexing, operation: Operation, progress: Progress) -> None:
        calls_made.append(operation.attempts)
        if len(calls_made) < 8:
            outage = away("extraction")
            raise outage if len(calls_made) % 2 else PartAway("extraction", outage)

    async with runner(still, {"away": work}):
        operation = await ended(still, await begin(still, "away"))
    assert operation.state == "SUCCEEDED"
    assert calls_made == [1] * 8


async def test_cancelling_stops_at_the_next_safe_point(still: Desk) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def work(indexing: Indexing, operation: Operation, progress: Progress) -> None:
        progress.done = 1
        reached.set()
        await go_on.wait()
        await progress.save(now=True)
        raise AssertionError("it went on")

    async with runner(still, {"long": work}):
        identifier = await begin(still, "long")
        await reached.wait()
        behind = await begin(still, "long")
        asked = await calls.cancel(EVERYTHING, still.indexing, identifier)
        assert (asked.state, asked.cancel_requested) == ("RUNNING", True)
        # What nobody has begun yet has stopped at once.
        assert (await calls.cancel(EVERYTHING, still.indexing, behind)).state == "CANCELLED"
        go_on.set()
        stopped = await ended(still, identifier)
    assert (stopped.state, stopped.standing.done, stopped.error_reason) == ("CANCELLED", 1, "")
    again = await calls.cancel(EVERYTHING, still.indexing, identifier)
    assert (again.state, again.finished_at) == ("CANCELLED", stopped.finished_at)


async def test_after_a_crash_it_goes_on_with_what_was_kept(tmp_path: Path) -> None:
    began: list[int] = []
    reached = asyncio.Event()

    def until(last: int, hang: bool) -> Callable[[Indexing, Operation, Progress], Awaitable[None]]:
        async def work(indexing: Indexing, operation: Operation, progress: Progress) -> None:
            began.append(progress.done)
            progress.total = 4
            while progress.done < last:
                progress.done += 1
                await progress.save(now=True)
            if hang:
                reached.set()
                await asyncio.Event().wait()

        return work

    async with desk_over(tmp_path, sweep=False) as desk:
        identifier = await begin(desk)
        async with runner(desk, {"count": until(2, hang=True)}):
            await asyncio.wait_for(reached.wait(), 5)
    async with desk_over(tmp_path, sweep=False) as desk:
        # Its lease has not run out: another worker would have to wait, but a restart knows that nobody is there.
        await desk.indexing.manifest.write(operation_leases.reclaim_all)
        async with runner(desk, {"count": until(4, hang=False)}):
            operation = await ended(desk, identifier)
    assert began == [0, 2]
    assert (operation.state, operation.standing.done) == ("SUCCEEDED", 4)


async def test_one_that_never_comes_further_is_given_up(still: Desk) -> None:
    hung = asyncio.Event()

    async def hang(indexing: Indexing, operation: Operation, progress: Progress) -> None:
        hung.set()
        await asyncio.Event().wait()

    identifier = await begin(still, "hang")
    for _ in range(still.indexing.limits.max_attempts):
        async with runner(still, {"hang": hang}):
            await hung.wait()
        hung.clear()
        await still.indexing.manifest.write(operation_leases.reclaim_all)
    async with runner(still, {"hang": hang}):
        operation = await ended(still, identifier)
    assert (operation.state, operation.error_reason) == ("FAILED", "INTERNAL")
    assert "5 tries" in operation.error_message


@pytest.mark.both_manifests
async def test_two_workers_never_run_the_same_and_a_lease_that_ran_out_is_taken_over(still: Desk) -> None:
    identifier = await begin(still)
    other = replace(still.indexing, instance="other")
    lease = 10 * SECOND

    async def claim(worker: Indexing, now: int) -> Operation | None:
        return await still.indexing.manifest.write(
            lambda c: operation_leases.claim(c, "count", worker.instance, now, lease)
        )

    now = still.indexing.clock()
    mine = await claim(still.indexing, now)
    assert mine is not None
    await begin(still)
    assert await claim(other, now + 1) is None
    taken = await claim(other, now + lease)
    assert taken is not None
    assert taken.id == identifier
    progress = Progress(still.indexing.manifest, mine, still.indexing.instance, still.indexing.clock)
    with pytest.raises(Exception, match="Another worker"):
        await progress.save(now=True)
    kept = await still.indexing.manifest.write(
        lambda c: operations.finish(c, identifier, "test", "SUCCEEDED", Standing(), now)
    )
    assert not kept


async def test_notices_beyond_a_hundred_are_counted(still: Desk) -> None:
    async def talk(indexing: Indexing, operation: Operation, progress: Progress) -> None:
        for number in range(130):
            progress.note(Notice("SAID", str(number)))

    async with runner(still, {"talk": talk}):
        operation = await ended(still, await begin(still, "talk"))
    assert (len(operation.standing.notices), operation.standing.notice_count) == (100, 130)


async def test_callers_see_what_lies_in_their_subtrees_page_by_page(still: Desk) -> None:
    made = [await begin(still, scope=scope) for scope in ("acme/a", "", "acme", "other", "acme/b")]
    listed: list[str] = []
    token = ""
    while True:
        page, token = await calls.list_page(EVERYTHING, still.indexing, state="RUNNING", size=2, token=token)
        listed += [operation.id for operation in page]
        if not token:
            break
    assert listed == made[::-1]
    reader = Caller("reader", ("acme",), "reader")
    page, token = await calls.list_page(reader, still.indexing, state="", size=2, token="")
    assert [operation.id for operation in page] == [made[4], made[2]]
    page, end = await calls.list_page(reader, still.indexing, state="", size=2, token=token)
    assert ([operation.id for operation in page], end) == ([made[0]], "")
    with pytest.raises(InvalidArgument):
        await calls.list_page(reader, still.indexing, state="FAILED", size=2, token=token)
    with pytest.raises(NotFound) as hidden:
        await calls.get(reader, still.indexing, made[1])
    assert hidden.value.reason is Reason.OPERATION_NOT_FOUND
    with pytest.raises(PermissionDenied):
        await calls.cancel(reader, still.indexing, made[4])
    with pytest.raises(InvalidArgument):
        await calls.get(EVERYTHING, still.indexing, "")


async def test_what_ended_is_forgotten_after_thirty_days(still: Desk) -> None:
    old, new = await begin(still), await begin(still, "other")
    now = still.indexing.clock()

    def age(connection: Connection) -> int:
        operation_items.add(connection, old, ["a", "b"])
        operations.request_cancel(connection, old, now)
        assert operation_items.counts(connection, old) == {}
        assert operations.forget_old(connection, now) == 0
        return operations.forget_old(connection, now + operations.KEPT_FOR + 1)

    assert await still.indexing.manifest.write(age) == 1
    assert still.rows("SELECT id FROM operations") == [(new,)]
    assert still.rows("SELECT * FROM operation_items") == []


async def test_items_are_taken_in_order_and_counted_by_how_they_ended(still: Desk) -> None:
    identifier = await begin(still)

    def work(connection: Connection) -> None:
        operation_items.add(connection, identifier, ["c", "a", "b"])
        operation_items.add(connection, identifier, ["a", "d"])
        assert operation_items.of(connection, identifier, "WAITING", 2) == ["a", "b"]
        operation_items.move(connection, identifier, ["a", "c"], "DONE")
        operation_items.add(connection, identifier, ["a"])
        assert operation_items.of(connection, identifier, "WAITING", 9, after="b") == ["d"]
        assert operation_items.counts(connection, identifier) == {"DONE": 2, "WAITING": 2}

    await still.indexing.manifest.write(work)
