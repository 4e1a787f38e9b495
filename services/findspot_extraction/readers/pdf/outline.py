"""The document's own outline, and its properties and page labels, as PDFium reads them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

_MOST_ENTRIES = 20_000
_DEEPEST = 32
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufeff\u200e\u200f\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """One entry of the outline in document order."""

    level: int
    """From 1."""
    title: str
    """Empty when the entry has none: it is no heading then."""
    page: int
    """From 1; 0 when it leads nowhere in this file."""
    x: float | None = None
    y: float | None = None
    """Where it leads to, in user space of its page; None when it names the page only."""


def read_outline(document: pdfium.PdfDocument) -> list[Bookmark]:
    """All entries, in the order of the document; loops and depths that no reader shows are cut."""
    return [
        _bookmark(document.raw, handle, level, clean_title(_title(handle)))
        for handle, level in _walk(document.raw)
    ]


def _walk(document: Any) -> Iterator[tuple[Any, int]]:
    seen: set[int] = set()
    stack: list[tuple[Any, int]] = [(raw.FPDFBookmark_GetFirstChild(document, None), 1)]
    while stack and len(seen) < _MOST_ENTRIES:
        handle, level = stack.pop()
        if not handle:
            continue
        address = ctypes.cast(handle, ctypes.c_void_p).value or 0
        if address in seen:
            continue
        seen.add(address)
        yield handle, level
        stack.append((raw.FPDFBookmark_GetNextSibling(document, handle), level))
        if level < _DEEPEST:
            stack.append((raw.FPDFBookmark_GetFirstChild(document, handle), level + 1))


def _title(handle: Any) -> str:
    size = raw.FPDFBookmark_GetTitle(handle, None, 0)
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFBookmark_GetTitle(handle, buffer, size)
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "replace")


def clean_title(title: str) -> str:
    """A title on one line, without control characters."""
    return " ".join(_CONTROL.sub(" ", title).split())


def _bookmark(document: Any, handle: Any, level: int, title: str) -> Bookmark:
    target = raw.FPDFBookmark_GetDest(document, handle)
    if not target:
        action = raw.FPDFBookmark_GetAction(handle)
        if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_GOTO:
            target = raw.FPDFAction_GetDest(document, action)
    if not target:
        return Bookmark(level, title, 0)
    page = raw.FPDFDest_GetDestPageIndex(document, target) + 1
    has_x, has_y, has_zoom = (raw.FPDF_BOOL() for _ in range(3))
    x, y, zoom = (raw.FS_FLOAT() for _ in range(3))
    located = raw.FPDFDest_GetLocationInPage(target, has_x, has_y, has_zoom, x, y, zoom)
    return Bookmark(
        level,
        title,
        max(page, 0),
        x.value if located and has_x.value else None,
        y.value if located and has_y.value else None,
    )


def page_label(document: pdfium.PdfDocument, index: int) -> str:
    """The label of a page ("iv", "A-3"); empty when the document labels none."""
    size = raw.FPDF_GetPageLabel(document.raw, index, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDF_GetPageLabel(document.raw, index, buffer, size)
    return clean_title(buffer.raw[: size - 2].decode("utf-16-le", "replace"))
