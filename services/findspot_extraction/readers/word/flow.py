"""Words of a container of paragraphs without its structure: a table cell, a note, a comment, a page header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_drawings import description
from findspot_extraction.readers.ooxml_xml import ALTERNATE, W, chosen
from findspot_extraction.readers.rendering import CELL_SEPARATOR, one_line
from findspot_extraction.readers.word.inline import InlineReader
from findspot_extraction.readers.word.numbering import BULLET, Numbering
from findspot_extraction.readers.word.styles import ParagraphFormat, Styles, mark_is_deleted

PARAGRAPH = W + "p"
TABLE = W + "tbl"
ROW = W + "tr"
CELL = W + "tc"
WRAPPERS = frozenset(W + name for name in ["sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"])


@dataclass(slots=True)
class Hanging:
    """What hangs on paragraphs and is read after them."""

    notes: list[tuple[str, str]] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)
    tables: list[Element] = field(default_factory=list)


class Flow:
    """Reads containers of one part line by line."""

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self.inline = InlineReader()
        self._styles = styles
        self._numbering = numbering

    def format(self, paragraph: Element) -> ParagraphFormat:
        """What the paragraph is; the level of its list is settled."""
        properties = paragraph.find(W + "pPr")
        found = self._styles.paragraph(properties)
        if found.list_id and found.list_level in (None, -1):
            named = None if properties is None else properties.find(W + "pStyle")
            style = self._styles.default_id if named is None else named.get(W + "val", "")
            level = self._numbering.level_of_style(found.list_id, style)
            found = ParagraphFormat(list_level=level).over(found)
        return found

    def label(self, form: ParagraphFormat) -> str | None:
        """The list label of the next paragraph of this format; None when it is in no list."""
        if not form.list_id:
            return None
        return self._numbering.label(form.list_id, form.list_level or 0)

    def lines(self, container: Element, hanging: Hanging, *, nested: bool = True) -> list[str]:
        """The paragraphs as lines, text boxes behind theirs. Tables inside are rows when `nested`, else hang."""
        found: list[str] = []
        carried: list[str] = []
        for node in content(container):
            if node.tag == TABLE:
                if nested:
                    found.extend(self._row_lines(node, hanging))
                else:
                    hanging.tables.append(node)
                continue
            inline = self.inline.read(node)
            label = self.label(self.format(node))
            carried.append(inline.words)
            words = ""
            if not mark_is_deleted(node.find(W + "pPr")):
                words, carried = "".join(carried), []
            if words.strip():
                found.append(f"{label} {words}" if label and label != BULLET else words)
            hanging.notes.extend(inline.notes)
            hanging.drawings.extend(inline.drawings)
            found.extend(map(description, inline.pictures))
            for box in inline.boxes:
                found.extend(self.lines(box, hanging, nested=nested))
        return [line for line in [*found, "".join(carried)] if line.strip()]

    def _row_lines(self, table: Element, hanging: Hanging) -> Iterator[str]:
        for row in rows(table):
            cells = [one_line(" ".join(self.lines(cell, hanging))) for cell in row_cells(row)]
            if any(cells):
                yield CELL_SEPARATOR.join(cells)


def content(container: Element) -> Iterator[Element]:
    """Paragraphs and tables of a container in order; deleted and moved-away ones are not among them."""
    return _unwrapped(container, (PARAGRAPH, TABLE))


def rows(table: Element) -> Iterator[Element]:
    """The rows of this table, not those of tables inside it; deleted ones left out."""
    for row in _unwrapped(table, (ROW,)):
        properties = row.find(W + "trPr")
        if properties is None or properties.find(W + "del") is None:
            yield row


def row_cells(row: Element) -> Iterator[Element]:
    """The cells of a row; deleted ones left out."""
    for cell in _unwrapped(row, (CELL,)):
        if cell.find(f"{W}tcPr/{W}cellDel") is None:
            yield cell


def _unwrapped(container: Element, tags: tuple[str, ...]) -> Iterator[Element]:
    stack = list(reversed(container))
    while stack:
        node = stack.pop()
        if node.tag in tags:
            yield node
        elif node.tag in WRAPPERS:
            stack.extend(reversed(node))
        elif node.tag == ALTERNATE:
            shown = chosen(node)
            stack.extend(reversed(shown) if shown is not None else ())
