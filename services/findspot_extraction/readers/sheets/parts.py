"""What an Office Open XML workbook holds beside the values of cells: where they end, errors, comments, page heads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from findspot.model import Marginalia, MarginaliaKind, Notice
from findspot_extraction.readers.archive import declares_entities
from findspot_extraction.readers.ooxml import Package, open_package
from findspot_extraction.readers.ooxml_properties import core_properties
from findspot_extraction.readers.ooxml_xml import A, R
from findspot_extraction.readers.reader import ReadLimits, Source, corrupt
from findspot_extraction.readers.rendering import one_line

_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\sr="([0-9]+)"')
_COLUMN = re.compile(rb'\sr="([A-Za-z]{1,3})[0-9]')
_REFERENCE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_ERROR = re.compile(rb'\st="e"')
_HEAD_OR_FOOT = re.compile(
    rb"<(?:\w+:)?((?:odd|even|first)(?:Header|Footer))(?:\s[^>]*)?>([^<]*)</(?:\w+:)?(?:odd|even|first)"
)
_LAYOUT_CODE = re.compile(r'&(?:"[^"]*"|K(?:[0-9A-Fa-f]{2}[+-][0-9]{3}|[0-9A-Fa-f]{6})|[0-9]{1,3}|[A-Za-z&])')
_SHAPE = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}txBody"
_TAIL = 262_144
_HEAD = 65_536
_THREADED = "[Threaded comment]"


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the cells of a sheet reach, empty ones that have a format included."""

    rows: int
    columns: int
    has_errors: bool
    tail: bytes = b""
    """The end of the part, behind the cells."""


class WorkbookParts:
    """The parts of one XLSX or XLSM file. Of an XLSB only its properties are read here."""

    def __init__(self, source: Source, limits: ReadLimits) -> None:
        """Raises DOCUMENT_CORRUPT, DOCUMENT_ENCRYPTED and DOCUMENT_TOO_LARGE."""
        self.package: Package = open_package(source, limits, "workbook")
        self.archive = self.package.archive
        for name in self.archive.names:
            if name.lower().endswith((".xml", ".rels")):
                self._refuse_entities(name)
        self.sheets = self._sheets()

    @property
    def properties(self) -> dict[str, str]:
        """Title, author, dates as the file states them."""
        return core_properties(self.package)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What could not be read although the cells could."""
        return tuple(self.package.notices)

    def extent(self, sheet: str) -> Extent:
        """Read the part of a sheet once, in pieces. Raises DOCUMENT_CORRUPT where it is damaged."""
        part = self.sheets.get(sheet, "")
        if not part:
            return Extent(0, 0, has_errors=False)
        rows, columns, has_errors, carry, tail = 0, set[bytes](), False, b"", b""
        for piece in self.archive.chunks(self.archive.find(part)):
            window = carry + piece
            rows = max(rows, max(map(int, _ROW.findall(window)), default=0))
            columns.update(_COLUMN.findall(window))
            has_errors = has_errors or _ERROR.search(window) is not None
            carry = window[max(window.rfind(b"<"), len(window) - 4096) :]
            tail = (tail + piece)[-_TAIL:]
        return Extent(rows, max((_column(name.decode()) for name in columns), default=0), has_errors, tail)

    def errors(self, sheet: str) -> dict[int, dict[int, str]]:
        """The cells that hold an error value, by row and column from 0."""
        found: dict[int, dict[int, str]] = {}
        for cell in self._cells(self.sheets[sheet]):
            place = _REFERENCE.fullmatch(cell.get("r", ""))
            value = next((child.text for child in cell if child.tag.endswith("}v")), "")
            if cell.get("t") == "e" and place and value:
                row, column = int(place.group(2)) - 1, _column(place.group(1)) - 1
                found.setdefault(row, {})[column] = one_line(value)
        return found

    def notes(self, sheet: str) -> Iterator[str]:
        """Comments with the cell that they are about, then the words of text boxes."""
        part = self.sheets.get(sheet, "")
        threads: dict[str, list[str]] = {}
        for name in self.package.related(part, "threadedComment") if part else ():
            for node in _named(self.package.optional(name), "threadedComment"):
                threads.setdefault(node.get("ref", ""), []).append(_words(node))
        for name in self.package.related(part, "comments") if part else ():
            for node in _named(self.package.optional(name), "comment"):
                place = node.get("ref", "")
                words = _words(node)
                if words.startswith(_THREADED) and place in threads:
                    words = " ".join(threads[place])
                if words:
                    yield f"{place}: {words}"
        for name in self.package.related(part, "drawing") if part else ():
            root = self.package.optional(name)
            for shape in root.iter(_SHAPE) if root is not None else ():
                lines = ("".join(node.text or "" for node in line.iter(A + "t")) for line in shape)
                yield "\n".join(filter(None, map(one_line, lines)))

    def _sheets(self) -> dict[str, str]:
        main = self.package.main("xl/workbook.xml")
        if not main.endswith(".xml"):
            return {}
        root = self.package.part(main)
        nodes = _named(root, "sheet")
        return {node.get("name", ""): self.package.target(main, node.get(R + "id")) for node in nodes}

    def _cells(self, part: str) -> Iterator[Element]:
        parser: Any = XMLPullParser(["end"])
        try:
            for piece in self.archive.chunks(self.archive.find(part)):
                parser.feed(piece)
                for _, element in parser.read_events():
                    if element.tag.endswith("}c"):
                        yield element
                    elif element.tag.endswith("}row"):
                        element.clear()
        except ParseError as problem:
            raise corrupt(f"Part {part!r} of the workbook is not well-formed XML: {problem}.") from problem

    def _refuse_entities(self, name: str) -> None:
        head = next(self.archive.chunks(name), b"")[:_HEAD]
        if declares_entities(head):
            raise corrupt(
                f"Part {name!r} of the workbook declares a document type, which the format forbids: "
                "entities are not expanded."
            )


def marginalia(extent: Extent, page: int) -> tuple[Marginalia, ...]:
    """What is printed above and below the pages of a sheet, without codes for type and page numbers."""
    found: dict[Marginalia, None] = {}
    for kind, words in _HEAD_OR_FOOT.findall(extent.tail):
        text = unescape(words.decode("utf-8", errors="replace"))
        text = one_line(_LAYOUT_CODE.sub(_layout, text))
        side = MarginaliaKind.HEADER if kind.endswith(b"Header") else MarginaliaKind.FOOTER
        if text:
            found[Marginalia(page, side, text)] = None
    return tuple(found)


def _layout(code: re.Match[str]) -> str:
    if code.group() == "&&":
        return "&"
    return " " if code.group().upper() in ("&L", "&C", "&R") else ""


def _column(letters: str) -> int:
    """The number, from 1, of a column such as `AB`."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def _named(root: Element | None, name: str) -> Iterator[Element]:
    """Elements of a name, whatever the namespace."""
    for node in root.iter() if root is not None else ():
        if node.tag.rpartition("}")[2] == name:
            yield node


def _words(node: Element) -> str:
    """The text of a comment, without readings of its characters."""
    silent = {child for reading in _named(node, "rPh") for child in reading.iter()}
    texts = (child for child in node.iter() if child.tag.rpartition("}")[2] in ("t", "text"))
    return one_line("".join(child.text or "" for child in texts if child not in silent))
