"""Deadlines that travel: the time left for a served call bounds every call made while serving it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from contextvars import ContextVar

from findspot.errors import DeadlineExceeded
from findspot.rpc.interceptors.handlers import AroundInterceptor, Context

MARGIN_SECONDS = 0.05
"""At most this much is kept back from a downstream call, so that its failure can still be reported in
time."""
MARGIN_SHARE = 0.05
"""The part of the remaining time that is kept back where that is less than `MARGIN_SECONDS`."""

_deadline: ContextVar[float | None] = ContextVar("findspot_deadline", default=None)


class DeadlineInterceptor(AroundInterceptor):
    """Remembers the deadline of the call being served, and refuses a call that comes too late to be
    answered."""

    @contextlib.asynccontextmanager
    async def around(self, method: str, context: Context) -> AsyncIterator[None]:
        """The deadline is set in the context of the call's own task, so it ends with the call."""
        left = context.time_remaining()
        if left is not None and left <= 0:
            raise DeadlineExceeded(
                f"{method.removeprefix('/')} was called when its time had already run out."
            )
        _deadline.set(None if left is None else time.monotonic() + left)
        yield


def remaining() -> float | None:
    """Seconds left for the call being served, negative when over; None outside of a call or without a
    deadline."""
    deadline = _deadline.get()
    return None if deadline is None else deadline - time.monotonic()


def outgoing_timeout(asked: float | None, default: float | None) -> float | None:
    """The timeout of a call about to be made, in seconds: what was asked, never longer than the time that is
    left.

    With nothing asked it is the time that is left minus a margin, and `default` outside of a served call. 0
    when no time is left: such a call has to fail with DEADLINE_EXCEEDED and is not worth making.
    """
    left = remaining()
    if left is None:
        return default if asked is None else asked
    usable = max(0.0, left - min(MARGIN_SECONDS, left * MARGIN_SHARE))
    return usable if asked is None else min(asked, usable)


@contextlib.contextmanager
def no_deadline() -> Iterator[None]:
    """For work that outlives the call which began it: tasks created inside do not inherit the call's
    deadline."""
    token = _deadline.set(None)
    try:
        yield
    finally:
        _deadline.reset(token)


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Every call made inside has to end within `seconds`, or sooner when the call being served does."""
    left = remaining()
    token = _deadline.set(time.monotonic() + (seconds if left is None else min(seconds, left)))
    try:
        yield
    finally:
        _deadline.reset(token)
