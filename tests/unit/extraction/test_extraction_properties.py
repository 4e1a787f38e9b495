"""Whatever is fed to a reader: ranges exact, blocks apart, nothing lost, valid text, the same every time."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_checks import cells, read

from findspot_extraction.readers.lines import Lines, paragraphs
from findspot_extraction.readers.markdown_tables import table_row


def _parts(joined: str) -> st.SearchStrategy[str]:
    return st.sampled_from(joined.split("§"))


MARKS = _parts(
    "# §## §---\n§===\n§```\n§~~~\n§- §  - §1. §> §| a | b |\n|---|---|\n§| c |§    §\t§\n§"
    "\n\n§\r\n§\r§[^1]: §<div>§</div>\n§<!--§&amp;§\\§|§é§\U0001f600§[x](y)§[r]: z\n§***§word §"
    "Table 1: §\x0c§\u2028§\xa0§\ufeff§{#id}§title: x\n"
)
TAGS = _parts(
    "<p>§</p>§<h1>§</h1>§<h2>§<ul>§<ol start=2>§<li>§</ul>§<table>§<tr>§<td>§<th colspan=2>§"
    "<td rowspan=3>§</table>§<thead>§<caption>§<pre>§</pre>§<blockquote>§<br>§<script>§"
    "</script>§<nav>§</nav>§<template>§<b>§</i>§<div hidden>§</div>§word §\n§&nbsp;§&#0;§"
    "&#xD83D;§é§\U0001f600§<img alt='x'>§<dl><dt>§<dd>§<a href='#'>¶</a>"
)
CODE = _parts(
    "def f():\n§class A:\n§    §    pass\n§@dec\n§# c\n§\n§\n\n§\xe9 = '\U0001f600'\n§if x:\n§"
    "(§)§{§}§;§fn f() {}\n§impl A {\n§struct A {};\n§/* c */§// c\n§namespace n {§int f() {}§"
    "class B {§public void m() {}§#ifdef X\n§#endif\n§\"§'§<?php §function g() {}\n§end\n§"
    "export §module M\n§type T struct {}\n§\r\n§\\§\t"
)


def pieces(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=40).map("".join)


@given(pieces(MARKS))
@settings(max_examples=80, deadline=None)
def test_markdown(source: str) -> None:
    document = read(source, "a.md")
    assert document == read(source, "a.md")
    assert source.removeprefix("\ufeff").endswith(document.text)


@given(pieces(TAGS))
@settings(max_examples=80, deadline=None)
def test_html(source: str) -> None:
    assert read(source, "a.html") == read(source, "a.html")


@given(
    pieces(CODE),
    st.sampled_from(["py", "js", "ts", "tsx", "rs", "go", "java", "c", "cpp", "cs", "rb", "php", "sh", "kt"]),
)
@settings(max_examples=100, deadline=None)
def test_code(source: str, extension: str) -> None:
    document = read(source, f"a.{extension}")
    assert document == read(source, f"a.{extension}")
    assert document.text == (source if source.strip() else "")


@given(st.text(max_size=400))
@settings(max_examples=100, deadline=None)
def test_plain_text(source: str) -> None:
    document = read(source.encode("utf-8", errors="surrogatepass"), "a.txt", document_type="text")
    assert len(document.text) in (0, len(source.removeprefix("\ufeff")))


@given(
    st.lists(st.lists(st.text("ab1 ,;\"'|\n\té", max_size=8), min_size=2, max_size=5), min_size=2, max_size=6)
)
@settings(max_examples=100, deadline=None)
def test_csv_cells_come_back(rows: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(rows)
    document = read("sep=,\n" + buffer.getvalue(), "a.csv")
    wanted = [[" ".join(cell.split()) for cell in row] for row in rows]
    wanted = [row for row in wanted if any(row)]
    found = [row for block in document.blocks if block.table for row in cells(document, block)]
    titles = len(wanted) - len(found)
    assert 0 <= titles <= 5
    assert found == wanted[titles:]
    assert all(sum(map(bool, row)) == 1 for row in wanted[:titles])


@given(st.binary(max_size=300), st.sampled_from(["md", "html", "txt", "csv", "py", "json"]))
@settings(max_examples=80, deadline=None)
def test_any_bytes_under_a_stated_type(data: bytes, extension: str) -> None:
    name = {"md": "markdown", "txt": "text", "py": "python"}.get(extension, extension)
    read(data, f"a.{extension}", document_type=name)


@given(st.text("a \t\r\n\x0c\u2028", max_size=60))
def test_lines_and_paragraphs_agree(text: str) -> None:
    lines = Lines.of(text)
    assert "".join(text[a:b] for a, b in zip(lines.starts, lines.starts[1:], strict=False)) == text
    assert [lines.number_at(start) for start in lines.starts[:-1]] == list(range(len(lines)))
    covered = "".join(text[start:end] for start, end in paragraphs(text))
    assert covered.count("a") == text.count("a")
    assert all(text[start:end].strip() for start, end in paragraphs(text))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("|a|b", ["a", "b"]),
        ("a|b|", ["a", "b"]),
        ("| a \\| b | c |", ["a \\| b", "c"]),
        ("|  |  |", ["", ""]),
        ("| a |  ", ["a"]),
        ("||", [""]),
        ("|", [""]),
        ("a", ["a"]),
    ],
)
def test_cells_of_a_row(line: str, found: list[str]) -> None:
    row = table_row(Lines.of(line), 0, [])
    assert [line[cell.start : cell.end] for cell in row.cells] == found
