"""Reading order of the shapes of a slide: cut where the gaps are, from the top left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from findspot_extraction.readers.slides.geometry import Frame
from findspot_extraction.readers.slides.shapes import Shape

_OVERLAP = 0.02
"""Of the size of the slide: shapes may overlap by so much and still stand apart."""
_BAND = 0.03
"""Of the height of the slide: tops this close are one line."""
_DEEPEST = 16
_MOST_SHAPES = 300
"""Shapes of a slide among which columns are looked for; more is a drawing."""
_Item = tuple[Frame, Shape]


def in_reading_order(shapes: Sequence[Shape], width: float, height: float) -> Iterator[Shape]:
    """Shapes that are no groups, in the order of reading; those without a place stand at the end."""
    placed = [(shape.frame, shape) for shape in shapes if shape.frame is not None]
    ordered = _ordered(placed, width, height, 0)
    for shape in [*ordered, *(shape for shape in shapes if shape.frame is None)]:
        if shape.inside:
            yield from in_reading_order(shape.inside, width, height)
        else:
            yield shape


def _ordered(items: list[_Item], width: float, height: float, depth: int) -> list[Shape]:
    if len(items) < 2:
        return [shape for _, shape in items]
    parts = _bands(items, width, height)
    if len(parts) < 2:
        parts = _columns(items, width)[0]
    if depth >= _DEEPEST or len(parts) < 2:
        band = max(1.0, _BAND * height)
        items = sorted(items, key=lambda item: (round(item[0].y / band), item[0].x))
        return [shape for _, shape in items]
    return [shape for part in parts for shape in _ordered(part, width, height, depth + 1)]


def _columns(items: list[_Item], width: float) -> tuple[list[list[_Item]], float]:
    """Groups side by side, and the widest gutter between two of them."""
    groups, gutter = _cut([(frame.x, frame.right) for frame, _ in items], _OVERLAP * width)
    return [[items[number] for number in group] for group in groups], gutter


def _bands(items: list[_Item], width: float, height: float) -> list[list[_Item]]:
    """Groups from top to bottom. Rows below each other stay together where they are lines of the same columns:
    where a gutter goes through both that is wider than the gap between them.
    """
    rows, _ = _cut([(frame.y, frame.bottom) for frame, _ in items], _OVERLAP * height)
    bands: list[list[_Item]] = []
    for numbers in rows:
        row = [items[number] for number in numbers]
        if bands and len(items) <= _MOST_SHAPES:
            gap = min(frame.y for frame, _ in row) - max(frame.bottom for frame, _ in bands[-1])
            if all(_columns(part, width)[1] > gap for part in (row, bands[-1], bands[-1] + row)):
                bands[-1] += row
                continue
        bands.append(row)
    return bands


def _cut(ranges: list[tuple[float, float]], overlap: float) -> tuple[list[list[int]], float]:
    """Groups of ranges (by number) that stand apart, and the widest gap between two groups; -1 for one group."""
    groups: list[list[int]] = []
    end, widest = 0.0, -1.0
    for number in sorted(range(len(ranges)), key=lambda number: ranges[number]):
        start, stop = ranges[number]
        middle = (start + stop) / 2
        if groups and (start < end - overlap or middle < end):
            groups[-1].append(number)
        else:
            widest = max(widest, start - end) if groups else widest
            groups.append([number])
            end = stop
        end = max(end, stop)
    return groups, widest
