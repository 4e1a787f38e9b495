"""The token cap is a guarantee: with the model's tokenizer, and with tokenizers that count every slice anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from chunk_invariants import assert_invariants
from composed_documents import Composer, documents
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minilm_tokenizer import INPUT_LIMIT, SPECIAL_TOKENS, minilm, token_starts

from findspot.errors import Internal
from findspot.model import ChunkedDocument, ExtractedDocument, Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import ResolvedOptions
from findspot_chunking.tokens import TokenCounter, count_document

Starts = Callable[[Sequence[str]], list[list[int]]]


def _options(
    strategy: Strategy, cap: int, size: int = 1000, special: int = SPECIAL_TOKENS
) -> ResolvedOptions:
    return ResolvedOptions(strategy, size, size // 8, token_cap=cap, special_tokens=special)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    documents(), st.sampled_from(Strategy), st.sampled_from([16, 40, 64, 256]), st.sampled_from([60, 1000])
)
def test_no_chunk_of_any_document_is_over_the_cap(
    document: ExtractedDocument, strategy: Strategy, cap: int, size: int
) -> None:
    cut = chunk_document(document, _options(strategy, cap, size), token_starts)
    assert_invariants(document, cut, minilm())


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("word", ["Zq7", "deadbeef", "a", "é", "水", "👩‍🔧", "x=1;"])
def test_words_without_end_are_cut_below_the_cap(strategy: Strategy, word: str) -> None:
    document = ExtractedDocument(f"Intro. {word * 500} The end.", "text", "text/plain")
    for size in (60, 1000):
        assert_invariants(
            document, chunk_document(document, _options(strategy, 64, size), token_starts), minilm()
        )


def test_counts_are_those_of_the_tokenizer() -> None:
    composer = Composer().heading(1, "Boiler").paragraph("Some words about valves. " * 100)
    composer.table(("Code", "Place"), [(f"P-{number}", "bin") for number in range(100)])
    document = composer.document(title="Handbook")
    for strategy in Strategy:
        for chunk in chunk_document(document, _options(strategy, INPUT_LIMIT), token_starts).chunks:
            embedded = f"{chunk.context}\n\n{chunk.text}" if chunk.context else chunk.text
            assert chunk.token_count == len(minilm().encode(embedded).ids)


def _bytes(texts: Sequence[str]) -> list[list[int]]:
    """Every UTF-8 byte is a token: several begin at one character."""
    return [[at for at, character in enumerate(text) for _ in character.encode()] for text in texts]


def _greedy(texts: Sequence[str]) -> list[list[int]]:
    """The first word of a text is one token a character, all others one a word: slices count otherwise."""
    found = []
    for text in texts:
        starts = []
        first = True
        for at, character in enumerate(text):
            begins = not character.isspace() and (at == 0 or text[at - 1].isspace())
            if begins and starts:
                first = False
            if not character.isspace() and (first or begins):
                starts.append(at)
        found.append(starts)
    return found


def _four_a_word(texts: Sequence[str]) -> list[list[int]]:
    """Cheap in long texts, four tokens a character in short ones."""
    return [
        [at for at in range(len(text)) for _ in range(4 if len(text) < 200 else 1)][
            :: 1 if len(text) < 200 else 8
        ]
        for text in texts
    ]


@pytest.mark.parametrize("tokenize", [_bytes, _greedy, _four_a_word])
@pytest.mark.parametrize("strategy", Strategy)
def test_tokenizers_that_count_slices_otherwise_are_met(tokenize: Starts, strategy: Strategy) -> None:
    words = "Pneumonoultramicroscopicsilicovolcanoconiosis wasserstoffperoxid 水位が上がった。 é👩‍🔧 "
    document = Composer().heading(1, "Words").paragraph(words * 20).document()
    for cap in (32, 100):
        cut = chunk_document(document, _options(strategy, cap, special=3), tokenize)
        assert_invariants(document, cut)
        _assert_within(cut, tokenize, cap, 3)


def _assert_within(cut: ChunkedDocument, tokenize: Starts, cap: int, special: int) -> None:
    for chunk in cut.chunks:
        embedded = f"{chunk.context}\n\n{chunk.text}" if chunk.context else chunk.text
        assert len(tokenize([embedded])[0]) + special <= cap


def test_a_tokenizer_that_never_agrees_with_itself_ends_with_an_error() -> None:
    def growing(texts: Sequence[str]) -> list[list[int]]:
        return [[0] * 500 if len(text) < 500 else list(range(len(text))) for text in texts]

    document = ExtractedDocument("word " * 100, "text", "text/plain")
    with pytest.raises(Internal, match="still over the cap of 64"):
        chunk_document(document, _options(Strategy.SENTENCE, 64), growing)


def test_a_cap_without_a_tokenizer_is_a_fault() -> None:
    with pytest.raises(Internal, match="without a tokenizer"):
        chunk_document(ExtractedDocument("text", "text", ""), _options(Strategy.SENTENCE, 64))


def test_the_limit_that_binds_is_told() -> None:
    document = ExtractedDocument("Plain words of a sentence. " * 200, "text", "text/plain")
    by_tokens = chunk_document(document, _options(Strategy.PARAGRAPH, 64), token_starts)
    by_characters = chunk_document(document, _options(Strategy.PARAGRAPH, 9000, size=200), token_starts)
    short = chunk_document(
        ExtractedDocument("Short.", "text", ""), _options(Strategy.PARAGRAPH, 64), token_starts
    )
    assert (by_tokens.effective_limit, by_characters.effective_limit, short.effective_limit) == (
        "TOKENS",
        "CHARS",
        "",
    )


def test_a_whole_document_is_one_question_and_long_ones_a_few() -> None:
    asked: list[list[str]] = []

    def tokenize(texts: Sequence[str]) -> list[list[int]]:
        asked.append(list(texts))
        return token_starts(texts)

    counter = count_document("word " * 10, ["Boiler", "Boiler", ">"], tokenize)
    assert asked == [["word " * 10, ">", "Boiler"]]
    assert (counter.count(0, 50), counter.part("Boiler"), counter.part(">")) == (10, 1, 1)
    asked.clear()
    text = "one two three. " * 200_000
    counter = count_document(text, [], lambda texts: [[0] for text in texts if not asked.append(list(texts))])  # type: ignore[func-returns-value]
    assert "".join(piece for call in {tuple(call): None for call in asked} for piece in call) == text


def test_bisection_counts_and_reaches() -> None:
    text = "ab cd efgh ij"
    counter = TokenCounter(text, [0, 3, 6, 8, 11], {})
    assert [counter.count(0, end) for end in (0, 1, 3, 4, 8, 9, 13)] == [0, 1, 1, 2, 3, 4, 5]
    # From inside a word the rest of the word counts as one more.
    assert counter.count(7, 13) == 3
    assert [counter.furthest(0, budget, 13) for budget in (1, 2, 3, 4, 5)] == [3, 6, 8, 11, 13]
    counter.learn(6, 10, [6, 7, 8, 9], 1)
    assert counter.count(0, 13) == 7
    assert counter.count_uncorrected(0, 13) == 5
