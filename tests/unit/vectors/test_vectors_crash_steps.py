"""kill -9 at each step of making, deleting and rebuilding a collection: the folder is whole at the next
start."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from findspot_vectors import catalogue, engine, rebuilds, shards, store
from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.graph import build_graph
from findspot_vectors.model import Distance, NewPoint, VectorParams
from findspot_vectors.rebuilds import GraphPolicy, Rebuilds
from findspot_vectors.store import Collections
from findspot_vectors.writes import Upsert

COSINE_2 = {"": VectorParams(2, Distance.COSINE)}

STEPS = {
    "create, before the files": ("Engine.create", "before", "create"),
    "create, before the catalogue": ("catalogue.write", "before", "create"),
    "create, inside the catalogue": ("os.replace", "before", "create"),
    "create, after the catalogue": ("catalogue.write", "after", "create"),
    "delete, before the catalogue": ("catalogue.write", "before", "delete"),
    "delete, inside the catalogue": ("os.replace", "before", "delete"),
    "delete, after the catalogue": ("catalogue.write", "after", "delete"),
    "delete, before the files": ("remove_tree", "before", "delete"),
    "delete, after the files": ("remove_tree", "after", "delete"),
    "rebuild, before the copy": ("copy_tree", "before", "rebuild"),
    "rebuild, after the copy": ("copy_tree", "after", "rebuild"),
    "rebuild, after the graph": ("Engine.load", "before", "rebuild"),
    "rebuild, before the catalogue": ("catalogue.write", "before", "rebuild"),
    "rebuild, after the catalogue": ("catalogue.write", "after", "rebuild"),
    "rebuild, before the old files": ("remove_tree", "before", "rebuild"),
    "rebuild, after the old files": ("remove_tree", "after", "rebuild"),
}
SWAPPED = {
    "rebuild, after the catalogue",
    "rebuild, before the old files",
    "rebuild, after the old files",
}
CREATED = {"create, after the catalogue"}
DELETED = {"delete, after the catalogue", "delete, before the files", "delete, after the files"}


def _dying(function: Callable[..., Any], moment: str) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> None:
        if moment == "after":
            function(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)

    return call


def _die(folder: Path, target: str, moment: str, act: str) -> None:
    """Does one thing to a folder, in a process of its own, and is killed before or after one step of it."""
    owners: dict[str, list[Any]] = {
        "Engine.create": [engine.Engine],
        "Engine.load": [engine.Engine],
        "catalogue.write": [catalogue],
        "os.replace": [os],
        "remove_tree": [store, rebuilds],
        "copy_tree": [shards],
    }

    async def run() -> None:
        builds = Rebuilds(GraphPolicy(points=1, share=0.0), build_graph)
        collections = Collections(folder, FlushPolicy(), builds)
        name = target.rpartition(".")[2]
        for owner in owners[target]:
            setattr(owner, name, _dying(getattr(owner, name), moment))
        if act == "create":
            collections.create("new", {"": VectorParams(4, Distance.COSINE)})
        elif act == "delete":
            await collections.delete("old")
        else:
            collections.consider_graphs()
            await builds.done("old")

    asyncio.run(run())


def open_collections(folder: Path) -> Collections:
    return Collections(folder, FlushPolicy(), Rebuilds(GraphPolicy(), build_graph))


def journals(folder: Path) -> list[Path]:
    return list(folder.glob("*.journal"))


def directories(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_dir()}


@pytest.mark.parametrize("step", STEPS)
async def test_kill_9_leaves_a_whole_folder(tmp_path: Path, step: str) -> None:
    collections = open_collections(tmp_path)
    collections.create("old", COSINE_2)
    points = [NewPoint(i, {"": [1.0, float(i)]}, {}) for i in range(200)]
    await collections.shard("old").write(Upsert(points), wait=True)
    await collections.close()

    # Each from one server that has imported all and opened nothing: the engine must not be forked once it
    # is open.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["findspot_vectors.store"])
    victim = context.Process(target=_die, args=(tmp_path, *STEPS[step]))
    victim.start()
    victim.join()
    assert victim.exitcode == -9

    again = open_collections(tmp_path)
    expected = {"old": 200} if step not in DELETED else {}
    expected |= {"new": 0} if step in CREATED else {}
    assert {name: again.shard(name).engine.count(None) for name in again.names()} == expected
    number = 2 if step in SWAPPED else 1
    assert directories(tmp_path) == {f"{name}.{number}" for name in expected}
    assert journals(tmp_path) == []
    if "new" not in expected:
        again.create("new", COSINE_2)
    assert again.shard("new").engine.count(None) == 0
    await again.close()
