"""Tables of Word documents: grid spans, vertical merges, skipped columns, header rows."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_tables import MAX_SPAN, Cell, OfficeTable, office_table
from findspot_extraction.readers.ooxml_xml import W, is_on, whole_number
from findspot_extraction.readers.rendering import one_line
from findspot_extraction.readers.word.flow import PARAGRAPH, TABLE, Flow, Hanging, row_cells, rows
from findspot_extraction.readers.word.styles import VALUE

_LAYOUT_CELL = 1_500
"""Characters: a cell longer than this, with several paragraphs, is a part of the page."""
_LAYOUT_PARAGRAPHS = 3


def is_layout(table: Element) -> bool:
    """True when the table only places parts of a page: its cells are then read as the page itself.

    Those are tables with page-long cells, and tables of one column around other tables.
    """
    widest = longest = 0
    nested = False
    for row in rows(table):
        cells = list(row_cells(row))
        widest = max(widest, len(cells))
        for cell in cells:
            nested = nested or cell.find(f".//{TABLE}") is not None
            if sum(1 for _ in cell.iter(PARAGRAPH)) >= _LAYOUT_PARAGRAPHS:
                longest = max(longest, sum(len(text.text or "") for text in cell.iter(W + "t")))
    return longest > _LAYOUT_CELL or (nested and widest == 1)


def read_table(table: Element, flow: Flow, hanging: Hanging) -> OfficeTable:
    """The words of a table; tables inside it, notes and charts are put in `hanging`."""
    stored: list[list[Cell]] = []
    marked = 0
    for number, row in enumerate(rows(table)):
        properties = row.find(W + "trPr")
        heads = properties is not None and is_on(properties.find(W + "tblHeader"), VALUE)
        if heads and marked == number:
            marked += 1
        before = _skipped(properties, "gridBefore")
        cells = [Cell("", before)] if before else []
        cells.extend(_cell(cell, flow, hanging) for cell in row_cells(row))
        stored.append(cells)
    return office_table(stored, marked)


def stated_caption(table: Element) -> str:
    """The title among the table's properties, which Word shows only to screen readers."""
    node = table.find(f"{W}tblPr/{W}tblCaption")
    return "" if node is None else one_line(node.get(VALUE, ""))


def _cell(cell: Element, flow: Flow, hanging: Hanging) -> Cell:
    words = one_line(" ".join(flow.lines(cell, hanging, nested=False)))
    properties = cell.find(W + "tcPr")
    if properties is None:
        return Cell(words)
    span, merge = properties.find(W + "gridSpan"), properties.find(W + "vMerge")
    width = 1 if span is None else max(1, min(whole_number(span.get(VALUE), 1), MAX_SPAN))
    return Cell(words, width, merge is not None and merge.get(VALUE, "continue") == "continue")


def _skipped(properties: Element | None, name: str) -> int:
    node = None if properties is None else properties.find(W + name)
    return 0 if node is None else max(0, min(whole_number(node.get(VALUE)), MAX_SPAN))
