"""What each kind of fact means for a document that was read; a kind that is not here only describes its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from findspot.model import Block, BlockKind, ExtractedDocument, Reader
from tests.conformance.folding import fold, holds
from tests.conformance.office_facts import (
    merged,
    no_crash,
    no_external_entity,
    notes,
    row_count,
    sheet_cell,
    sheets,
    slide_text,
    slide_title,
    slides,
)

Fact = dict[str, Any]
Check = Callable[[ExtractedDocument, Fact], str]
"""Says what is wrong; empty when the fact holds."""


def page_text(document: ExtractedDocument, number: int) -> str:
    """The text of one page; the marginalia of the page stand behind it, since a fact may be about a page number."""
    inside = [document.text[page.start : page.end] for page in document.pages if page.number == number]
    around = [piece.text for piece in document.marginalia if piece.page == number]
    return "\n".join([*inside, *around])


def pages(document: ExtractedDocument, fact: Fact) -> str:
    return _differ(len(document.pages), fact["value"])


def text_on_page(document: ExtractedDocument, fact: Fact) -> str:
    if not holds(page_text(document, fact["page"]), fact["contains"]):
        return f"page {fact['page']} does not hold {fact['contains']!r}"
    if fact.get("only_on_this_page"):
        others = [page.number for page in document.pages if page.number != fact["page"]]
        wrong = [number for number in others if holds(page_text(document, number), fact["contains"])]
        return f"also on pages {wrong}" if wrong else ""
    return ""


def text(document: ExtractedDocument, fact: Fact) -> str:
    around = " ".join(piece.text for piece in document.marginalia)
    wanted = fact.get("contains", "")
    return "" if holds(document.text + " " + around, wanted) else f"no {wanted!r}"


def text_absent(document: ExtractedDocument, fact: Fact) -> str:
    return f"holds {fact['value']!r}" if holds(document.text, fact["value"]) else ""


def bbox(document: ExtractedDocument, fact: Fact) -> str:
    wanted, near = fact["bbox"], []
    edges = (wanted["x"], wanted["y"], wanted["x"] + wanted["w"], wanted["y"] + wanted["h"])
    for words in document.words:
        if words.page != fact["page"]:
            continue
        for place, (start, length) in enumerate(zip(words.starts, words.lengths, strict=True)):
            if fold(fact["word"]) not in fold(document.text[start : start + length]):
                continue
            x, y, width, height = words.boxes[4 * place : 4 * place + 4]
            near.append((x, y, x + width, y + height))
    if any(all(abs(a - b) <= fact["tol"] for a, b in zip(box, edges, strict=True)) for box in near):
        return ""
    shown = [tuple(round(edge, 3) for edge in box) for box in near[:3]]
    return f"{fact['word']!r} at {shown}, not at {tuple(round(edge, 3) for edge in edges)}"


def heading_path(document: ExtractedDocument, fact: Fact) -> str:
    for block in document.blocks:
        if block.kind is not BlockKind.HEADING and holds(
            document.text[block.start : block.end], fact["text"]
        ):
            found = [fold(title) for title in heading_path_at(document, block.start)]
            wanted = [fold(title) for title in fact.get("path", [])]
            tail = fact.get("path_tail")
            fits = (
                found[-1:] == [fold(tail)]
                if tail
                else found[-len(wanted) :] == wanted and len(found) <= len(wanted) + 1
            )
            if fits or (not wanted and not tail and not found):
                return ""
            return f"{found}, not {wanted or tail}"
    return f"no block holds {fact['text']!r}"


def heading_path_at(document: ExtractedDocument, position: int) -> list[str]:
    """Headings above a position, outermost first."""
    path: list[tuple[int, str]] = []
    for block in document.blocks:
        if block.start > position:
            break
        if block.kind is BlockKind.HEADING:
            path = [item for item in path if item[0] < block.level] + [(block.level, block.title)]
    return [title for _, title in path]


def heading_count(document: ExtractedDocument, fact: Fact) -> str:
    return _differ(sum(block.kind is BlockKind.HEADING for block in document.blocks), fact["value"])


def headings(document: ExtractedDocument, fact: Fact) -> str:
    found = {(block.level, fold(block.title)) for block in document.blocks if block.kind is BlockKind.HEADING}
    missing = [item for item in fact.get("items", [fact]) if (item["level"], fold(item["text"])) not in found]
    return f"no heading {missing}" if missing else ""


def not_a_heading(document: ExtractedDocument, fact: Fact) -> str:
    titles = [fold(block.title) for block in document.blocks if block.kind is BlockKind.HEADING]
    return f"{fact['line']!r} is a heading" if any(fold(fact["line"]) in title for title in titles) else ""


def outline(document: ExtractedDocument, fact: Fact) -> str:
    found = [(entry.level - 1, fold(entry.title), entry.page) for entry in document.outline]
    wanted = [(item["level"], fold(item["title"]), item.get("page") or 0) for item in fact["items"]]
    return "" if found[: len(wanted)] == wanted else f"{found[: len(wanted)]}, not {wanted}"


def table_header(document: ExtractedDocument, fact: Fact) -> str:
    wanted = [fold(name) for name in fact["columns"]]
    for block in document.blocks:
        if block.table and [fold(name) for name in block.table.columns][: len(wanted)] == wanted:
            data = len(block.table.rows) - block.table.header_rows
            whole = len(block.table.rows)
            wrong = _differ(data, fact["data_rows"]) if "data_rows" in fact else ""
            return wrong or _differ(whole, fact.get("rows_including_header", whole))
    return f"no table has the columns {wanted}"


def cell(document: ExtractedDocument, fact: Fact) -> str:
    """Rows count from the first record of the file, so a title above the table is one of them."""
    if "sheet" in fact:
        return sheet_cell(document, fact)
    wanted, column = fold(fact["value"]), fact["col"]
    for block in document.blocks:
        if block.table is None:
            continue
        above = sum(bool(line.strip()) for line in document.text[: block.start].splitlines())
        for row in (fact["row"], fact["row"] - above):
            cells = block.table.rows[row].cells if 0 <= row < len(block.table.rows) else ()
            if column < len(cells) and fold(document.text[cells[column].start : cells[column].end]) == wanted:
                return ""
    return f"no table has {fact['value']!r} at row {fact['row']}, column {column}"


def table_count(document: ExtractedDocument, fact: Fact) -> str:
    return _differ(sum(block.table is not None for block in document.blocks), fact["total"])


def code_symbol(document: ExtractedDocument, fact: Fact) -> str:
    found = []
    for blocks in _definitions(document, fact["name"]):
        found.append((line_of(document, blocks[0].start), line_of(document, blocks[-1].end - 1)))
        if found[-1][0] <= fact["start_line"] and abs(found[-1][1] - fact["end_line"]) <= 1:
            return ""
    return f"lines {found}, not {fact['start_line']} to {fact['end_line']}"


def definition_blocks(document: ExtractedDocument, name: str) -> list[Block]:
    """The blocks of the first definition of this name."""
    return next(_definitions(document, name))


def _definitions(document: ExtractedDocument, name: str) -> Iterator[list[Block]]:
    """Every definition of this name: blocks do not overlap, so a class is its own lines and those of its members."""
    for path in dict.fromkeys(
        block.symbol_path for block in document.blocks if block.symbol_path[-1:] == (name,)
    ):
        yield [block for block in document.blocks if block.symbol_path[: len(path)] == path]


def line_of(document: ExtractedDocument, position: int) -> int:
    """The line, from 1, of a position."""
    return document.text.count("\n", 0, position) + 1


def no_text(document: ExtractedDocument, fact: Fact) -> str:
    """The file holds no text. What was read from the pictures of its pages is none of the file, and is declared."""
    seen = [page for page in document.pages if page.reader is not Reader.TEXT_LAYER]
    in_file = len(document.text.strip()) - sum(page.end - page.start for page in seen)
    if in_file > 0:
        return f"{in_file} characters of text"
    undeclared = seen and not READ_FROM_PICTURES & {notice.code for notice in document.warnings}
    return "read from pictures without a word of it" if undeclared else ""


def reading_order(document: ExtractedDocument, fact: Fact) -> str:
    last, whole = -1, fold(document.text)
    for wanted in fact["sequence"]:
        found = whole.find(fold(wanted), last + 1)
        if found < 0:
            return f"{wanted!r} does not follow"
        last = found
    return ""


def fence_count(document: ExtractedDocument, fact: Fact) -> str:
    return _differ(sum(block.kind is BlockKind.CODE for block in document.blocks), fact["value"])


def language(document: ExtractedDocument, fact: Fact) -> str:
    return "" if document.language in ("", fact["value"]) else _differ(document.language, fact["value"])


def _differ(found: object, wanted: object) -> str:
    return "" if found == wanted else f"{found}, not {wanted}"


READ_FROM_PICTURES = frozenset({"READ_BY_OCR", "READ_BY_MODEL", "NO_TEXT_FOUND"})
CHECKS: dict[str, Check] = {
    "pages": pages,
    "page_text": text_on_page,
    "page_text_nfkc": text_on_page,
    "text": text,
    "text_absent": text_absent,
    "bbox": bbox,
    "heading_path": heading_path,
    "heading_count": heading_count,
    "heading": headings,
    "headings": headings,
    "not_a_heading": not_a_heading,
    "outline": outline,
    "table_header": table_header,
    "cell": cell,
    "table_count": table_count,
    "code_symbol": code_symbol,
    "no_text": no_text,
    "reading_order": reading_order,
    "fence_count": fence_count,
    "language": language,
    "slides": slides,
    "slide_text": slide_text,
    "slide_title": slide_title,
    "notes": notes,
    "sheets": sheets,
    "merged": merged,
    "row_count": row_count,
    "no_external_entity": no_external_entity,
    "no_crash": no_crash,
}
MAY_FAIL = frozenset({"no_crash", "no_external_entity"})
"""Facts that hold as well when the file ends in a typed failure."""
MUST_FAIL = frozenset({"must_fail_cleanly", "encrypted"})
"""Facts that hold when the file ends in a typed failure (an empty password may open an encrypted one)."""
