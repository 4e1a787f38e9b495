"""What facts about slides, sheets and Word files mean for a document that was read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from findspot.model import BlockKind, ExtractedDocument, Page
from tests.conformance.folding import fold, holds

Fact = Mapping[str, Any]


def slides(document: ExtractedDocument, fact: Fact) -> str:
    found = [page.number for page in document.pages]
    return "" if found == list(range(1, fact["value"] + 1)) else f"slides {found}"


def slide_text(document: ExtractedDocument, fact: Fact) -> str:
    return "" if holds(_slide(document, fact["slide"]), fact["contains"]) else f"no {fact['contains']!r}"


def slide_title(document: ExtractedDocument, fact: Fact) -> str:
    titles = [
        fold(block.title)
        for block in document.blocks
        if block.kind is BlockKind.HEADING and block.page == fact["slide"]
    ]
    return "" if fold(fact["value"]) in titles else f"{titles}"


def notes(document: ExtractedDocument, fact: Fact) -> str:
    found = [
        document.text[block.start : block.end]
        for block in document.blocks
        if block.kind is BlockKind.NOTE and block.page == fact["slide"]
    ]
    return "" if holds("\n".join(found), fact["contains"]) else f"{found}"


def sheets(document: ExtractedDocument, fact: Fact) -> str:
    """A hidden sheet may be left out, in so many words."""
    stated = fact.get("sheets", [{"name": name, "state": "Visible"} for name in fact.get("names", ())])
    found = [page.label for page in document.pages]
    told = " ".join(notice.message for notice in document.warnings)
    missing = [sheet["name"] for sheet in stated if sheet["name"] not in found and sheet["name"] not in told]
    return f"{found} and not {missing}" if missing else ""


def sheet_cell(document: ExtractedDocument, fact: Fact) -> str:
    """Some cell of the sheet holds the value."""
    page = _sheet(document, fact["sheet"])
    cells = [] if page is None else _cells(document, page)
    return "" if fold(fact["value"]) in cells else f"no cell of {fact['sheet']} holds {fact['value']!r}"


def merged(document: ExtractedDocument, fact: Fact) -> str:
    """The value of a merged range stands once in its row."""
    page = _sheet(document, fact["sheet"])
    if page is None:
        return f"no sheet {fact['sheet']!r}"
    rows = fold(document.text[page.start : page.end]).count(fold(fact["value"]))
    return "" if rows == 1 else f"{rows} times"


def row_count(document: ExtractedDocument, fact: Fact) -> str:
    """Every row that is used is a line of the sheet."""
    page = _sheet(document, fact["sheet"])
    lines = (
        []
        if page is None
        else [line for line in document.text[page.start : page.end].splitlines() if line.strip()]
    )
    return "" if len(lines) <= fact["rows_used"] and lines else f"{len(lines)} lines"


def no_external_entity(document: ExtractedDocument, fact: Fact) -> str:
    """Nothing of this machine is in the text."""
    return "an entity was expanded" if "root:" in document.text or "localhost" in document.text else ""


def no_crash(document: ExtractedDocument, fact: Fact) -> str:
    return ""


def _slide(document: ExtractedDocument, number: int) -> str:
    return "\n".join(document.text[page.start : page.end] for page in document.pages if page.number == number)


def _sheet(document: ExtractedDocument, name: str) -> Page | None:
    return next((page for page in document.pages if page.label == name), None)


def _cells(document: ExtractedDocument, page: Page) -> list[str]:
    return [
        fold(document.text[span.start : span.end])
        for block in document.blocks
        if block.table is not None and page.start <= block.start < page.end
        for row in block.table.rows
        for span in row.cells
    ]
