"""Pages of any depth: the parser sees a bounded one, and every word stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_checks import read
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from findspot.errors import Reason, ResourceExhausted
from findspot_extraction.readers import html_depth
from findspot_extraction.readers.html_depth import flattened, parsed_page

DEEPEST = 512


def depth(page: str) -> int:
    """Levels of the first words of the page."""
    node = LexborHTMLParser(page).body
    deepest = 0
    while node is not None:
        deepest += 1
        node = next((child for child in node.iter() if child.first_child is not None), None)
    return deepest


@given(
    st.lists(st.sampled_from(["<div>", "</div>", "<ul><li>", "</ul>", "<b>", "</b>", "word", "<DIV a='>'>"]))
)
def test_pages_of_usual_depth_stay_as_they_are(parts: list[str]) -> None:
    page = "".join(parts)
    assert flattened(page) == (page, ())


@pytest.mark.parametrize("opening", ["<ul><li>", "<div>", "<SECTION class='a>b'>", "<blockquote\n>"])
@pytest.mark.parametrize("levels", [DEEPEST, DEEPEST + 1, 8 * DEEPEST])
def test_what_stands_too_deep_is_read_beside_its_parent(opening: str, levels: int) -> None:
    page = "".join(f"{opening}w{number} " for number in range(levels)) + "end"
    found, notices = flattened(page)
    assert depth(found) <= 2 * DEEPEST + 10
    assert [notice.code for notice in notices] == ["NESTING_FLATTENED"] * (levels > DEEPEST)
    document = read(page, "a.html")
    assert [word for word in document.text.split() if word != "-"] == [
        *(f"w{number}" for number in range(levels)),
        "end",
    ]
    assert len(document.blocks) == levels
    counted = [notice.message.split(" ", 1)[0] for notice in document.warnings]
    assert counted == ([f"{levels - DEEPEST:,}"] if levels > DEEPEST else [])


def test_elements_after_the_deep_ones_nest_again() -> None:
    deep = 3 * DEEPEST
    page = "<div>" * deep + "x" + "</div>" * deep + "<ol><li>one<li>two</ol>"
    assert read(page, "a.html").text == "x\n\n1. one\n2. two"


def test_unclosed_type_settings_do_not_multiply() -> None:
    # Each paragraph opens all the settings before it anew: 12 million elements without a bound.
    page = "".join(f"<font size={number}><p>w{number}" for number in range(5_000))
    document = read(page, "a.html")
    assert document.text.split() == [f"w{number}" for number in range(5_000)]
    assert [notice.code for notice in document.warnings] == ["NESTING_FLATTENED"]


def test_a_page_that_fills_the_memory_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(page: str) -> LexborHTMLParser:
        raise SelectolaxError("Can't parse HTML.")

    monkeypatch.setattr(html_depth, "LexborHTMLParser", full)
    with pytest.raises(ResourceExhausted) as caught:
        parsed_page("<p>")
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE
