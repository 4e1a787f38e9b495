"""Lines of one column into paragraphs, list items and code: by distance, indent, type size and markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import median

from findspot_extraction.readers.pdf.lists import is_bullet, is_number
from findspot_extraction.readers.pdf.rows import Line

_LOOSER = 1.3
"""Times the usual distance between two lines of the column: a new paragraph."""
_INDENT = 0.8
"""Of the type size: how far a first line is set in."""
_SIZE_CHANGE = 1.09
"""Ratio of two type sizes that makes them different."""
_SHORT_LINE = 0.8
"""Share of the column's width below which a line that ends a sentence ends its paragraph."""
_SENTENCE_END = (".", "!", "?", ":", "。", "！", "？", '."', ".”", ".)")


class Shape(StrEnum):
    """What a run of lines looks like before the whole document is known."""

    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"


@dataclass(slots=True)
class Piece:
    """Lines that belong together."""

    shape: Shape
    lines: list[Line]
    level: int = 0
    """Nesting of a list item from 1."""

    @property
    def text(self) -> str:
        """All lines joined by spaces."""
        return " ".join(line.text for line in self.lines)


def pieces_of(lines: Sequence[Line], mark_code: bool) -> list[Piece]:
    """Cut the lines of one region, in reading order. `mark_code` is off where the body is in fixed pitch."""
    if not lines:
        return []
    column = _Column.of(lines)
    pieces: list[Piece] = []
    for line in lines:
        shape = _shape(line, pieces, column, mark_code)
        if pieces and not _begins(line, shape, pieces[-1], column):
            pieces[-1].lines.append(line)
        else:
            pieces.append(Piece(shape, [line]))
    _code_needs_two_lines(pieces)
    _nest(pieces)
    return pieces


@dataclass(frozen=True, slots=True)
class _Column:
    left: float
    right: float
    pitch: float
    """Usual distance from one line's bottom to the next one's."""

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Column:
        pitches = [
            below.y1 - above.y1
            for above, below in pairwise(lines)
            if 0 < below.y1 - above.y1 < 2.2 * above.height
        ]
        usual = median(pitches) if pitches else 1.3 * lines[0].height
        return cls(min(line.x0 for line in lines), max(line.x1 for line in lines), usual)


def _shape(line: Line, pieces: list[Piece], column: _Column, mark_code: bool) -> Shape:
    if mark_code and all(fragment.font.mono for fragment in line.fragments):
        return Shape.CODE
    words = line.fragments[0].words
    lone = len(words) == 1 and len(line.fragments) == 1
    if is_bullet(words[0]) and not lone and not (len(words) > 1 and is_bullet(words[1])):
        return Shape.LIST_ITEM
    if is_number(words[0]) and not lone and _may_begin(line, pieces, column):
        return Shape.LIST_ITEM
    return Shape.PARAGRAPH


def _may_begin(line: Line, pieces: list[Piece], column: _Column) -> bool:
    """True unless the number at the start of a line may just have been carried over from the line above."""
    if not pieces:
        return True
    above = pieces[-1].lines[-1]
    full = above.x1 > column.right - 0.1 * (column.right - column.left)
    set_in = abs(line.x0 - above.x0) > 0.5 * line.font.size
    return set_in or not full or above.text.endswith((*_SENTENCE_END, ";", ","))


def _begins(line: Line, shape: Shape, piece: Piece, column: _Column) -> bool:
    """True when a line begins a piece of its own."""
    above = piece.lines[-1]
    if shape is Shape.LIST_ITEM or (shape is Shape.CODE) != (piece.shape is Shape.CODE):
        return True
    if _new_look(line, above):
        return True
    pitch = line.y1 - above.y1
    usual = column.pitch if line.font.size <= above.font.size else max(column.pitch, 1.25 * line.height)
    if pitch > _LOOSER * max(usual, 0.95 * line.height) or pitch < -0.5 * line.height:
        return True
    if shape is Shape.CODE:
        return False
    indent = line.x0 - column.left
    if piece.shape is Shape.LIST_ITEM:
        # A hanging indent goes on; so does a line at the left edge when the line above had no room for it.
        back = line.x0 < piece.lines[0].x0 - 0.5 * line.font.size
        return back and _would_have_fitted(line, above, column)
    set_in = line.x0 - above.x0
    if _INDENT * line.font.size < set_in < 5 * line.font.size and abs(above.x0 - column.left) < 1.0:
        return indent < 0.3 * (column.right - column.left)
    return _ended(above, line, column)


def _new_look(line: Line, above: Line) -> bool:
    larger = max(line.font.size, above.font.size)
    smaller = max(min(line.font.size, above.font.size), 0.1)
    taller = max(line.height, above.height) / min(line.height, above.height)
    # Capitals in a smaller size within a line leave its height as it was.
    if larger / smaller > _SIZE_CHANGE and taller > _SIZE_CHANGE:
        return True
    return line.bold != above.bold and line.font.bold != above.font.bold


def _would_have_fitted(line: Line, above: Line, column: _Column) -> bool:
    """True when the first word of a line had room on the line above: the line was broken on purpose."""
    head = line.fragments[0]
    word = head.page.x1[head.first] - head.page.x0[head.first]
    return above.x1 + 0.3 * line.font.size + word < column.right


def _ended(above: Line, line: Line, column: _Column) -> bool:
    """True when the line above stops short of the right edge after the end of a sentence."""
    width = column.right - column.left
    return above.x1 - column.left < _SHORT_LINE * width and above.text.endswith(_SENTENCE_END)


def _code_needs_two_lines(pieces: list[Piece]) -> None:
    for piece in pieces:
        if piece.shape is Shape.CODE and len(piece.lines) < 2:
            piece.shape = Shape.PARAGRAPH


def _nest(pieces: list[Piece]) -> None:
    """Levels of list items by how far they are set in, within one list."""
    open_at: list[float] = []
    for piece in pieces:
        if piece.shape is not Shape.LIST_ITEM:
            open_at = []
            continue
        x0, step = piece.lines[0].x0, 0.5 * piece.lines[0].font.size
        while open_at and open_at[-1] > x0 + step:
            open_at.pop()
        if not open_at or x0 > open_at[-1] + step:
            open_at.append(x0)
        piece.level = len(open_at)
