"""Where a range of a document is, in the words of its format: pages, slides, rows, headings, lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from findspot.model import BlockKind, PageKind
from findspot_chunking.contexts import HEADING_JOINT
from findspot_chunking.plan import Source

_LINE_TYPES = frozenset(["text", "log", "rst", "asciidoc", "org", "latex", "subtitles"])
_LINE_END = re.compile(r"\r\n?|\n")


class Locator:
    """Locates ranges of one document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._page_starts = [page.start for page in source.pages]

    def pages(self, start: int, end: int) -> tuple[int, int]:
        """Numbers of the pages on which a range begins and ends; zeros without pages."""
        pages = self._source.pages
        if not pages:
            return 0, 0
        first = max(bisect_right(self._page_starts, start) - 1, 0)
        last = max(bisect_right(self._page_starts, max(end - 1, start)) - 1, first)
        return pages[first].number, pages[last].number

    def locate(self, start: int, end: int, path: tuple[str, ...]) -> str:
        """The place of a range under a heading or symbol path."""
        source = self._source
        if source.pages:
            return self._on_pages(start, end)
        if source.is_code:
            symbol = ".".join(path)
            return f"{self._lines(start, end)} {symbol}".rstrip()
        rows = self._rows(start, end)
        if source.category == "table" and rows:
            return rows
        if path:
            return HEADING_JOINT.join(path)
        if source.document_type in _LINE_TYPES or source.category == "data":
            return self._lines(start, end)
        return ""

    def _on_pages(self, start: int, end: int) -> str:
        first, last = self.pages(start, end)
        page = self._source.pages[max(bisect_right(self._page_starts, start) - 1, 0)]
        if page.kind is PageKind.SHEET:
            name = page.label or str(page.number)
            rows = self._rows(start, end)
            return f"Sheet {name}, {rows}" if rows else f"Sheet {name}"
        if page.kind is PageKind.SLIDE:
            return f"slide {first}" if first == last else f"slides {first}-{last}"
        return f"p. {first}" if first == last else f"pp. {first}-{last}"

    def _lines(self, start: int, end: int) -> str:
        first = bisect_right(self._line_starts, start)
        last = bisect_right(self._line_starts, max(end - 1, start))
        return f"line {first}" if first == last else f"lines {first}-{last}"

    def _rows(self, start: int, end: int) -> str:
        """Rows of the table in which the range begins, with the header: of its sheet, else counted from 1."""
        at = bisect_right(self._table_starts, end - 1) - 1
        if at < 0:
            return ""
        begins, base = self._tables[at]
        first = max(bisect_right(begins, start), 1)
        last = max(bisect_left(begins, end), first)
        return f"row {base + first}" if first == last else f"rows {base + first}-{base + last}"

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self._source.text))]

    @cached_property
    def _tables(self) -> list[tuple[list[int], int]]:
        tables: list[tuple[list[int], int]] = []
        for segment in self._source.segments:
            if segment.kind is BlockKind.TABLE and segment.table is not None and segment.table.rows:
                base = segment.table.first_row - 1
                if segment.table.continues and tables:
                    base = tables[-1][1] + len(tables[-1][0])
                tables.append(([row.start for row in segment.table.rows], base))
        return tables

    @cached_property
    def _table_starts(self) -> list[int]:
        return [begins[0] for begins, _ in self._tables]
