"""The words of a page: PDFium's characters cut at white space, each word with the box of its glyphs.

PDFium answers one character a call (about 1.5 us through ctypes), so a word costs two calls, for its first
and its last glyph: their loose boxes (advance width by ascent and descent) span the word between them.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field
from itertools import accumulate, repeat
from operator import gt, lt, or_
from typing import Any

import pypdfium2.raw as pdfium

from findspot_extraction.readers.pdf import calls
from findspot_extraction.readers.pdf.geometry import SLANTED, PageFrame, to_upright

HYPHEN_MARKS = "\ufffe\x02"
"""What PDFium writes for a hyphen at the end of a line when it has already joined the two lines."""

_TOKEN = re.compile(r"([^\s\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff]+[\ufffe\x02]?)")
_LINE_END = re.compile("[\n\ufffe\x02]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
_SLANT = 0.1
"""Quarter turns by which text may miss one of the four directions."""
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
    x0: array[float] = field(default_factory=lambda: array("f"))
    """Edges of the boxes in upright coordinates."""
    y0: array[float] = field(default_factory=lambda: array("f"))
    x1: array[float] = field(default_factory=lambda: array("f"))
    y1: array[float] = field(default_factory=lambda: array("f"))
    turns: bytearray = field(default_factory=bytearray)
    """Direction of each word on the displayed page in quarter turns clockwise."""
    breaks: bytearray = field(default_factory=bytearray)
    """1 where PDFium begins a new line with this word."""
    characters: array[int] = field(default_factory=lambda: array("l"))
    """Index of each word's first character in the text page, to ask for its font."""
    rtl: bool = False
    """True when any letter on it is written from right to left."""
    outside: int = 0
    """Words that lie wholly outside the visible page and were left out."""
    placed: bytearray | None = None
    """1 for each word whose box is known; None where all are."""
    unmapped: int = 0
    """Characters that the font maps to half a code point; U+FFFD stands for them."""


def read_words(text_page: Any, frame: PageFrame, number: int) -> PageWords:
    """All words of a text page. The handle stays the caller's."""
    page = PageWords(number, frame.width, frame.height, frame.degenerate)
    count = pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return page
    text = _page_text(text_page, count)
    page.texts, firsts, lasts = _tokens(text)
    if not firsts:
        return page
    breaks = _breaks(text, firsts)
    if len(text) != count:
        # Characters without a code point are in the character list and not in the text.
        firsts = list(map(pdfium.FPDFText_GetCharIndexFromTextIndex, repeat(text_page), firsts))
        lasts = list(map(pdfium.FPDFText_GetCharIndexFromTextIndex, repeat(text_page), lasts))
    first_rects, last_rects = _rects(text_page, firsts), _rects(text_page, lasts)
    page.turns = _turns(text_page, firsts, breaks, first_rects, last_rects, frame.rotation)
    page.x0, page.y0, page.x1, page.y1 = _edges(frame, first_rects, last_rects)
    page.breaks = breaks
    page.characters = array("l", firsts)
    page.rtl = bool(_RTL.search(text))
    if not text.isascii() or "\x02" in text:
        page.texts = [
            word if word.isascii() and word[-1] != "\x02" else clean_word(word, page) for word in page.texts
        ]
    _drop_unseen(page)
    _turn_upright(page)
    return page


def _page_text(text_page: Any, count: int) -> str:
    units = (ctypes.c_ushort * (2 * count + 2))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, units)
    return bytes(units)[: 2 * max(written - 1, 0)].decode("utf-16-le", "surrogatepass")


def _tokens(text: str) -> tuple[list[str], list[int], list[int]]:
    """The words, and where the first and the last character of each are."""
    # What lies between the words and the words by turns: no object a match, and counting is left to C.
    parts = _TOKEN.split(text)
    ends = list(accumulate(map(len, parts)))
    return parts[1::2], ends[0:-1:2], [end - 1 for end in ends[1::2]]


def _breaks(text: str, starts: list[int]) -> bytearray:
    """For each word whether a line begins with it."""
    breaks = bytearray(len(starts) + 1)
    breaks[0] = 1
    for match in _LINE_END.finditer(text):
        # The first word at or after a line end begins the next line; a joining hyphen ends its own word.
        breaks[bisect_left(starts, match.start())] = 1
    return breaks[:-1]


def _rects(text_page: Any, characters: list[int]) -> list[float]:
    """left, top, right, bottom of each of the characters, in user space."""
    rects = (pdfium.FS_RECTF * len(characters))()
    first = ctypes.addressof(rects)
    places = range(first, first + ctypes.sizeof(rects), ctypes.sizeof(pdfium.FS_RECTF))
    deque(map(calls.loose_char_box, repeat(calls.address_of(text_page)), characters, places), maxlen=0)
    return [*memoryview(rects).cast("B").cast("f")]


def _turns(
    text_page: Any,
    firsts: list[int],
    breaks: bytearray,
    first_rects: list[float],
    last_rects: list[float],
    rotation: int,
) -> bytearray:
    """Direction of each word on the displayed page: asked once a line, and where glyphs leave the line."""
    above = bytearray(map(lt, last_rects[1::4], first_rects[3::4]))
    below = bytearray(map(lt, first_rects[1::4], last_rects[3::4]))
    stacked = bytearray(map(or_, above, below)) if any(above) or any(below) else bytes(len(firsts))
    turns = bytearray(len(firsts))
    turn = rotation
    for index, first in enumerate(firsts):
        if breaks[index] or stacked[index]:
            angle = pdfium.FPDFText_GetCharAngle(text_page, first)
            turn = _direction(angle, rotation)
            if angle == 0 and stacked[index] and first_rects[4 * index + 1] > last_rects[4 * index + 1]:
                # Upright glyphs one below the other: vertical writing, whose lines go from right to left,
                # which is what text turned clockwise looks like.
                turn = (1 + rotation) % 4
        turns[index] = turn
    return turns


def _direction(angle: float, rotation: int) -> int:
    """Quarter turns clockwise on the displayed page, from PDFium's angle in radians; -1 is "no angle"."""
    quarters = angle / (math.pi / 2) if angle > 0 else 0.0
    if abs(quarters - round(quarters)) > _SLANT:
        return SLANTED
    return (round(quarters) + rotation) % 4


def _edges(frame: PageFrame, first: list[float], last: list[float]) -> tuple[array[float], ...]:
    """x0, y0, x1, y1 of all words on the displayed page: the rectangle around first and last glyph."""
    left = _lower(first[0::4], last[0::4])
    top = _higher(first[1::4], last[1::4])
    right = _higher(last[2::4], first[2::4])
    bottom = _lower(first[3::4], last[3::4])
    return tuple(array("f", edge) for edge in frame.displayed_edges(left, top, right, bottom))


def _lower(expected: list[float], other: list[float]) -> list[float]:
    """The lower of each pair: on most pages all of `expected`, which one comparison each tells."""
    return list(map(min, expected, other)) if any(map(gt, expected, other)) else expected


def _higher(expected: list[float], other: list[float]) -> list[float]:
    """The higher of each pair, in the same way."""
    return list(map(max, expected, other)) if any(map(lt, expected, other)) else expected


def _drop_unseen(page: PageWords) -> None:
    """Leave out the words of which nothing is on the visible page, and count them."""
    everything = page.degenerate or (
        min(page.x1) > 0 and min(page.y1) > 0 and max(page.x0) < page.width and max(page.y0) < page.height
    )
    if everything and all(page.texts):
        return
    kept = [
        index
        for index, (text, x0, y0, x1, y1) in enumerate(
            zip(page.texts, page.x0, page.y0, page.x1, page.y1, strict=True)
        )
        if text and (everything or (x1 > 0 and y1 > 0 and x0 < page.width and y0 < page.height))
    ]
    page.outside = sum(map(bool, page.texts)) - len(kept)
    began = [0, *accumulate(page.breaks)]
    before = [0, *(index + 1 for index in kept[:-1])]
    page.breaks = bytearray(
        began[index + 1] > began[start] for start, index in zip(before, kept, strict=False)
    )
    page.texts = [page.texts[index] for index in kept]
    page.turns = bytearray(page.turns[index] for index in kept)
    page.characters = array("l", [page.characters[index] for index in kept])
    page.x0, page.y0, page.x1, page.y1 = (
        array("f", [edge[index] for index in kept]) for edge in (page.x0, page.y0, page.x1, page.y1)
    )


def _turn_upright(page: PageWords) -> None:
    """Turn the boxes of sideways words, so that layout sees them run from left to right."""
    if not any(page.turns):
        return
    for index, turn in enumerate(page.turns):
        if turn:
            rect = page.x0[index], page.y0[index], page.x1[index], page.y1[index]
            upright = to_upright(rect, page.width, page.height, turn)
            page.x0[index], page.y0[index], page.x1[index], page.y1[index] = upright


_PRESENTATION = re.compile("[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]+")
_SYMBOL_BULLETS = str.maketrans({"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\u200b": None})


def clean_word(text: str, page: PageWords) -> str:
    """A word as the text shall hold it.

    Line-end hyphens are spelled out; soft hyphens go; ligatures and Arabic presentation forms become letters
    (nobody searches for U+FB01); accents are composed; half a surrogate pair becomes U+FFFD.
    """
    if text[-1] in HYPHEN_MARKS or text[-1] == _SOFT_HYPHEN:
        text = text[:-1] + "-"
    text = text.replace(_SOFT_HYPHEN, "").translate(_SYMBOL_BULLETS)
    text, found = _LONE_SURROGATE.subn("\ufffd", text)
    page.unmapped += found
    text = _PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return "".join(unicodedata.normalize("NFC", text).split())
