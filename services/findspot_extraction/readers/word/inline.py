"""The words of a Word paragraph, and what hangs on it: notes, comments, text boxes, charts, pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_drawings import CHART, DIAGRAM
from findspot_extraction.readers.ooxml_math import equation_text
from findspot_extraction.readers.ooxml_xml import ALTERNATE, A, M, W, chosen, outermost
from findspot_extraction.readers.word.characters import form_field, symbol
from findspot_extraction.readers.word.styles import VALUE, is_hidden

_RUN = W + "r"
_TEXT = W + "t"
_PROPERTIES = W + "rPr"
_WRAPPERS = frozenset(
    W + name
    for name in (
        *("hyperlink", "ins", "moveTo", "smartTag", "customXml", "fldSimple"),
        *("sdt", "sdtContent", "dir", "bdo", "rubyBase"),
    )
)
_EQUATIONS = frozenset((M + "oMath", M + "oMathPara"))
_BREAKS = {W + "tab": "\t", W + "ptab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-"}
_NOTES = {
    W + "footnoteReference": "footnotes",
    W + "endnoteReference": "endnotes",
    W + "commentReference": "comments",
}
_MONOSPACED = re.compile(
    r"courier|consolas|menlo|monaco|lucida console|andale mono|cascadia|fira (?:code|mono)|source code|jetbrains"
    r"|(?:dejavu sans|liberation|ubuntu|noto|roboto|sf) ?mono|inconsolata",
    re.I,
)
_BOX = W + "txbxContent"
_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_WORD_ART = "{urn:schemas-microsoft-com:vml}textpath"
_DRAWN = frozenset((_BOX, CHART, DIAGRAM, _PICTURE, _WORD_ART, A + "p"))


@dataclass(slots=True)
class Inline:
    """One paragraph as read. `words` has line ends where Word breaks lines, and tabs."""

    words: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """What is referred to: `footnotes`, `endnotes` or `comments`, and the id there."""
    boxes: list[Element] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)
    """Charts and SmartArt."""
    pictures: list[str] = field(default_factory=list)
    """Descriptions of pictures."""
    monospaced: bool = False
    """True when every visible character is set in a typewriter face."""


def joined(pieces: Sequence[Inline]) -> Inline:
    """Paragraphs as one."""
    if len(pieces) == 1:
        return pieces[0]
    return Inline(
        "".join(piece.words for piece in pieces),
        [note for piece in pieces for note in piece.notes],
        [box for piece in pieces for box in piece.boxes],
        [drawing for piece in pieces for drawing in piece.drawings],
        [picture for piece in pieces for picture in piece.pictures],
        all(piece.monospaced for piece in pieces),
    )


class InlineReader:
    """Reads the paragraphs of one part in order: fields may run over several of them."""

    def __init__(self) -> None:
        self.hidden = 0
        """Characters that Word does not show, read all the same."""
        self.languages: Counter[str] = Counter()
        """Characters by the language that their run states; the empty string for none."""
        self._fields: list[bool] = []
        """For each open field, innermost last: True once its result began."""
        self._found = Inline()
        self._parts: list[str] = []
        self._proportional = False

    def read(self, paragraph: Element) -> Inline:
        """The words of a paragraph, deleted ones left out, inserted ones kept."""
        self._found, self._parts, self._proportional = Inline(), [], False
        self._walk(paragraph)
        found, found.words = self._found, "".join(self._parts)
        found.monospaced = not self._proportional and bool(found.words.strip())
        # A field whose result never begins in its paragraph is damaged: better too much text than none.
        self._fields = [True] * len(self._fields)
        return found

    def _walk(self, parent: Element) -> None:
        before = ""
        for node in parent:
            tag = node.tag
            if tag == _RUN:
                self._run(node)
            elif tag in _WRAPPERS:
                self._walk(node)
            elif tag == ALTERNATE:
                self._alternate(node, self._walk)
            elif tag in _EQUATIONS:
                self._proportional = True
                # Equations that follow each other stand apart, though nothing is written between them.
                self._add(f" {equation_text(node)}" if before in _EQUATIONS else equation_text(node))
            before = tag

    def _alternate(self, node: Element, walk: Callable[[Element], None]) -> None:
        shown = chosen(node)
        if shown is not None:
            walk(shown)

    def _run(self, run: Element) -> None:
        before = len(self._parts)
        properties = None
        for node in run:
            tag = node.tag
            if tag == _TEXT:
                self._add((node.text or "").replace("\n", " ").replace("\xad", ""))
            elif tag == _PROPERTIES:
                properties = node
            elif tag in _BREAKS:
                self._add(_BREAKS[tag])
            else:
                self._other(node, tag)
        length = sum(map(len, self._parts[before:]))
        if not self._proportional and length and not _is_monospaced(properties):
            self._proportional = any(part.strip() for part in self._parts[before:])
        if properties is not None and is_hidden(properties):
            self.hidden += length
        language = None if properties is None else properties.find(W + "lang")
        self.languages["" if language is None else language.get(VALUE, "")] += length

    def _other(self, node: Element, tag: str) -> None:
        if tag in _NOTES:
            self._found.notes.append((_NOTES[tag], node.get(W + "id", "")))
        elif tag == W + "fldChar":
            self._field(node)
        elif tag == ALTERNATE:
            self._alternate(node, self._run)
        elif tag in (W + "drawing", W + "pict", W + "object"):
            self._drawing(node)
        elif tag == W + "sym":
            self._add(symbol(node))
        elif tag == W + "ruby":
            self._ruby(node)

    def _add(self, words: str) -> None:
        if words and all(self._fields):
            self._parts.append(words)

    def _field(self, node: Element) -> None:
        kind = node.get(W + "fldCharType")
        if kind == "begin":
            self._add(form_field(node.find(W + "ffData")))
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _ruby(self, node: Element) -> None:
        base, above = node.find(W + "rubyBase"), node.find(W + "rt")
        if base is not None:
            self._walk(base)
        reading = "".join(text.text or "" for text in above.iter(_TEXT)) if above is not None else ""
        if reading:
            self._add(f"({reading})")

    def _drawing(self, drawing: Element) -> None:
        shapes: list[str] = []
        for node in outermost(drawing, _DRAWN):
            if node.tag == _BOX:
                self._found.boxes.append(node)
            elif node.tag in (CHART, DIAGRAM):
                self._found.drawings.append(node)
            elif node.tag == _PICTURE:
                shapes.append(node.get("descr", ""))
            elif node.tag == _WORD_ART:
                self._found.pictures.append(node.get("string", ""))
            else:
                self._found.pictures.append("".join(text.text or "" for text in node.iter(A + "t")))
        self._found.pictures.extend(filter(None, shapes))


def _is_monospaced(properties: Element | None) -> bool:
    """True when the properties of a run name a typewriter face themselves; those of styles do not count."""
    fonts = None if properties is None else properties.find(W + "rFonts")
    return fonts is not None and bool(_MONOSPACED.match(fonts.get(W + "ascii", "")))
