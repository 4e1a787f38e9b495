"""Watched directories: what happens below them is found without being asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from directory_tree import PATH, Tree, plant
from indexing_fakes import QUICK, Desk, desk_over
from watchfiles import Change

from findspot.errors import Aborted, Reason
from findspot.model import EVERYTHING
from findspot.stores.manifest.collections import DIRECTORY, CollectionSettings
from findspot_indexing import collections
from findspot_indexing.checks import Outcome
from findspot_indexing.diagnose import diagnose
from findspot_indexing.directories import compare, follower, listen
from findspot_indexing.directories.follower import Follower
from findspot_indexing.directories.operation import sync_collection
from findspot_indexing.directories.reading import ReadFile
from findspot_indexing.directories.sources import SourceState
from findspot_indexing.directories.sync import Synced
from findspot_indexing.status import status

WATCHING = replace(QUICK, source_check_seconds=0.1, rescan_seconds=3600.0)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk_over(tmp_path / "data", limits=WATCHING) as made:
        yield made


def has(tree: Tree, *paths: str) -> bool:
    rows = tree.desk.rows("SELECT file_path, state FROM documents WHERE state != 'RETIRED'")
    return dict(rows) == dict.fromkeys(paths, "INDEXED")


async def soon(desk: Desk, condition: Callable[[], object]) -> None:
    """Wait for what takes its time: a change is told, looked at, read and embedded."""
    await desk.until(condition, seconds=40)


async def test_edits_renames_and_deletions_are_followed(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.txt").write_text("Words of a.")
    tree = await plant(desk, root, watch=True)
    await soon(desk, lambda: has(tree, "a.txt"))
    await soon(desk, lambda: desk.indexing.sources.state(tree.collection.id).watched)
    tree.write("deep/er/b.txt", "Words of b.")
    await soon(desk, lambda: has(tree, "a.txt", "deep/er/b.txt"))
    ids = tree.live()
    tree.move("deep/er/b.txt", "b.txt")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt"))
    assert tree.live()["b.txt"] == ids["deep/er/b.txt"]
    tree.write("c.txt", "Words of c.")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "c.txt"))
    (root / "a.txt").unlink()
    await soon(desk, lambda: has(tree, "b.txt", "c.txt"))
    tree.write("b.txt", "Other words.")
    await soon(desk, lambda: desk.indexed("b.txt", 3))


def state(tree: Tree) -> SourceState:
    return tree.desk.indexing.sources.state(tree.collection.id)


async def watched_tree(desk: Desk, root: Path, *names: str) -> Tree:
    root.mkdir()  # noqa: ASYNC240 - a test may wait for a folder
    for name in names:
        (root / name).write_text(f"Words of {name}.")
    tree = await plant(desk, root, watch=True)
    await soon(desk, lambda: has(tree, *names) and state(tree).watched)
    return tree


async def until(tree: Tree, condition: Callable[[], bool]) -> None:
    """Wait for what no transaction tells of."""
    async with asyncio.timeout(40):
        await tree.desk.indexing.sources.until(condition)


async def test_a_root_that_goes_away_prunes_nothing_and_is_followed_again_when_it_returns(
    desk: Desk, tmp_path: Path
) -> None:
    tree = await watched_tree(desk, tmp_path / "tree", "a.txt", "b.txt")
    tree.root.rename(tmp_path / "away")
    await until(tree, lambda: not state(tree).watched and state(tree).problem is not None)
    assert has(tree, "a.txt", "b.txt")
    assert state(tree).watch_problem == "the directory is not there"
    # Where a disk is mounted there is an empty directory before it is.
    tree.root.mkdir()
    await until(tree, lambda: state(tree).watched and "is empty" in str(state(tree).problem))
    assert has(tree, "a.txt", "b.txt")
    tree.root.rmdir()
    (tmp_path / "away").rename(tree.root)
    (tree.root / "c.txt").write_text("Words of c.")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "c.txt"))
    await until(tree, lambda: state(tree).watched and state(tree).problem is None)
    (tree.root / "d.txt").write_text("Words of d.")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "c.txt", "d.txt"))


async def test_more_than_half_gone_stops_pruning_and_nothing_else(desk: Desk, tmp_path: Path) -> None:
    tree = await watched_tree(desk, tmp_path / "tree", "a.txt", "b.txt", "c.txt")
    keep = tree.root / "keep"
    keep.mkdir()
    (tree.root / "a.txt").rename(tmp_path / "a.txt")
    (tree.root / "b.txt").rename(tmp_path / "b.txt")
    await until(tree, lambda: getattr(state(tree).problem, "reason", None) is Reason.PRUNE_NEEDS_CONFIRMATION)
    (tree.root / "d.txt").write_text("Words of d.")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "c.txt", "d.txt"))
    checks = {check.name: check for check in await diagnose(EVERYTHING, desk.indexing)}
    assert checks[f"source.{PATH}"].outcome is Outcome.WARNING
    assert "2 of" in checks[f"source.{PATH}"].message
    (problem,) = (await status(EVERYTHING, desk.indexing, "acme")).source_problems
    assert (problem.collection, problem.reason) == (PATH, Reason.PRUNE_NEEDS_CONFIRMATION)
    answer = await sync_collection(EVERYTHING, desk.indexing, PATH, confirm_prune=True)
    assert answer.operation_id
    await soon(desk, lambda: has(tree, "c.txt", "d.txt"))
    await until(tree, lambda: state(tree).problem is None)


async def test_ignore_rules_and_settings_that_change_are_followed(desk: Desk, tmp_path: Path) -> None:
    tree = await watched_tree(desk, tmp_path / "tree", "a.txt", "b.txt", "c.log")
    (tree.root / ".gitignore").write_text("*.log\n")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt"))
    settings = CollectionSettings(DIRECTORY, str(tree.root), {"watch": True, "ignore": ["!*.log"]})
    await collections.update(EVERYTHING, desk.indexing, PATH, settings)
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "c.log"))
    settings = CollectionSettings(DIRECTORY, str(tree.root), {"watch": False, "ignore": ["!*.log"]})
    await collections.update(EVERYTHING, desk.indexing, PATH, settings)
    await until(tree, lambda: not state(tree).watched)


async def test_directories_in_each_other_are_both_followed(desk: Desk, tmp_path: Path) -> None:
    tree = await watched_tree(desk, tmp_path / "tree", "a.txt")
    (tree.root / "inner").mkdir()
    settings = CollectionSettings(DIRECTORY, str(tree.root / "inner"), {"watch": True, "ignore": []})
    await collections.create(EVERYTHING, desk.indexing, "acme/inner", settings)
    (tree.root / "inner/b.txt").write_text("Words of b.")

    def both() -> bool:
        rows = desk.rows(
            "SELECT collection_path, file_path FROM documents WHERE state = 'INDEXED' ORDER BY 1"
        )
        return rows == [("acme/inner", "b.txt"), (PATH, "a.txt"), (PATH, "inner/b.txt")]

    await soon(desk, both)


async def test_a_service_that_starts_again_finds_what_happened_meanwhile(tmp_path: Path) -> None:
    async with desk_over(tmp_path / "data", limits=WATCHING) as first:
        tree = await watched_tree(first, tmp_path / "tree", "a.txt", "b.txt")
        before = tree.live()
    tree.move("a.txt", "z.txt")
    tree.write("c.txt", "Words of c.")
    async with desk_over(tmp_path / "data", limits=WATCHING) as second:
        tree.desk = second
        await soon(second, lambda: has(tree, "b.txt", "c.txt", "z.txt"))
        assert tree.live()["z.txt"] == before["a.txt"]


async def test_a_file_that_was_being_written_is_looked_at_again(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = await watched_tree(desk, tmp_path / "tree", "a.txt", "b.txt")
    real, restless = compare.read_settled, [True]

    def read(root: str, place: str, most_bytes: int) -> ReadFile:
        if place == "c.txt" and restless:
            restless.pop()
            raise Aborted("It changed.", reason=Reason.LEASE_LOST)
        return real(root, place, most_bytes)

    monkeypatch.setattr(compare, "read_settled", read)
    (tree.root / "c.txt").write_text("Words of c.")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "c.txt"))
    assert not restless


async def test_one_root_that_cannot_be_heard_leaves_the_others_heard(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = listen.watch

    def watch(*roots: str, **options: object) -> Iterator[set[tuple[Change, str]]]:
        if str(tmp_path / "deaf") in roots:
            raise OSError(28, "no space left: the limit of watched folders is reached")
        return real(*roots, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(listen, "watch", watch)
    tree = await watched_tree(desk, tmp_path / "tree", "a.txt")
    (tmp_path / "deaf").mkdir()
    (tmp_path / "deaf/x.txt").write_text("Words of x.")
    settings = CollectionSettings(DIRECTORY, str(tmp_path / "deaf"), {"watch": True, "ignore": []})
    deaf = await collections.create(EVERYTHING, desk.indexing, "acme/deaf", settings)
    await soon(desk, lambda: has(tree, "a.txt", "x.txt"))
    await until(tree, lambda: "limit" in desk.indexing.sources.state(deaf.collection.id).watch_problem)
    (tree.root / "b.txt").write_text("Words of b.")
    await soon(desk, lambda: has(tree, "a.txt", "b.txt", "x.txt"))


async def test_a_rename_whose_halves_are_told_apart_is_still_a_rename(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "tree"
    tree = await plant(desk, root)
    for name in ("a.txt", "b.txt", "c.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    before = tree.live()
    following = Follower(desk.indexing, tree.collection)
    looks = Looks(monkeypatch)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(following.run())
        await looks.ended()
        (root / "a.txt").rename(tmp_path / "a.txt")
        following.hear([str(root / "a.txt")])
        await looks.ended()
        assert tree.live() == before
        (tmp_path / "a.txt").rename(root / "z.txt")
        following.hear([str(root / "z.txt")])
        await soon(desk, lambda: "z.txt" in tree.live())
        assert tree.live()["z.txt"] == before["a.txt"]
        (root / "b.txt").unlink()
        following.hear([str(root / "b.txt")])
        await soon(desk, lambda: "b.txt" not in tree.live())
        task.cancel()


class Looks:
    """Tells when a follower has looked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real = follower.sync
        self._done = asyncio.Event()
        monkeypatch.setattr(follower, "sync", self._sync)

    async def ended(self) -> None:
        """Wait until it has looked once more."""
        async with asyncio.timeout(40):
            await self._done.wait()
        self._done.clear()

    async def _sync(self, *arguments: Any) -> Synced:
        try:
            return await self._real(*arguments)
        finally:
            self._done.set()
