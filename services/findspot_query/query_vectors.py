"""Query vectors: asked of the embedding service within a budget, and kept for a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from findspot.errors import Reason, Unavailable
from findspot.model import EmbeddingIdentity, InputType
from findspot_query.breaker import Breaker
from findspot_query.ports import QueryVector


class _Failed(Protocol):
    @property
    def reason(self) -> Reason: ...
    @property
    def message(self) -> str: ...


class _Batch(Protocol):
    @property
    def identity(self) -> EmbeddingIdentity: ...
    @property
    def vectors(self) -> QueryVector: ...
    @property
    def failures(self) -> Sequence[_Failed]: ...


class EmbeddingService(Protocol):
    """The embedding service as far as queries need it."""

    async def embed(self, texts: Sequence[str], input_type: InputType, identity_key: str, /) -> _Batch:
        """One vector a text."""


@dataclass(frozen=True, slots=True)
class VectorCacheLimits:
    """How long and how many query vectors are kept, and how long one may take."""

    budget_seconds: float = 2.0
    lifetime_seconds: float = 300.0
    entries: int = 2_048


class QueryVectors:
    """A `QueryEmbedder` over the embedding service. Failures are never kept."""

    def __init__(
        self,
        service: EmbeddingService,
        limits: VectorCacheLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._service = service
        self._limits = limits
        self._clock = clock
        self._breaker = Breaker(
            "The embedding service", Reason.EMBEDDING_UNAVAILABLE, limits.budget_seconds, clock
        )
        self._kept: OrderedDict[tuple[str, str], tuple[float, QueryVector]] = OrderedDict()

    async def embed_query(self, text: str, identity: EmbeddingIdentity) -> QueryVector:
        """The vector under exactly this identity. Unavailable EMBEDDING_UNAVAILABLE when the budget runs out."""
        key = (identity.key, text)
        kept = self._kept.get(key)
        if kept is not None and kept[0] > self._clock():
            self._kept.move_to_end(key)
            return kept[1]
        vector = await self._breaker.call(lambda: self._embed(text, identity))
        self._kept[key] = (self._clock() + self._limits.lifetime_seconds, vector)
        self._kept.move_to_end(key)
        while len(self._kept) > self._limits.entries:
            self._kept.popitem(last=False)
        return vector

    async def _embed(self, text: str, identity: EmbeddingIdentity) -> QueryVector:
        try:
            async with asyncio.timeout(self._limits.budget_seconds):
                batch = await self._service.embed([text], InputType.QUERY, identity.key)
        except TimeoutError:
            raise Unavailable(
                f"The embedding service did not answer within {self._limits.budget_seconds} s. "
                "The same search may work later.",
                reason=Reason.EMBEDDING_UNAVAILABLE,
            ) from None
        if batch.failures:
            failed = batch.failures[0]
            raise Unavailable(failed.message, reason=failed.reason)
        if batch.identity.key != identity.key:
            raise Unavailable(
                f"The embedding service answered with {batch.identity.display}, not with {identity.display}.",
                reason=Reason.EMBEDDING_RESPONSE_INVALID,
            )
        vector: QueryVector = batch.vectors[0]
        return vector
