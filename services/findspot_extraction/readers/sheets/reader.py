"""The reader of workbooks: every sheet is a page, every region of cells a table, rows as the sheet numbers them."""

from __future__ import annotations

from dataclasses import replace

from findspot.model import BlockKind, ExtractedDocument, Marginalia, Notice, Page, PageKind
from findspot_extraction.readers.archive import Archive
from findspot_extraction.readers.ooxml_properties import stated_title
from findspot_extraction.readers.reader import ReadLimits, Source, corrupt, too_large
from findspot_extraction.readers.rendering import Rendering
from findspot_extraction.readers.stamps import READER_STAMPS

from .grid import regions
from .open_document import check_open_document
from .parts import WorkbookParts, marginalia
from .rewriting import binary_sheets, with_members
from .tables import SheetTable, tables
from .workbook import Sheet, Workbook

_ZIP = b"PK\x03\x04"


class SheetsReader:
    """Reads XLSX, XLSM, XLSB, XLS and ODS. Formulas are their stored values; percentages stay fractions."""

    stamp = READER_STAMPS["sheets"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """A sheet that cannot be read costs a warning; a file without any that can is DOCUMENT_CORRUPT."""
        source, parts = _opened(source, limits)
        copy = _Copy(parts, limits)
        for number, sheet in enumerate(Workbook(source, parts).sheets(), 1):
            copy.add(sheet, number)
        if copy.pages and copy.unreadable == len(copy.pages):
            raise corrupt(f"No sheet of the workbook can be read. {copy.notices[0].message}")
        properties = parts.properties if parts is not None else {}
        return ExtractedDocument(
            text=copy.out.text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=stated_title(properties),
            language=source.language or properties.get("language", ""),
            blocks=tuple(copy.out.blocks),
            pages=tuple(copy.pages),
            marginalia=tuple(copy.marginalia),
            metadata=properties,
            warnings=(*copy.notices, *(parts.notices if parts is not None else ())),
            extractor_stamp=self.stamp,
        )


READER = SheetsReader()


def _opened(source: Source, limits: ReadLimits) -> tuple[Source, WorkbookParts | None]:
    """The file as calamine reads it, and what an Office Open XML workbook holds beside its cells."""
    if not source.data.startswith(_ZIP):
        return source, None
    if source.document_type == "ods":
        rewritten = check_open_document(Archive(source.data, limits, "workbook"))
        return replace(source, data=with_members(source.data, rewritten)), None
    parts = WorkbookParts(source, limits)
    return replace(source, data=with_members(source.data, binary_sheets(parts.archive))), parts


class _Copy:
    """The document as far as sheets have been added."""

    def __init__(self, parts: WorkbookParts | None, limits: ReadLimits) -> None:
        self.out = Rendering()
        self.pages: list[Page] = []
        self.marginalia: list[Marginalia] = []
        self.notices: list[Notice] = []
        self.unreadable = 0
        self._parts = parts
        self._limits = limits

    def add(self, sheet: Sheet, number: int) -> None:
        """Append the tables of a sheet, then its notes."""
        if number > self._limits.max_pages:
            raise too_large(f"The workbook has more than {self._limits.max_pages:,} sheets.")
        count = len(self.out.blocks)
        for table in tables(sheet.grid, regions(sheet.grid), sheet.merges):
            self._room(table)
            self.out.table(
                table.rows,
                columns=table.columns,
                header_rows=table.header_rows,
                caption=table.caption,
                page=number,
                first_row=table.first_row,
            )
        for note in self._parts.notes(sheet.name) if self._parts is not None else ():
            self.out.block(BlockKind.NOTE, note, page=number)
        added = self.out.blocks[count:]
        start, end = (added[0].start, added[-1].end) if added else (len(self.out), len(self.out))
        self.pages.append(Page(number, start, end, PageKind.SHEET, sheet.name))
        self.marginalia.extend(marginalia(sheet.extent, number))
        self._tell(sheet, number)

    def _room(self, table: SheetTable) -> None:
        """Text is counted before it is made."""
        length = len(self.out) + sum(len(cell) + 3 for row in table.rows for cell in row)
        if length > self._limits.max_characters:
            raise too_large(
                f"The sheets hold more than {self._limits.max_characters:,} characters. Split the workbook.",
                limit=str(self._limits.max_characters),
            )

    def _tell(self, sheet: Sheet, number: int) -> None:
        if sheet.hidden:
            self.notices.append(
                Notice("SHEET_HIDDEN", f"Sheet {sheet.name!r} is hidden; it was read.", number)
            )
        if sheet.problem:
            self.unreadable += 1
            self.notices.append(
                Notice("SHEET_UNREADABLE", f"Sheet {sheet.name!r} was left out: {sheet.problem}", number)
            )
