"""Tables on slides: merged cells, and where each cell lies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from xml.etree.ElementTree import Element

from findspot.model import Block
from findspot_extraction.readers.ooxml_tables import MAX_SPAN, Cell, OfficeTable, office_table
from findspot_extraction.readers.ooxml_xml import A, whole_number
from findspot_extraction.readers.rendering import one_line
from findspot_extraction.readers.slides.geometry import Frame, is_on_attribute
from findspot_extraction.readers.slides.paragraphs import paragraph_words


@dataclass(frozen=True, slots=True)
class SlideTable:
    """A table and its grid, as the edges of columns and rows in fractions of its frame."""

    table: OfficeTable
    column_edges: list[float]
    row_edges: list[float]

    def cells(self, block: Block, frame: Frame) -> list[tuple[int, int, Frame]]:
        """Start, end and place of each cell of the block that the table became."""
        found = []
        rows = block.table.rows if block.table else ()
        for row, widths, number in zip(rows, self.table.widths, self.table.kept, strict=True):
            column = 0
            for width in widths:
                cell = row.cells[column]
                found.append((cell.start, cell.end, self._frame(frame, number, column, width)))
                column += width
        return found

    def _frame(self, frame: Frame, row: int, column: int, width: int) -> Frame:
        def between(edges: list[float], first: int, last: int) -> tuple[float, float]:
            start = edges[min(first, len(edges) - 1)]
            return start, max(start, edges[min(last, len(edges) - 1)])

        left, right = between(self.column_edges, column, column + width)
        top, bottom = between(self.row_edges, row, row + 1)
        return Frame(
            frame.x + left * frame.width,
            frame.y + top * frame.height,
            (right - left) * frame.width,
            (bottom - top) * frame.height,
        )


def read_table(node: Element, languages: Counter[str]) -> SlideTable:
    """The words and the grid of a table (`a:tbl`)."""
    columns = [whole_number(column.get("w")) for column in node.findall(f"{A}tblGrid/{A}gridCol")]
    rows = node.findall(A + "tr")
    stored = [
        [_cell(cell, languages) for cell in row.findall(A + "tc") if not _is_covered(cell)] for row in rows
    ]
    heights = [whole_number(row.get("h")) for row in rows]
    return SlideTable(office_table(stored), _edges(columns), _edges(heights))


def _is_covered(cell: Element) -> bool:
    """True for the place of a cell that the one to its left reaches over."""
    return is_on_attribute(cell, "hMerge")


def _cell(cell: Element, languages: Counter[str]) -> Cell:
    words = one_line(" ".join(paragraph_words(paragraph, languages) for paragraph in cell.iter(A + "p")))
    width = max(1, min(whole_number(cell.get("gridSpan"), 1), MAX_SPAN))
    return Cell(words, width, is_on_attribute(cell, "vMerge"))


def _edges(sizes: list[int]) -> list[float]:
    sizes = [max(0, size) for size in sizes]
    total = sum(sizes)
    if not total:
        return [0.0, 1.0] if len(sizes) < 2 else [number / len(sizes) for number in range(len(sizes) + 1)]
    return [edge / total for edge in accumulate(sizes, initial=0)]
