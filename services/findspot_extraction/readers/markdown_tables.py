"""Pipe tables of Markdown: the exact range of every row and cell in the source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from findspot.model import Span, TableRow

from .lines import Lines

_LIST_MARKER = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)")
_QUOTE_MARKER = re.compile(r"[ \t]*>[ \t]?")
_FOOTNOTE_MARKER = re.compile(r"[ \t]*\[\^[^\]\s]+\]:")


def table_row(lines: Lines, number: int, containers: Sequence[tuple[str, int]]) -> TableRow:
    """One row: `containers` are the (token type, first line) of what encloses the table, outermost first."""
    base = lines.starts[number]
    line = lines.line(number)
    start = _content_start(line, number, containers)
    end = len(line.rstrip())
    spans = tuple(Span(base + left, base + right) for left, right in _cells(line, start, end))
    return TableRow(base + min(start, end), base + end, spans)


def _content_start(line: str, number: int, containers: Sequence[tuple[str, int]]) -> int:
    position = 0
    for kind, first_line in containers:
        marker = None
        if kind == "blockquote_open":
            marker = _QUOTE_MARKER.match(line, position)
        elif kind == "list_item_open" and first_line == number:
            marker = _LIST_MARKER.match(line, position)
        elif kind == "footnote_reference_open" and first_line == number:
            marker = _FOOTNOTE_MARKER.match(line, position)
        position = marker.end() if marker else position
    return position + len(line[position:]) - len(line[position:].lstrip())


def _cells(line: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split at pipes that no backslash escapes: inside code ticks they separate too, as the format says."""
    cuts = [start - 1]
    position = start
    while position < end:
        if line[position] == "\\":
            position += 2
            continue
        if line[position] == "|":
            cuts.append(position)
        position += 1
    cuts.append(end)
    found = [_trimmed(line, left + 1, right) for left, right in pairwise(cuts)]
    if found and found[0][0] == found[0][1] and len(found) > 1 and line[start : start + 1] == "|":
        found = found[1:]
    if found and len(found) > 1 and found[-1][0] == found[-1][1] and cuts[-2] == end - 1:
        found = found[:-1]
    return found


def _trimmed(line: str, left: int, right: int) -> tuple[int, int]:
    while left < right and line[left].isspace():
        left += 1
    while right > left and line[right - 1].isspace():
        right -= 1
    return left, max(left, right)
