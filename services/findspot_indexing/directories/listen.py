"""Hearing of changes below directories: one thread for all of them, whatever their number."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from watchfiles import watch

log = logging.getLogger(__name__)

_TOGETHER_MS = 1600
"""Changes that follow each other are told together, after this long at the latest."""
_QUIET_MS = 100
"""Or as soon as nothing happened for this long."""
_TICK_MS = 500

Heard = Callable[[Sequence[str]], None]
"""Takes the absolute paths that changed."""


class Listener:
    """Listens to some directories until it is closed, or until it cannot any more."""

    def __init__(self, roots: Sequence[str], heard: Heard) -> None:
        """`heard` is called in the event loop that makes this."""
        self._roots = roots
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._ended = asyncio.Event()
        self.problem: Exception | None = None
        """Why it ended, if it did by itself."""
        self._thread = threading.Thread(target=self._listen, name="directories", daemon=True)
        self._thread.start()

    async def ready(self) -> None:
        """Wait until changes are heard. Raises what the system says when they cannot be."""
        await asyncio.shield(self._ready)

    @property
    def ended(self) -> bool:
        """True when nothing is heard any more."""
        return self._ended.is_set()

    async def close(self) -> None:
        """Stop listening, and wait until the thread has ended."""
        self._stop.set()
        await self._ended.wait()
        if self._ready.done() and not self._ready.cancelled():
            self._ready.exception()

    def _listen(self) -> None:
        problem: Exception | None = None
        try:
            changes = watch(
                *self._roots,
                watch_filter=None,
                debounce=_TOGETHER_MS,
                step=_QUIET_MS,
                rust_timeout=_TICK_MS,
                yield_on_timeout=True,
                stop_event=self._stop,
                raise_interrupt=False,
                ignore_permission_denied=True,
            )
            for batch in changes:
                # An empty one means that it has begun to listen, and that nothing happened.
                self._tell(self._take, [path for _, path in batch])
        except Exception as error:  # noqa: BLE001 - whoever listens is told
            problem = error
        self._tell(self._end, problem)

    def _tell(self, function: Callable[..., None], *arguments: object) -> None:
        # The loop may be gone when the service is stopped: then nobody listens any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def _take(self, paths: Sequence[str]) -> None:
        if not self._ready.done():
            self._ready.set_result(None)
        if paths:
            self._heard(paths)

    def _end(self, problem: Exception | None) -> None:
        self.problem = problem
        if not self._ready.done():
            self._ready.set_exception(problem or RuntimeError("closed before it began"))
        self._ended.set()
