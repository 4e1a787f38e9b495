"""Windows that were ranked a short while ago: the next page of the same replica costs no second retrieval."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from findspot_query.candidates import Candidate, Group
from findspot_query.page_tokens import LIFETIME_SECONDS, PinnedWindow
from findspot_query.rankings import Ranking


class RecentWindows:
    """Rankings by what their page token pins. Another replica ranks again and keeps the pinned order."""

    def __init__(self, entries: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries = entries
        self._clock = clock
        self._kept: OrderedDict[bytes, tuple[float, Ranking]] = OrderedDict()

    def keep(self, key: bytes, ranking: Ranking) -> None:
        """Keeps a ranking for as long as its token lives, or until there are too many."""
        self._kept[key] = (self._clock() + LIFETIME_SECONDS, ranking)
        while len(self._kept) > self._entries:
            self._kept.popitem(last=False)

    def find(self, key: bytes) -> Ranking | None:
        """The ranking, when this replica still has it."""
        kept = self._kept.get(key)
        return kept[1] if kept is not None and kept[0] > self._clock() else None


@dataclass(frozen=True, slots=True)
class WindowKey:
    """What tells one window from another: the request and the pinned order."""

    request_hash: bytes
    caller: str
    entries: tuple[tuple[str, float], ...]

    def digest(self) -> bytes:
        """16 bytes."""
        # Scores travel as 32-bit floats: the order of ids alone names the window.
        order = "\x1f".join(chunk for chunk, _ in self.entries)
        return hashlib.sha256(self.request_hash + self.caller.encode() + order.encode()).digest()[:16]


def pinned(groups: Sequence[Group], offset: int, *, complete: bool) -> PinnedWindow:
    """The window to be carried by the token for the page at `offset`."""
    entries = tuple((found.best.id, found.best.score) for found in groups)
    return PinnedWindow(offset, entries, not complete)


def in_pinned_order(ranking: Ranking, window: PinnedWindow) -> Ranking:
    """A new ranking put into the order that a token pins, with the details that are known now.

    What is not found any more keeps its place with the score it had; `hydrate` drops it when it is not live.
    """
    by_member = {member.id: found for found in ranking.groups for member in found.members}
    groups = []
    for chunk, score in window.entries:
        found = by_member.get(chunk)
        if found is None:
            groups.append(Group(chunk, (Candidate(chunk, "", 0, "", score=score),)))
            continue
        best = next(member for member in found.members if member.id == chunk)
        others = tuple(member for member in found.members if member.id != chunk)
        groups.append(Group(found.key, (best._replace(score=score), *others)))
    return replace(ranking, groups=tuple(groups), complete=not window.count_is_lower_bound)
