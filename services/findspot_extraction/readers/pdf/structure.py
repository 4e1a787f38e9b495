"""From the words of all pages to one text with its blocks: marginalia, layout, headings, assembly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from findspot.model import Block, Box, Marginalia, Page, Reader, Words
from findspot_extraction.readers.pdf.assembly import Assembly
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import fractions, to_displayed, union
from findspot_extraction.readers.pdf.headings import LaidOutPage, with_headings
from findspot_extraction.readers.pdf.hyphenation import bare
from findspot_extraction.readers.pdf.layout import lay_out
from findspot_extraction.readers.pdf.marginalia import MarginalRow, find_marginalia
from findspot_extraction.readers.pdf.outline import Bookmark
from findspot_extraction.readers.pdf.pages import PageContent
from findspot_extraction.readers.pdf.paragraphs import Piece
from findspot_extraction.readers.pdf.typography import Typography, looks_like_heading, measure

Tags = list[dict[int, int]]


@dataclass(frozen=True, slots=True)
class Structured:
    """What the pages hold together; ranges are code points of `text`."""

    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    words: tuple[Words, ...]
    marginalia: tuple[Marginalia, ...]
    printed_title: str
    """The one heading in the largest type, when it is on the first page with text; else empty."""


def structured(
    pages: Sequence[PageContent],
    bookmarks: Sequence[Bookmark] = (),
    labels: Sequence[str] = (),
    read_tags: Callable[[list[list[Fragment]]], Tags] | None = None,
) -> Structured:
    """Put the pages together. Headings come from the outline, else from type sizes, else from the file's tags.

    `labels` is empty or holds one label a page. `read_tags` is given the runs of each page that has a text layer
    (none of the others) and answers the level of those that are headings, by their first word.
    """
    margins = find_marginalia(pages)
    bodies = [_without(page.fragments, rows) for page, rows in zip(pages, margins, strict=True)]
    typography = measure(fragment for body in bodies for fragment in body)
    tags: Tags = [{} for _ in pages]
    if read_tags is not None and not (bookmarks or typography.rare):
        layers = [page.reader is Reader.TEXT_LAYER for page in pages]
        tags = read_tags([body if layer else [] for body, layer in zip(bodies, layers, strict=True)])
    laid_out = [
        LaidOutPage(
            page.words.number,
            page.frame,
            lay_out(page, body, typography) if page.items is None else list(page.items),
            tagged or page.levels,
        )
        for page, body, tagged in zip(pages, bodies, tags, strict=True)
    ]
    assembly = Assembly(_vocabulary(pages), typography.body)
    entries = with_headings(laid_out, bookmarks, typography)
    for page, found, label in zip(pages, entries, labels or [""] * len(pages), strict=True):
        assembly.add_page(page, found, label)
    text = assembly.text
    return Structured(
        text=text,
        blocks=tuple(assembly.blocks) if text else (),
        pages=tuple(assembly.pages),
        words=tuple(assembly.words),
        marginalia=_marginalia(pages, margins),
        printed_title=_printed_title(laid_out, typography),
    )


def _without(fragments: Sequence[Fragment], rows: Sequence[MarginalRow]) -> list[Fragment]:
    left_out = {fragment.first for row in rows for fragment in row.fragments}
    return [fragment for fragment in fragments if fragment.first not in left_out]


def _vocabulary(pages: Sequence[PageContent]) -> Callable[[str], bool]:
    """Tells whether the document holds a word; gathered when the first line ends with a hyphen."""
    words: set[str] = set()

    def known(word: str) -> bool:
        if not words:
            words.update(bare(text) for page in pages for text in page.words.texts)
        return word in words

    return known


def _printed_title(pages: Sequence[LaidOutPage], typography: Typography) -> str:
    """The one heading in the largest type of the document, when it is on the first page; else empty."""
    headings = [
        (item.lines[0].font.size, page.number, item)
        for page in pages
        for item in page.items
        if isinstance(item, Piece) and looks_like_heading(item, typography)
    ]
    first = next((page.number for page in pages if page.items), 0)
    size = max((size for size, _, _ in headings), default=0.0)
    largest = [entry for entry in headings if entry[0] >= 0.97 * size]
    return largest[0][2].text if len(largest) == 1 and largest[0][1] == first else ""


def _marginalia(
    pages: Sequence[PageContent], margins: Sequence[Sequence[MarginalRow]]
) -> tuple[Marginalia, ...]:
    found: list[Marginalia] = []
    for page, rows in zip(pages, margins, strict=True):
        for row in rows:
            text = " ".join(fragment.text for fragment in row.fragments)
            found.append(Marginalia(page.words.number, row.kind, text, _box(page, row.fragments)))
    return tuple(found)


def _box(page: PageContent, fragments: Sequence[Fragment]) -> Box | None:
    if page.words.degenerate:
        return None
    width, height = page.words.width, page.words.height
    rect = to_displayed(union(fragment.rect for fragment in fragments), width, height, fragments[0].turn)
    return Box(*fractions(rect, width, height))
