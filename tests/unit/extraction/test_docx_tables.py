"""Tables of Word documents: spans, merges, header rows, tables inside tables."""

from __future__ import annotations

from ooxml_writing import cell, paragraph, row, table, word_document
from reading_checks import cells, read, shown

from findspot.model import Block, ExtractedDocument


def first_table(document: ExtractedDocument) -> Block:
    return next(block for block in document.blocks if block.table)


def test_cells_over_columns_and_rows() -> None:
    grid = table(
        row("Head 1", cell("Both", '<w:gridSpan w:val="2"/>')),
        row(cell("down", '<w:vMerge w:val="restart"/>'), "a", "b"),
        row(cell("", "<w:vMerge/>"), "c", "d"),
        row("late", properties='<w:gridBefore w:val="2"/>'),
        row("", "", ""),
    )
    document = read(word_document(grid), "a.docx")
    block = first_table(document)
    assert document.text == "Head 1 | Both\ndown | a | b\ndown | c | d\n | late"
    assert cells(document, block)[0] == ["Head 1", "Both", "Both"]
    assert cells(document, block)[3] == ["", "", "late"]
    assert block.table
    assert (block.table.columns, block.table.header_rows) == (("Head 1", "Both", "Both"), 1)


def test_marked_header_rows_give_names_from_top_to_bottom() -> None:
    head = "<w:tblHeader/>"
    grid = table(
        row("Region", cell("Sales", '<w:gridSpan w:val="2"/>'), properties=head),
        row("", "2023", "2024", properties=head),
        row("North", "1", "2"),
    )
    found = first_table(read(word_document(grid), "a.docx")).table
    assert found
    assert (found.columns, found.header_rows) == (("Region", "Sales 2023", "Sales 2024"), 2)


def test_a_first_row_over_all_columns_is_the_title_of_the_table() -> None:
    grid = table(row(cell("Prices", '<w:gridSpan w:val="2"/>')), row("Part", "Price"), row("Lid", "2"))
    found = first_table(read(word_document(grid), "a.docx")).table
    assert found
    assert (found.caption, found.columns, found.header_rows) == ("Prices", ("Part", "Price"), 2)


def test_a_table_inside_a_cell_follows_its_table() -> None:
    inner = table(row("x", "y"), row("1", "2"))
    grid = table(row("A", "B"), row("left", paragraph("before") + inner + paragraph("after")))
    assert shown(read(word_document(grid), "a.docx")) == [
        ("table", "A | B\nleft | before after"),
        ("table", "x | y\n1 | 2"),
    ]


def test_tables_that_only_place_things_are_read_as_the_page() -> None:
    inner = table(row("x", "y"), row("1", "2"))
    framed = table(row(paragraph("before") + inner + paragraph("after")))
    assert [kind for kind, _ in shown(read(word_document(framed), "a.docx"))] == [
        "paragraph",
        "table",
        "paragraph",
    ]
    column = "".join(paragraph(f"Sentence {number}. " * 30) for number in range(6))
    page = read(word_document(table(row(column, "side"))), "a.docx")
    assert [kind for kind, _ in shown(page)] == ["paragraph"] * 7


def test_a_table_without_words_is_no_block() -> None:
    assert read(word_document(table(row("", ""))), "a.docx").blocks == ()


def test_cells_that_repeat_are_bounded() -> None:
    long = "word " * 10_000
    rows = [row(cell(long, '<w:vMerge w:val="restart"/>'), "0")]
    rows += [row(cell("", "<w:vMerge/>"), str(number)) for number in range(1, 50)]
    document = read(word_document(table(*rows)), "a.docx")
    assert len(document.text) < 300_000
    assert cells(document, document.blocks[0])[49][1] == "49"
