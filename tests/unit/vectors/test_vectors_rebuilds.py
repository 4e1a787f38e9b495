"""A collection gets its graph on a copy, by another process, and loses no write made meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from findspot.errors import Internal
from findspot_vectors import graph
from findspot_vectors.filters import FieldCondition, Filter, MatchValue
from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.graph import build_graph
from findspot_vectors.journal import Journal
from findspot_vectors.model import (
    Distance,
    FieldIndex,
    IndexKind,
    NewPoint,
    PointsChosen,
    Search,
    VectorParams,
)
from findspot_vectors.rebuilds import Build, GraphPolicy, Rebuilds
from findspot_vectors.store import Collections
from findspot_vectors.writes import Delete, SetPayload, Upsert

SIZE = 16
VECTORS = {"": VectorParams(SIZE, Distance.COSINE)}
RNG = np.random.default_rng(3)
DATA = RNG.standard_normal((700, SIZE)).astype(np.float32)
DATA /= np.linalg.norm(DATA, axis=1, keepdims=True)


def points(*numbers: int, **payload: str) -> list[NewPoint]:
    return [NewPoint(n, {"": DATA[n].tolist()}, {"n": n, **payload}) for n in numbers]


async def opened(folder: Path, build: Build) -> tuple[Collections, Rebuilds]:
    rebuilds = Rebuilds(GraphPolicy(points=400), build)
    collections = Collections(folder, FlushPolicy(points=100_000, idle_seconds=3_600), rebuilds)
    collections.create("c", VECTORS)
    await collections.index_field("c", "n", FieldIndex(IndexKind.INTEGER))
    await collections.shard("c").write(Upsert(points(*range(600))), wait=True)
    return collections, rebuilds


class Paused:
    """Builds like the real one, but only when told to."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.began, self.go = asyncio.Event(), asyncio.Event()
        self._failure = failure

    async def __call__(self, directory: Path, params: Mapping[str, VectorParams]) -> None:
        self.began.set()
        await self.go.wait()
        if self._failure is not None:
            raise self._failure
        await build_graph(directory, params)


@pytest.fixture
async def paused(tmp_path: Path) -> AsyncIterator[tuple[Collections, Rebuilds, Paused]]:
    build = Paused()
    collections, rebuilds = await opened(tmp_path, build)
    yield collections, rebuilds, build
    await collections.close()


def journals(folder: Path) -> list[Path]:
    return list(folder.glob("*.journal"))


def directories(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


async def test_writes_during_the_build_are_in_the_graphs_engine(
    tmp_path: Path, paused: tuple[Collections, Rebuilds, Paused]
) -> None:
    collections, rebuilds, build = paused
    shard = collections.shard("c")
    collections.consider_graphs()
    await build.began.wait()
    await shard.write(Upsert(points(*range(600, 700), new="yes")), wait=True)
    await shard.write(Delete(PointsChosen(keys=tuple(range(10)))), wait=True)
    await shard.write(SetPayload(PointsChosen(keys=(20, 21)), {"moved": "yes"}), wait=True)
    await collections.index_field("c", "moved", FieldIndex(IndexKind.KEYWORD))
    assert shard.engine.count(None) == 690
    build.go.set()
    await rebuilds.done("c")

    assert directories(tmp_path) == ["c.2"]
    info = collections.info("c")
    assert (info.points, info.indexes["moved"].points) == (690, 2)
    assert info.indexed_vectors >= 500
    moved = Filter(must=(FieldCondition("moved", match=MatchValue("yes")),))
    assert shard.engine.count(moved) == 2
    # Found through the graph, a point that came meanwhile and one that was there.
    for number in (650, 300):
        [[best]] = shard.engine.search([Search(limit=1, vector=DATA[number].tolist())])
        assert best.key == number
    [[gone]] = shard.engine.search([Search(limit=1, vector=DATA[5].tolist())])
    assert gone.key != 5

    await shard.write(Upsert(points(5)), wait=True)
    await collections.close()
    again = Collections(tmp_path, FlushPolicy(), Rebuilds(GraphPolicy(), build_graph))
    assert again.info("c").points == 691
    assert again.info("c").indexed_vectors >= 500
    await again.close()


async def test_the_graph_finds_what_a_full_scan_finds(tmp_path: Path) -> None:
    collections, rebuilds = await opened(tmp_path, build_graph)
    collections.consider_graphs()
    await rebuilds.done("c")
    engine = collections.shard("c").engine
    assert engine.statistics().in_graph == 600
    found = total = 0
    for query in DATA[600:640]:
        best = set(np.argsort(-(DATA[:600] @ query))[:10].tolist())
        [hits] = engine.search([Search(limit=10, vector=query.tolist(), hnsw_ef=128)])
        [exact] = engine.search([Search(limit=10, vector=query.tolist(), exact=True)])
        assert {p.key for p in exact} == best
        found, total = found + len(best & {p.key for p in hits}), total + 10
    assert found / total > 0.9
    await collections.close()


async def test_a_build_that_fails_leaves_the_original_serving(tmp_path: Path) -> None:
    build = Paused(Internal("no luck"))
    collections, rebuilds = await opened(tmp_path, build)
    collections.consider_graphs()
    await build.began.wait()
    assert directories(tmp_path) == ["c.1", "c.2"]
    await collections.shard("c").write(Upsert(points(650)), wait=True)
    build.go.set()
    with pytest.raises(Internal, match="no luck"):
        await rebuilds.done("c")
    assert directories(tmp_path) == ["c.1"]
    assert journals(tmp_path) == []
    assert collections.shard("c").engine.count(None) == 601
    # Not again at once: only when as many points have come.
    build.began.clear()
    collections.consider_graphs()
    await asyncio.sleep(0)
    assert not build.began.is_set()
    await collections.close()


@pytest.mark.parametrize("end", ["delete", "close"])
async def test_deleting_or_closing_gives_the_build_up(
    tmp_path: Path, paused: tuple[Collections, Rebuilds, Paused], end: str
) -> None:
    collections, _, build = paused
    collections.consider_graphs()
    await build.began.wait()
    if end == "delete":
        assert await collections.delete("c")
    else:
        await collections.close()
    assert directories(tmp_path) == ([] if end == "delete" else ["c.1"])
    assert journals(tmp_path) == []


async def test_a_child_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(Internal, match="does not exist"):
        await graph.build_graph(tmp_path / "nowhere", VECTORS)


@pytest.mark.parametrize(
    ("points", "in_graph", "wanted"),
    [
        (20_000, 0, False),
        (20_001, 0, True),
        (40_000, 20_000, False),
        (40_001, 20_000, True),
        (200_000, 160_000, False),
    ],
)
def test_a_graph_is_wanted_when_much_is_outside_of_it(points: int, in_graph: int, wanted: bool) -> None:
    assert GraphPolicy().wants(points, in_graph) is wanted


def test_a_journal_is_read_in_order_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    writes = [Upsert(points(i)) for i in range(3)]
    journal.add(writes[0])
    reading = journal.unread()
    assert next(reading) == writes[0]
    journal.add(writes[1])
    assert list(reading) == writes[1:2]
    assert list(journal.unread()) == []
    journal.add(writes[2])
    assert list(journal.unread()) == writes[2:]
    journal.remove()
    assert not (tmp_path / "j").exists()
