"""Where a chunk stands on the page on which it begins: one box a line, and the box around them all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from findspot.model import Words
from findspot.stores.extractions import DIGITS

MOST_BOXES = 64

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom; fractions of the page."""


def chunk_boxes(words: Mapping[int, Words], page: int, start: int, end: int) -> list[list[float]]:
    """Boxes of the words of [start, end) on a page, as [page, x, y, width, height]: union, then lines.

    Empty where the page has no words with boxes. At most 64: beyond that neighbouring lines share a box.
    """
    found = words.get(page)
    if found is None:
        return []
    first, last = bisect_left(found.starts, start), bisect_left(found.starts, end)
    rectangles = [_rectangle(found.boxes, at) for at in range(first, last)]
    if not rectangles:
        return []
    lines = _merged(_lines(rectangles), MOST_BOXES - 1)
    return [_row(page, box) for box in (_union(lines), *lines)]


def _rectangle(boxes: Sequence[float], at: int) -> Rectangle:
    # Rounded as extractions are stored: a document that is cut again from there gets the same boxes.
    x, y, width, height = (round(value, DIGITS) for value in boxes[4 * at : 4 * at + 4])
    return (x, y, x + width, y + height)


def _lines(rectangles: Sequence[Rectangle]) -> list[Rectangle]:
    """Words in reading order, joined while they stand beside each other and go on to the right."""
    lines = [rectangles[0]]
    previous = rectangles[0]
    for box in rectangles[1:]:
        middle = (box[1] + box[3]) / 2
        beside = lines[-1][1] <= middle <= lines[-1][3]
        if beside and box[2] >= previous[0]:
            lines[-1] = _union((lines[-1], box))
        else:
            lines.append(box)
        previous = box
    return lines


def _merged(lines: list[Rectangle], most: int) -> list[Rectangle]:
    if len(lines) <= most:
        return lines
    together = -(-len(lines) // most)
    return [_union(lines[at : at + together]) for at in range(0, len(lines), together)]


def _union(boxes: Sequence[Rectangle]) -> Rectangle:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _row(page: int, box: Rectangle) -> list[float]:
    left, top, right, bottom = (min(1.0, max(0.0, side)) for side in box)
    return [page, *(round(value, DIGITS) for value in (left, top, right - left, bottom - top))]
