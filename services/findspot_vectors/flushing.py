"""When the engine writes its own files: after so many points, and when writing has paused."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from findspot.errors import FindspotError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FlushPolicy:
    """Bounds what a restart has to replay from the log, without stalling queries at every write."""

    points: int = 4096
    """Flush at the latest after this many points written or changed."""
    idle_seconds: float = 2.0
    """Flush when no write came for this long."""


class Flusher:
    """Flushes one shard by the policy. A failed flush loses nothing, the log has it all: it is kept as
    `error` and retried."""

    def __init__(
        self, name: str, flush: Callable[[], None], policy: FlushPolicy, after: Callable[[], None]
    ) -> None:
        """`flush` is the engine's; `name` is the collection's, for the log; `after` is called after a
        flush by policy."""
        self.error = ""
        self.unflushed = 0
        self._name = name
        self._flush = flush
        self._policy = policy
        self._after = after
        self._timer: asyncio.TimerHandle | None = None

    def wrote(self, points: int) -> None:
        """To be called after each write, on the event loop."""
        self.unflushed += points
        self._cancel()
        if self.unflushed >= self._policy.points:
            self._try()
        else:
            self._wait()

    def now(self) -> None:
        """Flushes at once. Raises what the engine raises."""
        self._cancel()
        self._flush()
        self.reset()

    def reset(self) -> None:
        """To be called when all is in the engine's files for another reason, or of no use any more."""
        self._cancel()
        self.unflushed = 0
        self.error = ""

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._policy.idle_seconds, self._try)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _try(self) -> None:
        try:
            self.now()
        except FindspotError as failure:
            self.error = failure.message
            _log.error("collection %s cannot be flushed, to be tried again: %s", self._name, failure.message)
            self._wait()
        else:
            self._after()
