"""Changes of the text index for many documents, made durable together: a commit costs more than a chunk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from findspot.stores.text.schema import TextEntry
from findspot_indexing.ports import TextIndex

_T = TypeVar("_T")

_SHARE = 4.0
"""Commits may take a quarter of the time."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """What to put in and take out for one document."""

    add: Sequence[TextEntry] = ()
    delete: Sequence[str] = ()
    delete_document: str = ""


class TextCommits:
    """Applies changes in the order in which they were asked for, at most one commit an interval.

    The engine has one writer, so one thread does all of it.
    """

    def __init__(self, index: TextIndex, interval: float, clock: Callable[[], float]) -> None:
        """`interval` in seconds; `clock` gives seconds."""
        self._index = index
        self._interval = interval
        self._clock = clock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="text-index")
        self._waiting: list[tuple[TextChange, asyncio.Future[None]]] = []
        self._asked = asyncio.Event()
        self._next = clock()
        self.commits = 0
        self.failed = asyncio.Event()
        """Set by every commit that failed: what the index holds is to be looked at."""

    async def apply(self, change: TextChange) -> None:
        """Returns when the change is durable and searchable; raises TEXT_INDEX_UNAVAILABLE when it is not."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, future))
        self._asked.set()
        await future

    async def count(self) -> int:
        """Chunks in the index as of the last commit."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._index.count)

    @property
    def index(self) -> TextIndex:
        """The index itself: what changes or reads it goes through `call`."""
        return self._index

    async def call(self, work: Callable[[], _T]) -> _T:
        """Run work on the index between two commits, in the thread that does them all."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def run(self) -> None:
        """Commit what is asked for, until cancelled."""
        while True:
            await self._asked.wait()
            # What comes within the interval goes with this commit; the first after a pause goes at once.
            await asyncio.sleep(max(0.0, self._next - self._clock()))
            self._asked.clear()
            batch, self._waiting = self._waiting, []
            began = self._clock()
            await self._commit(batch)
            # On a busy machine commits take long: fewer and larger ones leave it to the work that waits.
            self._next = began + max(self._interval, _SHARE * (self._clock() - began))

    def close(self) -> None:
        """End the thread; what still waits is cancelled with its tasks."""
        self._thread.shutdown()

    async def _commit(self, batch: list[tuple[TextChange, asyncio.Future[None]]]) -> None:
        changes = [change for change, _ in batch]
        problem: Exception | None = None
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._apply, changes)
        except Exception as error:  # noqa: BLE001 - it is the error of all who wait for this commit
            problem = error
            self.failed.set()
        for _, future in batch:
            if future.done():
                continue
            if problem is None:
                future.set_result(None)
            else:
                future.set_exception(problem)

    def _apply(self, changes: Sequence[TextChange]) -> None:
        try:
            for change in changes:
                if change.delete_document:
                    self._index.delete_document(change.delete_document)
                if change.delete:
                    self._index.delete(change.delete)
                if change.add:
                    self._index.add(change.add)
            self._index.commit()
        except BaseException:
            # Half a batch must not go with the commit of the next one.
            self._index.rollback()
            raise
        self.commits += 1
