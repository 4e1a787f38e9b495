"""When a write is safe: the engine's write-ahead log, forced to the disk, one force for all who wait."""

from __future__ import annotations

import asyncio
from pathlib import Path

from findspot_vectors.disk import sync_files


class WriteAheadLog:
    """The log files of one shard, forced to the disk in groups.

    Every engine update is in the log before the call returns, so forcing the log's files is all that a
    loss of power
    asks for; the engine replays it. It takes 1.5 ms in a thread that leaves the interpreter alone, where
    the engine's own
    `flush` holds the interpreter lock for 30 ms and more, with every query waiting.
    """

    def __init__(self, shard: Path) -> None:
        self._directory = shard / "wal"
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None
        self.forced = 0
        """How often the files were forced."""

    async def durable(self) -> None:
        """Returns when every update made before this call is on the disk.

        A force that runs already may have passed the caller's bytes: all who come meanwhile share the one
        after it.
        Raises OSError when the disk fails.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._force(self._running))
        # Shielded: a caller that goes away must not take the force from the others.
        await asyncio.shield(self._next)

    async def _force(self, before: asyncio.Task[None] | None) -> None:
        if before is not None and not before.done():
            await asyncio.wait([before])
        self._running, self._next = self._next, None
        await asyncio.to_thread(sync_files, self._directory)
        self.forced += 1
