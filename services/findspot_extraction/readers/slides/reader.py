"""The reader of presentations: opens the package, walks the slides, adds pages and words."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from findspot.model import ExtractedDocument, Notice, Page, PageKind
from findspot_extraction.readers.ooxml import Package, open_package
from findspot_extraction.readers.ooxml_properties import core_properties, stated_title
from findspot_extraction.readers.ooxml_xml import P, R, whole_number
from findspot_extraction.readers.reader import ReadLimits, Source, check_length, corrupt, too_large
from findspot_extraction.readers.slides.geometry import POINT
from findspot_extraction.readers.slides.layouts import Layouts
from findspot_extraction.readers.slides.walk import SlideWalk
from findspot_extraction.readers.slides.words import words_of_slide
from findspot_extraction.readers.stamps import READER_STAMPS

_MAIN = "ppt/presentation.xml"
_USUAL_SIZE = (9_144_000, 6_858_000)
"""Of a slide, in English metric units, where the presentation states none: 10 by 7.5 inches."""


class PptxReader:
    """Reads PPTX, PPTM and PPSX, in the usual and the strict variant: one page a slide.

    A presentation stores no lines: every word has the box of its shape, words in tables that of their cell.
    Notes and comments stand on the slide that they belong to and have no box.
    """

    stamp = READER_STAMPS["slides"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """All slides in order, hidden ones too."""
        package = open_package(source, limits)
        main = package.main(_MAIN)
        root = package.part(main)
        if root.tag != P + "presentation":
            raise corrupt(f"Part {main!r} holds no presentation: its root is {root.tag[:200]!r}.")
        names = list(_slide_names(package, main, root))
        if len(names) > limits.max_pages:
            raise too_large(
                f"The presentation has {len(names):,} slides; the limit is {limits.max_pages:,}. Split the file.",
                slides=str(len(names)),
                limit=str(limits.max_pages),
            )
        width, height = _size(root)
        walk = SlideWalk(package, main, width, height)
        notices = _render(package, names, walk)
        text = walk.out.text
        check_length(text, limits)
        properties = core_properties(package)
        places = enumerate(walk.places, 1)
        words = [words_of_slide(text, number, found, width, height) for number, found in places]
        languages = [name for name, _ in walk.languages.most_common() if name]
        return ExtractedDocument(
            text=text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=stated_title(properties) or (walk.outline[0].title if walk.outline else ""),
            language=source.language or (languages[0] if languages else ""),
            blocks=tuple(walk.out.blocks),
            pages=_pages(walk, len(names), width, height),
            words=tuple(found for found in words if found is not None),
            marginalia=tuple(walk.marginalia),
            outline=tuple(walk.outline),
            metadata=properties,
            warnings=(*package.notices, *notices),
            extractor_stamp=self.stamp,
        )


READER = PptxReader()


def _slide_names(package: Package, main: str, root: Element) -> Iterator[str]:
    """The parts of the slides in the order of showing; empty for one that is not there."""
    for node in root.findall(f"{P}sldIdLst/{P}sldId"):
        yield package.target(main, node.get(R + "id"))


def _size(root: Element) -> tuple[float, float]:
    node = root.find(P + "sldSz")
    if node is None:
        return _USUAL_SIZE
    width, height = whole_number(node.get("cx")), whole_number(node.get("cy"))
    return (width, height) if width > 0 and height > 0 else _USUAL_SIZE


def _render(package: Package, names: list[str], walk: SlideWalk) -> list[Notice]:
    """Render every slide. Raises DOCUMENT_CORRUPT when there are slides and none can be read."""
    layouts = Layouts(package)
    notices: list[Notice] = []
    unreadable = 0
    for number, name in enumerate(names, 1):
        root = package.optional(name) if name else None
        walk.render(number, name, root, layouts.of(name))
        if root is None:
            unreadable += 1
            notices.append(Notice("SLIDE_UNREADABLE", f"Slide {number} is missing or damaged.", number))
        elif root.get("show", "1").lower() in ("0", "false"):
            notices.append(
                Notice("HIDDEN_SLIDE", f"Slide {number} is hidden; it was read all the same.", number)
            )
    if names and unreadable == len(names):
        raise corrupt(f"None of the {len(names):,} slides can be read: they are missing or damaged.")
    return notices


def _pages(walk: SlideWalk, count: int, width: float, height: float) -> tuple[Page, ...]:
    """Pages cover the text without a gap: the space between two slides belongs to the first."""
    firsts: dict[int, int] = {}
    for block in walk.out.blocks:
        firsts.setdefault(block.page, block.start)
    pages: list[Page] = []
    end = walk.out.blocks[-1].end if walk.out.blocks else 0
    for number in range(count, 0, -1):
        start = firsts.get(number, end)
        pages.append(Page(number, start, end, PageKind.SLIDE, width=width / POINT, height=height / POINT))
        end = start
    return tuple(reversed(pages))
