"""Headings that a tagged PDF names itself: structure elements H1 to H6 and the marked content they hold."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from typing import Any

import pypdfium2 as pdfium_api
import pypdfium2.raw as pdfium

from findspot_extraction.readers.pdf import calls
from findspot_extraction.readers.pdf.fragments import Fragment

_HEADING = re.compile(r"H([1-6])")
_CONTAINERS = frozenset(("Document", "Part", "Art", "Sect", "Div", "NonStruct", "Private"))
_PAGES_TO_TAGS = 5
_DEEPEST = 40
_MOST_ELEMENTS = 5_000
_TYPE_UNITS = 32


def read_tags(document: pdfium_api.PdfDocument, pages: Sequence[Sequence[Fragment]]) -> list[dict[int, int]]:
    """Heading level of fragments by their first word, page by page; all empty where the file tags no heading.

    `pages` holds the fragments of each page. A structure tree costs as much as reading its page, so that the
    rest is not asked when the first pages name no heading.
    """
    found: list[dict[int, int]] = [{} for _ in pages]
    if not pdfium.FPDFCatalog_IsTagged(document.raw):
        return found
    for index, fragments in enumerate(pages):
        if index == _PAGES_TO_TAGS and not any(found):
            break
        page = pdfium.FPDF_LoadPage(document.raw, index) if fragments else None
        if page:
            found[index] = _tagged_headings(page, fragments)
            pdfium.FPDF_ClosePage(page)
    return found


def _tagged_headings(page: Any, fragments: Sequence[Fragment]) -> dict[int, int]:
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    try:
        levels = _marked_content(tree)
    finally:
        pdfium.FPDF_StructTree_Close(tree)
    text_page = pdfium.FPDFText_LoadPage(page) if levels else None
    if not text_page:
        return {}
    found: dict[int, int] = {}
    handle = calls.address_of(text_page)
    for fragment in fragments:
        item = calls.text_object(handle, fragment.page.characters[fragment.first])
        level = levels.get(calls.marked_content(item)) if item else None
        if level is not None:
            found[fragment.first] = level
    pdfium.FPDFText_ClosePage(text_page)
    return found


def _marked_content(tree: Any) -> dict[int, int]:
    """Level by the number of each piece of marked content that lies in a heading."""
    levels: dict[int, int] = {}
    count = pdfium.FPDF_StructTree_CountChildren(tree)
    stack = [
        (pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), 0, 0)
        for index in range(min(count, _MOST_ELEMENTS))
    ]
    seen = 0
    while stack and seen < _MOST_ELEMENTS:
        element, level, depth = stack.pop()
        if not element:
            continue
        seen += 1
        name = "" if level else _type_of(element)
        match = _HEADING.fullmatch(name)
        level = int(match[1]) if match else level
        children = pdfium.FPDF_StructElement_CountChildren(element)
        if level:
            for index in range(children):
                content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
                if content >= 0:
                    levels[content] = level
        if depth < _DEEPEST and (level or name in _CONTAINERS):
            stack.extend(
                (pdfium.FPDF_StructElement_GetChildAtIndex(element, index), level, depth + 1)
                for index in range(min(children, _MOST_ELEMENTS))
            )
    return levels


def _type_of(element: Any) -> str:
    name = (ctypes.c_ushort * _TYPE_UNITS)()
    size = pdfium.FPDF_StructElement_GetType(element, name, ctypes.sizeof(name))
    return (
        bytes(name)[: max(size - 2, 0)].decode("utf-16-le", "replace") if size <= ctypes.sizeof(name) else ""
    )
