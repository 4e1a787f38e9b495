"""Changes of the text index for many documents, made durable together: a commit costs more than a chunk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from findspot.errors import FindspotError
from findspot.stores.text.schema import TextEntry
from findspot_indexing.ports import TextIndex

_T = TypeVar("_T")

_SHARE = 4.0
"""Commits may take a quarter of the time."""


@dataclass(frozen=True, slots=True)
class DocumentClaim:
    """What a worker has to hold for its change to count."""

    document_id: str
    owner: str
    generation: int


@dataclass(frozen=True, slots=True)
class TextChange:
    """What to put in and take out for one document."""

    add: Sequence[TextEntry] = ()
    delete: Sequence[str] = ()
    delete_document: str = ""
    claim: DocumentClaim | None = None
    """The change is made only while this holds."""
    if_idle: bool = False
    """Only what is live in no document, and of no document that is being composed, is taken out."""


Checked = TextChange | FindspotError
"""What is left of a change, or why nothing is."""


class Check(Protocol):
    """Looks whether changes may still be made."""

    def __call__(self, connection: Connection, changes: Sequence[TextChange]) -> list[Checked]:
        """One for each change."""


class Look(Protocol):
    """Reads one moment of the manifest, blocking."""

    def __call__(self, work: Callable[[Connection], list[Checked]], /) -> list[Checked]:
        """What the work gives."""


class TextCommits:
    """Applies changes in the order in which they were asked for, at most one commit an interval.

    The engine has one writer, so one thread does all of it. Right before a change is made, in that thread, the
    manifest is asked whether it may be: whatever is asked for later comes later, so what has lost its claim can never
    put back what its successor or a purge took out.
    """

    def __init__(
        self,
        index: TextIndex,
        interval: float,
        clock: Callable[[], float],
        look: Look | None = None,
        check: Check | None = None,
    ) -> None:
        """`interval` in seconds; `clock` gives seconds. Without `look` and `check` every change is made."""
        self._index = index
        self._interval = interval
        self._clock = clock
        self._look = look
        self._check = check
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="text-index")
        self._waiting: list[tuple[TextChange, asyncio.Future[Sequence[str]]]] = []
        self._asked = asyncio.Event()
        self._next = clock()
        self.commits = 0
        self.failed = asyncio.Event()
        """Set by every commit that failed: what the index holds is to be looked at."""

    async def apply(self, change: TextChange) -> Sequence[str]:
        """Returns when the change is durable and searchable, with the ids of `delete` that were taken out.

        Raises TEXT_INDEX_UNAVAILABLE when it is not, Aborted LEASE_LOST when its claim does not hold any more.
        """
        future: asyncio.Future[Sequence[str]] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, future))
        self._asked.set()
        return await future

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

    async def _commit(self, batch: list[tuple[TextChange, asyncio.Future[Sequence[str]]]]) -> None:
        changes = [change for change, _ in batch]
        outcomes: Sequence[TextChange | Exception]
        try:
            outcomes = await asyncio.get_running_loop().run_in_executor(self._thread, self._apply, changes)
        except Exception as error:  # noqa: BLE001 - it is the error of all who wait for this commit
            outcomes = [error] * len(batch)
            self.failed.set()
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.done():
                continue
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome.delete)

    def _apply(self, changes: Sequence[TextChange]) -> Sequence[TextChange | FindspotError]:
        checked = self._checked(changes)
        allowed = [change for change in checked if isinstance(change, TextChange)]
        if not allowed:
            return checked
        try:
            for change in allowed:
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
        return checked

    def _checked(self, changes: Sequence[TextChange]) -> list[Checked]:
        check = self._check
        if self._look is None or check is None or not any(c.claim or c.if_idle for c in changes):
            return list(changes)
        return self._look(lambda connection: check(connection, changes))
