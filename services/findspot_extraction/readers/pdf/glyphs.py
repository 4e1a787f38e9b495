"""The words of a page: PDFium's characters cut at white space, each word with the box of its glyphs.

PDFium answers one character a call (about 1.5 us through ctypes), so a word costs two calls, for its first
and its last glyph: their loose boxes (advance width by ascent and descent) span the word between them.
"""

from __future__ import annotations

import ctypes
import math
import re
from array import array
from collections import deque
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import pypdfium2.raw as pdfium

from findspot_extraction.readers.pdf.geometry import PageFrame, to_upright

HYPHEN_MARKS = "\ufffe\x02"
"""What PDFium writes for a hyphen at the end of a line when it has already joined the two lines."""

_TOKEN = re.compile(r"\n|[^\s\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff]+[\ufffe\x02]?")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SOFT_HYPHEN = "\u00ad"


@dataclass(slots=True)
class PageWords:
    """The words of one page in the order of the content stream; everything is indexed by word."""

    number: int
    width: float
    """Displayed, in points."""
    height: float
    degenerate: bool
    texts: list[str] = field(default_factory=list)
    boxes: array[float] = field(default_factory=lambda: array("f"))
    """x0, y0, x1, y1 in upright coordinates: four floats a word."""
    turns: bytearray = field(default_factory=bytearray)
    """Direction of each word on the displayed page in quarter turns clockwise."""
    breaks: bytearray = field(default_factory=bytearray)
    """1 where PDFium begins a new line with this word."""
    characters: array[int] = field(default_factory=lambda: array("l"))
    """Index of each word's first character in the text page, to ask for its font."""
    outside: int = 0
    """Words that lie wholly outside the visible page and were left out."""
    unmapped: int = 0
    """Characters that the font maps to half a code point; U+FFFD stands for them."""


def read_words(text_page: Any, frame: PageFrame, number: int) -> PageWords:
    """All words of a text page. The handle stays the caller's."""
    page = PageWords(number, frame.width, frame.height, frame.degenerate)
    count = pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return page
    text = _page_text(text_page, count)
    spans, breaks = _tokens(text)
    if not spans:
        return page
    firsts = [start for start, _ in spans]
    lasts = [end - 1 for _, end in spans]
    if len(text) != count:
        # Characters without a code point are in the character list and not in the text.
        firsts = list(map(pdfium.FPDFText_GetCharIndexFromTextIndex, repeat(text_page), firsts))
        lasts = list(map(pdfium.FPDFText_GetCharIndexFromTextIndex, repeat(text_page), lasts))
    rects = _word_rects(text_page, firsts, lasts)
    turns = _word_turns(text_page, firsts, breaks, rects, frame.rotation)
    _fill(page, frame, [text[start:end] for start, end in spans], firsts, breaks, turns, rects)
    return page


def _page_text(text_page: Any, count: int) -> str:
    units = (ctypes.c_ushort * (2 * count + 2))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, units)
    return bytes(units)[: 2 * max(written - 1, 0)].decode("utf-16-le", "surrogatepass")


def _tokens(text: str) -> tuple[list[tuple[int, int]], bytearray]:
    """Ranges of the words, and for each whether a line begins with it."""
    spans: list[tuple[int, int]] = []
    breaks = bytearray()
    fresh = 1
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if text[start] == "\n":
            fresh = 1
            continue
        spans.append((start, end))
        breaks.append(fresh)
        fresh = 1 if text[end - 1] in HYPHEN_MARKS else 0
    return spans, breaks


def _word_rects(text_page: Any, firsts: list[int], lasts: list[int]) -> list[float]:
    """left, top, right, bottom in user space: the first glyphs of all words, then the last glyphs of all."""
    rects = (pdfium.FS_RECTF * (2 * len(firsts)))()
    calls = map(pdfium.FPDFText_GetLooseCharBox, repeat(text_page), firsts + lasts, rects)
    deque(calls, maxlen=0)
    return [*memoryview(rects).cast("B").cast("f")]


def _word_turns(
    text_page: Any, firsts: list[int], breaks: bytearray, rects: list[float], rotation: int
) -> bytearray:
    """Direction of each word on the displayed page: asked once a line, and where glyphs leave the line."""
    turns = bytearray(len(firsts))
    shift = 4 * len(firsts)
    turn = rotation
    for index, first in enumerate(firsts):
        at = 4 * index
        stacked = rects[at + 1] < rects[shift + at + 3] or rects[at + 3] > rects[shift + at + 1]
        if breaks[index] or stacked:
            angle = pdfium.FPDFText_GetCharAngle(text_page, first)
            turn = (round(angle / (math.pi / 2)) + rotation) % 4 if angle > 0 else rotation
        turns[index] = turn
    return turns


def _fill(
    page: PageWords,
    frame: PageFrame,
    texts: list[str],
    firsts: list[int],
    breaks: bytearray,
    turns: bytearray,
    rects: list[float],
) -> None:
    shift = 4 * len(firsts)
    carried = 0
    for index, text in enumerate(texts):
        at = 4 * index
        to = shift + at
        rect = frame.displayed(
            min(rects[at], rects[to]),
            max(rects[at + 1], rects[to + 1]),
            max(rects[at + 2], rects[to + 2]),
            min(rects[at + 3], rects[to + 3]),
        )
        carried |= breaks[index]
        if not page.degenerate and _outside(rect, page.width, page.height):
            page.outside += 1
            continue
        cleaned = _clean(text, page)
        if not cleaned:
            continue
        page.texts.append(cleaned)
        page.boxes.extend(to_upright(rect, page.width, page.height, turns[index]))
        page.turns.append(turns[index])
        page.breaks.append(carried)
        page.characters.append(firsts[index])
        carried = 0


def _outside(rect: tuple[float, float, float, float], width: float, height: float) -> bool:
    return rect[2] <= 0 or rect[3] <= 0 or rect[0] >= width or rect[1] >= height


def _clean(text: str, page: PageWords) -> str:
    """A word as the text shall hold it: line-end hyphens spelled out, no soft hyphens, no lone surrogates."""
    if text.isascii() and text[-1] != "\x02":
        return text
    last = text[-1]
    if last in HYPHEN_MARKS or last == _SOFT_HYPHEN:
        text = text[:-1] + "-"
    text = text.replace(_SOFT_HYPHEN, "")
    text, found = _LONE_SURROGATE.subn("\ufffd", text)
    page.unmapped += found
    return _expand_ligatures(text)


_LIGATURES = dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"), start=0xFB00))


def _expand_ligatures(text: str) -> str:
    """Latin ligatures as letters: nobody searches for U+FB01."""
    return text.translate(_LIGATURES)
