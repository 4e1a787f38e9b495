"""Tokens: the same for what is indexed and what is asked, in every script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.stores.text.scripts import WORD
from findspot.stores.text.tokens import (
    MAX_TOKEN_BYTES,
    analyzer_of,
    body_tokens,
    bounded,
    contains_phrase,
    identifier_parts,
    identifier_tokens,
    stems,
    tokenize,
    word_tokens,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parseHTTPConfig", ("parse", "http", "config")),
        ("HTTPConfig", ("http", "config")),
        ("max_retry_count", ("max", "retry", "count")),
        ("XMLHttpRequest2", ("xml", "http", "request", "2")),
        ("simple", ("simple",)),
        ("ГородДом", ("городдом",)),
    ],
)
def test_identifiers_are_cut_where_a_reader_cuts_them(name: str, parts: tuple[str, ...]) -> None:
    assert identifier_parts(name) == parts


def test_the_style_of_an_identifier_does_not_matter() -> None:
    camel, snake = (
        set(identifier_tokens(["maxRetryCount"]).split()),
        set(identifier_tokens(["max_retry_count"]).split()),
    )
    assert {"maxretrycount", "max", "retry", "count"} <= camel & snake
    assert "max_retry_count" in snake


def test_dotted_names_are_kept_whole_beside_their_parts() -> None:
    tokens = tokenize("call os.path.join on config.py.").code.split()
    assert "os.path.join" in tokens
    assert "config.py" in tokens


@pytest.mark.parametrize("word", ["हिन्दी", "العربية", "עִבְרִית", "ภาษาไทย", "Ελληνικά", "naïve"])
def test_words_with_marks_are_one_word(word: str) -> None:
    assert WORD.findall(f"({word})") == [word]


def test_scripts_without_spaces_give_bigrams_and_single_characters() -> None:
    tokens = tokenize("日本語の検索 と cat")
    assert tokens.cjk.split() == ["日本", "本語", "語の", "の検", "検索", "と"]
    assert tokens.body.split() == ["日", "本", "語", "の", "検", "索", "と", "cat"]
    assert tokens.stem.split() == ["cat"]


def test_stems_follow_the_language_and_ignore_accents() -> None:
    assert tokenize("running cafés").stem.split() == ["run", "cafe"]
    assert tokenize("Häuser", analyzer_of("de-AT")).stem == tokenize("Haus", analyzer_of("de")).stem
    assert analyzer_of("") == analyzer_of("tlh") == "english"


def test_compatibility_forms_are_the_plain_ones() -> None:
    assert tokenize("ﬁne ＡＢＣ").body == "fine abc"
    assert tokenize("ﷺ").body.split() == ["صلى", "الله", "عليه", "وسلم"]


def test_long_tokens_are_kept_and_too_long_ones_become_their_hash() -> None:
    assert tokenize("a" * 64).body == "a" * 64
    assert tokenize("A" * 10_000).body == "a" * 10_000
    giant = "é" * MAX_TOKEN_BYTES
    assert bounded(giant).startswith("sha256:")
    assert tokenize(giant).body == bounded(giant)


@given(st.text(max_size=200))
def test_every_token_of_a_text_is_found_by_asking_for_its_words(text: str) -> None:
    tokens = tokenize(text)
    asked = [word_tokens(word) for word in WORD.findall(text)]
    assert (
        tokens.body.split() == [token for word in asked for token in word.body.split()] == body_tokens(text)
    )
    assert tokens.stem.split() == [token for word in asked for token in word.stem.split()]
    assert sorted(stems(text).split()) == sorted([*tokens.stem.split(), *tokens.cjk.split()])
    assert all(len(token.encode()) < 65_530 for token in tokens.body.split())


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(0, 12), st.integers(0, 5))
def test_a_slice_of_the_tokens_is_a_phrase_of_them(tokens: list[str], start: int, size: int) -> None:
    phrase = tokens[start : start + size]
    assert contains_phrase(tokens, phrase) == bool(phrase)
    assert not contains_phrase(tokens, [*phrase, "z"])
