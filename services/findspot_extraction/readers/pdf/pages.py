"""One page after the other: handles are opened, read and closed here, so that PDFium holds one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from findspot.model import Reader
from findspot_extraction.readers.pdf.fonts import FontReader
from findspot_extraction.readers.pdf.fragments import Fragment, fragments_of
from findspot_extraction.readers.pdf.geometry import PageFrame, Rect
from findspot_extraction.readers.pdf.glyphs import PageWords, read_words
from findspot_extraction.readers.pdf.paragraphs import Piece
from findspot_extraction.readers.pdf.rules import read_rules
from findspot_extraction.readers.pdf.tables import Grid

_FLATTENED = raw.FLATTEN_SUCCESS
_NOWHERE = PageFrame(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class PageContent:
    """What the text layer of one page holds, before any layout."""

    frame: PageFrame
    words: PageWords
    fragments: list[Fragment]
    rules: list[Rect] = field(default_factory=list)
    """Ruled lines, in displayed coordinates."""
    loaded: bool = True
    """False when PDFium cannot read the page at all."""
    reader: Reader = Reader.TEXT_LAYER
    confidence: float | None = None
    """Of optical character recognition, where it read the page."""
    items: list[Piece | Grid] | None = None
    """What the page holds in reading order, where that is known without its layout; there are no fragments then."""
    levels: Mapping[int, int] = field(default_factory=dict)
    """Of `items`: level of headings by their first word."""


def read_pages(document: pdfium.PdfDocument) -> Iterator[PageContent]:
    """All pages in order."""
    for index in range(len(document)):
        page = _load_page(document, index)
        if not page:
            yield PageContent(_NOWHERE, PageWords(index + 1, 0.0, 0.0, degenerate=True), [], loaded=False)
            continue
        try:
            yield _read_page(page, index + 1)
        finally:
            raw.FPDF_ClosePage(page)


def _load_page(document: pdfium.PdfDocument, index: int) -> raw.FPDF_PAGE | None:
    """A page with its filled form fields drawn into it, or None when PDFium cannot read it."""
    page = raw.FPDF_LoadPage(document.raw, index)
    if (
        page
        and _has_written_annotations(page)
        and raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) == _FLATTENED
    ):
        # What was flattened is seen only by a handle that is opened afterwards.
        raw.FPDF_ClosePage(page)
        page = raw.FPDF_LoadPage(document.raw, index)
    return page or None


def _has_written_annotations(page: raw.FPDF_PAGE) -> bool:
    """True when people may have typed text on top of the page: into form fields or as free text."""
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if annotation:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            raw.FPDFPage_CloseAnnot(annotation)
            if kind in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT):
                return True
    return False


def _read_page(page: raw.FPDF_PAGE, number: int) -> PageContent:
    frame = _frame(page)
    text_page = raw.FPDFText_LoadPage(page)
    if not text_page:
        words = PageWords(number, frame.width, frame.height, frame.degenerate)
        return PageContent(frame, words, [], loaded=False)
    try:
        words = read_words(text_page, frame, number)
        fragments = fragments_of(words, FontReader(text_page))
        return PageContent(frame, words, fragments, read_rules(page, frame) if fragments else [])
    finally:
        raw.FPDFText_ClosePage(text_page)


def _frame(page: raw.FPDF_PAGE) -> PageFrame:
    """The visible rectangle: PDFium's bounding box is the CropBox within the MediaBox."""
    bounds = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page, bounds):
        return _NOWHERE
    return PageFrame(bounds.left, bounds.bottom, bounds.right, bounds.top, raw.FPDFPage_GetRotation(page) % 4)
