"""Fragments side by side are rows; a row in reading order is a line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from findspot_extraction.readers.pdf.fonts import Font
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import Rect, union

_BESIDE = 0.5
"""Of the lower of two heights: overlap that puts a fragment into a row."""
_RTL = frozenset(("R", "AL"))


@dataclass(frozen=True, slots=True)
class Line:
    """Fragments of one row in reading order."""

    fragments: tuple[Fragment, ...]
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def text(self) -> str:
        """All words joined by spaces."""
        return " ".join(fragment.text for fragment in self.fragments)

    @property
    def height(self) -> float:
        """Height of its boxes."""
        return max(self.y1 - self.y0, 0.1)

    @property
    def font(self) -> Font:
        """The font of its widest fragment."""
        return max(self.fragments, key=lambda fragment: fragment.x1 - fragment.x0).font

    @property
    def rect(self) -> Rect:
        """x0, y0, x1, y1."""
        return self.x0, self.y0, self.x1, self.y1


def rows_of(fragments: Iterable[Fragment]) -> list[list[Fragment]]:
    """Fragments that overlap vertically, from the top of the page down; within a row from left to right."""
    rows: list[list[Fragment]] = []
    top = bottom = 0.0
    for fragment in sorted(fragments, key=lambda f: (f.y0 + f.y1, f.x0)):
        lower = min(fragment.height, bottom - top) if rows else 0.0
        if rows and min(fragment.y1, bottom) - max(fragment.y0, top) >= _BESIDE * lower:
            rows[-1].append(fragment)
            # The row keeps the extent of its tallest member only as far as the others share it: a drop cap
            # must not pull the second line of the paragraph into the first.
            if fragment.height < 1.5 * (bottom - top):
                top, bottom = min(top, fragment.y0), max(bottom, fragment.y1)
        else:
            rows.append([fragment])
            top, bottom = fragment.y0, fragment.y1
    for row in rows:
        row.sort(key=lambda f: (f.x0, f.first))
    return rows


def line_of(row: Sequence[Fragment]) -> Line:
    """A row as a line: right to left when most of its letters are written so."""
    ordered = sorted(row, key=lambda f: (f.x0, f.first))
    if len(ordered) > 1 and is_rtl(fragment.text for fragment in ordered):
        ordered.sort(key=lambda f: (-f.x1, f.first))
    return Line(tuple(ordered), *union(fragment.rect for fragment in ordered))


def is_rtl(texts: Iterable[str]) -> bool:
    """True when most letters belong to a script that is written from right to left."""
    right = left = 0
    for text in texts:
        if text.isascii():
            left += sum(map(str.isalpha, text))
            continue
        for character in text:
            if character.isalpha():
                if unicodedata.bidirectional(character) in _RTL:
                    right += 1
                else:
                    left += 1
    return right > left
