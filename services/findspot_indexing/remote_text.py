"""The text index of another process, for a worker that does not own one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NoReturn, Protocol, TypeVar

from findspot.errors import FailedPrecondition, Reason
from findspot.stores.text.schema import TextEntry
from findspot_indexing.text_commits import TextChange

_T = TypeVar("_T")


class TextIndexOwner(Protocol):
    """The owner as a worker calls it."""

    async def apply(
        self,
        *,
        add: Sequence[TextEntry],
        delete: Sequence[str],
        delete_document: str,
        claim: tuple[str, str, int] | None,
    ) -> None:
        """Durable and searchable when it returns."""

    async def count(self) -> int:
        """Chunks as of the last commit."""


class RemoteText:
    """As `TextCommits`, for what workers do. What looks into the index itself is the owner's."""

    def __init__(self, owner: TextIndexOwner, address: str) -> None:
        self._owner = owner
        self._address = address
        self.failed = asyncio.Event()

    async def apply(self, change: TextChange) -> Sequence[str]:
        """Returns when the change is durable and searchable at the owner. Raises as there, or that it is away."""
        claim = change.claim
        await self._owner.apply(
            add=change.add,
            delete=change.delete,
            delete_document=change.delete_document,
            claim=None if claim is None else (claim.document_id, claim.owner, claim.generation),
        )
        return change.delete

    async def count(self) -> int:
        """Chunks in the index as of the last commit."""
        return await self._owner.count()

    @property
    def index(self) -> NoReturn:
        """Raises FailedPrecondition, which names the owner."""
        raise FailedPrecondition(
            f"The text index is owned by the indexing process at {self._address}: ask that one.",
            reason=Reason.STORE_LOCKED,
            metadata={"owner": self._address},
        )

    async def call(self, work: Callable[[], _T]) -> _T:
        """Run work beside the event loop."""
        return await asyncio.to_thread(work)

    async def run(self) -> None:
        """Nothing to commit here: waits until cancelled."""
        await asyncio.Event().wait()

    def close(self) -> None:
        """Nothing to end: the channel is closed by whoever opened it."""
