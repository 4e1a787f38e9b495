"""Recognised lines and transcripts as documents: order, headings, boxes, readers, notices."""

from __future__ import annotations

import pytest
from pdf_reading import box_of, check_exact, texts
from picture_writing import encoded, picture, scanned

from findspot.model import BlockKind, ExtractedDocument, Reader
from findspot_extraction.readers.images import READER as IMAGES
from findspot_extraction.readers.ocr import PageReading, RecognisedLine, RecognisedWord
from findspot_extraction.readers.pdf import READER as PDF
from findspot_extraction.readers.reader import ReadLimits, Source

BLANK = picture([])


def line(
    text: str, x: float, y: float, *, height: float = 0.02, confidence: float = 0.9, turn: int = 0
) -> RecognisedLine:
    """Words a tenth of the page wide, one after the other from x, y on."""
    words = []
    for place, word in enumerate(text.split()):
        at = x + place * 0.105
        words.append(RecognisedWord(word, at, y, at + 0.1, y + height))
    return RecognisedLine(tuple(words), confidence, turn)


def read(*readings: PageReading, pages: int = 0) -> ExtractedDocument:
    data = scanned([BLANK] * (pages or len(readings)))
    source = Source(data, "scan.pdf", "application/pdf", "pdf", readings={r.number: r for r in readings})
    document = PDF.read(source, ReadLimits())
    if not any(reading.transcript for reading in readings):
        check_exact(document)
    return document


def body(count: int, top: float, x: float = 0.1) -> list[RecognisedLine]:
    return [line(f"line number {row} of four words", x, top + 0.03 * row) for row in range(count)]


def test_a_page_without_a_reading_is_named() -> None:
    document = read(pages=2)
    assert document.text == ""
    assert [(notice.code, notice.page) for notice in document.warnings] == [
        ("NO_TEXT_LAYER", 1),
        ("NO_TEXT_LAYER", 2),
    ]
    assert [page.reader for page in document.pages] == [Reader.TEXT_LAYER] * 2


def test_recognised_lines_become_paragraphs_with_the_boxes_of_their_words() -> None:
    document = read(PageReading(1, (line("first line goes", 0.1, 0.1), line("on here.", 0.1, 0.125))))
    assert texts(document, BlockKind.PARAGRAPH) == ["first line goes on here."]
    assert box_of(document, "line") == pytest.approx((0.205, 0.1, 0.1, 0.02), abs=1e-4)
    [page] = document.pages
    assert (page.reader, page.confidence) == (Reader.OCR, pytest.approx(0.9))
    assert document.warnings == ()


def test_a_high_line_is_a_heading() -> None:
    document = read(PageReading(1, (line("Results", 0.1, 0.05, height=0.03), *body(8, 0.15))))
    assert texts(document, BlockKind.HEADING) == ["Results"]


def test_a_little_more_height_is_no_heading() -> None:
    document = read(PageReading(1, (line("Results", 0.1, 0.05, height=0.022), *body(8, 0.15))))
    assert texts(document, BlockKind.HEADING) == []


def test_columns_are_read_one_after_the_other() -> None:
    left = [line(f"left {row} has words", 0.05, 0.1 + 0.03 * row) for row in range(5)]
    right = [line(f"right {row} has words", 0.55, 0.1 + 0.03 * row) for row in range(5)]
    mixed = tuple(one for pair in zip(left, right, strict=True) for one in pair)
    document = read(PageReading(1, mixed))
    assert document.text.index("left 4") < document.text.index("right 0")


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turned_pages_are_read_in_their_direction(turn: int) -> None:
    upright = [((0.1, 0.1), "one"), ((0.3, 0.1), "two"), ((0.1, 0.14), "three"), ((0.3, 0.14), "four")]
    words = []
    for (x, y), text in upright:
        x0, y0, x1, y1 = x, y, x + 0.15, y + 0.03
        edges = {
            1: (1 - y1, x0, 1 - y0, x1),
            2: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
            3: (y0, 1 - x1, y1, 1 - x0),
        }[turn]
        words.append(RecognisedWord(text, *edges))
    lines = (RecognisedLine(tuple(words[:2]), 0.9, turn), RecognisedLine(tuple(words[2:]), 0.9, turn))
    document = read(PageReading(1, lines))
    assert document.text.split() == ["one", "two", "three", "four"]
    assert box_of(document, "three")[:2] == pytest.approx((words[2].x0, words[2].y0), abs=1e-4)


def test_a_page_on_which_nothing_was_found_is_named() -> None:
    document = read(PageReading(1), PageReading(2, (line("text", 0.1, 0.1),)))
    assert [(notice.code, notice.page) for notice in document.warnings] == [("NO_TEXT_FOUND", 1)]
    assert document.pages[0].confidence is None


def test_a_transcript_wins_and_confidence_stays() -> None:
    seen = (line("Pump mainual", 0.1, 0.1), line("open the valve", 0.1, 0.2))
    document = read(PageReading(1, seen, "# Pump manual\n\nOpen the valve\nslowly.\n\n- one\n- two"))
    assert document.text == "Pump manual\n\nOpen the valve slowly.\n\n- one\n\n- two"
    assert texts(document, BlockKind.HEADING) == ["Pump manual"]
    assert texts(document, BlockKind.LIST_ITEM) == ["- one", "- two"]
    assert (document.pages[0].reader, document.pages[0].confidence) == (Reader.MODEL, pytest.approx(0.9))
    # Words that both readers saw have a box, and no others.
    assert box_of(document, "valve") == pytest.approx((0.31, 0.2, 0.1, 0.02), abs=1e-4)
    placed = [
        document.text[s : s + n] for w in document.words for s, n in zip(w.starts, w.lengths, strict=True)
    ]
    assert placed == ["Pump", "Open", "the", "valve"]


def test_rows_of_a_transcript_are_a_table() -> None:
    document = read(PageReading(1, (), "Prices:\n| item | price |\n|---|---|\n| pump | 12 |\n| seal | |"))
    [table] = [block.table for block in document.blocks if block.table]
    assert table.columns == ("item", "price")
    cells = [[document.text[c.start : c.end] for c in row.cells] for row in table.rows]
    assert cells == [["item", "price"], ["pump", "12"], ["seal", ""]]


def test_an_image_is_a_page_and_a_tiff_has_several() -> None:
    first, second = picture([], (300, 200)), picture([], (200, 300))
    for form, name in (("PNG", "png"), ("JPEG", "jpeg"), ("BMP", "bmp"), ("GIF", "gif"), ("WEBP", "webp")):
        document = IMAGES.read(Source(encoded(first, form), "a", "image/x", name), ReadLimits())
        assert [(page.width, page.height) for page in document.pages] == [pytest.approx((225, 150), abs=0.1)]
        assert [notice.code for notice in document.warnings] == ["NO_TEXT_LAYER"]
    tiff = encoded(first, "TIFF", [second], dpi=(200, 200))
    readings = {2: PageReading(2, (line("second page", 0.1, 0.1),))}
    document = IMAGES.read(Source(tiff, "a.tif", "image/tiff", "tiff", readings=readings), ReadLimits())
    check_exact(document)
    assert document.text == "second page"
    assert [(page.number, page.width, page.reader) for page in document.pages] == [
        (1, pytest.approx(108.0), Reader.TEXT_LAYER),
        (2, pytest.approx(72.0), Reader.OCR),
    ]


def test_an_animation_says_what_was_left_out() -> None:
    frames = [picture([(text, 20)], (100, 60)) for text in "abc"]
    document = IMAGES.read(
        Source(encoded(frames[0], "GIF", frames[1:]), "a.gif", "image/gif", "gif"), ReadLimits()
    )
    assert [notice.code for notice in document.warnings] == ["NO_TEXT_LAYER", "ANIMATION"]
    assert len(document.pages) == 1
