"""Boxes of a chunk on its first page; titles and summaries of documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.model import Block, BlockKind, ExtractedDocument, Words
from findspot_indexing.compose.boxes import MOST_BOXES, chunk_boxes
from findspot_indexing.compose.describe import SUMMARY_CHARACTERS, summary_of, title_of


def page_of(*rectangles: tuple[float, float, float, float], page: int = 1) -> dict[int, Words]:
    """Words of four characters each, five apart."""
    starts = tuple(range(0, 5 * len(rectangles), 5))
    return {page: Words(page, starts, (4,) * len(starts), tuple(v for box in rectangles for v in box))}


def test_the_union_comes_first_then_one_box_a_line() -> None:
    words = page_of((0.1, 0.1, 0.1, 0.02), (0.25, 0.1, 0.1, 0.02), (0.1, 0.14, 0.2, 0.02))
    assert chunk_boxes(words, 1, 0, 15) == [
        [1, 0.1, 0.1, 0.25, 0.06],
        [1, 0.1, 0.1, 0.25, 0.02],
        [1, 0.1, 0.14, 0.2, 0.02],
    ]


def test_only_words_of_the_chunk_count() -> None:
    words = page_of((0.1, 0.1, 0.1, 0.02), (0.3, 0.1, 0.1, 0.02), (0.1, 0.5, 0.1, 0.02))
    assert chunk_boxes(words, 1, 5, 10) == [[1, 0.3, 0.1, 0.1, 0.02]] * 2


def test_no_boxes_without_layout_or_words() -> None:
    assert chunk_boxes({}, 0, 0, 10) == []
    assert chunk_boxes(page_of((0.1, 0.1, 0.1, 0.1)), 1, 20, 30) == []


def test_a_second_column_at_the_same_height_is_a_line_of_its_own() -> None:
    words = page_of((0.6, 0.1, 0.3, 0.02), (0.1, 0.1, 0.3, 0.02))
    assert len(chunk_boxes(words, 1, 0, 10)) == 3


@given(st.lists(st.tuples(*[st.floats(0, 1, width=32)] * 4), min_size=1, max_size=200))
def test_boxes_stay_on_the_page_and_below_the_limit(rectangles: list[tuple[float, ...]]) -> None:
    boxes = chunk_boxes(page_of(*rectangles), 1, 0, 5 * len(rectangles))  # type: ignore[arg-type]
    assert 2 <= len(boxes) <= MOST_BOXES
    for page, x, y, width, height in boxes:
        assert page == 1
        assert x >= 0
        assert y >= 0
        assert x + width <= 1.0001
        assert y + height <= 1.0001
    union = boxes[0]
    assert all(union[1] <= box[1] and union[2] <= box[2] for box in boxes)


def document(text: str, *blocks: Block, **more: str) -> ExtractedDocument:
    values = {"document_type": "markdown", "media_type": "text/markdown", "category": "prose", **more}
    return ExtractedDocument(text, blocks=blocks, **values)  # type: ignore[arg-type]


def test_titles_are_stated_else_a_first_heading_else_the_file_name() -> None:
    heading = Block(BlockKind.HEADING, 0, 5, level=1, title="Found")
    lesser = Block(BlockKind.HEADING, 0, 5, level=2, title="Lesser")
    assert title_of(document("", heading, title="Stated"), "a/b.md") == "Stated"
    assert title_of(document("", lesser, heading), "a/b.md") == "Found"
    assert title_of(document("", lesser), "a/b.md") == "b.md"


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("A **bold** and _leaning_ word", "A bold and leaning word"),
        ("See [the map](http://x/y) ![pic](z.png) now", "See the map now"),
        ("> quoted\n> twice", "quoted twice"),
        ("- one\n- two `code`", "one two code"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("a <b>tag</b> and 1 < 2", "a tag and 1 < 2"),
        (r"escaped \* star", "escaped * star"),
    ],
)
def test_summaries_have_no_markup(source: str, plain: str) -> None:
    block = Block(BlockKind.PARAGRAPH, 0, len(source))
    assert summary_of(document(source, block)) == plain


def test_headings_and_code_are_no_summary() -> None:
    text = "# Title\n\ncode()\n\nWords here."
    blocks = (
        Block(BlockKind.HEADING, 0, 7, level=1, title="Title"),
        Block(BlockKind.CODE, 9, 15),
        Block(BlockKind.PARAGRAPH, 17, 28),
    )
    assert summary_of(document(text, *blocks)) == "Words here."
    assert summary_of(document("x = 1", category="code", document_type="python")) == ""


@given(st.text(max_size=2000))
def test_summaries_are_short_and_on_one_line(text: str) -> None:
    summary = summary_of(document(text, document_type="text"))
    assert len(summary) <= SUMMARY_CHARACTERS
    assert "\n" not in summary


def test_long_summaries_end_at_a_word() -> None:
    text = "word " * 200
    summary = summary_of(document(text, document_type="text"))
    assert summary.endswith("word…")
    assert len(summary) > SUMMARY_CHARACTERS - 10
