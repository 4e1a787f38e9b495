"""What a run of text is set in: size in points on the page, weight, and whether its pitch is fixed."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

_FIXED_PITCH_FLAG = 1
_FORCE_BOLD_FLAG = 1 << 18
_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi|-bd\b|cmbx", re.IGNORECASE)
_MONO_NAME = re.compile(
    r"mono|courier|consol|menlo|typewriter|cmtt|fixed|lettergothic|inconsolata|sourcecode", re.IGNORECASE
)
_NAME_BYTES = 256


@dataclass(frozen=True, slots=True)
class Font:
    """The look of a run of text."""

    size: float
    """Points on the page, after the text matrix; rounded to a quarter so that equal sizes compare equal."""
    bold: bool = False
    mono: bool = False


def read_font(text_page: Any, character: int) -> Font:
    """The font of one character of a text page."""
    name = ctypes.create_string_buffer(_NAME_BYTES)
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(text_page, character, name, _NAME_BYTES, flags)
    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(text_page, character, matrix):
        scale = math.hypot(matrix.c, matrix.d) or 1.0
    size = pdfium.FPDFText_GetFontSize(text_page, character) * scale
    title = name.value.decode("latin-1")
    flag = max(flags.value, 0)
    return Font(
        size=round(abs(size) * 4) / 4,
        bold=bool(flag & _FORCE_BOLD_FLAG) or bool(_BOLD_NAME.search(title)),
        mono=bool(flag & _FIXED_PITCH_FLAG) or bool(_MONO_NAME.search(title)),
    )
