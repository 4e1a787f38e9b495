"""From the body of a Word document to text and blocks, in one walk."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from xml.etree.ElementTree import Element

from findspot.model import BlockKind
from findspot_extraction.readers.ooxml import Package
from findspot_extraction.readers.ooxml_drawings import CHART, chart_of, description, diagram_of
from findspot_extraction.readers.ooxml_tables import Cell, office_table
from findspot_extraction.readers.ooxml_xml import W
from findspot_extraction.readers.rendering import Rendering, one_line
from findspot_extraction.readers.word.flow import TABLE, Flow, Hanging, content, row_cells, rows
from findspot_extraction.readers.word.inline import Inline, joined
from findspot_extraction.readers.word.notes import Notes
from findspot_extraction.readers.word.numbering import BULLET
from findspot_extraction.readers.word.styles import ParagraphFormat, mark_is_deleted
from findspot_extraction.readers.word.tables import is_layout, read_table, stated_caption

_TABLE_CAPTION = ("tab", "tav", "cuadro", "表")


_LIKE_CODE = re.compile(r"[{}<>=;\[\]]|\(\)|\w\(|^\s{2,}\S|^\t")
"""What prose in a typewriter face does not have."""


class WordWalk:
    """Renders one document. `title` is its first paragraph of style Title, `first_heading` its first heading."""

    def __init__(self, package: Package, main: str, flow: Flow, notes: Notes) -> None:
        self.out = Rendering()
        self.title = ""
        self.first_heading = ""
        self._package = package
        self._main = main
        self._flow = flow
        self._notes = notes
        self._code: list[str] = []
        self._caption = ""
        """The words of the last caption paragraph."""
        self._carried: list[Inline] = []
        """Paragraphs whose ends were deleted: the next one goes on with them."""

    def render(self, container: Element) -> None:
        """Read everything in the body, or in a text box or a cell that is a part of the page."""
        for node in content(container):
            if node.tag == TABLE:
                self._end_carried()
                self._table(node)
            else:
                self._paragraph(node)
        self._end_carried()
        self._end_code()

    def _end_carried(self) -> None:
        if self._carried:
            carried, self._carried = joined(self._carried), []
            self._put(carried, ParagraphFormat(), None)

    def _paragraph(self, node: Element) -> None:
        inline = self._flow.inline.read(node)
        form = self._flow.format(node)
        label = self._flow.label(form)
        self._carried.append(inline)
        if not mark_is_deleted(node.find(W + "pPr")):
            whole, self._carried = joined(self._carried), []
            self._put(whole, form, label)

    def _put(self, inline: Inline, form: ParagraphFormat, label: str | None) -> None:
        if inline.monospaced and form.kind is None and (self._code or _LIKE_CODE.search(inline.words)):
            form = replace(form, kind=BlockKind.CODE)
        self._put_words(inline.words, form, label)
        for picture in inline.pictures:
            self._block(BlockKind.PARAGRAPH, description(picture))
        for box in inline.boxes:
            self.render(box)
        self._put_hanging(Hanging(inline.notes, inline.drawings))

    def _put_words(self, words: str, form: ParagraphFormat, label: str | None) -> None:
        if form.kind is BlockKind.CODE and not form.level and label is None:
            self._code.append(words.rstrip())
            return
        words = _lines(words)
        if not words:
            if self._code:
                self._code.append("")
            return
        if form.level or form.is_title:
            self._heading(one_line(words), form, label)
        elif label is not None:
            marked = f"{label} {words}" if label else words
            self._block(BlockKind.LIST_ITEM, marked, level=(form.list_level or 0) + 1)
        else:
            self._block(form.kind or BlockKind.PARAGRAPH, words)
            if form.kind is BlockKind.CAPTION:
                self._caption = one_line(words)
                self._caption_of_table_above(self._caption)

    def _heading(self, title: str, form: ParagraphFormat, label: str | None) -> None:
        """The number of a heading is in its text, not in its title: paths are plain words."""
        shown = f"{label} {title}" if label and label != BULLET else title
        self._block(BlockKind.HEADING, shown, level=form.level or 1, title=title)
        if form.is_title and not form.level:
            self.title = self.title or title
        else:
            self.first_heading = self.first_heading or title

    def _block(self, kind: BlockKind, words: str, *, level: int = 0, title: str = "") -> None:
        self._end_code()
        self.out.block(kind, words, level=level, title=title)

    def _end_code(self) -> None:
        if self._code:
            code, self._code = "\n".join(self._code).strip("\n"), []
            self.out.block(BlockKind.CODE, code)

    def _caption_of_table_above(self, words: str) -> None:
        blocks = self.out.blocks
        above = blocks[-2] if len(blocks) > 1 else None
        if above is None or above.table is None or above.table.caption:
            return
        if words.lower().startswith(_TABLE_CAPTION):
            blocks[-2] = replace(above, table=replace(above.table, caption=words))

    def _table(self, node: Element) -> None:
        if is_layout(node):
            for row in rows(node):
                for cell in row_cells(row):
                    self.render(cell)
            return
        self._end_code()
        hanging = Hanging()
        table = read_table(node, self._flow, hanging)
        follows = self.out.blocks and self.out.blocks[-1].kind is BlockKind.CAPTION
        table.render(self.out, self._caption if follows else stated_caption(node))
        self._put_hanging(hanging)

    def _put_hanging(self, hanging: Hanging) -> None:
        for node in hanging.tables:
            self._table(node)
        for node in hanging.drawings:
            self._drawing(node)
        queue = deque(hanging.notes)
        while queue:
            taken = self._notes.take(*queue.popleft())
            if taken is None:
                continue
            kind, words, inside = taken
            self._block(kind, words)
            for drawing in inside.drawings:
                self._drawing(drawing)
            queue.extend(inside.notes)

    def _drawing(self, node: Element) -> None:
        self._end_code()
        if node.tag != CHART:
            for item in diagram_of(self._package, self._main, node):
                self._block(BlockKind.LIST_ITEM, f"- {item.words}", level=item.level)
            return
        chart = chart_of(self._package, self._main, node)
        if chart is None:
            return
        self._block(BlockKind.CAPTION, chart.title)
        office_table([[Cell(words) for words in row] for row in chart.rows], 1).render(self.out, chart.title)


def _lines(words: str) -> str:
    """Without white space at the ends of lines, and without blank lines."""
    return "\n".join(filter(None, map(str.strip, words.split("\n"))))
