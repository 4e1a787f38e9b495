"""Ruled lines of a page: thin strokes and bars, and the sides of outlined rectangles."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from findspot_extraction.readers.pdf import calls
from findspot_extraction.readers.pdf.geometry import PageFrame, Rect

_THIN = 3.0
"""Points across a rule, at most."""
_LONG = 6.0
"""Points along a rule, at least."""
_SEGMENTS = 6
"""A path of more segments is a drawing."""
_MOST_OBJECTS = 20_000
_MOST_RULES = 1_200
"""More of them are a chart or a map: no table is worth their time."""


def read_rules(page: Any, frame: PageFrame) -> list[Rect]:
    """Rules in displayed coordinates, each a thin rectangle; none when the page draws too many."""
    handle = calls.address_of(page)
    count = pdfium.FPDFPage_CountObjects(page)
    if count > _MOST_OBJECTS:
        return []
    edges = (ctypes.c_float * 4)()
    places = [ctypes.addressof(edges) + 4 * index for index in range(4)]
    found: list[Rect] = []
    for index in range(count):
        item = calls.page_object(handle, index)
        if calls.object_type(item) != pdfium.FPDF_PAGEOBJ_PATH or calls.segment_count(item) > _SEGMENTS:
            continue
        if not calls.object_bounds(item, *places):
            continue
        left, bottom, right, top = edges
        rect = frame.displayed(left, top, right, bottom)
        across, along = sorted((rect[2] - rect[0], rect[3] - rect[1]))
        if across <= _THIN and along >= _LONG:
            found.append(rect)
        elif across > _THIN and _is_stroked(item):
            found += _sides(rect)
        if len(found) > _MOST_RULES:
            return []
    return found


def _is_stroked(item: int) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    calls.draw_mode(item, ctypes.addressof(fill), ctypes.addressof(stroke))
    return bool(stroke.value)


def _sides(rect: Rect) -> list[Rect]:
    x0, y0, x1, y1 = rect
    return [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
