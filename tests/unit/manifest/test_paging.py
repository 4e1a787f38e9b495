"""Tokens say where a page ended, to the request that they belong to and to no other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import InvalidArgument, Reason
from findspot.paging import page_size, page_token, read_page_token


@given(st.lists(st.text(max_size=40), min_size=1, max_size=3), st.text(max_size=9))
def test_a_position_comes_back_for_the_same_request(position: list[str], bound: str) -> None:
    token = page_token(position, ["List", bound])
    assert read_page_token(token, ["List", bound], len(position)) == tuple(position)
    with pytest.raises(InvalidArgument):
        read_page_token(token, ["List", bound + "x"], len(position))
    with pytest.raises(InvalidArgument):
        read_page_token(token, ["List", bound], len(position) + 1)


@given(st.text(min_size=1, max_size=60))
def test_what_is_no_token_is_refused_by_name(token: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_page_token(token, ["List"], 1)
    assert refused.value.reason is Reason.PAGE_TOKEN_INVALID


def test_no_token_is_the_first_page() -> None:
    assert read_page_token("", ["List"], 2) == ()


def test_sizes() -> None:
    assert [page_size(n, usual=100, most=1000) for n in (0, 1, 1000, 1001)] == [100, 1, 1000, 1000]
    with pytest.raises(InvalidArgument):
        page_size(-1, usual=100, most=1000)
