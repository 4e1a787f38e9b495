"""All collections of one data folder: made, found, listed, deleted. A crash at any step leaves a whole
folder."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from findspot.errors import AlreadyExists, DataLoss, FindspotError, InvalidArgument, NotFound, Reason
from findspot_vectors import catalogue
from findspot_vectors.catalogue import Entry
from findspot_vectors.disk import FolderLock, remove_tree, sync_directory
from findspot_vectors.engine import Engine
from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.journal import JOURNAL_SUFFIX
from findspot_vectors.model import CollectionInfo, FieldIndex, IndexInfo, VectorParams
from findspot_vectors.rebuilds import Rebuilds
from findspot_vectors.shards import Shard
from findspot_vectors.writes import IndexField

_log = logging.getLogger(__name__)

MAX_DIMENSION = 65_536


class Collections:
    """The open collections of a folder. The catalogue file is the truth: a directory it does not name is
    rubbish.

    Creating writes the directory, then the catalogue; deleting writes the catalogue, then removes the
    directory.
    """

    def __init__(self, folder: Path, policy: FlushPolicy, rebuilds: Rebuilds) -> None:
        """Locks the folder (made when missing), removes unnamed directories, opens every shard.

        Raises FailedPrecondition STORE_LOCKED when another process has the folder, DataLoss for a broken
        catalogue. A
        shard that cannot be opened does not stop the others: it answers every call with what is wrong, and
        can be deleted.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._policy = policy
        self._rebuilds = rebuilds
        self._lock = FolderLock(folder)
        self._catalogue = catalogue.read(folder)
        self._remove_unnamed()
        self._open: dict[str, Shard | FindspotError] = {}
        for name, entry in self._catalogue.entries.items():
            self._open[name] = self._opened(name, entry)

    def consider_graphs(self) -> None:
        """Builds the graphs that are wanted and missing, in the background. Later, every flush does so for
        its own."""
        for name, shard in self._open.items():
            if isinstance(shard, Shard):
                self._consider_graph(name)

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._catalogue.entries)

    def exists(self, name: str) -> bool:
        """Whether there is such a collection; a broken one is there."""
        return name in self._catalogue.entries

    def shard(self, name: str) -> Shard:
        """The collection's shard. Raises NotFound, or the DataLoss that opening it met."""
        found = self._open.get(name)
        if found is None:
            raise NotFound(
                f"Not found: Collection `{name}` doesn't exist!", reason=Reason.COLLECTION_NOT_FOUND
            )
        if isinstance(found, FindspotError):
            raise found
        return found

    def create(self, name: str, vectors: Mapping[str, VectorParams]) -> None:
        """Makes an empty collection. Raises AlreadyExists, or InvalidArgument for a name or parameters
        that cannot be."""
        catalogue.checked_name(name)
        _check_vectors(vectors)
        if self.exists(name):
            raise AlreadyExists(f"Wrong input: Collection `{name}` already exists!")
        directory = self._unused_directory(name)
        engine = Engine.create(name, self._folder / directory, vectors)
        sync_directory(self._folder)
        self._become(self._catalogue.having(name, Entry(directory, vectors, created=time.time())))
        self._open[name] = self._serving(name, vectors, engine)

    async def delete(self, name: str) -> bool:
        """Deletes a collection with all that it holds; False when there is none."""
        if not self.exists(name):
            return False
        await self._rebuilds.stop(name)
        directory = self._catalogue.entries[name].directory
        self._become(self._catalogue.lacking(name))
        shard = self._open.pop(name)
        if isinstance(shard, Shard):
            await shard.close(discard=True)
        remove_tree(self._folder / directory)
        return True

    async def index_field(self, name: str, field: str, index: FieldIndex) -> int:
        """Indexes a payload field; the same index again changes nothing."""
        shard = self.shard(name)
        if self._catalogue.entries[name].indexes.get(field) == index:
            return 0
        # The engine first: an index that it refuses must not come back at every start.
        # Nor need its log be on the disk: a start builds what the catalogue names and the files lack.
        number = await shard.write(IndexField(field, index), wait=False)
        self._become(self._catalogue.indexed(name, field, index))
        return number

    def info(self, name: str) -> CollectionInfo:
        """What the collection is and holds."""
        shard, entry = self.shard(name), self._catalogue.entries[name]
        held = shard.engine.statistics()
        return CollectionInfo(
            vectors=entry.vectors,
            indexes={f: IndexInfo(index, held.indexed.get(f, 0)) for f, index in entry.indexes.items()},
            points=held.points,
            segments=held.segments,
            indexed_vectors=held.in_graph,
            created=entry.created,
            error=shard.flusher.error,
            busy=self._rebuilds.busy(name),
        )

    def rewrite(self, name: str) -> None:
        """Starts writing a collection anew, so that its files hold nothing of points that were deleted."""
        shard, vectors = self.shard(name), self._catalogue.entries[name].vectors
        load, commit = self._steps(name)
        self._rebuilds.rewrite(
            shard,
            vectors,
            lambda: self._folder / self._unused_directory(name),
            load,
            commit,
            after=lambda: self._consider_graph(name),
        )

    async def close(self) -> None:
        """Gives up what is being built, flushes and closes all shards, then frees the folder."""
        await self._rebuilds.stop()
        for shard in self._open.values():
            if isinstance(shard, Shard):
                await shard.close()
        self._open.clear()
        self._lock.release()

    def _become(self, new: catalogue.Catalogue) -> None:
        catalogue.write(self._folder, new)
        self._catalogue = new

    def _opened(self, name: str, entry: Entry) -> Shard | FindspotError:
        try:
            engine = Engine.load(name, self._folder / entry.directory, entry.vectors, entry.indexes)
        except FindspotError as failure:
            _log.error("collection %s cannot be opened: %s", name, failure.message)
            return DataLoss(
                f"Collection `{name}` cannot be opened: {failure.message} Delete it and rebuild it "
                "from the manifest."
            )
        return self._serving(name, entry.vectors, engine)

    def _serving(self, name: str, vectors: Mapping[str, VectorParams], engine: Engine) -> Shard:
        return Shard(name, vectors, engine, self._policy, after_flush=lambda: self._consider_graph(name))

    def _consider_graph(self, name: str) -> None:
        vectors = self._catalogue.entries[name].vectors
        load, commit = self._steps(name)
        self._rebuilds.consider(
            self.shard(name), vectors, lambda: self._folder / self._unused_directory(name), load, commit
        )

    def _steps(self, name: str) -> tuple[Callable[[Path], Engine], Callable[[Path], None]]:
        """How a copy of a collection is opened, and how it becomes the one that serves."""

        def load(directory: Path) -> Engine:
            entry = self._catalogue.entries[name]
            return Engine.load(name, directory, entry.vectors, entry.indexes)

        def commit(directory: Path) -> None:
            entry = replace(self._catalogue.entries[name], directory=directory.name)
            self._become(self._catalogue.having(name, entry))

        return load, commit

    def _remove_unnamed(self) -> None:
        named = {entry.directory for entry in self._catalogue.entries.values()}
        for path in sorted(self._folder.iterdir()):
            if path.is_dir() and path.name not in named:
                _log.warning("removing %s: the catalogue does not name it", path.name)
                remove_tree(path)
            elif path.suffix == JOURNAL_SUFFIX:
                path.unlink()

    def _unused_directory(self, name: str) -> str:
        number = 1
        while (self._folder / f"{name}.{number}").exists():
            number += 1
        return f"{name}.{number}"


def _check_vectors(vectors: Mapping[str, VectorParams]) -> None:
    if not vectors:
        raise InvalidArgument("Wrong input: a collection needs the parameters of at least one dense vector.")
    for name, params in vectors.items():
        if not 1 <= params.size <= MAX_DIMENSION:
            raise InvalidArgument(
                f"Wrong input: the size of vector {name!r} is {params.size}; it can be 1 to {MAX_DIMENSION}."
            )
