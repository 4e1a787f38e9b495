"""What a vision model wrote down, as pieces and tables; words get the boxes of the same words that were recognised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby

from findspot_extraction.readers.pdf.fonts import Font
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.glyphs import PageWords
from findspot_extraction.readers.pdf.lists import is_marker
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape
from findspot_extraction.readers.pdf.rows import Line
from findspot_extraction.readers.pdf.tables import Cells, Grid, header_rows

_HEADING = re.compile(r"\s*(#{1,6})\s+(?=\S)")
_RULE = re.compile(r"[\s|:\-]*-[\s|:\-]*")
"""The line under the head of a table in Markdown, or a rule."""
_SMALL = 0.1
_MOST_ALIGNED = 5_000
"""Words of a page; more are not compared, which costs their product."""


@dataclass(slots=True)
class Transcribed:
    """A page in reading order."""

    words: PageWords
    items: list[Piece | Grid] = field(default_factory=list)
    levels: dict[int, int] = field(default_factory=dict)
    """Level of headings by their first word."""


def transcribed(transcript: str, seen: PageWords, font: Font) -> Transcribed:
    """Cut a transcript into paragraphs, headings, list items and tables. `seen` are the recognised words."""
    page = Transcribed(PageWords(seen.number, seen.width, seen.height, seen.degenerate))
    for block in re.split(r"\n\s*\n", transcript.replace("\r\n", "\n")):
        lines = [line for line in block.split("\n") if line.strip()]
        for is_row, run in groupby(lines, key=_is_row):
            if is_row:
                _add_table(page, list(run), font)
            else:
                _add_lines(page, run, font)
    _place(page.words, seen)
    return page


def _is_row(line: str) -> bool:
    return "|" in line.strip().strip("|")


def _add_lines(page: Transcribed, lines: Iterable[str], font: Font) -> None:
    piece: Piece | None = None
    for line in lines:
        heading = _HEADING.match(line)
        words = line[heading.end() :].split() if heading else line.split()
        if _RULE.fullmatch(line) or not words:
            piece = None
            continue
        fragment = _fragment(page.words, words, font)
        read = Line((fragment,), *fragment.rect, fragment.height, font, False)
        item = is_marker(words[0]) and len(words) > 1
        if heading:
            page.levels[fragment.first] = len(heading[1])
        if piece is None or heading or item:
            piece = Piece(Shape.LIST_ITEM if item and not heading else Shape.PARAGRAPH, [read], int(item))
            page.items.append(piece)
        else:
            piece.lines.append(read)
        piece = None if heading else piece


def _add_table(page: Transcribed, lines: Sequence[str], font: Font) -> None:
    ruled = any(_RULE.fullmatch(line) for line in lines[1:2])
    rows = [
        line.strip().removeprefix("|").removesuffix("|").split("|")
        for line in lines
        if not _RULE.fullmatch(line)
    ]
    width = max((len(row) for row in rows), default=0)
    cells: Cells = [
        tuple(
            (_fragment(page.words, words, font),) if (words := cell.split()) else ()
            for cell in [*row, *[""] * (width - len(row))]
        )
        for row in rows
    ]
    if any(any(row) for row in cells):
        head = 1 if ruled else header_rows(cells)
        page.items.append(Grid(tuple(cells), tuple(map(float, range(width))), head))


def _fragment(words: PageWords, texts: Sequence[str], font: Font) -> Fragment:
    first = len(words.texts)
    words.texts.extend(texts)
    letters = sum(map(len, texts))
    return Fragment(words, first, len(words.texts), 0.0, 0.0, 0.0, _SMALL, _SMALL, _SMALL, 0, font, letters)


def _place(words: PageWords, seen: PageWords) -> None:
    """Give words the boxes of the same words, in the same order, that were recognised; the others stay without."""
    count = len(words.texts)
    words.placed = bytearray(count)
    words.turns = bytearray(count)
    for edges in (words.x0, words.y0, words.x1, words.y1):
        edges.extend([0.0] * count)
    if not 0 < count * len(seen.texts) <= _MOST_ALIGNED**2:
        return
    matcher = SequenceMatcher(None, _keys(seen.texts), _keys(words.texts), autojunk=False)
    for there, here, length in matcher.get_matching_blocks():
        for offset in range(length):
            at, of = here + offset, there + offset
            words.x0[at], words.y0[at] = seen.x0[of], seen.y0[of]
            words.x1[at], words.y1[at] = seen.x1[of], seen.y1[of]
            words.turns[at] = seen.turns[of]
            words.placed[at] = 1


def _keys(texts: Sequence[str]) -> list[str]:
    return [re.sub(r"\W+", "", text).casefold() or text for text in texts]
