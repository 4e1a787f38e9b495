"""Word boxes: fractions of the page as displayed, under every rotation and crop."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_reading import box_of, check_exact, read
from pdf_writing import Sheet, Text, pdf_bytes

PAGE = (600.0, 800.0)
# Helvetica at 20 points: "H" and "I" are 0.722 and 0.278 wide, so "HI" is exactly one size wide.
WORD = Text(150, 650, "HI", size=20)


def displayed(x: float, y: float, rotate: int, width: float, height: float) -> tuple[float, float]:
    """A point of user space with the CropBox's corner at the origin, as fractions of the displayed page."""
    return {
        0: (x / width, 1 - y / height),
        90: (y / height, x / width),
        180: (1 - x / width, y / height),
        270: (1 - y / height, 1 - x / width),
    }[rotate]


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (100, 100, 500, 700), (-50, 200, 620, 790)])
def test_a_box_follows_rotation_and_crop(rotate: int, crop: tuple[float, float, float, float] | None) -> None:
    left, bottom, right, top = crop or (0, 0, *PAGE)
    left, bottom, right, top = max(left, 0), max(bottom, 0), min(right, PAGE[0]), min(top, PAGE[1])
    document = read(pdf_bytes([Sheet([WORD], (0, 0, *PAGE), crop, rotate)]))
    x, y, width, height = box_of(document, "HI")
    a = displayed(150 - left, 650 - bottom, rotate, right - left, top - bottom)
    b = displayed(170 - left, 665 - bottom, rotate, right - left, top - bottom)
    assert x <= min(a[0], b[0]) + 0.002
    assert y <= min(a[1], b[1]) + 0.002
    assert x + width >= max(a[0], b[0]) - 0.002
    assert y + height >= max(a[1], b[1]) - 0.002
    along, across = (width, height) if rotate in (0, 180) else (height, width)
    assert along == pytest.approx(20 / (right - left), abs=0.002)
    assert 15 / (top - bottom) < across < 30 / (top - bottom)
    assert (document.pages[0].width, document.pages[0].height) == (
        (right - left, top - bottom) if rotate in (0, 180) else (top - bottom, right - left)
    )


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_turned_text_reads_in_its_own_direction(turn: int, rotate: int) -> None:
    step = [(0, -14), (14, 0), (0, 14), (-14, 0)][turn]
    lines = ["first line of the note", "second line of the note", "third line of the note"]
    texts = [Text(300 + i * step[0], 400 + i * step[1], line, turn=turn) for i, line in enumerate(lines)]
    document = read(pdf_bytes([Sheet(texts, rotate=rotate)]))
    assert document.text == " ".join(lines)
    check_exact(document)


def test_text_outside_the_crop_box_is_left_out_and_reported() -> None:
    sheet = Sheet([Text(10, 10, "hidden"), Text(300, 400, "shown")], crop=(200, 200, 500, 600))
    document = read(pdf_bytes([sheet]))
    assert document.text == "shown"
    assert [notice.code for notice in document.warnings] == ["TEXT_OUTSIDE_PAGE"]


def test_a_word_over_the_edge_is_clamped() -> None:
    document = read(pdf_bytes([Sheet([Text(590, 400, "overhanging", size=20)])]))
    x, _, width, _ = box_of(document, "overhanging")
    assert x == pytest.approx(590 / 612, abs=0.002)
    assert x + width == pytest.approx(1.0)


def test_a_page_without_area_keeps_its_text_and_has_no_boxes() -> None:
    document = read(pdf_bytes([Sheet([Text(0, 0, "kept")], media=(0, 0, 0.2, 0.2))]))
    assert document.text == "kept"
    assert document.words == ()
    assert [notice.code for notice in document.warnings] == ["NO_PAGE_AREA"]


words = st.text(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.,:;()'%/", min_size=1, max_size=12
)
texts = st.builds(
    Text,
    x=st.floats(-40, 640),
    y=st.floats(-40, 830),
    text=st.lists(words, min_size=1, max_size=8).map(" ".join),
    size=st.floats(4, 60),
    font=st.sampled_from(["F1", "F2", "F3", "F4"]),
    turn=st.integers(0, 3),
)
sheets = st.builds(
    Sheet,
    texts=st.lists(texts, max_size=12),
    crop=st.none() | st.just((30, 40, 500, 700)),
    rotate=st.sampled_from([0, 90, 180, 270]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(sheets, min_size=1, max_size=3))
def test_every_slice_is_exact_and_every_box_on_the_page(drawn: list[Sheet]) -> None:
    data = pdf_bytes(drawn)
    document = read(data)
    check_exact(document)
    assert len(document.pages) == len(drawn)
    assert read(data) == document
