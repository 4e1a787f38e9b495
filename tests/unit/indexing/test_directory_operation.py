"""`SyncCollection`: one operation at a time, stopped when asked to, taken up again after a crash."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from directory_tree import PATH, Tree, plant
from indexing_fakes import Desk

from findspot.errors import FailedPrecondition, NotFound, PermissionDenied, Reason, Unavailable
from findspot.model import EVERYTHING, Caller
from findspot.stores.manifest import operation_leases
from findspot.stores.manifest import operations as stored_operations
from findspot.stores.manifest.collections import DIRECTORY, CollectionSettings
from findspot.stores.manifest.operations import Operation
from findspot_indexing import collections
from findspot_indexing.checks import Outcome
from findspot_indexing.directories import apply
from findspot_indexing.directories.check import check_sources
from findspot_indexing.directories.operation import KIND, run_sync, sync_collection
from findspot_indexing.directories.reading import ReadFile, read_settled
from findspot_indexing.membership import Membership
from findspot_indexing.operations import calls
from findspot_indexing.operations.runner import run_operations

FILES = 48
"""More than are taken in together."""


async def begin(desk: Desk, **asked: Any) -> str:
    return (await sync_collection(EVERYTHING, desk.indexing, PATH, **asked)).operation_id


async def ended(desk: Desk, operation_id: str) -> Operation:
    await desk.until(
        lambda: not desk.rows(f"SELECT 1 FROM operations WHERE id = '{operation_id}' AND state = 'RUNNING'"),
        seconds=40,
    )
    return await calls.get(EVERYTHING, desk.indexing, operation_id)


@pytest.fixture
async def tree(desk: Desk, tmp_path: Path) -> Tree:
    return planted(await plant(desk, tmp_path / "tree"))


def planted(tree: Tree) -> Tree:
    for number in range(FILES):
        tree.write(f"{number:02}.txt", f"Words of {number}.")
    return tree


class Gate:
    """Reading that stops after some files, until it is let go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        self._left = after
        self._lock = threading.Lock()
        self._open = threading.Event()
        self.reached = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        monkeypatch.setattr(apply, "read_settled", self._read)

    def open(self) -> None:
        self._open.set()

    def _read(self, root: str, place: str, most_bytes: int) -> ReadFile:
        with self._lock:
            self._left -= 1
            closed = self._left < 0
        if closed:
            self._loop.call_soon_threadsafe(self.reached.set)
            assert self._open.wait(60)
        return read_settled(root, place, most_bytes)


async def test_a_sync_runs_as_an_operation_and_counts(desk: Desk, tree: Tree) -> None:
    (tree.root / "bad\\name.txt").write_text("x")
    done = await ended(desk, await begin(desk))
    assert (done.kind, done.state, done.scope) == ("sync", stored_operations.SUCCEEDED, PATH)
    assert (done.standing.done, done.standing.total) == (FILES, FILES)
    assert dict(done.standing.counts or {}) == {
        "added": FILES, "unchanged": 0, "refused": 1, "ignored": 0, "unreadable": 0
    }  # fmt: skip
    assert [notice.code for notice in done.standing.notices] == [Reason.FILE_PATH_INVALID]
    assert len(tree.live()) == FILES


async def test_a_second_call_is_told_of_the_sync_that_runs(
    desk: Desk, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, 3)
    first = await begin(desk)
    await gate.reached.wait()
    assert await begin(desk) == first
    confirmed = await begin(desk, confirm_prune=True)
    assert confirmed != first
    gate.open()
    assert (await ended(desk, first)).standing.counts["added"] == FILES  # type: ignore[index]
    assert (await ended(desk, confirmed)).standing.counts["unchanged"] == FILES  # type: ignore[index]


async def test_a_call_that_is_repeated_begins_nothing(desk: Desk, tree: Tree) -> None:
    request = str(uuid.uuid4())
    first = await begin(desk, request_id=request)
    await ended(desk, first)
    assert await begin(desk, request_id=request) == first


async def test_a_dry_run_counts_and_does_nothing(desk: Desk, tree: Tree) -> None:
    counted = await sync_collection(EVERYTHING, desk.indexing, PATH, dry_run=True)
    assert (counted.operation_id, counted.added, counted.pruned) == ("", FILES, 0)
    assert tree.live() == {}
    assert desk.rows("SELECT * FROM source_files") == []
    await ended(desk, await begin(desk))
    for number in range(FILES - 2):
        (tree.root / f"{number:02}.txt").unlink()
    tree.move(f"{FILES - 1:02}.txt", "other.txt")
    counted = await sync_collection(EVERYTHING, desk.indexing, PATH, dry_run=True)
    assert (counted.moved, counted.pruned, counted.unchanged) == (1, FILES - 2, 1)
    assert counted.notices[0].code == Reason.PRUNE_NEEDS_CONFIRMATION
    assert len(tree.live()) == FILES


async def test_a_sync_that_would_prune_too_much_fails_with_the_counts(desk: Desk, tree: Tree) -> None:
    await ended(desk, await begin(desk))
    for number in range(FILES - 1):
        (tree.root / f"{number:02}.txt").unlink()
    failed = await ended(desk, await begin(desk))
    assert (failed.state, failed.error_reason) == (stored_operations.FAILED, Reason.PRUNE_NEEDS_CONFIRMATION)
    assert f"{FILES - 1} of {FILES}" in failed.error_message
    assert len(tree.live()) == FILES
    done = await ended(desk, await begin(desk, confirm_prune=True))
    assert done.state == stored_operations.SUCCEEDED
    assert len(tree.live()) == 1


async def test_a_sync_that_is_cancelled_stops_and_the_next_does_the_rest(
    desk: Desk, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, 5)
    first = await begin(desk)
    await gate.reached.wait()
    await calls.cancel(EVERYTHING, desk.indexing, first)
    # Kept at most four times a second: the next safe point but one may be the first to ask.
    monkeypatch.setattr("findspot_indexing.operations.progress._SAVED_EVERY", 0)
    gate.open()
    assert (await ended(desk, first)).state == stored_operations.CANCELLED
    assert 0 < len(tree.live()) < FILES
    done = await ended(desk, await begin(desk))
    assert done.state == stored_operations.SUCCEEDED
    assert len(tree.live()) == FILES


@asynccontextmanager
async def running(desk: Desk) -> AsyncIterator[None]:
    """The loop that runs operations, ended hard, as a crash would."""
    task = asyncio.create_task(run_operations(desk.indexing, {KIND: run_sync}))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_sync_that_was_cut_short_is_taken_up_again(
    still: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = planted(await plant(still, tmp_path / "tree"))
    gate = Gate(monkeypatch, 40)
    first = await begin(still)
    async with running(still):
        await gate.reached.wait()
    gate.open()
    assert 0 < len(tree.live()) < FILES
    await still.indexing.manifest.write(operation_leases.reclaim_all)
    async with running(still):
        done = await ended(still, first)
    assert done.state == stored_operations.SUCCEEDED
    assert len(tree.live()) == FILES
    assert still.rows("SELECT max(next_generation) FROM documents") == [(1,)]


async def test_what_cannot_be_synced_says_so_at_once(desk: Desk, tree: Tree) -> None:
    with pytest.raises(NotFound):
        await sync_collection(EVERYTHING, desk.indexing, "acme/none")
    with pytest.raises(PermissionDenied):
        await sync_collection(Caller("ann", role="reader"), desk.indexing, PATH)
    with pytest.raises(NotFound):
        await sync_collection(Caller("eve", ("other",), "writer"), desk.indexing, PATH)
    await desk.put("a.txt", "Words.", collection="acme/uploads")
    with pytest.raises(FailedPrecondition) as refused:
        await sync_collection(EVERYTHING, desk.indexing, "acme/uploads")
    assert refused.value.reason is Reason.OTHER_SOURCE
    tree.root.rename(tree.root.with_name("away"))
    with pytest.raises(FailedPrecondition) as refused:
        await sync_collection(EVERYTHING, desk.indexing, PATH)
    assert refused.value.reason is Reason.SOURCE_UNREADABLE


async def test_a_worker_leaves_directories_to_the_owner(still: Desk, tmp_path: Path) -> None:
    tree = planted(await plant(still, tmp_path / "tree"))
    tree.root.rename(tmp_path / "elsewhere")
    worker = replace(still.indexing, membership=Membership(owner=False, alone=False, place="host/1"))
    assert (await sync_collection(EVERYTHING, worker, PATH)).operation_id
    with pytest.raises(Unavailable, match="host/1"):
        await sync_collection(EVERYTHING, worker, PATH, dry_run=True)
    assert await check_sources(EVERYTHING, worker) == []
    settings = CollectionSettings(DIRECTORY, "/on/another/machine", {})
    await collections.create(EVERYTHING, worker, "acme/far", settings)
    seen = await check_sources(EVERYTHING, still.indexing)
    assert [(check.name, check.outcome) for check in seen] == [
        ("source.acme/far", Outcome.FAILED), (f"source.{PATH}", Outcome.FAILED)
    ]  # fmt: skip
