"""kill -9 at each step of making and deleting a collection: the folder is whole at the next start."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.model import Distance, NewPoint, UpsertMode, VectorParams
from findspot_vectors.store import Collections

ROOT = Path(__file__).parents[3]
COSINE_2 = {"": VectorParams(2, Distance.COSINE)}

STEPS = {
    "create, before the files": ("Shard.create", "before", "create"),
    "create, before the catalogue": ("catalogue.write", "before", "create"),
    "create, inside the catalogue": ("os.replace", "before", "create"),
    "create, after the catalogue": ("catalogue.write", "after", "create"),
    "delete, before the catalogue": ("catalogue.write", "before", "delete"),
    "delete, inside the catalogue": ("os.replace", "before", "delete"),
    "delete, after the catalogue": ("catalogue.write", "after", "delete"),
    "delete, before the files": ("shutil.rmtree", "before", "delete"),
    "delete, after the files": ("shutil.rmtree", "after", "delete"),
}
CREATED = {"create, after the catalogue"}
DELETED = {"delete, after the catalogue", "delete, before the files", "delete, after the files"}

DIES = """
import asyncio, os, signal, shutil, sys
from pathlib import Path
from findspot_vectors import catalogue, store
from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.model import Distance, VectorParams

folder, target, moment, act = Path(sys.argv[1]), *sys.argv[2:]

def dying(function):
    def call(*arguments, **options):
        if moment == "after":
            function(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)
    return call

async def main():
    collections = store.Collections(folder, FlushPolicy())
    owner, name = {"Shard.create": (store.Shard, "create"), "catalogue.write": (catalogue, "write"),
                   "os.replace": (os, "replace"), "shutil.rmtree": (shutil, "rmtree")}[target]
    setattr(owner, name, dying(getattr(owner, name)))
    if act == "create":
        collections.create("new", {"": VectorParams(4, Distance.COSINE)})
    else:
        await collections.delete("old")

asyncio.run(main())
"""


def directories(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_dir()}


@pytest.mark.parametrize("step", STEPS)
async def test_kill_9_leaves_a_whole_folder(tmp_path: Path, step: str) -> None:
    collections = Collections(tmp_path, FlushPolicy())
    collections.create("old", COSINE_2)
    point = NewPoint(uuid.uuid4(), {"": [1.0, 2.0]}, {})
    await collections.shard("old").upsert([point], mode=UpsertMode.UPSERT, only=None, wait=True)
    await collections.close()

    died = subprocess.run(  # noqa: ASYNC221 - nothing else runs here
        [sys.executable, "-c", DIES, str(tmp_path), *STEPS[step]],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "libs"), str(ROOT / "services")))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert died.returncode == -9, died.stderr

    again = Collections(tmp_path, FlushPolicy())
    expected = {"old": 1} if step not in DELETED else {}
    expected |= {"new": 0} if step in CREATED else {}
    assert {name: again.shard(name).count(None) for name in again.names()} == expected
    assert directories(tmp_path) == {f"{name}.1" for name in expected}
    if "new" not in expected:
        again.create("new", COSINE_2)
    assert again.shard("new").count(None) == 0
    await again.close()
