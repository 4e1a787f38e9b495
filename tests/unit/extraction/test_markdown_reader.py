"""Markdown: the source is the text, its structure becomes blocks, headings become words."""

from __future__ import annotations

import pytest
from reading_checks import cells, headings, read, shown, words

from findspot.model import BlockKind
from findspot_extraction.readers.markdown_words import plain_words


def test_headings_are_plain_words() -> None:
    source = (
        "# Rounds &amp; *more* `code|x` [link](http://x) ![alt](y.png) <b>bold</b> {#anchor}\n\n"
        "Setext _em_\nover two\n===\n\n"
        "## [Ref][r] ##\n\n[r]: http://x\n\n### a[^1]\n\n[^1]: note\n\n####\n\n#no heading\n"
    )
    assert headings(read(source, "a.md")) == [
        (1, "Rounds & more code|x link alt bold"),
        (1, "Setext em over two"),
        (2, "Ref"),
        (3, "a"),
        (4, ""),
    ]


@pytest.mark.parametrize(
    "fence",
    [
        "~~~sh\n# not a heading\n~~~",
        "````md\n```ruby\n# inner\n```\n# still inner\n````",
        "    # indented code",
        "> ```\n> # quoted fence\n> ```",
        "- item\n\n  ```py\n  # in a list\n  ```",
        "```\n# never closed\n\n# B",
        "<!--\n# comment\n-->",
        "> # quoted heading",
        "- # heading of an item",
    ],
)
def test_what_is_no_heading(fence: str) -> None:
    document = read(f"# A\n\n{fence}\n", "a.md")
    assert headings(document) == [(1, "A")]
    assert document.text.endswith(f"{fence}\n")


def test_fences_keep_their_marks_and_name_their_language() -> None:
    source = (
        "```rust,ignore\nfn a() {}\n```\n~~~ {.python .x}\nb\n~~~\n\n- x\n\n  ```js title='a'\n  c\n  ```\n"
    )
    document = read(source, "a.md")
    code = [block for block in document.blocks if block.kind is BlockKind.CODE]
    assert [block.language for block in code] == ["rust", "python", "js"]
    assert words(document, code[0]) == "```rust,ignore\nfn a() {}\n```"
    assert words(document, code[2]) == "  ```js title='a'\n  c\n  ```"


def test_lists_give_an_item_a_block_with_its_depth() -> None:
    document = read("- one\n  - two\n\n    more of two\n1. three\n   lazy\n", "a.md")
    found = [(block.level, words(document, block)) for block in document.blocks]
    assert found == [(1, "- one"), (2, "- two"), (2, "more of two"), (1, "1. three\n   lazy")]
    assert {block.kind for block in document.blocks} == {BlockKind.LIST_ITEM}


def test_tables_have_the_exact_range_of_every_cell() -> None:
    source = "Intro.\n\n| A *b* | C |\n|---|--:|\n| 1 \\| x | `2` |\n|  | é |\n 3 | 4 | 5\n"
    document = read(source, "a.md")
    table = document.blocks[1]
    assert table.table is not None
    assert (table.table.columns, table.table.header_rows) == (("A b", "C"), 1)
    assert cells(document, table) == [["A *b*", "C"], ["1 \\| x", "`2`"], ["", "é"], ["3", "4", "5"]]


@pytest.mark.parametrize("prefix", ["> ", "> > ", "  "])
def test_tables_inside_quotes_and_items(prefix: str) -> None:
    first = "- " if prefix == "  " else prefix
    source = f"{first}| a | b |\n{prefix}|---|---|\n{prefix}| 1 | 2 |\n"
    document = read(source, "a.md")
    assert [block.kind for block in document.blocks] == [BlockKind.TABLE]
    assert cells(document, document.blocks[0]) == [["a", "b"], ["1", "2"]]


def test_a_table_in_a_fence_is_code() -> None:
    document = read("```md\n| K | V |\n|---|---|\n| 1 | 2 |\n```\n", "a.md")
    assert [block.kind for block in document.blocks] == [BlockKind.CODE]


def test_captions_belong_to_the_table_beside_them() -> None:
    document = read("Table 4: tank *levels*\n\n| h | l |\n|---|---|\n| 1 | 2 |\n\nTable talk.\n", "a.md")
    assert [block.kind.value for block in document.blocks] == ["caption", "table", "paragraph"]
    table = document.blocks[1].table
    assert table is not None
    assert table.caption == "Table 4: tank levels"


def test_footnotes_quotes_and_html_blocks() -> None:
    source = "> one\n>\n> two\n\n[^1]: note\n    goes on\n\n<div>\n<p>x</p>\n</div>\n\n***\n"
    assert shown(read(source, "a.md")) == [
        ("quote", "> one\n>"),
        ("quote", "> two"),
        ("footnote", "[^1]: note\n    goes on"),
        ("paragraph", "<div>\n<p>x</p>\n</div>"),
        ("paragraph", "***"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept(end: str) -> None:
    source = end.join(["---", "title: T", "---", "# A", "", "one", "two", "", "| a |", "|---|", "| 1 |", ""])
    document = read(source, "a.md")
    assert document.text == source.split("---" + end, 2)[2]
    assert document.title == "T"
    assert [kind for kind, _ in shown(document)] == ["heading", "paragraph", "table"]


def test_title_is_stated_or_the_first_heading_of_level_one() -> None:
    assert read("---\ntitle: Night  shift\n---\n# Rounds\n", "a.md").title == "Night shift"
    assert read("## Below\n\n# Rounds\n", "a.md").title == "Rounds"
    assert read("## Below\n", "a.md").title == ""


def test_language_comes_from_the_caller_or_the_front_matter() -> None:
    assert read("---\nlang: de\n---\nText\n", "a.md").language == "de"
    assert read("---\nlang: de\n---\nText\n", "a.md", language="en").language == "en"


@pytest.mark.parametrize(
    "source",
    [
        ">" * 10_000 + " x",
        "- " * 10_000 + "x",
        "\n".join("  " * depth + "- x" for depth in range(300)),
        "# " + "[" * 10_000,
        "# " + "*a_ " * 3_000,
        "![](" * 10_000,
        "| a " * 2_000 + "\n" + "|-" * 2_000 + "|\n" + "| x " * 2_000 + "\n",
    ],
)
def test_deep_nesting_neither_overflows_nor_loses_text(source: str) -> None:
    document = read(source, "a.md")
    assert document.text == source
    assert document.blocks[-1].end == len(source.rstrip())


def test_a_paragraph_of_invisible_space_is_none() -> None:
    assert shown(read("one\n\n\u00a0\n\ntwo\n", "a.md")) == [("paragraph", "one"), ("paragraph", "two")]


def test_plain_words_drop_tags_and_decode_entities() -> None:
    assert plain_words("a&nbsp;<i>b</i><br>c \\* &#65;", {}) == "a b c * A"
