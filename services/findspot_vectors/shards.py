"""One collection while it serves: its writes in order and durable, and the change of its engine under way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from findspot.errors import FindspotError
from findspot_vectors.disk import copy_tree
from findspot_vectors.durability import WriteAheadLog
from findspot_vectors.engine import Engine
from findspot_vectors.engine_errors import engine_errors
from findspot_vectors.flushing import Flusher, FlushPolicy
from findspot_vectors.journal import JOURNAL_SUFFIX, Journal
from findspot_vectors.model import VectorParams
from findspot_vectors.validation import check_points
from findspot_vectors.writes import Upsert, Write, size_of

_log = logging.getLogger(__name__)


class Shard:
    """A collection's engine and the order of its writes. Reads go to `engine` directly, on the event loop.

    The engine holds the interpreter lock, threads would gain nothing. Writes run one after another, in
    parts, and let
    reads in between.
    """

    def __init__(
        self,
        name: str,
        params: Mapping[str, VectorParams],
        engine: Engine,
        policy: FlushPolicy,
        after_flush: Callable[[], None],
    ) -> None:
        """Takes an open engine; `after_flush` is called when the policy has flushed it."""
        self.name = name
        self.engine = engine
        self.flusher = Flusher(name, lambda: self.engine.flush(), policy, after_flush)
        self._params = params
        self._wal = WriteAheadLog(engine.directory)
        self._writes = asyncio.Lock()
        self._journal: Journal | None = None
        self._operations = 0
        self._closed = False

    async def write(self, write: Write, *, wait: bool) -> int:
        """Applies a change and answers its number. With `wait` it is durable then.

        Points are all checked before the first is written.
        """
        if isinstance(write, Upsert):
            check_points(self._params, write.points)
        async with self._writes:
            if self._journal is not None:
                self._journal.add(write)
            for _ in self.engine.apply(write):
                await asyncio.sleep(0)  # a turn for the queries that came meanwhile
            self._operations += 1
            number = self._operations
            self.flusher.wrote(size_of(write))
            wal = self._wal
        if wait:
            with engine_errors(self.name):
                await wal.durable()
        return number

    async def copy_to(self, directory: Path) -> None:
        """Copies the files as they are now, and notes every later write for the copy. Writes wait for the
        copying."""
        async with self._writes:
            self.flusher.now()
            await asyncio.to_thread(copy_tree, self.engine.directory, directory)
            self._journal = Journal(directory.with_name(directory.name + JOURNAL_SUFFIX))

    async def become(self, copy: Engine, commit: Callable[[], None]) -> Path:
        """Serves from the copy from now on, once it has all writes since `copy_to`; answers the directory
        left behind.

        `commit` is called when the copy is complete and on the disk: it makes the copy the truth.
        """
        assert self._journal is not None, "a copy is begun with copy_to"
        # Most of the journal while writes go on, the rest while they wait.
        await self._catch_up(copy)
        async with self._writes:
            await self._catch_up(copy)
            copy.flush()
            commit()
            self._end_journal()
            before, self.engine = self.engine, copy
            wal, self._wal = self._wal, WriteAheadLog(copy.directory)
            self.flusher.reset()
        await wal.durable()  # after all who still wait for the old log
        before.close()
        return before.directory

    async def give_up_copy(self) -> None:
        """Writes are no longer noted for a copy."""
        async with self._writes:
            self._end_journal()

    async def close(self, *, discard: bool = False) -> None:
        """Flushes and closes, after the write that runs; closing again does nothing.

        `discard` leaves the flush out: the files are about to be removed.
        """
        async with self._writes:
            if self._closed:
                return
            self._closed = True
            self._end_journal()
            if discard:
                self.flusher.reset()
            else:
                self.flusher.now()
            self.engine.close()

    def _end_journal(self) -> None:
        if self._journal is not None:
            self._journal.remove()
            self._journal = None

    async def _catch_up(self, copy: Engine) -> None:
        assert self._journal is not None
        for write in self._journal.unread():
            try:
                for _ in copy.apply(write):
                    await asyncio.sleep(0)
            except FindspotError as failure:
                # It failed in the same way when it came: what of it was applied is applied here too.
                _log.info("a write to %s failed again on its copy: %s", self.name, failure.message)
