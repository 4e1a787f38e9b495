"""Which documents somebody in this process is at work on, so that no two change the same one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Holding:
    """A lock for each document that is being worked on."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: dict[str, int] = {}
        self._composing: dict[str, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def hold(self, document_id: str) -> AsyncIterator[None]:
        """Hold a document for the block, waiting for whoever holds it now."""
        lock = self._locks.setdefault(document_id, asyncio.Lock())
        self._waiting[document_id] = self._waiting.get(document_id, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._waiting[document_id] -= 1
            if not self._waiting[document_id]:
                del self._waiting[document_id], self._locks[document_id]

    def held(self, document_id: str) -> bool:
        """True while somebody holds it."""
        return document_id in self._locks

    def begin(self, document_id: str, task: asyncio.Task[None]) -> None:
        """Note the task that composes a document, until the task ends."""
        self._composing[document_id] = task
        task.add_done_callback(lambda ended: self._end(document_id, ended))

    def _end(self, document_id: str, task: asyncio.Task[None]) -> None:
        # Newer bytes may have begun a task of their own meanwhile.
        if self._composing.get(document_id) is task:
            del self._composing[document_id]

    def composing(self) -> dict[str, asyncio.Task[None]]:
        """The tasks that compose documents now, by document."""
        return dict(self._composing)

    def interrupt(self, document_id: str) -> None:
        """End the composing of a document: it is to be erased, so what comes of it is of no use."""
        task = self._composing.get(document_id)
        if task is not None:
            task.cancel()
