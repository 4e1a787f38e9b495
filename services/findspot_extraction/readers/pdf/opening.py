"""Opening a PDF: tolerant first, repaired second, and otherwise a failure that says what was seen."""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from findspot_extraction.readers.reader import ReadLimits, Source, corrupt, encrypted, too_large

_HEADER_WINDOW = 1024
_PYPDF_FAILS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
_ROOT_SEARCH = 500
"""Object numbers that pypdf tries in search of a lost catalogue; its default takes ten seconds a file."""
_CATALOGUE = re.compile(rb"(\d{1,10})\s+(\d{1,5})\s+obj\b[^>]{0,400}?/Type\s*/Catalog\b")
_STATED_PAGES = re.compile(rb"/Count\s+(\d{7,})")

logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def open_pdf(source: Source, limits: ReadLimits) -> pdfium.PdfDocument:
    """The document, with at least one page and at most `limits.max_pages`; the caller closes it.

    Raises DOCUMENT_ENCRYPTED when the password is missing or wrong, DOCUMENT_CORRUPT when nothing can be
    read, DOCUMENT_TOO_LARGE when it has too many pages.
    """
    name = source.file_name or "the file"
    if not source.data:
        raise corrupt(f"{name} has 0 bytes: it is no PDF. Upload it again.")
    _check_page_tree(source.data, name)
    try:
        document = _load(source.data, source.password)
    except pdfium.PdfiumError as error:
        document = _reopen(source, error, name)
    try:
        pages = len(document)
        if pages < 1:
            raise corrupt(f"{name} opens as a PDF and has no page that can be reached.")
        if pages > limits.max_pages:
            raise too_large(
                f"{name} has {pages:,} pages; the limit is {limits.max_pages:,}. Split the file.",
                pages=str(pages),
                limit=str(limits.max_pages),
            )
    except BaseException:
        document.close()
        raise
    return document


def _load(data: bytes, password: str) -> pdfium.PdfDocument:
    return pdfium.PdfDocument(data, password=password or None)


def _check_page_tree(data: bytes, name: str) -> None:
    """A page tree that claims more pages than the file has bytes is damaged beyond trust."""
    for match in _STATED_PAGES.finditer(data):
        if int(match[1]) > len(data):
            raise corrupt(
                f"{name} has {len(data):,} bytes and its page tree claims {int(match[1]):,} pages: "
                "no such count can be true, so nothing says which pages are missing.",
                stated_pages=match[1].decode(),
            )


def _reopen(source: Source, error: pdfium.PdfiumError, name: str) -> pdfium.PdfDocument:
    """What PDFium refused: say that a password is needed, or let pypdf rewrite the file."""
    if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        given = "the given password is wrong" if source.password else "it needs a password"
        raise encrypted(f"{name} is encrypted and {given}. Send its user or owner password.") from error
    seen = ""
    for repair in (_rewritten, _with_trailer):
        repaired, problem = repair(source)
        seen = seen or problem
        if repaired is not None:
            try:
                return _load(repaired, source.password)
            except pdfium.PdfiumError as again:
                seen = seen or str(again)
    head = source.data[:_HEADER_WINDOW]
    what = (
        "has a PDF header" if b"%PDF-" in head else f"begins with {source.data[:8]!r}, which is no PDF header"
    )
    said = f"PDFium says {str(error).rstrip('.')}; pypdf says {seen.rstrip('.')}"
    raise corrupt(f"{name} cannot be opened: it {what}; {said}.") from error


def _rewritten(source: Source) -> tuple[bytes | None, str]:
    """The file as pypdf understands it, written anew; or None and what pypdf says."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(
            io.BytesIO(source.data),
            strict=False,
            password=source.password or None,
            root_object_recovery_limit=_ROOT_SEARCH,
        )
        writer = PdfWriter()
        for page in reader.pages:
            writer.add_page(page)
        target = io.BytesIO()
        writer.write(target)
    except (PyPdfError, *_PYPDF_FAILS) as error:
        # pypdf walks damaged objects with plain Python operations: any of these means "not readable".
        return None, f"{type(error).__name__}: {error}"
    return (target.getvalue(), "") if writer.pages else (None, "there is no page")


def _with_trailer(source: Source) -> tuple[bytes | None, str]:
    """The file with a trailer that names its catalogue, from which PDFium finds the other objects by itself."""
    # The last one is the newest: a PDF is changed by appending to it.
    catalogue = max(_CATALOGUE.finditer(source.data), key=lambda match: match.start(), default=None)
    if catalogue is None:
        return None, "there is no catalogue"
    return source.data + b"\ntrailer\n<< /Root %b %b R >>\n%%%%EOF\n" % (catalogue[1], catalogue[2]), ""
