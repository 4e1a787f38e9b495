"""Blank edges: where the text of a range begins and ends once the white space around it is left out."""

from __future__ import annotations

import re

from findspot_chunking.graphemes import is_boundary

_INK = re.compile(r"\S")


def ink_start(text: str, start: int, end: int) -> int:
    """The first non-blank position in [start, end), or `end`. A blank with a combining mark is not blank."""
    found = _INK.search(text, start, end)
    if found is None:
        return end
    position = found.start()
    if position > start and not is_boundary(text, position, start):
        return position - 1
    return position


def ink_end(text: str, start: int, end: int) -> int:
    """The end of the last non-blank position in [start, end), or `start`."""
    position = end
    while position > start and text[position - 1].isspace():
        position -= 1
    if start < position < end and not is_boundary(text, position, start):
        return position + 1
    return position


def has_ink(text: str, start: int, end: int) -> bool:
    """True when anything in [start, end) is not white space."""
    return _INK.search(text, start, end) is not None
