"""The engine's part of the vectors service: names, catalogue, lock, log, flushes, checks, errors."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import (
    AlreadyExists,
    DataLoss,
    FailedPrecondition,
    FindspotError,
    Internal,
    InvalidArgument,
    NotFound,
    Reason,
    ResourceExhausted,
    Unavailable,
)
from findspot_vectors import catalogue, disk, durability
from findspot_vectors.catalogue import Catalogue, Entry, checked_name
from findspot_vectors.disk import FolderLock
from findspot_vectors.durability import WriteAheadLog
from findspot_vectors.engine_errors import engine_errors, translate
from findspot_vectors.filters import FieldCondition, Filter, MatchValue
from findspot_vectors.flushing import Flusher, FlushPolicy
from findspot_vectors.graph import build_graph
from findspot_vectors.model import (
    ALL,
    Distance,
    FieldIndex,
    IndexKind,
    NewPoint,
    PointsChosen,
    Search,
    UpsertMode,
    VectorParams,
)
from findspot_vectors.rebuilds import GraphPolicy, Rebuilds
from findspot_vectors.store import Collections
from findspot_vectors.validation import check_points
from findspot_vectors.writes import SetPayload, Upsert

COSINE_2 = {"": VectorParams(2, Distance.COSINE)}


def open_collections(folder: Path) -> Collections:
    return Collections(folder, FlushPolicy(), Rebuilds(GraphPolicy(), build_graph))


@pytest.fixture
async def collections(tmp_path: Path) -> AsyncIterator[Collections]:
    opened = open_collections(tmp_path / "vectors")
    yield opened
    await opened.close()


# Names and catalogue


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", ".hidden", "-flag", "a" * 201, "nul\0", "ä", "a\n", "a b"]
)
def test_names_that_are_no_plain_file_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match="no name for a collection"):
        checked_name(name)


@given(st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}", fullmatch=True))
def test_names_that_are_taken_stay_inside_the_folder(name: str) -> None:
    assert Path("/f", checked_name(name)).parent == Path("/f")


_indexes = st.dictionaries(
    st.text(min_size=1),
    st.builds(
        FieldIndex,
        st.sampled_from(IndexKind),
        st.dictionaries(st.sampled_from(["range", "x"]), st.booleans()),
    ),
    max_size=3,
)
_entries = st.builds(
    Entry,
    directory=st.just("c.1"),
    vectors=st.dictionaries(
        st.text(), st.builds(VectorParams, st.integers(1, 9), st.sampled_from(Distance)), max_size=3
    ),
    created=st.floats(0, 1e10),
    indexes=_indexes,
)


@given(entries=st.dictionaries(st.text(), _entries, max_size=3))
def test_a_catalogue_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, Entry]
) -> None:
    folder = tmp_path_factory.mktemp("catalogue")
    catalogue.write(folder, Catalogue(entries))
    assert catalogue.read(folder) == Catalogue(entries)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"format": 2, "collections": {}}',
        '{"format": 1, "collections": {"c": {"directory": "../x"}}}',
    ],
)
def test_a_catalogue_that_cannot_be_read_is_data_loss_or_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / catalogue.FILE).write_text(content)
    with pytest.raises((DataLoss, InvalidArgument)):
        catalogue.read(tmp_path)


# Folder


def _holds_lock(folder: Path, held: multiprocessing.synchronize.Event) -> None:
    FolderLock(folder)
    held.set()
    held.wait()
    multiprocessing.Event().wait()


def test_the_lock_names_its_holder_and_ends_with_it(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    held = spawn.Event()
    holder = spawn.Process(target=_holds_lock, args=(tmp_path, held))
    holder.start()
    assert held.wait(30)
    with pytest.raises(FailedPrecondition, match=f"in use by process {holder.pid}") as locked:
        FolderLock(tmp_path)
    assert locked.value.reason is Reason.STORE_LOCKED
    holder.kill()
    holder.join()
    FolderLock(tmp_path).release()
    assert (tmp_path / disk.LOCK_FILE).read_text().strip() == str(os.getpid())


# Log and flushes


async def test_one_force_serves_all_who_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, leave = asyncio.Event(), asyncio.Event()
    loop, forced = asyncio.get_running_loop(), 0

    def slow(directory: Path) -> None:
        nonlocal forced
        forced += 1
        loop.call_soon_threadsafe(entered.set)
        asyncio.run_coroutine_threadsafe(leave.wait(), loop).result()

    monkeypatch.setattr(durability, "sync_files", slow)
    log = WriteAheadLog(tmp_path)
    first = asyncio.create_task(log.durable())
    await entered.wait()
    # These wrote after the first force began: it does not count for them, one more does for all.
    others = [asyncio.create_task(log.durable()) for _ in range(20)]
    await asyncio.sleep(0)
    gone = others.pop()
    gone.cancel()
    leave.set()
    await asyncio.gather(first, *others)
    assert (forced, log.forced) == (2, 2)
    await log.durable()
    assert forced == 3


async def test_a_disk_that_fails_fails_the_write(
    collections: Collections, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections.create("c", COSINE_2)

    def full(directory: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(durability, "sync_files", full)
    with pytest.raises(ResourceExhausted, match="disk is full"):
        await _put(collections, 1)


async def test_flushes_after_so_many_points_or_when_idle() -> None:
    flushed, after = asyncio.Event(), list[int]()
    flusher = Flusher("c", flushed.set, FlushPolicy(10, 0.01), lambda: after.append(1))
    flusher.wrote(9)
    assert not flushed.is_set()
    flusher.wrote(1)
    assert flushed.is_set()
    assert flusher.unflushed == 0
    flushed.clear()
    flusher.wrote(1)
    await asyncio.wait_for(flushed.wait(), 10)
    assert after == [1, 1]


async def test_a_flush_that_fails_is_kept_and_tried_again() -> None:
    done = asyncio.Event()
    failures = iter([Internal("disk on fire")])

    def flush() -> None:
        for failure in failures:
            raise failure
        done.set()

    flusher = Flusher("c", flush, FlushPolicy(1, 0.01), lambda: None)
    flusher.wrote(1)
    assert flusher.error == "disk on fire"
    await asyncio.wait_for(done.wait(), 10)
    assert (flusher.error, flusher.unflushed) == ("", 0)


# Checks and errors


def _point(**vectors: list[float]) -> NewPoint:
    return NewPoint(7, {name.removeprefix("_"): v for name, v in vectors.items()}, {})


@pytest.mark.parametrize(
    ("point", "message"),
    [
        (_point(_=[1.0]), "expected dim: 2, got 1"),
        (_point(), "expected dim: 2, got 0"),
        (_point(_=[0.0, 0.0]), "norm 0"),
        (_point(_=[float("nan"), 1.0]), "not finite"),
        (_point(_=[float("-inf"), 1.0]), "not finite"),
        (_point(_=[1.0, 1e39]), "not finite"),
        (_point(_=[1.0, 1.0], other=[1.0]), "Not existing vector name"),
    ],
)
def test_points_that_cannot_be_searched_are_refused(point: NewPoint, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        check_points(COSINE_2, [_point(_=[1.0, 0.0]), point])


def test_only_the_cosine_distance_needs_a_length() -> None:
    check_points({"": VectorParams(2, Distance.DOT)}, [_point(_=[0.0, 0.0])])
    check_points({"": VectorParams(2, Distance.COSINE)}, [_point(_=[1e-18, 0.0])])


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (Exception("Vector dimension error: expected dim: 4, got 3"), InvalidArgument),
        (ValueError("invalid JSON path a["), InvalidArgument),
        (Exception("No point with id 3"), NotFound),
        (Exception("Can't init WAL: Kind(WouldBlock)"), FailedPrecondition),
        (Exception("Shard is not initialized"), Unavailable),
        (OSError(28, "No space left on device"), ResourceExhausted),
        (Exception("cannot load edge shard: directory x does not exist"), DataLoss),
        (Exception("something new"), Internal),
    ],
)
def test_engine_failures_become_typed_errors(failure: Exception, expected: type[FindspotError]) -> None:
    error = translate("c", failure)
    assert type(error) is expected
    assert "`c`" in error.message
    assert str(failure) in error.message


def test_panics_are_internal_and_other_base_exceptions_pass() -> None:
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(Internal, match="panicked"), engine_errors("c"):
        raise panic("index out of bounds")
    with pytest.raises(KeyboardInterrupt), engine_errors("c"):
        raise KeyboardInterrupt


async def test_the_engines_real_failures_are_typed(collections: Collections) -> None:
    collections.create("c", COSINE_2)
    shard = collections.shard("c")
    with pytest.raises(InvalidArgument, match="JSON path"):
        shard.engine.count(Filter(must=(FieldCondition("a[", match=MatchValue(1)),)))
    with pytest.raises(NotFound, match="No point with id 5"):
        shard.engine.search([Search(limit=1, like=5)])
    with pytest.raises(NotFound, match="No point with id 5"):
        await shard.write(SetPayload(PointsChosen(keys=(5,)), {"a": 1}), wait=True)
    await shard.close()
    with pytest.raises(Unavailable, match="stopping"):
        shard.engine.count(None)
    with pytest.raises(AlreadyExists):
        collections.create("c", COSINE_2)
    assert await collections.delete("none") is False


# Shards


async def test_large_batches_are_written_whole_and_let_searches_in(collections: Collections) -> None:
    collections.create("c", COSINE_2)
    shard = collections.shard("c")
    writing = asyncio.create_task(_put(collections, 2000))
    seen = set[int]()
    while not writing.done():
        seen.add(shard.engine.count(None))
        await asyncio.sleep(0)
    assert await writing == 1
    assert shard.engine.count(None) == 2000
    assert len(seen - {0, 2000}) > 1, "searches saw no state between the parts of the batch"


async def test_a_restart_restores_indexes_that_the_files_lack(tmp_path: Path) -> None:
    collections = open_collections(tmp_path)
    collections.create("c", COSINE_2)
    await _put(collections, 3)
    await collections.close()
    named = catalogue.read(tmp_path).indexed("c", "n", FieldIndex(IndexKind.INTEGER))
    catalogue.write(tmp_path, named)
    again = open_collections(tmp_path)
    assert again.info("c").indexes["n"].points == 3
    await again.close()


async def test_insert_only_and_update_only(collections: Collections) -> None:
    collections.create("c", COSINE_2)
    shard = collections.shard("c")
    await _put(collections, 1)
    for mode in (UpsertMode.INSERT_ONLY, UpsertMode.UPDATE_ONLY):
        points = [NewPoint(key, {"": [1.0, 1.0]}, {"by": mode.value}) for key in (0, 1)]
        await shard.write(Upsert(points, mode), wait=False)
        held = {p.key: (p.payload or {}).get("by") for p in shard.engine.get([0, 1], ALL, ALL)}
        expected = None if mode is UpsertMode.INSERT_ONLY else "update_only"
        assert held == {0: expected, 1: mode.value}


async def _put(collections: Collections, count: int) -> int:
    points = [NewPoint(i, {"": [1.0, float(i)]}, {"n": i, "u": str(uuid.UUID(int=i))}) for i in range(count)]
    return await collections.shard("c").write(Upsert(points), wait=True)
