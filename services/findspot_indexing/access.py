"""The manifest from an event loop: reads in a few threads, writes in one, several to a transaction."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from findspot.stores.manifest.engine import compact, empty_log, read_snapshot, write
from findspot.stores.manifest.outages import is_outage, to_be_repeated, unavailable, unavailable_when_away

log = logging.getLogger(__name__)

_T = TypeVar("_T")
_MOST_TOGETHER = 64
_TRIES = 5
"""Of a transaction that another one was in the way of."""

Work = Callable[[Connection], Any]
_Item = tuple[Work, "Future[Any]"]
_Outcome = tuple[Any, BaseException | None]


class Manifest:
    """Serialises writes. Those that wait at the same moment share one transaction, and so one fsync.

    Each has a savepoint of its own: one that fails takes back only itself.
    """

    def __init__(
        self, engine: Engine, *, readers: int = 4, on_commit: Callable[[], None] | None = None
    ) -> None:
        """`on_commit` is called in the writing thread after every commit."""
        self._engine = engine
        self._on_commit = on_commit
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="manifest-read")
        self._waiting: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self._compacted = False
        """True from a compaction on until the log that it left is empty."""
        self._thread = threading.Thread(target=self._run, name="manifest-write", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], _T]) -> _T:
        """Run `work` in a writing transaction; when this returns, what it did is committed.

        The caller may go away meanwhile: the work is done all the same. It may be run again, when another
        transaction was in the way: then nothing of the run before is in the manifest.
        """
        future: Future[_T] = Future()
        self._waiting.put((work, future))
        waiting = asyncio.wrap_future(future)
        # Looked at even when nobody waits any more: asyncio would report an error that nobody saw.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(waiting)

    async def read(self, work: Callable[[Connection], _T]) -> _T:
        """Run `work` in a reading transaction: it sees one moment of the manifest."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.look, work)

    async def compact(self) -> bool:
        """Have the database write itself anew, so that its files hold nothing of what was deleted.

        Writes wait for it, reads go on. False when a reader kept the old log in use: then it is to be done again.
        """
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._compact)

    def look(self, work: Callable[[Connection], _T]) -> _T:
        """As `read`, for a thread that may wait."""
        with unavailable_when_away(self._engine), read_snapshot(self._engine) as snapshot:
            return work(snapshot.connection)

    def close(self) -> None:
        """Finish what waits and end the threads."""
        self._waiting.put(None)
        self._thread.join()
        self._readers.shutdown()
        self._engine.dispose()

    def _compact(self) -> bool:
        with self._writing, unavailable_when_away(self._engine):
            if not self._compacted:
                compact(self._engine)
            self._compacted = not empty_log(self._engine)
            return not self._compacted

    def _run(self) -> None:
        while True:
            batch, ended = self._next_batch()
            if batch:
                self._commit(batch)
            if ended:
                return

    def _next_batch(self) -> tuple[list[_Item], bool]:
        batch: list[_Item] = []
        item = self._waiting.get()
        while item is not None:
            batch.append(item)
            if len(batch) == _MOST_TOGETHER:
                return batch, False
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit(self, batch: list[_Item]) -> None:
        try:
            with self._writing:
                outcomes = self._run_together([work for work, _ in batch])
        except BaseException as error:  # noqa: BLE001 - it is the callers' error: each of them gets it
            failure = unavailable(error) if is_outage(error) else error
            outcomes = [(None, failure) for _ in batch]
        if self._on_commit is not None:
            self._on_commit()
        for (_, future), (result, problem) in zip(batch, outcomes, strict=True):
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)

    def _run_together(self, batch: list[Work]) -> list[_Outcome]:
        """One transaction; again while others are in its way."""
        for _ in range(_TRIES - 1):
            try:
                return self._run_once(batch)
            except DBAPIError as error:
                if not to_be_repeated(error):
                    raise
                log.info("A transaction begins again: another was in its way.")
        return self._run_once(batch)

    def _run_once(self, batch: list[Work]) -> list[_Outcome]:
        with write(self._engine) as connection:
            if len(batch) == 1:
                # A failure of the only one takes back the whole transaction: no savepoint is needed.
                return [(batch[0](connection), None)]
            return [_attempt(connection, work) for work in batch]


def _attempt(connection: Connection, work: Work) -> _Outcome:
    savepoint = connection.begin_nested()
    try:
        result = work(connection)
    except BaseException as error:
        if is_outage(error):
            # The database itself failed: nothing of this transaction is to be trusted.
            raise
        savepoint.rollback()
        return None, error
    savepoint.commit()
    return result, None
