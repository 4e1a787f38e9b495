"""Runs a provider on threads: documents on as many as it wants, queries on their own, each with a bounded
queue.

A query never waits behind a document: it has other threads on the same session, and the kernel shares the
cores between them. Nor does the counting of tokens. A call of documents is worked on by all document threads
at once, each taking the next text; calls are served in order of arrival.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from findspot.errors import ResourceExhausted
from findspot.model import EmbeddingIdentity, InputType
from findspot_embedding.provider import Provider, Refusal


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """How much may wait and run at once."""

    document_queue: int = 1024
    """Texts of documents that may be accepted and not yet embedded."""
    query_queue: int = 256
    """Texts of queries that may be accepted and not yet embedded."""
    query_threads: int = 2


class _Lane:
    """Threads, a bounded count of accepted texts, and the pace at which they are done."""

    def __init__(self, name: str, threads: int, capacity: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"embed-{name}")
        self._name = name
        self._capacity = capacity
        self._waiting = 0
        self._seconds_a_text = 0.02

    async def run(self, texts: int, workers: int, work: Callable[[], None]) -> None:
        """Run `work` on up to `workers` threads until all return; the caller's cancellation and any error
        come out here."""
        self._admit(texts)
        began = time.monotonic()
        try:
            loop = asyncio.get_running_loop()
            await asyncio.gather(*(loop.run_in_executor(self._pool, work) for _ in range(workers)))
            pace = (time.monotonic() - began) / self._waiting
            self._seconds_a_text += (pace - self._seconds_a_text) * 0.1
        finally:
            self._waiting -= texts

    def _admit(self, texts: int) -> None:
        # One call always fits an idle lane, however small the configured queue.
        if self._waiting and self._waiting + texts > self._capacity:
            raise ResourceExhausted(
                f"{self._waiting} {self._name} texts are waiting to be embedded, and {texts} more would be "
                f"over {self._capacity}: send them again later, or fewer at once.",
                retry_after=max(0.05, self._waiting * self._seconds_a_text),
            )
        self._waiting += texts

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


class _Call:
    """One call's texts, handed out to threads in slices until they are done or nobody wants them any more."""

    def __init__(self, size: int, step: int, work: Callable[[int, int], None]) -> None:
        self.stopped = False
        self._size = size
        self._step = step
        self._work = work
        self._starts = count(0, step)  # next() on it is atomic

    def __call__(self) -> None:
        try:
            while not self.stopped and (start := next(self._starts)) < self._size:
                self._work(start, min(start + self._step, self._size))
        except BaseException:
            self.stopped = True  # the other threads need not finish what failed as a whole
            raise


class Engine:
    """A provider with threads of its own. Use from one event loop; `close` may be called from any thread."""

    def __init__(self, provider: Provider, limits: EngineLimits) -> None:
        self.provider = provider
        self._documents = _Lane("document", provider.document_threads, limits.document_queue)
        self._queries = _Lane("query", limits.query_threads, limits.query_queue)
        # Counting tokens behind documents would let text searches wait for vectors: chunks are cut by the count.
        self._counting = _Lane("tokenize", 1, limits.document_queue)

    @property
    def identity(self) -> EmbeddingIdentity:
        """What its vectors may be compared with."""
        return self.provider.identity

    async def embed(self, texts: Sequence[str], side: InputType) -> list[NDArray[np.float32] | Refusal]:
        """A vector or a refusal of each text, in order.

        Raises ResourceExhausted when too many texts wait, and what the provider raises. A cancelled call
        stops at the next text.
        """
        outcomes: list[NDArray[np.float32] | Refusal | None] = [None] * len(texts)

        def work(start: int, end: int) -> None:
            outcomes[start:end] = self.provider.embed(texts[start:end], side)

        lane = self._queries if side is InputType.QUERY else self._documents
        await self._spread(lane, len(texts), self.provider.texts_per_call, work)
        return [outcome for outcome in outcomes if outcome is not None]

    async def token_starts(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Code points at which the tokens of each text start, in order. Errors as for `embed`."""
        starts: list[NDArray[np.uint32] | None] = [None] * len(texts)

        def work(start: int, end: int) -> None:
            starts[start:end] = self.provider.token_starts(texts[start:end])

        await self._spread(self._counting, len(texts), 1, work)
        return [each for each in starts if each is not None]

    async def _spread(self, lane: _Lane, size: int, step: int, work: Callable[[int, int], None]) -> None:
        call = _Call(size, step, work)
        try:
            await lane.run(size, min(lane.threads, -(-size // step)), call)
        finally:
            call.stopped = True

    def close(self) -> None:
        """Wait for the texts being worked on, drop the rest, let the provider go."""
        self._documents.close()
        self._queries.close()
        self._counting.close()
        self.provider.close()
