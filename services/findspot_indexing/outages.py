"""Parts that are away as a whole: work that needs them waits for them, and no document pays for it."""

from __future__ import annotations

import itertools
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from findspot.errors import FindspotError, Reason, Unavailable

log = logging.getLogger(__name__)

_OUTAGES = frozenset(
    {
        Reason.SERVICE_UNAVAILABLE,
        Reason.OVERLOADED,
        Reason.EMBEDDING_UNAVAILABLE,
        Reason.EMBEDDING_CREDENTIAL_REJECTED,
        Reason.EMBEDDING_IDENTITY_NOT_LOADED,
        Reason.TEXT_INDEX_UNAVAILABLE,
        Reason.VECTOR_STORE_UNAVAILABLE,
    }
)


_PATIENCE = {"extraction": 60.0, "chunking": 60.0}
"""Seconds after which a call that is still under way is worth telling; large files take their time."""
_USUAL_PATIENCE = 10.0
_AT_ONCE = 4.0
"""First waits within which an outage that follows another is the same."""
_TOLD_SECONDS = 60.0
"""Between two lines in the log that a part is away, where it comes and goes."""


class PartAway(Unavailable):
    """A call failed because a whole part is away; `part` names it."""

    def __init__(self, part: str, failure: FindspotError) -> None:
        super().__init__(
            f"{part}: {failure.message}",
            reason=failure.reason,
            metadata=failure.metadata,
            retry_after=failure.retry_after,
        )
        self.part = part


@dataclass(frozen=True, slots=True)
class Outage:
    """Why a part is away, and when it may be asked again (seconds of the clock given)."""

    part: str
    reason: Reason
    message: str
    tries: int
    again_at: float


class Outages:
    """Which parts are away. A part comes back with the first call that it answers."""

    def __init__(self, clock: Callable[[], float], *, first: float = 0.25, longest: float = 15.0) -> None:
        """`clock` gives seconds; waits grow from `first` to `longest` seconds, with jitter."""
        self._clock = clock
        self._first = first
        self._longest = longest
        self._away: dict[str, Outage] = {}
        self._under_way: dict[int, tuple[str, float]] = {}
        self._calls = itertools.count()
        self._told: dict[str, float] = {}
        self._over: dict[str, tuple[float, int]] = {}
        """When an outage of a part ended, and how many tries it had taken."""
        self.ended = 0
        """How many outages have ended so far."""

    @contextmanager
    def watch(self, part: str) -> Iterator[None]:
        """Around one call to a part: notes that it is away, raising PartAway, or that it is back."""
        call = next(self._calls)
        self._under_way[call] = (part, self._clock())
        try:
            yield
        except FindspotError as failure:
            if not _is_outage(part, failure):
                # It answered, even though it refused: it is there.
                self._back(part)
                raise
            self._note(part, failure)
            raise PartAway(part, failure) from failure
        finally:
            del self._under_way[call]
        self._back(part)

    @contextmanager
    def recognised(self, part: str) -> Iterator[None]:
        """Around a side question to a part: PartAway when it is away, which is not noted, nor that it is back.

        A service that is too busy for its work may still answer small questions.
        """
        try:
            yield
        except FindspotError as failure:
            if _is_outage(part, failure):
                raise PartAway(part, failure) from failure
            raise

    def wait_seconds(self, *parts: str) -> float:
        """How long to leave these parts alone; 0 when all may be asked now."""
        waits = [self._away[part].again_at - self._clock() for part in parts if part in self._away]
        return max([0.0, *waits])

    def any_away(self, *parts: str) -> bool:
        """True when one of these parts did not answer the last time."""
        return any(part in self._away for part in parts)

    def current(self) -> Outage | None:
        """The outage that has lasted longest by tries; None when all is well."""
        return max(self._away.values(), key=lambda outage: outage.tries, default=None)

    def blocking(self) -> Outage | None:
        """Why the work stands still: a part that is away, else the call that has been under way for too long."""
        return self.current() or self._slowest()

    def _slowest(self) -> Outage | None:
        now = self._clock()
        late = [
            (now - began, part)
            for part, began in self._under_way.values()
            if now - began >= _PATIENCE.get(part, _USUAL_PATIENCE)
        ]
        if not late:
            return None
        waited, part = max(late)
        message = f"{part} has been at one call for {waited:.0f} s: it is slow, or it hangs."
        return Outage(part, Reason.DEADLINE_EXCEEDED, message, 0, now)

    def _back(self, part: str) -> None:
        before = self._away.pop(part, None)
        if before is not None:
            self.ended += 1
            self._over[part] = (self._clock(), before.tries)
            if before.tries > 1:
                log.info("%s is back after %d tries.", part, before.tries)

    def _note(self, part: str, failure: FindspotError) -> None:
        known = self._away.get(part)
        # Calls that were in flight together fail together: that is one outage noticed once.
        if known is not None and known.again_at > self._clock():
            return
        tries = (known.tries if known else self._tries_before(part)) + 1
        wait = backoff(tries, self._first, self._longest)
        if known is None:
            self._tell(part, failure)
        self._away[part] = Outage(part, failure.reason, failure.message, tries, self._clock() + wait)

    def _tries_before(self, part: str) -> int:
        """A part that answers small questions and fails at its work, with a full disk for one, was not back at all."""
        over, tries = self._over.get(part, (0.0, 0))
        return tries if tries and self._clock() - over < _AT_ONCE * self._first else 0

    def _tell(self, part: str, failure: FindspotError) -> None:
        now = self._clock()
        if part in self._told and now - self._told[part] < _TOLD_SECONDS:
            return
        self._told[part] = now
        # A model that is being loaded, or that nobody configured, is no fault: those that last are told by `doctor`.
        log.info("%s is waited for: %s", part, failure.message)


def _is_outage(part: str, failure: FindspotError) -> bool:
    # Without any provider there is nothing to embed with; elsewhere that only refuses what one document asks for.
    if failure.reason is Reason.SEARCH_NOT_PERFORMED:
        return part == "embedding"
    return failure.reason in _OUTAGES


def backoff(tries: int, first: float, longest: float) -> float:
    """Seconds to wait after `tries` failures: doubled each time up to `longest`, less up to half of it.

    The jitter keeps those that failed together from coming back together.
    """
    whole = min(longest, first * 2.0 ** min(tries - 1, 30))
    return whole * (1.0 - 0.5 * random.random())
