"""A collection that is written anew holds every live point, and in its files nothing of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from findspot.errors import NotYetAvailable
from findspot.stores.qdrant import wire
from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.graph import build_graph
from findspot_vectors.model import (
    Distance,
    FieldIndex,
    IndexKind,
    NewPoint,
    PointsChosen,
    Search,
    VectorParams,
)
from findspot_vectors.rebuilds import GraphPolicy, Rebuilds
from findspot_vectors.rewrite import rewrite
from findspot_vectors.store import Collections
from findspot_vectors.wire_collections import require_rewrite
from findspot_vectors.writes import Delete, Upsert

VECTORS = {"": VectorParams(32, Distance.COSINE)}
DATA = np.random.default_rng(5).standard_normal((300, 32)).astype(np.float32)
DATA /= np.linalg.norm(DATA, axis=1, keepdims=True)
SECRET = "xylophagousquartz"


def opened(folder: Path, again: object = rewrite) -> tuple[Collections, Rebuilds]:
    rebuilds = Rebuilds(GraphPolicy(points=100_000), build_graph, again)  # type: ignore[arg-type]
    return Collections(folder, FlushPolicy(points=50, idle_seconds=0.01), rebuilds), rebuilds


def point(number: int, path: str = "kept.txt") -> NewPoint:
    return NewPoint(number, {"": DATA[number].tolist()}, {"file_path": path, "n": number})


def traces(folder: Path, *needles: bytes) -> list[str]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path.name for path in files if any(needle in path.read_bytes() for needle in needles)]


async def filled(folder: Path, again: object = rewrite) -> tuple[Collections, Rebuilds]:
    collections, rebuilds = opened(folder, again)
    collections.create("c", VECTORS)
    await collections.index_field("c", "file_path", FieldIndex(IndexKind.KEYWORD))
    shard = collections.shard("c")
    await shard.write(Upsert([point(n) for n in range(200)]), wait=True)
    await shard.write(Upsert([point(n, SECRET) for n in range(200, 210)]), wait=True)
    shard.flusher.now()
    await shard.write(Delete(PointsChosen(keys=tuple(range(200, 210)))), wait=True)
    shard.flusher.now()
    return collections, rebuilds


async def test_what_was_deleted_leaves_the_files(tmp_path: Path) -> None:
    collections, rebuilds = await filled(tmp_path)
    needles = (SECRET.encode(), DATA[205].tobytes()[:64])
    assert traces(tmp_path, *needles)
    collections.rewrite("c")
    assert collections.info("c").busy
    await rebuilds.done("c")
    assert not collections.info("c").busy
    assert traces(tmp_path, *needles) == []
    info = collections.info("c")
    assert (info.points, info.indexes["file_path"].points) == (200, 200)
    [[best]] = collections.shard("c").engine.search([Search(limit=1, vector=DATA[42].tolist())])
    assert best.key == 42
    await collections.close()
    again, _ = opened(tmp_path)
    assert again.info("c").points == 200
    assert traces(tmp_path, *needles) == []
    await again.close()


async def test_writes_during_the_rewriting_are_kept_and_a_second_wish_follows(tmp_path: Path) -> None:
    began, go = asyncio.Event(), asyncio.Event()
    runs: list[Path] = []

    async def slowly(directory: Path, params: Mapping[str, VectorParams]) -> None:
        runs.append(directory)
        began.set()
        await go.wait()
        await rewrite(directory, params)

    collections, rebuilds = await filled(tmp_path, slowly)
    collections.rewrite("c")
    await began.wait()
    shard = collections.shard("c")
    await shard.write(Upsert([point(250)]), wait=True)
    await shard.write(Delete(PointsChosen(keys=(3, 4))), wait=True)
    collections.rewrite("c")
    collections.rewrite("c")
    go.set()
    await rebuilds.done("c")
    assert collections.info("c").points == 199
    assert collections.info("c").busy
    await rebuilds.done("c")
    assert len(runs) == 2
    assert (collections.info("c").points, collections.info("c").busy) == (199, False)
    await collections.close()


def test_only_the_wish_to_drop_what_was_deleted_is_served() -> None:
    wish = wire.OptimizersConfigDiff(deleted_threshold=1e-6, vacuum_min_vector_number=100)
    require_rewrite(wire.UpdateCollection(collection_name="c", optimizers_config=wish))
    for refused in (
        wire.UpdateCollection(collection_name="c"),
        wire.UpdateCollection(collection_name="c", hnsw_config=wire.HnswConfigDiff(m=4)),
        wire.UpdateCollection(
            collection_name="c", optimizers_config=wire.OptimizersConfigDiff(indexing_threshold=5)
        ),
    ):
        with pytest.raises(NotYetAvailable):
            require_rewrite(refused)
