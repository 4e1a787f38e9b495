"""Fragments side by side are rows; a row in reading order is a line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from findspot_extraction.readers.pdf.fonts import Font
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import Rect, union

_BESIDE = 0.5
"""Of the lower of two heights: overlap that puts a fragment into a row."""
_TALL = 1.5
"""Times the height of the row."""
_MIDDLE = attrgetter("middle")
_LEFT = attrgetter("x0")
_RTL = frozenset(("R", "AL"))


@dataclass(slots=True, eq=False)
class Line:
    """Fragments of one row in reading order; never changed once made."""

    fragments: tuple[Fragment, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    height: float
    font: Font
    """The font of its widest fragment."""
    bold: bool
    """True when all of it is."""

    @property
    def text(self) -> str:
        """All words joined by spaces."""
        return " ".join([fragment.text for fragment in self.fragments])

    @property
    def rect(self) -> Rect:
        """x0, y0, x1, y1."""
        return self.x0, self.y0, self.x1, self.y1


def rows_of(fragments: Iterable[Fragment]) -> list[list[Fragment]]:
    """Fragments that overlap vertically, from the top of the page down; within a row from left to right."""
    rows: list[list[Fragment]] = []
    top = bottom = 0.0
    for fragment in sorted(fragments, key=_MIDDLE):
        y0, y1 = fragment.y0, fragment.y1
        extent = bottom - top
        lower = fragment.height if fragment.height < extent else extent
        if rows and (y1 if y1 < bottom else bottom) - (y0 if y0 > top else top) >= _BESIDE * lower:
            rows[-1].append(fragment)
            # What is much taller than the rest, a drop cap say, must not pull several lines into one row.
            if fragment.height * _TALL < extent:
                top, bottom = y0, y1
            elif fragment.height < _TALL * extent:
                top, bottom = min(top, y0), max(bottom, y1)
        else:
            rows.append([fragment])
            top, bottom = y0, y1
    for row in rows:
        if len(row) > 1:
            row.sort(key=_LEFT)
    return rows


def line_of(row: Sequence[Fragment]) -> Line:
    """A row as a line: right to left when most of its letters are written so."""
    if len(row) == 1:
        only = row[0]
        return Line((only,), *only.rect, only.height, only.font, only.font.bold)
    ordered = sorted(row, key=_LEFT)
    if runs_left(ordered):
        ordered.sort(key=lambda f: (-f.x1, f.first))
    rect = union(fragment.rect for fragment in ordered)
    widest = max(ordered, key=lambda fragment: fragment.x1 - fragment.x0)
    bold = all(fragment.font.bold for fragment in ordered)
    return Line(tuple(ordered), *rect, max(rect[3] - rect[1], 0.1), widest.font, bold)


def runs_left(fragments: Sequence[Fragment]) -> bool:
    """True when most letters of these fragments are written from right to left."""
    return fragments[0].page.rtl and is_rtl(fragment.text for fragment in fragments)


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
