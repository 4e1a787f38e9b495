"""A directory with files in it, and a collection that follows it, for tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexing_fakes import Desk

from findspot.model import EVERYTHING
from findspot.stores.manifest import clock
from findspot.stores.manifest.collections import DIRECTORY, Collection, CollectionSettings
from findspot_indexing import collections
from findspot_indexing.directories.counting import Tally
from findspot_indexing.directories.sync import Synced, SyncWish, sync

PATH = "acme/tree"
OLD_NS = 10_000_000_000
"""How long ago files of these tests were changed, so that they count as settled."""


@dataclass
class Tree:
    """Files below a root, the collection that holds them, and the service that syncs the two."""

    root: Path
    desk: Desk
    collection: Collection

    def write(self, path: str, text: str, *, old: bool = True) -> Path:
        """Write a file; `old` ones were changed some time ago."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if old:
            self.age(path)
        return file

    def age(self, path: str) -> None:
        """Make a file look as if nobody touched it for a while."""
        then = clock.now() * 1000 - OLD_NS
        os.utime(self.root / path, ns=(then, then))

    def move(self, old: str, new: str) -> None:
        """Rename a file or a folder."""
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    async def sync(self, **wish: Any) -> dict[str, int]:
        """Sync, and say what was done, without zeros."""
        counts = (await self.synced(**wish))[1].counts
        return {name: count for name, count in counts.items() if count}

    async def synced(self, **wish: Any) -> tuple[Synced, Tally]:
        """Sync, and give all that came of it."""
        tally = Tally()
        done = await sync(self.desk.indexing, self.collection, SyncWish(**wish), tally)
        return done, tally

    def live(self) -> dict[str, str]:
        """Id by path of the documents that are not deleted."""
        rows = self.desk.rows("SELECT file_path, id FROM documents WHERE state != 'RETIRED'")
        return {str(path): str(identifier) for path, identifier in rows}

    async def at_rest(self) -> None:
        """Wait until every document is indexed, empty, deleted or given up."""
        await self.desk.until(
            lambda: (
                not self.desk.rows(
                    "SELECT id FROM documents WHERE state NOT IN ('INDEXED', 'EMPTY', 'RETIRED', 'FAILED')"
                )
            ),
            seconds=40,
        )


class Scandir:
    """`os.scandir` that fails for some folders, as it does for who may not read them."""

    def __init__(self, *failing: str, error: type[OSError] = PermissionError) -> None:
        self._failing, self._error, self._real = failing, error, os.scandir

    def __call__(self, path: str) -> Iterator[os.DirEntry[str]]:
        if str(path).endswith(self._failing):
            raise self._error(13, "Permission denied", path)
        return self._real(path)


async def plant(desk: Desk, root: Path, *, ignore: tuple[str, ...] = (), watch: bool = False) -> Tree:
    """Make a directory and a collection that follows it."""
    root.mkdir(exist_ok=True)  # noqa: ASYNC240 - a test may wait for a folder
    options = {"watch": watch, "ignore": list(ignore)}
    settings = CollectionSettings(DIRECTORY, str(root), options)
    view = await collections.create(EVERYTHING, desk.indexing, PATH, settings)
    return Tree(root, desk, view.collection)
