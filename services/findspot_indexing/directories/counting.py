"""What a sync counts and tells while it runs: into an operation, or only for itself."""

from __future__ import annotations

from typing import Protocol

from findspot.model import Notice
from findspot_indexing.operations.progress import Progress

MOST_NOTICES = 100


class Counting(Protocol):
    """How far a sync is. `left` holds files that have to be looked at again soon."""

    done: int
    total: int
    failed: int
    left: list[str]

    def count(self, name: str, by: int = 1) -> None:
        """Count what was done."""

    def note(self, notice: Notice) -> None:
        """Tell whoever asks."""

    async def save(self) -> None:
        """A safe point: the work may be ended here."""


class Tally:
    """Counts for a sync that is no operation: of a watched directory, or a dry run."""

    def __init__(self) -> None:
        self.done = self.total = self.failed = 0
        self.left: list[str] = []
        self.counts: dict[str, int] = {}
        self.notices: list[Notice] = []

    def count(self, name: str, by: int = 1) -> None:
        """Count what was done."""
        self.counts[name] = self.counts.get(name, 0) + by

    def note(self, notice: Notice) -> None:
        """Keep the first hundred."""
        if len(self.notices) < MOST_NOTICES:
            self.notices.append(notice)

    async def save(self) -> None:
        """Nothing to keep: whatever is cut short is found by the next scan."""


class OfOperation:
    """Counts into the progress of an operation."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.left: list[str] = []

    @property
    def done(self) -> int:
        """Items done."""
        return self._progress.done

    @done.setter
    def done(self, value: int) -> None:
        self._progress.done = value

    @property
    def total(self) -> int:
        """Items in all."""
        return self._progress.total

    @total.setter
    def total(self, value: int) -> None:
        self._progress.total = value

    @property
    def failed(self) -> int:
        """Items that failed."""
        return self._progress.failed

    @failed.setter
    def failed(self, value: int) -> None:
        self._progress.failed = value

    def count(self, name: str, by: int = 1) -> None:
        """Count what was done."""
        self._progress.count(name, by)

    def note(self, notice: Notice) -> None:
        """Tell whoever asks for the operation."""
        self._progress.note(notice)

    async def save(self) -> None:
        """Keep it with the operation."""
        await self._progress.save()
