"""Snippets stay within 160 characters, their ranges inside them, and they show the words that were asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.stores.text.scripts import WORD
from findspot_query.snippets import SNIPPET_CHARACTERS, QueryMatcher, Snippet, snippet

_WORDS = st.sampled_from(
    (
        *(
            "kettle",
            "Kettles",
            "boil",
            "boiling",
            "and",
            "the",
            "parseHTTPConfig",
            "max_retry",
            "日本語の検索",
        ),
        *(
            "école",
            "İx",
            "🎉",
            "caffè",
            "fox",
            "educational",
            "cat",
            "x" * 300,
            "\n\n",
            "\t",
            "ﬁne",
            "Straße",
        ),
    )
)
_TEXTS = st.lists(_WORDS, max_size=80).map(" ".join)


def marked(found: Snippet) -> list[str]:
    return [found.text[span.start : span.end] for span in found.highlights]


def made(text: str, query: str, analyzer: str = "english") -> Snippet:
    return snippet(text, QueryMatcher(query), analyzer)


@given(_TEXTS | st.text(max_size=600), _TEXTS | st.text(max_size=60))
def test_a_snippet_is_a_piece_of_the_text_with_ranges_inside_it(text: str, query: str) -> None:
    found = made(text, query)
    assert len(found.text) <= SNIPPET_CHARACTERS
    assert found.text.strip("…") in " ".join(text.split()) or not found.text
    assert "\n" not in found.text
    ends = [0]
    for span in found.highlights:
        assert ends[-1] <= span.start < span.end <= len(found.text)
        ends.append(span.end)


@given(_TEXTS, st.sampled_from(["kettle", "boiling kettles", "http", "検索", "ecole", "retry", "straße"]))
def test_what_the_fast_way_finds_is_what_every_word_for_itself_gives(text: str, query: str) -> None:
    matcher = QueryMatcher(query)
    language = matcher._language("english")
    fast = {(found.start, found.end) for found in matcher.matches(text, "english")}
    slow = {word.span() for word in WORD.finditer(text) if language.key(word.group())}
    assert slow <= fast


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Bring the kettles to the boil", "how is a kettle boiled", ["kettles", "boil"]),
        ("education for cats", "cat", ["cats"]),
        ("call parseHTTPConfig now", "http", ["parseHTTPConfig"]),
        ("call max_retry_count now", "maxRetryCount", ["max_retry_count"]),
        ("call maxRetryCount now", "max_retry_count", ["maxRetryCount"]),
        ("ein Café und eine École", "cafe ecole", ["Café", "École"]),
        ("新しい日本語の検索エンジン", "検索", ["検索"]),
        ("nothing of it", "kettle", []),
        ("to be or not to be", "to be", ["to", "be", "to", "be"]),
    ],
)
def test_the_words_that_matched_are_marked(text: str, query: str, expected: list[str]) -> None:
    assert marked(made(text, query)) == expected


def test_words_are_matched_in_the_language_of_the_chunk() -> None:
    assert marked(made("die alten Häuser", "Haus", "german")) == ["Häuser"]


def test_the_best_part_is_shown_with_words_left_whole() -> None:
    filler = "something else entirely " * 20
    text = f"A kettle first. {filler} A red kettle comes to the boil here. {filler}"
    found = made(text, "boil red kettle")
    assert {"red", "kettle", "boil"} <= set(marked(found))
    assert found.text.startswith("…")
    assert found.text.endswith("…")
    assert " ".join(text.split()).count(f" {found.text.strip('…')} ") == 1


def test_without_a_match_the_beginning_is_shown() -> None:
    found = made("word " * 100, "absent")
    assert found.text.startswith("word word")
    assert found.text.endswith("…")
    assert found.highlights == ()


def test_every_word() -> None:
    matcher = QueryMatcher("how do I boil a kettle")
    assert matcher.every_word("kettles boiling", "english")
    assert not matcher.every_word("kettles only", "english")
    assert not QueryMatcher("kettle").every_word("kettle", "english")
