"""Query vectors: kept by identity and text, never beyond their time, never from a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from findspot.errors import Reason, Unavailable
from findspot.model import EmbeddingIdentity, InputType
from findspot.rpc.peers.embedding import EmbeddedBatch, TextFailure
from findspot_query.query_vectors import QueryVectors, VectorCacheLimits

ONE = EmbeddingIdentity("one", "one@2", "one", 2, 100)
OTHER = EmbeddingIdentity("other", "other@2", "other", 2, 100)


@dataclass
class Service:
    asked: list[tuple[str, str]] = field(default_factory=list)
    failures: tuple[TextFailure, ...] = ()
    answers_as: EmbeddingIdentity | None = None
    never: bool = False

    async def embed(self, texts: Sequence[str], input_type: InputType, identity_key: str, /) -> EmbeddedBatch:
        assert input_type is InputType.QUERY
        self.asked.append((identity_key, texts[0]))
        if self.never:
            await asyncio.Event().wait()
        identity = self.answers_as or (ONE if identity_key == "one" else OTHER)
        return EmbeddedBatch(identity, np.ones((1, 2), np.float32), self.failures)


async def test_a_vector_is_asked_for_once_within_its_time() -> None:
    now, service = [0.0], Service()
    vectors = QueryVectors(service, VectorCacheLimits(lifetime_seconds=300), clock=lambda: now[0])
    for _ in range(2):
        await vectors.embed_query("a", ONE)
    await vectors.embed_query("a", OTHER)
    assert service.asked == [("one", "a"), ("other", "a")]
    now[0] = 301
    await vectors.embed_query("a", ONE)
    assert len(service.asked) == 3


async def test_the_oldest_makes_room() -> None:
    service = Service()
    vectors = QueryVectors(service, VectorCacheLimits(entries=2))
    for text in ("a", "b", "a", "c", "a", "b"):
        await vectors.embed_query(text, ONE)
    assert [text for _, text in service.asked] == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    ("service", "reason"),
    [
        (Service(never=True), Reason.EMBEDDING_UNAVAILABLE),
        (
            Service(failures=(TextFailure(0, Reason.EMBEDDING_INPUT_TOO_LONG, "long"),)),
            Reason.EMBEDDING_INPUT_TOO_LONG,
        ),
        (Service(answers_as=OTHER), Reason.EMBEDDING_RESPONSE_INVALID),
    ],
)
async def test_a_failure_is_typed_and_not_kept(service: Service, reason: Reason) -> None:
    vectors = QueryVectors(service, VectorCacheLimits(budget_seconds=0.01))
    for _ in range(2):
        with pytest.raises(Unavailable) as caught:
            await vectors.embed_query("a", ONE)
        assert caught.value.reason is reason
    assert len(service.asked) == 2
