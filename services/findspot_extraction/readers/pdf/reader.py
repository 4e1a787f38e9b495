"""The PDF reader: opens the file, reads its pages one by one, and puts what they hold together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pypdfium2 as pdfium

from findspot.model import Box, ExtractedDocument, Marginalia, Notice, OutlineEntry
from findspot_extraction.readers.pdf.assembly import Assembly
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import fractions, to_displayed, union
from findspot_extraction.readers.pdf.headings import LaidOutPage, with_headings
from findspot_extraction.readers.pdf.hyphenation import bare
from findspot_extraction.readers.pdf.layout import lay_out
from findspot_extraction.readers.pdf.marginalia import MarginalRow, find_marginalia
from findspot_extraction.readers.pdf.opening import open_pdf
from findspot_extraction.readers.pdf.outline import page_label, read_outline
from findspot_extraction.readers.pdf.pages import PageContent, read_pages
from findspot_extraction.readers.pdf.paragraphs import Piece
from findspot_extraction.readers.pdf.properties import read_properties, stated_language, stated_title
from findspot_extraction.readers.pdf.tags import read_tags
from findspot_extraction.readers.pdf.typography import Typography, looks_like_heading, measure
from findspot_extraction.readers.reader import ReadLimits, Source, check_length, too_large


class PdfReader:
    """Reads the text layer of PDF files. It keeps nothing between two documents."""

    stamp = "pdf/1"

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """The text in reading order with a box a word; see `Reader.read` for the failures."""
        document = open_pdf(source, limits)
        try:
            pages = _read_all(document, limits)
            bookmarks = read_outline(document)
            margins = find_marginalia(pages)
            bodies = [_without(page.fragments, rows) for page, rows in zip(pages, margins, strict=True)]
            typography = measure(fragment for body in bodies for fragment in body)
            # Headings come from the outline, else from type sizes; the tags are asked when there is neither.
            silent = bookmarks or typography.rare
            tags = [{} for _ in pages] if silent else read_tags(document, bodies)
            labels = [page_label(document, index) for index in range(len(pages))]
            properties = read_properties(document)
            language = source.language or stated_language(document)
        finally:
            document.close()
        laid_out = [
            LaidOutPage(page.words.number, page.frame, lay_out(page, body, typography), tagged)
            for page, body, tagged in zip(pages, bodies, tags, strict=True)
        ]
        assembly = Assembly(_vocabulary(pages), typography.body)
        entries = with_headings(laid_out, bookmarks, typography)
        for page, found, label in zip(pages, entries, labels, strict=True):
            assembly.add_page(page.words, found, label)
        text = assembly.text
        check_length(text, limits)
        return ExtractedDocument(
            text=text,
            document_type="pdf",
            media_type="application/pdf",
            category="prose",
            title=stated_title(properties) or _printed_title(laid_out, typography),
            language=language,
            blocks=tuple(assembly.blocks) if text else (),
            pages=tuple(assembly.pages),
            words=tuple(assembly.words),
            marginalia=_marginalia(pages, margins),
            outline=tuple(OutlineEntry(mark.level, mark.title, mark.page) for mark in bookmarks),
            metadata=properties,
            warnings=_warnings(pages),
            extractor_stamp=self.stamp,
        )


READER = PdfReader()


def _read_all(document: pdfium.PdfDocument, limits: ReadLimits) -> list[PageContent]:
    pages: list[PageContent] = []
    characters = 0
    for page in read_pages(document):
        pages.append(page)
        characters += sum(map(len, page.words.texts))
        if characters > limits.max_characters:
            raise too_large(
                f"Page {page.words.number} brings the text to {characters:,} characters; the limit is "
                f"{limits.max_characters:,}. Split the file.",
                characters=str(characters),
                limit=str(limits.max_characters),
            )
    return pages


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


def _warnings(pages: Sequence[PageContent]) -> tuple[Notice, ...]:
    found: list[Notice] = []
    for page in pages:
        number, words = page.words.number, page.words
        if not page.loaded:
            found.append(Notice("PAGE_UNREADABLE", f"Page {number} is damaged and cannot be read.", number))
            continue
        if not words.texts:
            message = f"Page {number} has no text layer. The extra `ocr` reads scanned pages."
            found.append(Notice("NO_TEXT_LAYER", message, number))
        elif words.degenerate:
            message = f"Page {number} has no visible area: its text is kept, without boxes."
            found.append(Notice("NO_PAGE_AREA", message, number))
        if words.outside:
            message = (
                f"{words.outside:,} words of page {number} lie outside its visible area and were left out."
            )
            found.append(Notice("TEXT_OUTSIDE_PAGE", message, number))
        if words.unmapped:
            message = (
                f"{words.unmapped:,} characters of page {number} have no usable code; U+FFFD stands for them."
            )
            found.append(Notice("UNMAPPED_CHARACTERS", message, number))
    return tuple(found)
