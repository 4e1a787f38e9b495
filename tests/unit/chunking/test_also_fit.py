"""Chunks that have to fit the inputs of two models with different tokenizers and limits."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findspot.errors import FailedPrecondition, InvalidArgument, Reason
from findspot.model import ChunkingOptions, EmbeddingIdentity, ExtractedDocument
from findspot.payload import embedded_text
from findspot_chunking.service import MOST_ALSO_FIT, ChunkCall, Chunking, chunk

WORDS = EmbeddingIdentity("w", "words@4", "words", 4, 40, 2)
PAIRS = EmbeddingIdentity("p", "pairs@8", "pairs", 8, 96, 3)
_PATTERNS = {"w": re.compile(r"\w+|[^\w\s]"), "p": re.compile(r"\w{1,2}|[^\w\s]")}


class TwoModels:
    """Counts words, or pairs of letters."""

    async def tokenize(self, texts: Sequence[str], identity_key: str = "") -> Sequence[array[int]]:
        pattern = _PATTERNS[identity_key]
        return [array("I", [found.start() for found in pattern.finditer(text)]) for text in texts]

    async def active_identity(self) -> EmbeddingIdentity:
        return WORDS

    async def identities(self) -> tuple[EmbeddingIdentity, ...]:
        return WORDS, PAIRS


def tokens(identity: EmbeddingIdentity, text: str) -> int:
    return len(_PATTERNS[identity.key].findall(text)) + identity.special_tokens


async def cut(text: str, *, also_fit: tuple[str, ...], cap: int | None = None) -> list[str]:
    document = ExtractedDocument(text, "text", "text/plain", "prose")
    with ThreadPoolExecutor(1) as executor:
        chunking = Chunking(TwoModels(), executor, 1_000_000, 10_000)
        call = ChunkCall(document, ChunkingOptions(token_cap=cap), also_fit=also_fit)
        made = await chunk(chunking, call)
    return [embedded_text(one.context, one.text) for one in made.chunks]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("ab c.é", min_size=1, max_size=60), min_size=1, max_size=30))
async def test_each_chunk_fits_each_model(parts: list[str]) -> None:
    text = "\n".join(parts)
    for made in await cut(text, also_fit=("p",)):
        assert tokens(WORDS, made) <= WORDS.input_limit
        assert tokens(PAIRS, made) <= PAIRS.input_limit


async def test_one_model_alone_would_be_over_the_limit_of_the_other() -> None:
    text = "extraordinarily longwinded expressions " * 60
    assert any(tokens(PAIRS, made) > PAIRS.input_limit for made in await cut(text, also_fit=()))
    assert all(tokens(PAIRS, made) <= PAIRS.input_limit for made in await cut(text, also_fit=("p",)))


async def test_one_that_is_not_loaded_and_too_many_are_refused() -> None:
    with pytest.raises(FailedPrecondition) as missing:
        await cut("text", also_fit=("x",))
    assert missing.value.reason is Reason.EMBEDDING_IDENTITY_NOT_LOADED
    with pytest.raises(InvalidArgument, match="7 are the most"):
        await cut("text", also_fit=tuple("abcdefgh"))
    assert MOST_ALSO_FIT == 7
