"""Workbooks: regions, headers, values as shown, rows of the sheet, notes, and files that are not what they seem."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment
from reading_checks import cells, read, shown, words
from sheet_writing import open_document, part, saved, with_parts, workbook

from findspot.errors import FindspotError, Reason
from findspot.model import ExtractedDocument, MarginaliaKind, PageKind, Table
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.registry import Registry

SHEET = "xl/worksheets/sheet1.xml"


def tables(document: ExtractedDocument) -> list[Table]:
    return [block.table for block in document.blocks if block.table is not None]


def test_a_table_names_its_columns_and_the_rows_of_its_sheet() -> None:
    book = workbook([], [], [None, "Item", "Count"], [None, "bolt", 4], [None, "nut", 2.5], title="Parts")
    document = read(saved(book), "a.xlsx")
    (table,) = tables(document)
    assert (table.columns, table.header_rows, table.first_row) == (("Item", "Count"), 1, 3)
    assert document.text == "Item | Count\nbolt | 4\nnut | 2.5"
    page = document.pages[0]
    assert (page.number, page.kind, page.label, page.end) == (1, PageKind.SHEET, "Parts", len(document.text))


def test_blank_rows_and_columns_part_regions_in_reading_order() -> None:
    book = workbook(
        ["a", "b", None, "x", "y"], [1, 2, None, 3, 4], [], ["c", "d", None, None, None], [5, 6], [None]
    )
    document = read(saved(book), "a.xlsx")
    assert [words(document, block) for block in document.blocks] == [
        "a | b\n1 | 2",
        "x | y\n3 | 4",
        "c | d\n5 | 6",
    ]
    assert [table.first_row for table in tables(document)] == [1, 1, 4]


def test_values_are_shown_as_people_read_them() -> None:
    values: list[Any] = ["v", 3.0, 0.1 + 0.2, 1e20, True, date(2024, 2, 3), datetime(2024, 2, 3, 4, 5, 6)]  # noqa: DTZ001
    values += [time(1, 2, 3), timedelta(hours=30), "two\nlines", " \t"]
    book = workbook(values, ["w"])
    expected = [
        "v",
        "3",
        "0.3",
        "1e+20",
        "TRUE",
        "2024-02-03",
        "2024-02-03 04:05:06",
        "01:02:03",
        "30:00:00",
        "two lines",
    ]
    document = read(saved(book), "a.xlsx")
    assert cells(document, document.blocks[0])[0] == expected


def test_error_values_are_text_and_formulas_are_their_stored_values() -> None:
    book = workbook(["Name", "Share"], ["a", "#DIV/0!"], ["b", 2])
    book.active["B2"].data_type = "e"
    data = saved(book)
    xml = part(data, SHEET).replace(b"<v>2</v>", b"<f>1+1</f><v>2</v>")
    document = read(with_parts(data, {SHEET: xml}), "a.xlsx")
    assert document.text == "Name | Share\na | #DIV/0!\nb | 2"
    assert tables(document)[0].columns == ("Name", "Share")


def test_a_merged_value_stands_once_and_old_values_below_it_are_not_read() -> None:
    book = workbook(["Group", "stale", "Other"], ["x", "y", "z"], [1, 2, 3])
    data = saved(book)
    merge = b'<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells><pageMargins'
    xml = part(data, SHEET).replace(b"<pageMargins", merge)
    document = read(with_parts(data, {SHEET: xml}), "a.xlsx")
    assert document.text == "Group |  | Other\nx | y | z\n1 | 2 | 3"
    (table,) = tables(document)
    assert (table.header_rows, table.columns) == (2, ("Group x", "Group y", "Other z"))


def test_years_name_columns_of_amounts_but_not_of_years() -> None:
    document = read(saved(workbook(["Tax", 2001, 2002], ["a", 0.5, 0.25])), "a.xlsx")
    assert tables(document)[0].columns == ("Tax", "2001", "2002")
    document = read(saved(workbook(["born", 2001, 2002], ["died", 2003, 2004])), "a.xlsx")
    assert tables(document)[0].columns == ()


def test_a_title_is_the_caption_of_the_table_that_it_stands_above() -> None:
    document = read(saved(workbook(["Cities"], ["City", "Size"], ["Rome", 3])), "a.xlsx")
    (table,) = tables(document)
    assert (table.caption, table.header_rows, table.first_row) == ("Cities", 2, 1)
    document = read(saved(workbook(["Budget"], [], ["Item", "Cost"], ["Rent", 800])), "a.xlsx")
    assert [table.caption for table in tables(document)] == ["", "Budget"]


def test_rows_after_a_blank_row_keep_the_names_of_their_columns() -> None:
    document = read(saved(workbook(["Item", "Cost"], ["Rent", 800], [], ["Gas", 50], ["Tea", 5])), "a.xlsx")
    assert [table.columns for table in tables(document)] == [("Item", "Cost")] * 2
    assert [table.header_rows for table in tables(document)] == [1, 0]


def test_hidden_and_empty_sheets_are_pages_too() -> None:
    book = workbook(["secret"], title="One")
    book.active.sheet_state = "hidden"
    book.create_sheet("Two")
    book.create_sheet("العربية")["B7"] = "نص \U0001f600"
    document = read(saved(book), "a.xlsx")
    assert [(page.label, page.start, page.end) for page in document.pages] == [
        ("One", 0, 6),
        ("Two", 6, 6),
        ("العربية", 8, 12),
    ]
    assert tables(document)[1].first_row == 7
    assert [(notice.code, notice.page) for notice in document.warnings] == [("SHEET_HIDDEN", 1)]


def test_comments_follow_their_sheet_and_page_heads_stay_outside() -> None:
    book = workbook(["Item", "Cost"], ["Rent", 800])
    book.active["B2"].comment = Comment("too high &\nrising", "Ann")
    book.active.oddHeader.left.text = "Budget && plan"
    book.active.oddFooter.center.text = "Page &P of &N"
    document = read(saved(book), "a.xlsx")
    assert shown(document)[1:] == [("note", "B2: too high & rising")]
    assert [(piece.kind, piece.text) for piece in document.marginalia] == [
        (MarginaliaKind.HEADER, "Budget & plan"),
        (MarginaliaKind.FOOTER, "Page of"),
    ]


def test_properties_are_metadata() -> None:
    book = workbook(["x"])
    book.properties.title, book.properties.creator = "Yearly plan", "Ann"
    document = read(saved(book), "a.xlsx")
    assert (document.title, document.metadata["author"]) == ("Yearly plan", "Ann")


def test_cells_at_the_end_of_a_sheet_cost_nothing() -> None:
    book = workbook(["near"])
    book.active["XFD1048576"] = "far"
    book.active["XFD1048575"] = 7
    document = read(saved(book), "a.xlsx")
    assert [words(document, block) for block in document.blocks] == ["near", "7\nfar"]
    assert [table.first_row for table in tables(document)] == [1, 1_048_575]


def test_what_one_library_refuses_the_other_may_open() -> None:
    data = with_parts(saved(workbook(["Item", "Cost"], ["Rent", 800])), {"_rels/.rels": b"<Relationships"})
    document = read(data, "a.xlsx")
    assert document.text == "Item | Cost\nRent | 800"
    assert [notice.code for notice in document.warnings] == ["PART_UNREADABLE"]


def test_a_damaged_sheet_costs_a_warning_and_a_workbook_of_them_is_corrupt() -> None:
    book = workbook(["kept"])
    book.create_sheet("Bad")["A1"] = 1
    data = with_parts(saved(book), {"xl/worksheets/sheet2.xml": b"<worksheet><sheetData><row"})
    document = read(data, "a.xlsx")
    assert document.text == "kept"
    assert [(notice.code, notice.page) for notice in document.warnings] == [("SHEET_UNREADABLE", 2)]
    with pytest.raises(FindspotError) as caught:
        read(with_parts(saved(workbook(["x"])), {SHEET: b"<worksheet><sheetData><row"}), "a.xlsx")
    assert caught.value.reason is Reason.DOCUMENT_CORRUPT


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(encoding: str) -> None:
    bomb = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE s [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>'
    data = with_parts(saved(workbook(["x"])), {"xl/sharedStrings.xml": bomb.encode(encoding)})
    with pytest.raises(FindspotError, match="document type") as caught:
        read(data, "a.xlsx")
    assert caught.value.reason is Reason.DOCUMENT_CORRUPT


@pytest.mark.parametrize(
    "limits", [ReadLimits(max_characters=5), ReadLimits(max_pages=1), ReadLimits(max_expanded_bytes=99)]
)
def test_limits_hold(limits: ReadLimits) -> None:
    book = workbook(["more", "than", "five"])
    book.create_sheet("Two")
    with pytest.raises(FindspotError) as caught:
        read_document(saved(book), Upload(file_name="a.xlsx"), Registry(), limits)
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.ods"])
def test_bytes_that_are_no_workbook_are_corrupt(name: str) -> None:
    for data in (
        bytes(range(256)) * 8,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1024),
        b"PK\x03\x04" + bytes(99),
    ):
        with pytest.raises(FindspotError) as caught:
            read(data, name, document_type=name[2:])
        assert caught.value.reason is Reason.DOCUMENT_CORRUPT


def test_a_cut_off_package_is_corrupt() -> None:
    data = saved(workbook(["x"]))
    for end in range(10, len(data), 400):
        with pytest.raises(FindspotError) as caught:
            read(data[:end], "a.xlsx")
        assert caught.value.reason is Reason.DOCUMENT_CORRUPT


def _ods_cell(value: str, attributes: str = "") -> str:
    return f'<table:table-cell office:value-type="string"{attributes}><text:p>{value}</text:p></table:table-cell>'


def test_open_document_sheets() -> None:
    numbers = (
        '<table:table-cell office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell>'
    )
    rows = f"<table:table-row>{_ods_cell('Item')}{_ods_cell('Cost')}</table:table-row>"
    rows += f"<table:table-row>{_ods_cell('tea')}{numbers}</table:table-row>"
    rows += '<table:table-row table:number-rows-repeated="1048570">'
    rows += '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    document = read(open_document(rows), "a.ods")
    assert document.text == "Item | Cost\ntea | 2"
    assert (document.pages[0].label, tables(document)[0].columns) == ("Data", ("Item", "Cost"))


def test_open_document_sheets_that_do_not_end_are_corrupt() -> None:
    whole = open_document(f"<table:table-row>{_ods_cell('x')}</table:table-row>")
    xml = part(whole, "content.xml")
    for end in (-1, -30, len(xml) // 2):
        with pytest.raises(FindspotError) as caught:
            read(with_parts(whole, {"content.xml": xml[:end]}), "a.ods", document_type="ods")
        assert caught.value.reason is Reason.DOCUMENT_CORRUPT


def test_cells_that_repeat_without_end_are_refused() -> None:
    repeated = ' table:number-columns-repeated="16384"'
    rows = (
        f'<table:table-row table:number-rows-repeated="1048576">{_ods_cell("x", repeated)}</table:table-row>'
    )
    with pytest.raises(FindspotError) as caught:
        read(open_document(rows), "a.ods")
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE


_CELLS = st.none() | st.sampled_from(["x", "two words", " ", "1", "#N/A", "\U0001f600", 0, 2020, 1.5, True])


@given(st.lists(st.lists(_CELLS, max_size=6), max_size=8), st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_cell_is_in_one_table_at_its_row(rows: list[list[Any]], hidden: bool) -> None:
    book = workbook(*rows)
    book.create_sheet("Other")["A1"] = "end"
    book["Sheet"].sheet_state = "hidden" if hidden else "visible"
    data = saved(book)
    document = read(data, "a.xlsx")
    assert document == read(data, "a.xlsx")
    found: Counter[tuple[int, str]] = Counter()
    for block in document.blocks:
        if block.page == 1 and block.table is not None:
            for number, row in enumerate(cells(document, block), block.table.first_row):
                found.update((number, word) for word in row if word)
    texts = {True: "TRUE", False: "FALSE"}
    filled = [(n, v) for n, row in enumerate(rows, 1) for v in row if v is not None and str(v).strip()]
    assert found == Counter((n, texts[v] if v is True else str(v)) for n, v in filled)
