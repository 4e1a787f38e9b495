"""Telling those who wait that something changed: without polling, and without a queue that can grow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Changes:
    """A count of changes that can be waited on. Used from one event loop; `announce` from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._count = 0
        self._changed = asyncio.Event()

    @property
    def count(self) -> int:
        """How many changes there were so far."""
        return self._count

    def announce(self, also: Callable[[], None] | None = None) -> None:
        """Say that something changed; `also` is called in the loop."""
        # After the loop has ended nobody waits any more.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note)
            if also is not None:
                self._loop.call_soon_threadsafe(also)

    async def after(self, count: int) -> int:
        """Wait until there were more than `count` changes; returns how many there are."""
        while self._count <= count:
            await self._changed.wait()
        return self._count

    def _note(self) -> None:
        self._count += 1
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()
