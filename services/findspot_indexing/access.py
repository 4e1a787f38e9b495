"""The manifest from an event loop: reads in a few threads, writes in one, several to a transaction."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from findspot.errors import FindspotError, Reason, Unavailable
from findspot.stores.manifest.engine import read_snapshot, write

_T = TypeVar("_T")
_MOST_TOGETHER = 64

Work = Callable[[Connection], Any]
_Item = tuple[Work, "Future[Any]"]


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
        self._thread = threading.Thread(target=self._run, name="manifest-write", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], _T]) -> _T:
        """Run `work` in a writing transaction; when this returns, what it did is committed.

        The caller may go away meanwhile: the work is done all the same.
        """
        future: Future[_T] = Future()
        self._waiting.put((work, future))
        waiting = asyncio.wrap_future(future)
        # Looked at even when nobody waits any more: asyncio would report an error that nobody saw.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(waiting)

    async def read(self, work: Callable[[Connection], _T]) -> _T:
        """Run `work` in a reading transaction: it sees one moment of the manifest."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def close(self) -> None:
        """Finish what waits and end the threads."""
        self._waiting.put(None)
        self._thread.join()
        self._readers.shutdown()
        self._engine.dispose()

    def _read(self, work: Callable[[Connection], _T]) -> _T:
        try:
            with read_snapshot(self._engine) as snapshot:
                return work(snapshot.connection)
        except OperationalError as error:
            raise _unavailable(error) from error

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
        outcomes: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            with write(self._engine) as connection:
                for work, future in batch:
                    alone = len(batch) == 1
                    # A failure of the only one takes back the whole transaction: no savepoint is needed.
                    outcome = (work(connection), None) if alone else _attempt(connection, work)
                    outcomes.append((future, *outcome))
        except BaseException as error:  # noqa: BLE001 - it is the callers' error: each of them gets it
            failure = _unavailable(error) if isinstance(error, OperationalError) else error
            outcomes = [(future, None, failure) for _, future in batch]
        if self._on_commit is not None:
            self._on_commit()
        for future, result, problem in outcomes:
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)


def _attempt(connection: Connection, work: Work) -> tuple[Any, BaseException | None]:
    savepoint = connection.begin_nested()
    try:
        result = work(connection)
    except OperationalError:
        # The database itself failed: nothing of this transaction is to be trusted.
        raise
    except BaseException as error:  # noqa: BLE001 - handed to the caller whose work it was
        savepoint.rollback()
        return None, error
    savepoint.commit()
    return result, None


def _unavailable(error: BaseException) -> FindspotError:
    return Unavailable(
        f"The manifest cannot be used now: {error}. Look at the disk and at who holds the database.",
        reason=Reason.SERVICE_UNAVAILABLE,
        retry_after=1.0,
    )
