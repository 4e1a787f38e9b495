"""A connection to the suite on this machine that outlives its restarts, on other ports too."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from findspot.client.aio import AsyncClient
from findspot.client.connect import connect_async
from findspot.errors import Unavailable

PATIENCE = 90.0
"""Seconds for which a suite may be away before a call is given up."""
_PAUSES = (0.2, 0.5, 1.0, 2.0)

Answer = TypeVar("Answer")


class Reconnecting:
    """Asks a suite, and asks again when it was away for a moment; the calls must be safe to repeat."""

    def __init__(self, data: Path | None) -> None:
        """Connects to the suite in `data`, else to the one that runs; Unavailable when none does."""
        self._data = data
        self._client = connect_async(data)

    async def call(self, ask: Callable[[AsyncClient], Awaitable[Answer]]) -> Answer:
        """The answer, once the suite gives one; Unavailable after `PATIENCE` seconds, other failures at once."""
        loop = asyncio.get_running_loop()
        until, tries = loop.time() + PATIENCE, 0
        while True:
            used = self._client
            try:
                return await ask(used)
            except Unavailable:
                if loop.time() > until:
                    raise
            await asyncio.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
            tries += 1
            self._reconnect(used)

    async def close(self) -> None:
        """Closes the connection."""
        await self._client.close()

    def _reconnect(self, used: AsyncClient) -> None:
        # Calls that run at the same time share the client: the first that comes here replaces it. The old one is not
        # closed, because others may still wait on it; its channel ends with the last of them.
        if self._client is used:
            with contextlib.suppress(Unavailable):
                self._client = connect_async(self._data)
