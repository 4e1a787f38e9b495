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
    found: tuple[list[float], list[float], list[float], list[float]] = ([], [], [], [])
    left, bottom, right, top = found
    for index in range(count):
        item = calls.page_object(handle, index)
        if calls.object_type(item) != pdfium.FPDF_PAGEOBJ_PATH or calls.segment_count(item) > _SEGMENTS:
            continue
        if not calls.object_bounds(item, *places):
            continue
        x0, y0, x1, y1 = edges
        across, along = sorted((x1 - x0, y1 - y0))
        if across <= _THIN and along >= _LONG:
            _add(found, (x0, y0, x1, y1))
        elif across > _THIN and _is_stroked(item):
            _add(found, (x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))
        if len(left) > _MOST_RULES:
            return []
    return list(zip(*frame.displayed_edges(left, top, right, bottom), strict=True))


def _add(found: tuple[list[float], ...], *rects: Rect) -> None:
    for rect in rects:
        for edge, place in zip(found, rect, strict=True):
            edge.append(place)


def _is_stroked(item: int) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    calls.draw_mode(item, ctypes.addressof(fill), ctypes.addressof(stroke))
    return bool(stroke.value)
