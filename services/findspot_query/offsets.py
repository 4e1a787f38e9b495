"""Ranges in the caller's unit: code points inside, bytes or UTF-16 units at the edge. The only place that converts."""

from __future__ import annotations

from bisect import bisect_right

from findspot.model import Span
from findspot_query.request import OffsetUnit

_STEP = 4_096


class TextUnits:
    """Converts positions of one text between code points and a unit. Positions are clamped to the text."""

    def __init__(self, text: str, unit: OffsetUnit) -> None:
        self._text = text
        self._plain = unit is OffsetUnit.CODE_POINT or text.isascii()
        self._unit = unit
        self._marks = [0]
        if not self._plain:
            # A mark each few thousand characters, so that no position costs the whole text.
            for start in range(0, len(text), _STEP):
                self._marks.append(self._marks[-1] + self._size(text[start : start + _STEP]))

    def outside(self, position: int) -> int:
        """A code point position in the unit."""
        position = max(0, min(position, len(self._text)))
        if self._plain:
            return position
        mark = position // _STEP
        return self._marks[mark] + self._size(self._text[mark * _STEP : position])

    def inside(self, position: int) -> int:
        """The code point position at, or around, a position in the unit."""
        if self._plain:
            return max(0, min(position, len(self._text)))
        mark = min(bisect_right(self._marks, max(0, position)) - 1, len(self._marks) - 1)
        at, left = mark * _STEP, max(0, position) - self._marks[mark]
        for character in self._text[at : at + _STEP]:
            left -= self._size(character)
            if left < 0:
                break
            at += 1
        return min(at, len(self._text))

    def span(self, start: int, end: int) -> Span:
        """A code point range in the unit."""
        return Span(self.outside(start), self.outside(end))

    def _size(self, text: str) -> int:
        if self._unit is OffsetUnit.UTF8_BYTE:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)
