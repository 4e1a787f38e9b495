"""HTML: what a person reads on the page, with its structure, and nothing of its machinery."""

from __future__ import annotations

import time

import pytest
from reading_checks import cells, headings, read, shown

from findspot.model import BlockKind


def test_headings_paragraphs_lists_and_code() -> None:
    page = (
        "<h1>Boiler <a href='#b'>¶</a></h1><p>Intro <b>bo</b>ld<br>line&nbsp;two</p>"
        "<ol start=3><li>q<ul><li>w</ul>more<li><p>z</ol>"
        "<pre class='x'><code class='language-py'>\n def\n  x &lt; 1\n</code></pre>"
        "<blockquote><h2>no heading</h2><p>q1</blockquote><figure><figcaption>Cap</figcaption></figure>tail"
    )
    document = read(page, "a.html")
    assert shown(document) == [
        ("heading", "Boiler"),
        ("paragraph", "Intro bold\nline two"),
        ("list_item", "3. q"),
        ("list_item", "- w"),
        ("list_item", "more"),
        ("list_item", "4. z"),
        ("code", " def\n  x < 1"),
        ("quote", "no heading"),
        ("quote", "q1"),
        ("caption", "Cap"),
        ("paragraph", "tail"),
    ]
    assert document.blocks[6].language == "py"
    assert [block.level for block in document.blocks[2:6]] == [1, 2, 1, 1]
    assert "3. q\n- w\nmore\n4. z" in document.text


def test_what_is_no_content_is_left_out_and_counted() -> None:
    page = (
        "<head><title>T</title><script>var a</script><style>b{}</style></head><body><nav>menu</nav>"
        "<header>banner</header><main><header>Lead</header><p>Text<script>cool script</script>"
        "<img src='data:image/png;base64,AAAA' alt='a pump'><p hidden>gone</p><template>t</template>"
        "<div style='display: none'>x</div><span class=linenos>12</span><button>Copy</button>"
        "<aside>Note</aside></main><aside>ads</aside><div role=navigation>more</div><footer>imprint</footer>"
        "<!-- comment --><svg><text>svg</text></svg><noscript>js</noscript>"
    )
    document = read(page, "a.html")
    assert document.text == "Lead\n\nText a pump\n\nNote"
    [notice] = document.warnings
    assert notice.code == "PAGE_FRAME_LEFT_OUT"
    assert "aside (3), div (5), footer (7), header (6), nav (4), p (4)" in notice.message


def test_the_header_with_the_title_stays_and_a_page_of_frame_only_is_read() -> None:
    assert headings(read("<header><h1>Title</h1></header><p>x", "a.html")) == [(1, "Title")]
    assert read("<nav><a>Only menu</a></nav>", "a.html").text == "Only menu"


def test_metadata_title_and_language() -> None:
    page = (
        "<html lang=de><head><title> Site\n- Page </title><meta name=Description content='About  it'>"
        "<meta property='article:published_time' content=2024-01-02><body><h2>b</h2>"
    )
    document = read(page, "a.html")
    assert document.metadata == {
        "title": "Site - Page",
        "lang": "de",
        "description": "About it",
        "published": "2024-01-02",
    }
    assert (document.title, document.language) == ("Site - Page", "de")
    assert read(page + "<h1>H</h1>", "a.html").title == "H"


def test_tables_have_columns_spans_and_captions() -> None:
    page = (
        "<table><caption>Sales</caption><thead><tr><th rowspan=2>N<th colspan=2>Sum<tr><th>2023<th>2024"
        "<tbody><tr><td rowspan=2>x<td>1<td>2<p>new\nline<tr><td>3<td>4<tr><td></table>"
    )
    document = read(page, "a.html")
    caption, block = document.blocks
    assert (caption.kind, document.text.split("\n")[0]) == (BlockKind.CAPTION, "Sales")
    table = block.table
    assert table is not None
    assert (table.columns, table.header_rows, table.caption) == (("N", "Sum 2023", "Sum 2024"), 2, "Sales")
    assert cells(document, block) == [
        ["N", "Sum", "Sum"],
        ["N", "2023", "2024"],
        ["x", "1", "2 new line"],
        ["x", "3", "4"],
    ]
    assert document.text.split("\n")[1] == "N | Sum"


def test_a_table_inside_a_cell_is_text_of_the_cell() -> None:
    page = "<h1>H</h1><table><tr><td>A<td>B<tr><td><table><tr><td>a1<td>b1</table><td>C</table>After"
    document = read(page, "a.html")
    table = document.blocks[1]
    assert cells(document, table) == [["A", "B"], ["a1 b1", "C"]]
    assert shown(document)[-1] == ("paragraph", "After")


def test_a_layout_table_is_the_page() -> None:
    page = "<table role=presentation><tr><td><h1>T</h1><p>Text</table>"
    assert shown(read(page, "a.html")) == [("heading", "T"), ("paragraph", "Text")]
    listing = "<table><tr><td class=linenos><pre>1</pre><td><pre>x = 1</pre></table>"
    assert shown(read(listing, "a.html")) == [("code", "x = 1")]


def test_a_heading_in_a_cell_opens_no_section() -> None:
    page = "<h1>M</h1><table><tr><td><h2>A</h2>t<td>B<tr><td>1<td>2</table><h2>S</h2>after"
    assert headings(read(page, "a.html")) == [(1, "M"), (2, "S")]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<meta charset=windows-1251><p>Насос".encode("cp1251"), "Насос"),
        ("<meta http-equiv=x content='text/html; charset=iso-8859-1'><p>5 €".encode("cp1252"), "5 €"),
        ("<?xml version='1.0' encoding='koi8-r'?><html><p>Насос".encode("koi8_r"), "Насос"),
        ("\ufeff<meta charset=unicode><p>Sample".encode("utf-16-le"), "Sample"),
        ("<meta charset=latin1><p>Größe".encode(), "Größe"),
    ],
)
def test_charset(data: bytes, text: str) -> None:
    assert read(data, "a.html").text == text


@pytest.mark.parametrize(
    "page",
    ["<div>" * 10_000 + "x", "<b>" * 10_000 + "x", "<ul><li>" * 5_000 + "x", "<table><tr><td>" * 1_000 + "x"],
)
def test_deep_nesting_does_not_overflow(page: str) -> None:
    assert read(page, "a.html").text.endswith("x")


def test_spans_cannot_multiply_a_page() -> None:
    page = "<table>" + "<tr>" + "<td colspan=9999 rowspan=65534>word" * 100 + "<tr><td>q" * 2_000
    assert len(read(page, "a.html").text) < 2_000_000


def test_nothing_but_markup_is_empty() -> None:
    assert read("<html><body><script>x</script></body></html>", "a.html").text == ""


def test_tables_nested_without_end_are_read_as_layout_in_one_pass() -> None:
    began = time.process_time()
    document = read("<table><tr><td>" * 5_000 + "tides", "a.html")
    assert document.text == "tides"
    # Looking through all that is inside at each level takes many times as long.
    assert time.process_time() - began < 2.0


def test_columns_that_spans_claim_are_bounded() -> None:
    cells = '<tr><td rowspan="65534" colspan="1000">x</td></tr>' * 300
    document = read(f"<table>{cells}</table>", "a.html")
    table = document.blocks[0].table
    assert table is not None
    assert len(document.text.splitlines()) == 300
    assert sum(len(row.cells) for row in table.rows) < 300_000
