"""PDFium functions that are called hundreds of times a page, bound to take addresses as they are.

`pypdfium2.raw` wraps every pointer argument in an object; without that a call takes half the time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2.raw as pdfium

_P, _I = ctypes.c_void_p, ctypes.c_int


def _plain(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    bound: Callable[..., Any] = ctypes.CFUNCTYPE(result, *arguments)(address)
    return bound


loose_char_box = _plain(pdfium.FPDFText_GetLooseCharBox, _I, _P, _I, _P)
font_info = _plain(pdfium.FPDFText_GetFontInfo, ctypes.c_ulong, _P, _I, _P, ctypes.c_ulong, _P)
font_size = _plain(pdfium.FPDFText_GetFontSize, ctypes.c_double, _P, _I)
text_matrix = _plain(pdfium.FPDFText_GetMatrix, _I, _P, _I, _P)
text_object = _plain(pdfium.FPDFText_GetTextObject, _P, _P, _I)
marked_content = _plain(pdfium.FPDFPageObj_GetMarkedContentID, _I, _P)
page_object = _plain(pdfium.FPDFPage_GetObject, _P, _P, _I)
object_type = _plain(pdfium.FPDFPageObj_GetType, _I, _P)
object_bounds = _plain(pdfium.FPDFPageObj_GetBounds, _I, _P, _P, _P, _P, _P)
segment_count = _plain(pdfium.FPDFPath_CountSegments, _I, _P)
draw_mode = _plain(pdfium.FPDFPath_GetDrawMode, _I, _P, _P, _P)


def address_of(handle: Any) -> int:
    """The address behind a handle of `pypdfium2.raw`."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0
