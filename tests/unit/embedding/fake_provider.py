"""A provider without a model, for tests of queues and of the wire: its vectors tell which text they are of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from findspot.errors import Reason
from findspot.model import EmbeddingIdentity, InputType
from findspot_embedding.provider import Refusal

IDENTITY = EmbeddingIdentity("fake-key", "fake@4", "fake", 4, input_limit=10)


def vector_of(text: str) -> NDArray[np.float32]:
    """A vector of length 1 whose direction is a function of the text."""
    row = np.random.default_rng(sum(map(ord, text))).normal(size=IDENTITY.dimension).astype(np.float32)
    return row / np.linalg.norm(row)


class FakeProvider:
    """Refuses texts over ten characters; `before` runs in the calling thread before each call."""

    kind = "fake"

    def __init__(
        self,
        before: Callable[[Sequence[str], InputType], None] = lambda texts, side: None,
        identity: EmbeddingIdentity = IDENTITY,
        texts_per_call: int = 1,
        document_threads: int = 2,
    ) -> None:
        self.identity = identity
        self.texts_per_call = texts_per_call
        self.document_threads = document_threads
        self.calls: list[tuple[str, ...]] = []
        self.closed = threading.Event()
        self._before = before

    def embed(self, texts: Sequence[str], side: InputType) -> list[NDArray[np.float32] | Refusal]:
        self.calls.append(tuple(texts))
        self._before(texts, side)
        limit = self.identity.input_limit
        too_long = Refusal(Reason.EMBEDDING_INPUT_TOO_LONG, f"over {limit}")
        return [vector_of(text) if len(text) <= limit else too_long for text in texts]

    def token_starts(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        return [np.arange(len(text), dtype=np.uint32) for text in texts]

    def close(self) -> None:
        self.closed.set()
