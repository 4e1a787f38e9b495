"""What clients did to each path and when, and which ends of it some serial order explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tests.crash.documents import Version


class Ending(Enum):
    """How a write ended for the client that asked for it."""

    DONE = "done"
    REFUSED = "refused"
    """Nothing was changed, and the answer says why."""
    OPEN = "open"
    """No answer came: it was done, or it was not."""


@dataclass(frozen=True)
class Write:
    """One call that writes: what it leaves (None: no document), and between which two times it took effect."""

    path: str
    version: Version | None
    began: float
    ended: float
    ending: Ending
    over: int | None = None
    """The generation that it was to replace, for writes that say so."""


def possible_ends(writes: Sequence[Write]) -> list[Version | None]:
    """What one path may hold in the end.

    A write may be the last of a serial order unless another that was done began after it had ended. One without an
    answer may still be the last, or never have been done. A path without any write that was done may be as it was:
    without a document.
    """
    done = [write for write in writes if write.ending is Ending.DONE]
    latest = max((write.began for write in done), default=float("-inf"))
    last = [write.version for write in done if write.ended >= latest]
    perhaps = [write.version for write in writes if write.ending is Ending.OPEN]
    return [*(last or [None]), *perhaps]


def lost_updates(writes: Sequence[Write]) -> list[str]:
    """Generations that more than one write was allowed to replace: all but one of those were lost."""
    allowed = Counter(
        (write.path, write.over) for write in writes if write.ending is Ending.DONE and write.over
    )
    return [
        f"{path}: {count} writes replaced generation {over}"
        for (path, over), count in allowed.items()
        if count > 1
    ]
