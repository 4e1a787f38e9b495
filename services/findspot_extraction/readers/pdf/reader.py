"""The PDF reader: opens the file, reads its pages one by one, and puts what they hold together."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2 as pdfium

from findspot.model import ExtractedDocument, Notice, OutlineEntry
from findspot_extraction.readers.pdf.opening import open_pdf
from findspot_extraction.readers.pdf.outline import page_label, read_outline
from findspot_extraction.readers.pdf.pages import PageContent, read_pages
from findspot_extraction.readers.pdf.properties import read_properties, stated_language, stated_title
from findspot_extraction.readers.pdf.recognised import no_text_layer, told_of_reading, with_readings
from findspot_extraction.readers.pdf.structure import structured
from findspot_extraction.readers.pdf.tags import read_tags
from findspot_extraction.readers.reader import ReadLimits, Source, check_length, too_large
from findspot_extraction.readers.stamps import READER_STAMPS


class PdfReader:
    """Reads the text layer of PDF files, and lays out what was recognised on pages without one."""

    stamp = READER_STAMPS["pdf"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """The text in reading order with a box a word; see `Reader.read` for the failures."""
        document = open_pdf(source, limits)
        try:
            pages = with_readings(_read_all(document, limits), source.readings)
            bookmarks = read_outline(document)
            labels = [page_label(document, index) for index in range(len(pages))]
            properties = read_properties(document)
            language = source.language or stated_language(document)
            found = structured(pages, bookmarks, labels, lambda bodies: read_tags(document, bodies))
        finally:
            document.close()
        check_length(found.text, limits)
        return ExtractedDocument(
            text=found.text,
            document_type="pdf",
            media_type="application/pdf",
            category="prose",
            title=stated_title(properties) or found.printed_title,
            language=language,
            blocks=found.blocks,
            pages=found.pages,
            words=found.words,
            marginalia=found.marginalia,
            outline=tuple(OutlineEntry(mark.level, mark.title, mark.page) for mark in bookmarks),
            metadata=properties,
            warnings=_warnings(pages, source),
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


def _warnings(pages: Sequence[PageContent], source: Source) -> tuple[Notice, ...]:
    found: list[Notice] = []
    for page in pages:
        number, words = page.words.number, page.words
        if not page.loaded:
            found.append(Notice("PAGE_UNREADABLE", f"Page {number} is damaged and cannot be read.", number))
            continue
        if number in source.readings:
            found.extend(told_of_reading(page))
        elif not words.texts:
            found.append(no_text_layer(number))
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
