"""What the service does with texts: refuse what is blank, answer known queries from memory, hand the rest to
an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from findspot.errors import FieldViolation, InvalidArgument, Reason
from findspot.model import EmbeddingIdentity, InputType
from findspot_embedding.cache import QueryCache
from findspot_embedding.models import Models
from findspot_embedding.provider import Refusal

MAX_TEXTS = 128
"""Texts in one call of `embed`."""


@dataclass(frozen=True, slots=True)
class TextFailure:
    """A text that got no vector: its position in the call from 0, and why."""

    index: int
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class EmbeddedTexts:
    """Vectors of one call: row i is the vector of text i, zeros where it failed."""

    identity: EmbeddingIdentity
    vectors: NDArray[np.float32]
    failures: tuple[TextFailure, ...]


@dataclass(frozen=True, slots=True)
class TokenizedTexts:
    """Code points at which the tokens of each text start, as one tokenizer sees them."""

    identity: EmbeddingIdentity
    starts: tuple[NDArray[np.uint32], ...]


async def embed(
    models: Models, cache: QueryCache, texts: Sequence[str], side: InputType, key: str = ""
) -> EmbeddedTexts:
    """Vectors of 1 to 128 texts by the model with identity `key` (empty: the active one).

    Each text stands for itself: blank or too long fails alone. Raises InvalidArgument for the number of
    texts, and what `Models.engine` and `Engine.embed` raise.
    """
    if not 1 <= len(texts) <= MAX_TEXTS:
        description = f"{len(texts)} texts in one call; send 1 to {MAX_TEXTS}."
        raise InvalidArgument(description, fields=[FieldViolation("texts", description)])
    engine = models.engine(key)
    identity = engine.identity
    outcomes: dict[int, NDArray[np.float32] | Refusal] = {}
    open_at: list[int] = []
    for index, text in enumerate(texts):
        known = _known(cache, identity.key, text, side)
        if known is None:
            open_at.append(index)
        else:
            outcomes[index] = known
    if open_at:
        made = await engine.embed([texts[index] for index in open_at], side)
        outcomes.update(zip(open_at, made, strict=True))
    if side is InputType.QUERY:
        for index in open_at:
            if not isinstance(vector := outcomes[index], Refusal):
                cache.put(identity.key, texts[index], vector)
    return _gathered(identity, outcomes)


def _known(cache: QueryCache, key: str, text: str, side: InputType) -> NDArray[np.float32] | Refusal | None:
    if not text.strip():
        return Refusal(Reason.INVALID_FIELD, "The text is blank: there is nothing to embed.")
    return cache.get(key, text) if side is InputType.QUERY else None


def _gathered(
    identity: EmbeddingIdentity, outcomes: dict[int, NDArray[np.float32] | Refusal]
) -> EmbeddedTexts:
    vectors = np.zeros((len(outcomes), identity.dimension), np.float32)
    failures: list[TextFailure] = []
    for index in range(len(outcomes)):
        outcome = outcomes[index]
        if isinstance(outcome, Refusal):
            failures.append(TextFailure(index, outcome.reason, outcome.message))
        else:
            vectors[index] = outcome
    return EmbeddedTexts(identity, vectors, tuple(failures))


async def tokenize(models: Models, texts: Sequence[str], key: str = "") -> TokenizedTexts:
    """Token starts of texts of any length. Raises what `Models.engine` and `Engine.token_starts` raise."""
    engine = models.engine(key)
    return TokenizedTexts(engine.identity, tuple(await engine.token_starts(texts)) if texts else ())
