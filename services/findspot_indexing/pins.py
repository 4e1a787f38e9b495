"""Blobs that somebody is about to refer to: they stay, though nobody refers to them yet."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Pins:
    """Counts of who needs a blob. Used from the event loop and from the writing thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pins: dict[str, int] = {}

    def pin(self, key: str) -> None:
        """Keep a blob until it is unpinned as often as it was pinned."""
        with self._lock:
            self._pins[key] = self._pins.get(key, 0) + 1

    def unpin(self, key: str) -> None:
        """The blob is referred to now, or no longer wanted."""
        with self._lock:
            self._pins[key] -= 1
            if not self._pins[key]:
                del self._pins[key]

    def remove_unless_pinned(self, key: str, remove: Callable[[str], bool]) -> bool:
        """Call `remove` unless the blob is pinned; nobody can pin it meanwhile. True when it was removed.

        Whoever pins it after that finds no file, and writes it again.
        """
        with self._lock:
            return key not in self._pins and remove(key)
