"""Page tokens carry their window unchanged, and are refused when anything about them is not as it was."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import InvalidArgument, Reason
from findspot_query.page_tokens import (
    LIFETIME_SECONDS,
    MAX_GROUPS,
    MAX_TOKEN_CHARACTERS,
    PageTokens,
    PinnedWindow,
    TokenSubject,
)
from findspot_query.request import Scope, SearchMode, SearchRequest, ranking_hash
from findspot_query.signing import signing_key

SUBJECT = TokenSubject(b"r" * 16, "me", "identity")
_ENTRIES = st.lists(st.tuples(st.uuids().map(str), st.floats(0, 2, width=32)), max_size=MAX_GROUPS)


def refusal(tokens: PageTokens, token: str, subject: TokenSubject = SUBJECT) -> str:
    with pytest.raises(InvalidArgument) as caught:
        tokens.unseal(token, subject)
    assert caught.value.reason is Reason.PAGE_TOKEN_INVALID
    return caught.value.message


@given(_ENTRIES, st.integers(0, 200), st.booleans())
def test_a_token_gives_back_what_was_put_in(
    entries: list[tuple[str, float]], offset: int, lower: bool
) -> None:
    window = PinnedWindow(offset, tuple(entries), lower)
    token = PageTokens(b"key").seal(window, SUBJECT)
    assert PageTokens(b"key").unseal(token, SUBJECT) == window
    assert len(token) <= MAX_TOKEN_CHARACTERS
    assert token.isascii()


def test_the_largest_window_fits() -> None:
    entries = tuple((str(uuid.uuid4()), 1.0) for _ in range(MAX_GROUPS + 50))
    token = PageTokens(b"key").seal(PinnedWindow(20, entries), SUBJECT)
    assert len(token) <= MAX_TOKEN_CHARACTERS
    assert PageTokens(b"key").unseal(token, SUBJECT).entries == entries[:MAX_GROUPS]


@given(st.integers(0, 150), st.sampled_from("Aa0_-"))
def test_a_changed_token_is_refused(place: int, character: str) -> None:
    tokens = PageTokens(b"key")
    token = tokens.seal(PinnedWindow(1, ((str(uuid.UUID(int=7)), 0.5),)), SUBJECT)
    place %= len(token) - 1
    if token[place] != character:
        assert refusal(tokens, token[:place] + character + token[place + 1 :])


@given(st.text(max_size=60))
def test_any_other_text_is_refused(text: str) -> None:
    assert refusal(PageTokens(b"key"), text)


def test_whom_a_token_is_not_for() -> None:
    token = PageTokens(b"key").seal(PinnedWindow(1, ()), SUBJECT)
    tokens = PageTokens(b"key")
    assert "another request" in refusal(tokens, token, TokenSubject(b"s" * 16, "me", "identity"))
    assert "another caller" in refusal(tokens, token, TokenSubject(b"r" * 16, "you", "identity"))
    assert "model" in refusal(tokens, token, TokenSubject(b"r" * 16, "me", "other"))
    assert "damaged" in refusal(PageTokens(b"other key"), token)


def test_a_token_expires() -> None:
    now = [1_000.0]
    tokens = PageTokens(b"key", clock=lambda: now[0])
    token = tokens.seal(PinnedWindow(1, ()), SUBJECT)
    now[0] += LIFETIME_SECONDS
    assert tokens.unseal(token, SUBJECT).offset == 1
    now[0] += 1
    assert "minutes" in refusal(tokens, token)


def test_everything_but_the_page_is_part_of_the_request() -> None:
    request = SearchRequest("apple")
    assert ranking_hash(request) == ranking_hash(SearchRequest("apple", page_size=5, page_token="x"))
    for other in (
        SearchRequest("apples"),
        SearchRequest("apple", SearchMode.TEXT),
        SearchRequest("apple", scope=Scope("a")),
    ):
        assert ranking_hash(other) != ranking_hash(request)


def test_the_key_is_made_once_and_kept(tmp_path: Path) -> None:
    first = signing_key("", tmp_path / "data")
    assert len(first) == 32
    assert signing_key("", tmp_path / "data") == first
    assert (tmp_path / "data" / "page-token.key").stat().st_mode & 0o077 == 0
    assert signing_key("configured", tmp_path / "data") == b"configured"
