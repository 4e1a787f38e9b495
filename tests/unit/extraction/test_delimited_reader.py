"""CSV and TSV: one row a line, the delimiter and the column names found in the file."""

from __future__ import annotations

import pytest
from reading_checks import cells, read

from findspot.model import ExtractedDocument, Table


def table_of(document: ExtractedDocument) -> Table:
    table = document.blocks[-1].table
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a,b\n1,2\n", "a | b\n1 | 2"),
        ("a;b\n1,5;2\n", "a | b\n1,5 | 2"),
        ("a\tb\n1\t2", "a | b\n1 | 2"),
        ("a|b\n1|2", "a | b\n1 | 2"),
        ("sep=;\r\na;b\r\n1;2\r\n", "a | b\n1 | 2"),
        (
            "Lorem, ipsum; dolor; amet\nsed, do; eiusmod; x\n",
            "Lorem, ipsum | dolor | amet\nsed, do | eiusmod | x",
        ),
        ('q,a\n"first\nline","say ""hi"", then go"\n', 'q | a\nfirst line | say "hi", then go'),
        ("one\ntwo, three\n", "one\ntwo | three"),
        ('a,b\n"x" y,2\n', "a | b\nx y | 2"),
    ],
)
def test_rendering(source: str, text: str) -> None:
    assert read(source, "a.csv").text == text


def test_cells_are_exact_and_columns_named() -> None:
    document = read('\ufeffName,Zip\nLea,08123\n,"a ""b"""\n', "a.csv")
    table = table_of(document)
    assert (table.columns, table.header_rows) == (("Name", "Zip"), 1)
    assert cells(document, document.blocks[0]) == [["Name", "Zip"], ["Lea", "08123"], ["", 'a "b"']]


@pytest.mark.parametrize(
    ("source", "header_rows"),
    [
        ("1,2\n3,4\n", 0),
        ("Bob,12\nAl,13\n", 0),
        ("Name,2020,2021\nx,1,2\n", 1),
        ("1,2,3\na,b,c\n", 1),
        ("only,one\n", 0),
    ],
)
def test_header(source: str, header_rows: int) -> None:
    assert table_of(read(source, "a.csv")).header_rows == header_rows


def test_a_title_above_the_table_is_its_caption() -> None:
    document = read("Stanley Cups,,\nTeam,City,Cups\nBlues,STL,1\n", "a.csv")
    table = table_of(document)
    assert (table.columns, table.caption) == (("Team", "City", "Cups"), "Stanley Cups")
    assert document.text.startswith("Stanley Cups\nTeam | City | Cups\n")


def test_ragged_rows_stay_and_are_counted() -> None:
    document = read("1,2\na,b\na\na,b,c\n", "a.csv")
    assert [len(row) for row in cells(document, document.blocks[0])] == [2, 2, 1, 3]
    assert [(notice.code, notice.message[:1]) for notice in document.warnings] == [("ROWS_RAGGED", "2")]


def test_an_open_quote_does_not_swallow_the_file() -> None:
    document = read('a,"b\nc,d\ne,f\n', "a.csv")
    assert len(cells(document, document.blocks[0])) == 3
    assert [notice.code for notice in document.warnings] == ["QUOTES_UNBALANCED"]


def test_a_cell_larger_than_the_default_limit_of_the_parser() -> None:
    assert len(read("a,b\nx," + "y" * 200_000 + "\n", "a.csv").text) > 200_000


def test_tsv_takes_tabs_first() -> None:
    document = read("a, b\tc\n1, 2\t3\n", "a.tsv")
    assert table_of(document).columns == ("a, b", "c")
