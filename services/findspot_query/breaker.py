"""A part that hangs is left alone for a while, so that not every search waits its whole budget for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from findspot.errors import Cancelled, FindspotError, Reason, Unavailable

_T = TypeVar("_T")

_HANGS = 2
"""Calls in a row that used up their budget, before the part is left alone."""
_FIRST, _LONGEST = 1.0, 15.0
_MOST_OF_IT = 0.9


class Breaker:
    """Around all calls to one part. After a pause one call tries it again; the others are refused until it ended.

    A part that fails at once is asked each time: that costs nothing, and it may be back.
    """

    def __init__(self, part: str, reason: Reason, budget: float, clock: Callable[[], float]) -> None:
        """`budget` is what a call may take, in seconds; `clock` gives seconds."""
        self._part = part
        self._reason = reason
        self._budget = budget
        self._clock = clock
        self._hangs = 0
        self._again_at = 0.0
        self._probing = False

    async def call(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """What `work` answers. Unavailable, at once, while the part is left alone."""
        probe = self._hangs >= _HANGS
        if probe and (self._probing or self._clock() < self._again_at):
            raise self._left_alone()
        self._probing = probe
        began = self._clock()
        try:
            answer = await work()
        except Cancelled:
            raise
        except FindspotError:
            self._failed_after(self._clock() - began)
            raise
        finally:
            if probe:
                self._probing = False
        self._hangs = 0
        return answer

    def _failed_after(self, seconds: float) -> None:
        if seconds < _MOST_OF_IT * self._budget:
            self._hangs = 0
            return
        self._hangs += 1
        pause = min(_LONGEST, _FIRST * 2.0 ** min(30, max(0, self._hangs - _HANGS)))
        self._again_at = self._clock() + pause

    def _left_alone(self) -> Unavailable:
        wait = max(0.0, self._again_at - self._clock())
        return Unavailable(
            f"{self._part} did not answer within {self._budget:g} s {self._hangs} times in a row; it is asked again "
            f"in {wait:.1f} s. Until then searches go on without it.",
            reason=self._reason,
            retry_after=max(0.1, wait),
        )
