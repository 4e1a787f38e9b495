"""What a run of text is set in: size in points on the page, weight, and whether its pitch is fixed."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from findspot_extraction.readers.pdf import calls

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


class FontReader:
    """Reads the fonts of one text page; it looks at each font name once."""

    def __init__(self, text_page: Any) -> None:
        self._page = calls.address_of(text_page)
        self._name = ctypes.create_string_buffer(_NAME_BYTES)
        self._flags = ctypes.c_int()
        self._matrix = pdfium.FS_MATRIX()
        self._places = tuple(map(ctypes.addressof, (self._name, self._flags, self._matrix)))
        self._fonts: dict[tuple[bytes, int, float], Font] = {}

    def __call__(self, character: int, height: float) -> Font:
        """The font of one character, whose box is `height` points high: one font in one height has one size."""
        name, flags, _ = self._places
        calls.font_info(self._page, character, name, _NAME_BYTES, flags)
        key = self._name.value, self._flags.value, round(height, 2)
        font = self._fonts.get(key)
        if font is None:
            font = self._fonts[key] = _font(key[0], key[1], self._size(character))
        return font

    def _size(self, character: int) -> float:
        size = abs(calls.font_size(self._page, character))
        if calls.text_matrix(self._page, character, self._places[2]):
            size *= math.hypot(self._matrix.c, self._matrix.d) or 1.0
        return float(round(size * 4) / 4)


def _font(name: bytes, flags: int, size: float) -> Font:
    title = name.decode("latin-1")
    flags = max(flags, 0)
    return Font(
        size=size,
        bold=bool(flags & _FORCE_BOLD_FLAG) or bool(_BOLD_NAME.search(title)),
        mono=bool(flags & _FIXED_PITCH_FLAG) or bool(_MONO_NAME.search(title)),
    )
