"""How far a running operation is: counted in memory, kept in the manifest, and the place where it stops."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from findspot.errors import Aborted, Cancelled, Reason
from findspot.model import Notice
from findspot.stores.manifest import operations
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.operations import Operation, Standing
from findspot_indexing.access import Manifest

MOST_NOTICES = 100
"""Kept of an operation. The last of them gives way to one that says how many more there were."""
_SAVED_EVERY = SECOND // 4


class OperationCancelled(Cancelled):
    """Somebody asked the operation to stop: raised at a safe point, and let through by the work."""


class OperationTaken(Aborted):
    """The lease ran out and another worker may have taken the operation up: this one lets go of it."""


class Progress:
    """What the work of an operation counts. Begins with what was kept when the operation was resumed."""

    def __init__(
        self, manifest: Manifest, operation: Operation, owner: str, clock: Callable[[], int]
    ) -> None:
        self._manifest = manifest
        self._id = operation.id
        self._owner = owner
        self._clock = clock
        self._saved_at = 0
        self._saved = operation.standing
        standing = operation.standing
        self.done = standing.done
        self.total = standing.total
        self.failed = standing.failed
        self.counts: dict[str, int] = dict(standing.counts or {})
        self._notices = list(standing.notices)
        self._notice_count = standing.notice_count

    @property
    def standing(self) -> Standing:
        """All of it as one value."""
        return Standing(
            self.done, self.total, self.failed, dict(self.counts), tuple(self._notices), self._notice_count
        )

    def reset(self) -> None:
        """Begin from nothing: for work that does everything again when it is resumed."""
        self.done = self.total = self.failed = self._notice_count = 0
        self.counts.clear()
        self._notices.clear()

    def count(self, name: str, by: int = 1) -> None:
        """Count what was done under a name that the caller is told, `added` for one."""
        self.counts[name] = self.counts.get(name, 0) + by

    def note(self, notice: Notice) -> None:
        """Tell the caller something: the first hundred are kept, the others counted."""
        self._notice_count += 1
        if len(self._notices) < MOST_NOTICES:
            self._notices.append(notice)

    async def save(self, *, now: bool = False) -> None:
        """Keep it, at most four times a second unless `now`: a safe point, at which the operation may end.

        Raises OperationCancelled when somebody asked for it, OperationTaken when the lease was lost.
        """
        if now or self._clock() - self._saved_at >= _SAVED_EVERY:
            await self._manifest.write(self.save_in)

    def save_in(self, connection: Connection) -> None:
        """The same in a transaction of the caller, together with what is counted: all of it or nothing."""
        at, standing = self._clock(), self.standing
        stop = operations.save(
            connection, self._id, self._owner, standing, at, further=standing != self._saved
        )
        if stop is None:
            raise OperationTaken(f"Another worker took operation {self._id} up.", reason=Reason.LEASE_LOST)
        if stop:
            raise OperationCancelled(f"Operation {self._id} was asked to stop.", reason=Reason.CANCELLED)
        self._saved_at, self._saved = at, standing
