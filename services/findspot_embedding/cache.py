"""Vectors of recent queries: people page, refine and repeat, and services ask several times for one
search."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class QueryCache:
    """Vectors by identity and query text, bounded in number and age; the least recently used goes first."""

    def __init__(
        self, entries: int = 4096, seconds: float = 300.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`entries` 0 keeps nothing."""
        self._entries = entries
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], tuple[float, NDArray[np.float32]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, identity: str, text: str) -> NDArray[np.float32] | None:
        """The vector of `text`, or None when it is unknown or too old."""
        found = self._kept.get((identity, text))
        if found is None:
            return None
        if self._clock() - found[0] > self._seconds:
            del self._kept[identity, text]
            return None
        self._kept.move_to_end((identity, text))
        return found[1]

    def put(self, identity: str, text: str, vector: NDArray[np.float32]) -> None:
        """Keep the vector of `text` from now on."""
        self._kept[identity, text] = (self._clock(), vector)
        self._kept.move_to_end((identity, text))
        while len(self._kept) > self._entries:
            self._kept.popitem(last=False)
