"""Parsing never raises, understands the syntax, and understands what it renders the same way again."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from findspot.model import ChunkKind
from findspot_query.parse import ParsedQuery, ScopeQualifier, parse, render

_PIECES = st.sampled_from(
    (
        *("word", "two", "OR", "-no", '"a phrase"', '-"not this"', "kind:code", "kind:odd", "lang:python"),
        *("path:a/**", "namespace:a/b", "scope:exact", '"', "“curly quotes”", "--flag", "-5", "http://x.y/z"),
        *("日本語", "🎉", '""'),
    )
)


@given(st.text(max_size=300) | st.lists(_PIECES, max_size=12).map(" ".join))
def test_any_text_is_understood_somehow(text: str) -> None:
    parsed = parse(text)
    assert parsed.raw == text
    assert all(word for word in parsed.words)
    assert parsed.blank == (not parsed.semantic_text)


@given(st.lists(_PIECES, max_size=12).map(" ".join))
@example('-no kind:code "')
@example('"a phrase" OR 🎉')
@example('" "a phrase" OR "a phrase"')
def test_what_is_rendered_is_understood_the_same(text: str) -> None:
    once = parse(text)
    again = parse(render(once))
    for field in ("phrases", "kinds", "languages", "path_globs", "namespace"):
        assert getattr(again, field) == getattr(once, field)
    if not any(notice.code == "EXCLUSIONS_ONLY" for notice in once.notices):
        assert again.exclusions == once.exclusions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how do I -not reset", ParsedQuery("", words=("how", "do", "I", "reset"), exclusions=("not",))),
        ('"night watch" stood', ParsedQuery("", words=("stood",), phrases=(("night watch",),))),
        ('"a b" OR "c d"', ParsedQuery("", phrases=(("a b", "c d"),))),
        ('cat OR "big dog"', ParsedQuery("", phrases=(("cat", "big dog"),))),
        ("cat OR dog", ParsedQuery("", words=("cat", "dog"))),
        ("OR cat OR", ParsedQuery("", words=("OR", "cat", "OR"))),
        ("well-known --flag -5", ParsedQuery("", words=("well-known", "--flag", "-5"))),
        ("kind:code KIND:Table x", ParsedQuery("", words=("x",), kinds=(ChunkKind.CODE, ChunkKind.TABLE))),
        ('path:"my docs/**" x', ParsedQuery("", words=("x",), path_globs=("my docs/**",))),
        (
            "namespace:@acme/docs/ scope:ancestorsandself x",
            ParsedQuery("", words=("x",), namespace="acme/docs", qualifier=ScopeQualifier.ANCESTORS),
        ),
        ("namespace:a scope:hierarchy x", ParsedQuery("", words=("x",), namespace="a")),
        ("-only -these", ParsedQuery("", words=("-only", "-these"))),
        ("https://a.b/c?d=e", ParsedQuery("", words=("https://a.b/c?d=e",))),
    ],
)
def test_syntax(text: str, expected: ParsedQuery) -> None:
    parsed = parse(text)
    for field in ("words", "phrases", "exclusions", "kinds", "path_globs", "namespace", "qualifier"):
        assert getattr(parsed, field) == getattr(expected, field), field


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("-a -b", "EXCLUSIONS_ONLY"),
        ("kind:paragraph x", "KIND_UNKNOWN"),
        ('"never closed', "QUOTE_NOT_CLOSED"),
        ('"?!" x', "PHRASE_WITHOUT_WORDS"),
        ("scope:exact x", "SCOPE_WITHOUT_NAMESPACE"),
    ],
)
def test_what_was_not_understood_is_said(text: str, code: str) -> None:
    assert [notice.code for notice in parse(text).notices] == [code]


@pytest.mark.parametrize(
    "text", ['" OR b', '"" OR b', "-x OR b", "kind:code OR b", 'a OR ""', "a OR -b", "OR OR OR"]
)
def test_an_or_without_two_operands_is_a_word(text: str) -> None:
    parsed = parse(text)
    assert "OR" in parsed.words or '"' in text
    assert parsed.phrases == ()


def test_only_words_and_phrases_are_embedded() -> None:
    assert parse('find "the thing" -not kind:code lang:go OR').semantic_text == "find the thing OR"
    assert parse("kind:code namespace:a").blank
