"""What the document says about itself: its properties, its title and its language."""

from __future__ import annotations

import ctypes
import re

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from findspot_extraction.readers.pdf.outline import clean_title

_FIELDS = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate")
_NO_TITLE = re.compile(
    r"untitled.*|(?:document|doc|slide|book|print(?:ing)?|page)\s*\d*|.*\.[a-z]{2,5}", re.IGNORECASE
)
_WORD_PREFIX = re.compile(r"^(?:microsoft (?:word|powerpoint|excel) - )", re.IGNORECASE)


def read_properties(document: pdfium.PdfDocument) -> dict[str, str]:
    """The document information dictionary: its standard fields that are not empty."""
    found = {field.lower(): clean_title(document.get_metadata_value(field)) for field in _FIELDS}
    return {field: value for field, value in found.items() if value}


def stated_title(properties: dict[str, str]) -> str:
    """The title among the properties, unless a program wrote a file name or a default there."""
    title = _WORD_PREFIX.sub("", properties.get("title", "")).strip()
    return "" if _NO_TITLE.fullmatch(title) else title


def stated_language(document: pdfium.PdfDocument) -> str:
    """The /Lang of the catalogue; empty when there is none."""
    size = raw.FPDFCatalog_GetLanguage(document.raw, None, 0)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    raw.FPDFCatalog_GetLanguage(document.raw, buffer, size)
    return clean_title(bytes(buffer)[: size - 2].decode("utf-16-le", "replace"))
