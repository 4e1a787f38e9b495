"""Workbooks as SheetJS 0.18.5 writes them: short cells in XLSB, indented OpenDocument with a packed media type, XLS."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_checks import read

from findspot_extraction.readers.sheets.rewriting import named_columns, unindented, with_members

WORKBOOKS = Path(__file__).parents[2] / "fixtures" / "workbooks"
STOCK = """Stock of pumps
Item | Count | Price | Bought | In use
Größe Ω | 3 | 12.5 | 2024-02-29 | TRUE
ポンプ | 1200 | 0.25 | 1999-12-31 | FALSE
Total | 1203

left | top
x

region
far | away

secret | hidden"""
SHEETS = ["Stock", "Two & regions", "Hidden"]


@pytest.mark.parametrize("form", ["xls", "xlsb", "ods"])
def test_every_cell_is_read(form: str) -> None:
    document = read((WORKBOOKS / f"stock.{form}").read_bytes(), f"a.{form}")
    # OpenDocument stores dates as text, and this writer adds a time.
    assert document.text.replace("T00:00:00.000Z", "") == STOCK
    assert [page.label for page in document.pages] == SHEETS
    assert document.document_type == {"xlsb": "xlsx"}.get(form, form)


@pytest.mark.parametrize("form", ["xls", "xlsb", "ods"])
def test_the_bytes_tell_the_type(form: str) -> None:
    assert read((WORKBOOKS / f"stock.{form}").read_bytes(), "").text.startswith("Stock of pumps")


def record(kind: int, content: bytes) -> bytes:
    assert len(content) < 128
    return bytes((kind, len(content))) + content


ROWS = st.lists(st.lists(st.tuples(st.integers(1, 7), st.binary(max_size=20), st.booleans()), max_size=6))


@given(ROWS)
def test_short_cells_are_those_after_the_cell_before(rows: list[list[tuple[int, bytes, bool]]]) -> None:
    written, whole = b"", b""
    for number, row in enumerate(rows):
        head = record(0, number.to_bytes(4, "little"))
        written, whole = written + head, whole + head
        for column, (kind, content, short) in enumerate(row):
            named = record(kind, column.to_bytes(4, "little") + content)
            whole += named
            written += record(kind + 11, content) if short else named
    found = named_columns(written)
    assert found == (whole if whole != written else None)


@given(st.binary(max_size=200))
def test_damaged_sheets_are_no_failure(sheet: bytes) -> None:
    named_columns(sheet)


def test_only_white_space_between_rows_and_cells_goes() -> None:
    cell = b"<table:table-cell><text:p>a <text:span>b</text:span> <text:span>c</text:span></text:p></table:table-cell>"
    row = b"<table:table-row>\n  " + cell + b"\n </table:table-row>"
    assert unindented(row) == b"<table:table-row>" + cell + b"</table:table-row>"
    assert unindented(cell) is None


def test_members_are_replaced_and_the_rest_stays() -> None:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("a", "1")
        package.writestr("b", "2" * 1_000)
    found = zipfile.ZipFile(BytesIO(with_members(target.getvalue(), {"a": b"3"})))
    assert {name: found.read(name) for name in found.namelist()} == {"a": b"3", "b": b"2" * 1_000}
    assert with_members(target.getvalue(), {}) == target.getvalue()
