"""How each directory fared when it was last looked at, and whose turn it is: one sync of a collection at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from findspot.errors import FindspotError


@dataclass(frozen=True, slots=True)
class SourceState:
    """A directory as it was last looked at. `looked_at` is in microseconds since 1970, 0 when it never was."""

    looked_at: int = 0
    problem: FindspotError | None = None
    """Why it could not be looked at, or why nothing was pruned."""
    waiting_to_prune: int = 0
    """Documents whose file is gone and that stay until somebody confirms it."""
    refused: int = 0
    unreadable: int = 0
    watched: bool = False
    """True while changes are told as they happen."""
    watch_problem: str = ""
    """Why they are not, where they should be."""


class Sources:
    """State of the directories, by id of the collection. Kept in memory: a scan at the start tells it again."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._states: dict[str, SourceState] = {}
        self._changed = asyncio.Event()

    def turn(self, collection_id: str) -> asyncio.Lock:
        """Held by whoever brings a collection in line with its directory."""
        return self._locks.setdefault(collection_id, asyncio.Lock())

    def state(self, collection_id: str) -> SourceState:
        """How a directory fared last."""
        return self._states.get(collection_id, SourceState())

    def note(self, collection_id: str, **changes: object) -> None:
        """Note how it fares now, and tell those who wait."""
        self._states[collection_id] = replace(self.state(collection_id), **changes)  # type: ignore[arg-type]
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition over the states holds; looked at whenever one changes."""
        while not condition():
            await self._changed.wait()
