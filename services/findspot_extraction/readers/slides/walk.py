"""From the shapes of slides to text, blocks and places, slide by slide."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

from findspot.model import BlockKind, Marginalia, MarginaliaKind, OutlineEntry
from findspot_extraction.readers.ooxml import Package
from findspot_extraction.readers.ooxml_drawings import CHART, DIAGRAM, chart_of, description, diagram_of
from findspot_extraction.readers.ooxml_tables import Cell, office_table
from findspot_extraction.readers.ooxml_xml import A, P, outermost
from findspot_extraction.readers.rendering import Rendering, one_line
from findspot_extraction.readers.slides.geometry import Frame
from findspot_extraction.readers.slides.layouts import MARGINS, TITLES, Layout
from findspot_extraction.readers.slides.notes import Comments, speaker_notes
from findspot_extraction.readers.slides.order import in_reading_order
from findspot_extraction.readers.slides.paragraphs import paragraph_words, read_paragraphs
from findspot_extraction.readers.slides.shapes import GRAPHIC, PICTURE, Shape, read_shapes
from findspot_extraction.readers.slides.tables import read_table
from findspot_extraction.readers.slides.words import Place

_GRAPHICS = frozenset((A + "tbl", CHART, DIAGRAM))
_MARGIN_KINDS = {"sldNum": MarginaliaKind.PAGE_NUMBER, "hdr": MarginaliaKind.HEADER}


class SlideWalk:
    """Renders the slides of one presentation, one after the other."""

    def __init__(self, package: Package, main: str, width: float, height: float) -> None:
        self.out = Rendering()
        self.places: list[list[Place]] = []
        """For each slide, where its text stands."""
        self.outline: list[OutlineEntry] = []
        self.marginalia: list[Marginalia] = []
        self.languages: Counter[str] = Counter()
        self._package = package
        self._comments = Comments(package, main)
        self._width = width
        self._height = height
        self._page = 0
        self._slide = ""
        self._titled = False

    def render(self, number: int, name: str, root: Element | None, layout: Layout) -> None:
        """Read a slide: its title first, then its shapes, then notes and comments. Without a root it is empty."""
        self._page, self._slide, self._titled = number, name, False
        self.places.append([])
        tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
        if tree is None:
            return
        shapes = list(in_reading_order(read_shapes(tree, layout), self._width, self._height))
        for shape in sorted(shapes, key=lambda shape: not _is_title(shape)):
            self._shape(shape, layout)
        for words in speaker_notes(self._package, name):
            self._block(BlockKind.NOTE, words, None)
        for words in self._comments.on(name):
            self._block(BlockKind.NOTE, words, None)

    def _shape(self, shape: Shape, layout: Layout) -> None:
        if shape.node.tag == GRAPHIC:
            for node in outermost(shape.node, _GRAPHICS):
                self._graphic(node, shape.frame)
            return
        body = shape.node.find(P + "txBody")
        if shape.placeholder is not None and shape.placeholder.type in MARGINS:
            self._margin(shape, shape.placeholder.type)
        elif body is not None:
            self._text(shape, body, layout)
        elif shape.node.tag == PICTURE:
            properties = shape.node.find(f"{P}nvPicPr/{P}cNvPr")
            stated = "" if properties is None else properties.get("descr", "")
            self._block(BlockKind.PARAGRAPH, description(stated), shape.frame)

    def _text(self, shape: Shape, body: Element, layout: Layout) -> None:
        paragraphs = read_paragraphs(body, layout.bullets(shape.placeholder, body), self.languages)
        if _is_title(shape) and paragraphs and not self._titled:
            title = one_line(" ".join(paragraph.words for paragraph in paragraphs))
            self._titled = True
            self.outline.append(OutlineEntry(1, title, self._page))
            self._block(BlockKind.HEADING, title, shape.frame, level=1, title=title)
            return
        for paragraph in paragraphs:
            if paragraph.label is None:
                self._block(BlockKind.PARAGRAPH, paragraph.words, shape.frame)
            else:
                words = f"{paragraph.label} {paragraph.words}"
                self._block(BlockKind.LIST_ITEM, words, shape.frame, level=paragraph.level)

    def _block(
        self, kind: BlockKind, words: str, frame: Frame | None, *, level: int = 0, title: str = ""
    ) -> None:
        before = len(self.out.blocks)
        self.out.block(kind, words, level=level, title=title, page=self._page)
        if frame is not None:
            self.places[-1].extend((block.start, block.end, frame) for block in self.out.blocks[before:])

    def _graphic(self, node: Element, frame: Frame | None) -> None:
        if node.tag == CHART:
            chart = chart_of(self._package, self._slide, node)
            if chart is not None:
                self._block(BlockKind.CAPTION, chart.title, frame)
                table = office_table([[Cell(words) for words in row] for row in chart.rows], 1)
                if table.render(self.out, chart.title, self._page) and frame is not None:
                    block = self.out.blocks[-1]
                    self.places[-1].append((block.start, block.end, frame))
        elif node.tag == DIAGRAM:
            for item in diagram_of(self._package, self._slide, node):
                self._block(BlockKind.LIST_ITEM, f"- {item.words}", frame, level=item.level)
        else:
            grid = read_table(node, self.languages)
            if grid.table.render(self.out, page=self._page) and frame is not None:
                self.places[-1].extend(grid.cells(self.out.blocks[-1], frame))

    def _margin(self, shape: Shape, kind: str) -> None:
        words = "\n".join(filter(None, map(paragraph_words, shape.node.iter(A + "p"))))
        if words:
            box = None if shape.frame is None else shape.frame.on(self._width, self._height)
            shown = _MARGIN_KINDS.get(kind, MarginaliaKind.FOOTER)
            self.marginalia.append(Marginalia(self._page, shown, words, box))


def _is_title(shape: Shape) -> bool:
    return shape.placeholder is not None and shape.placeholder.type in TITLES
