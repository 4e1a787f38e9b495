"""How fast chunks are being embedded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping

WINDOW_SECONDS = 10.0


class Rate:
    """Chunks a second over the last ten seconds, by collection."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._events: deque[tuple[float, Mapping[str, int]]] = deque()

    def add(self, counts: Mapping[str, int]) -> None:
        """Note chunks done just now, by collection id."""
        self._events.append((self._clock(), counts))
        self._forget()

    def per_second(self, collection_ids: Collection[str] | None = None) -> float:
        """Over these collections, or over all."""
        self._forget()
        done = sum(
            count
            for _, counts in self._events
            for collection, count in counts.items()
            if collection_ids is None or collection in collection_ids
        )
        return done / max(min(WINDOW_SECONDS, self._clock() - self._began), 1.0)

    def _forget(self) -> None:
        while self._events and self._events[0][0] < self._clock() - WINDOW_SECONDS:
            self._events.popleft()
