"""Full texts of documents, read from their blobs and kept for a while within a bound of characters."""

from __future__ import annotations

import threading
from collections import OrderedDict

from findspot_query.ports import TextBlobs


class DocumentTexts:
    """Texts by blob key. A key names its bytes, so what is kept can never be stale."""

    def __init__(self, blobs: TextBlobs, max_characters: int) -> None:
        self._blobs = blobs
        self._max = max_characters
        self._held = 0
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def text(self, key: str) -> str:
        """The full text under a key; DataLoss when the blob is damaged or gone."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
        text = self._blobs.get(key).decode()
        with self._lock:
            if key not in self._kept and len(text) <= self._max:
                self._kept[key] = text
                self._held += len(text)
                while self._held > self._max:
                    self._held -= len(self._kept.popitem(last=False)[1])
        return text
