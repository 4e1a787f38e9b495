"""Reading order, paragraphs, headings, tables, lists and marginalia of PDF pages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pdf_reading import box_of, check_exact, read, slice_of, texts
from pdf_writing import Mark, Sheet, Text, pdf_bytes

from findspot.model import BlockKind, MarginaliaKind

BODY = "the quick brown fox jumps over the lazy dog and runs on"


def lines(
    x: float, top: float, written: list[str], size: float = 10, font: str = "F1", pitch: float = 12
) -> list[Text]:
    """Lines of one paragraph from `top` down."""
    return [Text(x, top - pitch * number, line, size, font) for number, line in enumerate(written)]


def test_lines_of_a_paragraph_are_joined_and_paragraphs_kept_apart() -> None:
    page = [
        *lines(72, 700, ["A first paragraph that goes on over", "two lines and ends here."]),
        *lines(72, 660, ["A second paragraph stands below", "with some distance."]),
    ]
    document = read(pdf_bytes([Sheet(page)]))
    assert document.text == (
        "A first paragraph that goes on over two lines and ends here.\n\n"
        "A second paragraph stands below with some distance."
    )
    check_exact(document)


def test_a_first_line_set_in_begins_a_paragraph() -> None:
    page = [
        *lines(72, 700, [BODY, BODY, "which ends in the middle of the measure here too"]),
        *lines(90, 664, ["set in by a bit the next one begins on its own line"]),
        *lines(72, 652, [BODY]),
    ]
    assert len(texts(read(pdf_bytes([Sheet(page)])), BlockKind.PARAGRAPH)) == 2


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("a line that ends in a trans-", "lation of the words", "a trans" + "lation of"),
        ("the co-operation is a co-", "operation of the words", "is a co-operation of"),
        ("from the year 1998-", "1999 onwards with them", "1998-1999"),
        ("all of the pre-", "and postwar houses stand", "pre- and postwar"),
        ("see https://example.org/", "somewhere for the rest", "https://example.org/somewhere"),
        ("a plain line with no", "hyphen at all in it", "no hyphen"),
    ],
)
def test_line_ends_are_joined_as_they_were_meant(first: str, second: str, joined: str) -> None:
    document = read(pdf_bytes([Sheet(lines(72, 700, [first, second]))]))
    assert joined in document.text
    check_exact(document)


def test_both_halves_of_a_hyphenated_word_keep_their_boxes() -> None:
    document = read(pdf_bytes([Sheet(lines(72, 700, ["this is a long trans-", "lation of it all"]))]))
    assert "translation" in document.text
    assert box_of(document, "trans")[1] < box_of(document, "lation")[1]
    assert box_of(document, "trans")[0] > box_of(document, "lation")[0]


def test_columns_are_read_one_after_the_other_between_full_width_lines() -> None:
    left = [f"left column line number {n} with words" for n in range(8)]
    right = [f"right column line number {n} with words" for n in range(8)]
    page = [
        *lines(72, 740, ["A title that runs over the whole width of this page and both of its columns"], 12),
        *lines(72, 700, left),
        *lines(320, 697, right),
        *lines(
            72, 560, ["A line below that runs over the whole width of the page and both of its columns again"]
        ),
    ]
    # The content stream goes across the columns on purpose.
    page[1:17] = sorted(page[1:17], key=lambda text: -text.y)
    text = read(pdf_bytes([Sheet(page)])).text
    order = [text.index(part) for part in ("A title", left[0], left[7], right[0], right[7], "A line below")]
    assert order == sorted(order)


def test_three_columns_and_a_caption_over_two_of_them() -> None:
    columns = [[f"column {name} row {n} with a few words" for n in range(10)] for name in "abc"]
    page = [text for i, column in enumerate(columns) for text in lines(40 + 190 * i, 700, column, 9)]
    text = read(pdf_bytes([Sheet(page)])).text
    order = [text.index(column[n]) for column in columns for n in range(10)]
    assert order == sorted(order)


def test_the_numbers_beside_the_lines_of_a_transcript_are_not_in_its_sentences() -> None:
    said = [
        f"and {word} the witness said to the court that he"
        for word in ["one", "two", "six", "ten", "now", "then", "here"]
    ]
    said *= 2
    numbers = [str(n) for n in range(1, 15)]
    page = [*lines(60, 720, numbers, pitch=24), *lines(110, 720, said, pitch=24)]
    text = read(pdf_bytes([Sheet(page)])).text.replace("\n\n", " ")
    assert " ".join(said) in text
    assert " ".join(numbers) in text


def test_headings_by_type_size() -> None:
    page = [
        Text(72, 740, "Report on Everything", 24),
        *lines(72, 700, [BODY + " to its end."] * 6),
        Text(72, 600, "First Part", 16),
        *lines(72, 570, [BODY + " to its end."] * 6),
    ]
    document = read(pdf_bytes([Sheet(page)]))
    found = [
        (b.level, b.title, slice_of(document, b)) for b in document.blocks if b.kind is BlockKind.HEADING
    ]
    assert found == [(1, "Report on Everything", "Report on Everything"), (2, "First Part", "First Part")]
    assert document.title == "Report on Everything"


def test_no_headings_where_the_larger_size_is_common() -> None:
    page = [*lines(72, 740, [BODY] * 3, 14, pitch=18), *lines(72, 600, [BODY] * 4)]
    assert texts(read(pdf_bytes([Sheet(page)])), BlockKind.HEADING) == []


def test_headings_by_outline() -> None:
    first = Sheet(
        [
            Text(72, 740, "1 Introduction"),
            *lines(72, 700, [BODY] * 3),
            Text(72, 640, "1.1 Scope"),
            *lines(72, 610, [BODY]),
        ]
    )
    second = Sheet([*lines(72, 740, [BODY] * 2), *lines(72, 600, [BODY + " still."] * 2)])
    outline = [
        Mark("Introduction", 0, 760, [Mark("Scope", 0, 655)]),
        Mark("Elsewhere called", 1, 615),
        Mark("No place", 1),
    ]
    document = read(pdf_bytes([first, second], outline))
    check_exact(document)
    found = [
        (b.level, b.title, slice_of(document, b), b.page)
        for b in document.blocks
        if b.kind is BlockKind.HEADING
    ]
    assert found == [
        (1, "Introduction", "1 Introduction", 1),
        (2, "Scope", "1.1 Scope", 1),
        (1, "No place", "", 2),
        (1, "Elsewhere called", "", 2),
    ]
    assert [(e.level, e.title, e.page) for e in document.outline] == [
        (1, "Introduction", 1),
        (2, "Scope", 1),
        (1, "Elsewhere called", 2),
        (1, "No place", 2),
    ]
    marks = {b.title: b.start for b in document.blocks if b.kind is BlockKind.HEADING}
    assert document.text[marks["Elsewhere called"] :].startswith(BODY + " still.")


def test_headings_by_tags() -> None:
    first = [
        ("H1", Text(72, 700, "A heading in the type of the body")),
        ("P", Text(72, 688, BODY)),
        ("P", Text(72, 676, BODY)),
        ("H2", Text(72, 664, "Another one below it")),
        ("P", Text(72, 652, BODY)),
    ]
    document = read(pdf_bytes([Sheet(tagged=first), Sheet(tagged=[("P", Text(72, 700, BODY))])]))
    check_exact(document)
    found = [
        (b.level, b.title, slice_of(document, b)) for b in document.blocks if b.kind is BlockKind.HEADING
    ]
    assert found == [
        (1, "A heading in the type of the body", "A heading in the type of the body"),
        (2, "Another one below it", "Another one below it"),
    ]


def test_lists() -> None:
    page = [
        *lines(72, 700, ["Before the list there is a line of text:"]),
        *lines(80, 680, ["1. first item"]),
        *lines(
            80,
            668,
            [
                "2. second item that is long enough to need",
            ],
        ),
        *lines(92, 656, ["a second line of its own"]),
        *lines(100, 644, ["a) an item below it"]),
        *lines(80, 632, ["3. third item"]),
    ]
    document = read(pdf_bytes([Sheet(page)]))
    items = [(b.level, slice_of(document, b)) for b in document.blocks if b.kind is BlockKind.LIST_ITEM]
    assert items == [
        (1, "1. first item"),
        (1, "2. second item that is long enough to need a second line of its own"),
        (2, "a) an item below it"),
        (1, "3. third item"),
    ]


def test_a_table_without_lines_keeps_rows_cells_and_header() -> None:
    rows = [
        ("City", "Height", "Founded"),
        ("Bern", "540", "1191"),
        ("Thun", "560", "1264"),
        ("Biel", "434", "1230"),
    ]
    page = [
        Text(72, 700, "Table 1: Cities of the canton and their age"),
        *(
            Text(x, 680 - 14 * n, cell, 10, "F2" if n == 0 else "F1")
            for n, row in enumerate(rows)
            for x, cell in zip((72, 200, 330), row, strict=True)
        ),
        *lines(72, 600, ["A line of text that follows the table and is none of its rows at all."]),
    ]
    document = read(pdf_bytes([Sheet(page)]))
    check_exact(document)
    (block,) = [b for b in document.blocks if b.table]
    assert block.table is not None
    assert block.table.columns == rows[0]
    assert block.table.header_rows == 1
    assert block.table.caption == "Table 1: Cities of the canton and their age"
    cells = [tuple(document.text[c.start : c.end] for c in row.cells) for row in block.table.rows]
    assert cells == rows
    assert "Bern\t540\t1191\nThun" in document.text


def test_a_table_that_goes_on_over_the_page_says_so_and_keeps_its_columns() -> None:
    def sheet(first: int, names: Sequence[str] = ()) -> Sheet:
        head = [Text(x, 714, name, font="F2") for x, name in zip((72, 200, 330), names, strict=False)]
        cells = [(n, x, c) for n in range(10) for x, c in ((72, "a"), (200, "b"), (330, "c"))]
        return Sheet([*head, *(Text(x, 700 - 14 * n, f"{first + n}{c}") for n, x, c in cells)])

    document = read(pdf_bytes([sheet(10, ("Left", "Middle", "Right")), sheet(30)]))
    tables = [block.table for block in document.blocks if block.table]
    assert [table.continues for table in tables] == [False, True]
    assert [table.header_rows for table in tables] == [1, 0]
    assert [table.columns for table in tables] == [("Left", "Middle", "Right")] * 2


def test_a_watermark_at_an_angle_stays_out_of_the_lines_it_crosses() -> None:
    written = [f"line {name} of the page {BODY}" for name in ("one", "two", "three", "four", "five", "six")]
    mark = "BT /F2 60 Tf 0.7071 0.7071 -0.7071 0.7071 150 500 Tm (DRAFT COPY) Tj ET"
    document = read(pdf_bytes([Sheet(lines(72, 700, written, pitch=30), drawing=mark)]))
    check_exact(document)
    assert [document.text.index(line) for line in written] == sorted(
        document.text.index(line) for line in written
    )
    assert document.text.endswith("DRAFT COPY")


def test_a_drop_cap_is_the_first_letter_of_its_word() -> None:
    rest = ["nce upon a time there was a line", "and another line beside it", "and a third one"]
    document = read(pdf_bytes([Sheet([Text(72, 676, "O", 36), *lines(104, 700, rest)])]))
    check_exact(document)
    assert document.text.replace("\n\n", " ") == "O" + " ".join(rest)


def test_vertical_lines_are_read_from_right_to_left() -> None:
    right, left = "縦書きの文章です。これは一行目", "二行目はここにあります。終わり"
    content = "".join(
        f"BT /F1 20 Tf 1 0 0 1 {x} 700 Tm <{line.encode('utf-16-be').hex()}> Tj ET "
        for x, line in ((370, left), (400, right))
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /UniJIS-UCS2-V /DescendantFonts [6 0 R] >>",
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /FontDescriptor 7 0 R"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
        "<< /Type /FontDescriptor /FontName /Mincho /Flags 4 /FontBBox [0 -200 1000 900] /Ascent 850 /Descent -150 >>",
    ]
    body = "".join(f"{number} 0 obj\n{item}\nendobj\n" for number, item in enumerate(objects, 1))
    document = read(f"%PDF-1.4\n{body}trailer << /Root 1 0 R /Size 8 >>\n%%EOF".encode())
    check_exact(document)
    assert document.text == right + left


def test_code_in_fixed_pitch_keeps_its_lines_and_indents() -> None:
    page = [
        *lines(72, 700, [BODY] * 5),
        Text(72, 620, "def area(width, height):", 9, "F3"),
        Text(72 + 4 * 5.4, 609, "return width * height", 9, "F3"),
        *lines(72, 580, [BODY] * 5),
    ]
    document = read(pdf_bytes([Sheet(page)]))
    assert texts(document, BlockKind.CODE) == ["def area(width, height):\n    return width * height"]
    check_exact(document)


def test_running_heads_feet_and_page_numbers_are_kept_apart() -> None:
    sheets = [
        Sheet(
            [
                Text(72, 760, "Annual Report 2024", 8),
                *lines(72, 700, [f"{'abcdefg'[n]} {BODY}", f"{BODY} {'hijklmn'[n]}"]),
                Text(72, 40, f"Confidential draft {n}", 8),
                Text(500, 28, str(n), 8),
            ]
        )
        for n in range(1, 7)
    ]
    document = read(pdf_bytes(sheets))
    check_exact(document)
    assert "Annual Report" not in document.text
    assert "Confidential" not in document.text
    by_kind = {kind: [m.text for m in document.marginalia if m.kind is kind] for kind in MarginaliaKind}
    assert by_kind[MarginaliaKind.HEADER] == ["Annual Report 2024"] * 6
    assert by_kind[MarginaliaKind.FOOTER] == [f"Confidential draft {n}" for n in range(1, 7)]
    assert by_kind[MarginaliaKind.PAGE_NUMBER] == [str(n) for n in range(1, 7)]
    head = document.marginalia[0]
    assert head.box is not None
    assert head.box.y == pytest.approx(1 - 768 / 792, abs=0.01)


def test_pages_that_are_alike_lose_nothing() -> None:
    document = read(pdf_bytes([Sheet([Text(72, 760, "Nothing but this line")])] * 5))
    assert document.text == "\n\n".join(["Nothing but this line"] * 5)
    assert document.marginalia == ()


def test_a_footnote_does_not_cut_the_sentence_that_goes_on_in_the_next_column() -> None:
    left = [f"left column line number {n} with words" for n in range(8)]
    page = [
        *lines(72, 700, [*left, "and a sentence that"]),
        *lines(
            72,
            580,
            ["1 A note in smaller type that stands below", "the left column of this page."],
            7.5,
            pitch=9,
        ),
        *lines(
            320,
            700,
            [
                "continues over here with words",
                *[f"right column line number {n} with words" for n in range(8)],
            ],
        ),
    ]
    document = read(pdf_bytes([Sheet(page)]))
    assert "and a sentence that continues over here" in document.text
    assert texts(document, BlockKind.FOOTNOTE) == [
        "1 A note in smaller type that stands below the left column of this page."
    ]
    assert document.blocks[-1].kind is BlockKind.FOOTNOTE


def test_filled_form_fields_are_part_of_the_page() -> None:
    sheet = Sheet([Text(72, 700, "Name:")], fields=[Text(120, 695, "Ada Lovelace")])
    document = read(pdf_bytes([sheet]))
    check_exact(document)
    assert document.text == "Name: Ada Lovelace"
    assert box_of(document, "Ada")[0] == pytest.approx(122 / 612, abs=0.002)


def ruled(xs: list[int], ys: list[int]) -> str:
    """Content operators that draw a grid."""
    flat = [f"{xs[0]} {y} m {xs[-1]} {y} l S" for y in ys]
    return "\n".join([*flat, *(f"{x} {ys[0]} m {x} {ys[-1]} l S" for x in xs)])


@pytest.mark.parametrize("rotate", [0, 90])
def test_a_drawn_table_keeps_the_lines_of_a_cell_together(rotate: int) -> None:
    page = [
        *lines(72, 740, ["A line of text that stands above the table and is none of its rows."]),
        *lines(76, 700, ["Part", "Bolt", "Nut"], font="F2", pitch=40),
        *lines(150, 700, ["What it is for"]),
        *lines(150, 660, ["Holds the plate and", "the frame together"]),
        *lines(150, 620, ["Keeps the bolt from", "coming loose again"]),
        *lines(72, 560, ["A line of text that stands below the table and is none of its rows."]),
    ]
    sheet = Sheet(page, drawing=ruled([72, 145, 300], [715, 675, 635, 595]), rotate=rotate)
    document = read(pdf_bytes([sheet]))
    check_exact(document)
    assert [block.kind for block in document.blocks] == [
        BlockKind.PARAGRAPH,
        BlockKind.TABLE,
        BlockKind.PARAGRAPH,
    ]
    (block,) = [b for b in document.blocks if b.table]
    assert slice_of(document, block) == (
        "Part\tWhat it is for\nBolt\tHolds the plate and the frame together\nNut\tKeeps the bolt from coming loose again"
    )


def test_a_frame_around_the_page_is_no_table() -> None:
    page = [*lines(80, 700, [BODY] * 6), *lines(80, 500, [BODY] * 6)]
    sheet = Sheet(page, drawing=ruled([60, 66, 550], [720, 600, 400]))
    document = read(pdf_bytes([sheet]))
    assert not [block for block in document.blocks if block.table]
    assert document.text.count(BODY) == 12
