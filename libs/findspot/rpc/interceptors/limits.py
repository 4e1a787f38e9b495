"""Bounded concurrency: a call over the limit is refused at once, with the time after which to try again."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping

from findspot.errors import Reason, ResourceExhausted
from findspot.rpc.interceptors.handlers import AroundInterceptor, Context, is_plumbing

RETRY_AFTER_SECONDS = 0.5
"""What a refused caller is told to wait: a few times the length of a usual call."""


class LimitInterceptor(AroundInterceptor):
    """Counts the calls being served. Health, reflection and channelz always pass.

    A method with a limit of its own counts against that one only: long streams cannot use up the room of
    short calls.
    """

    def __init__(self, max_concurrent: int, method_limits: Mapping[str, int] | None = None) -> None:
        """`method_limits` maps full methods, `/findspot.v1.QueryService/Search`, to calls served at the same
        time."""
        super().__init__()
        self._max_concurrent = max_concurrent
        self._method_limits = dict(method_limits or {})
        self._serving: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def around(self, method: str, context: Context) -> AsyncIterator[None]:
        """Serves the call when there is room; never waits for room."""
        if is_plumbing(method):
            yield
            return
        limit = self._method_limits.get(method, self._max_concurrent)
        counted_as = method if method in self._method_limits else ""
        if self._serving[counted_as] >= limit:
            raise _overloaded(method if counted_as else "the service", limit)
        self._serving[counted_as] += 1
        try:
            yield
        finally:
            self._serving[counted_as] -= 1


def _overloaded(what: str, limit: int) -> ResourceExhausted:
    return ResourceExhausted(
        f"{what.removeprefix('/')} already serves {limit} calls, its limit; "
        f"try again in {RETRY_AFTER_SECONDS} s.",
        reason=Reason.OVERLOADED,
        metadata={"limit": str(limit)},
        retry_after=RETRY_AFTER_SECONDS,
    )
