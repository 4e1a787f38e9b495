"""Watched directories: what happens below them is found without being asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from directory_tree import Tree, plant
from indexing_fakes import QUICK, Desk, desk_over

WATCHING = replace(QUICK, source_check_seconds=0.1, rescan_seconds=3600.0)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk_over(tmp_path / "data", limits=WATCHING) as made:
        yield made


def has(tree: Tree, *paths: str) -> bool:
    rows = tree.desk.rows("SELECT file_path, state FROM documents WHERE state != 'RETIRED'")
    return dict(rows) == dict.fromkeys(paths, "INDEXED")


async def test_edits_renames_and_deletions_are_followed(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.txt").write_text("Words of a.")
    tree = await plant(desk, root, watch=True)
    await desk.until(lambda: has(tree, "a.txt"))
    await desk.until(lambda: desk.indexing.sources.state(tree.collection.id).watched)
    tree.write("deep/er/b.txt", "Words of b.")
    await desk.until(lambda: has(tree, "a.txt", "deep/er/b.txt"))
    ids = tree.live()
    tree.move("deep/er/b.txt", "b.txt")
    await desk.until(lambda: has(tree, "a.txt", "b.txt"))
    assert tree.live()["b.txt"] == ids["deep/er/b.txt"]
    tree.write("c.txt", "Words of c.")
    await desk.until(lambda: has(tree, "a.txt", "b.txt", "c.txt"))
    (root / "a.txt").unlink()
    await desk.until(lambda: has(tree, "b.txt", "c.txt"))
    tree.write("b.txt", "Other words.")
    await desk.until(lambda: desk.indexed("b.txt", 3))
