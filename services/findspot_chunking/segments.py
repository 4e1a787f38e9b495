"""Blocks made into a flat sequence of segments that together hold every non-blank character of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from findspot.model import Block, BlockKind, Table
from findspot_chunking.blanks import ink_end, ink_start

LONG_FENCE = 4
"""Content lines from which on a fence is a chunk of its own."""

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of structure. Segments are in order, do not overlap and have no blank edges."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    language: str = ""
    symbol_path: tuple[str, ...] = ()
    table: Table | None = None
    definition: int = -1
    """Which definition it belongs to: the index of its block; -1 outside of definitions."""


def segments_of(text: str, blocks: Sequence[Block], *, code: bool) -> list[Segment]:
    """Flatten the blocks; text that no block claims becomes a paragraph, in code files a piece of code.

    Blocks that reach over each other are cut at the start of the later one; what is left of an enclosing
    definition behind an inner one stays its own.
    """
    loose = BlockKind.CODE if code else BlockKind.PARAGRAPH
    found: list[Segment] = []
    cursor = 0
    for index, start, end in _tiles(text, blocks):
        found.extend(_loose(text, Segment(loose, cursor, start)))
        block = blocks[index]
        whole = (start, end) == (block.start, block.end)
        segment = Segment(
            kind=block.kind,
            start=start,
            end=end,
            level=max(block.level, 1) if block.kind is BlockKind.HEADING else block.level,
            title=" ".join(block.title.split()),
            language=block.language,
            symbol_path=block.symbol_path,
            table=block.table if whole else None,
            definition=index if block.kind is BlockKind.DEFINITION else -1,
        )
        found.extend(_trimmed(text, segment))
        cursor = max(cursor, end)
    found.extend(_loose(text, Segment(loose, cursor, len(text))))
    return found


def _loose(text: str, gap: Segment) -> Iterator[Segment]:
    """What no block claims, in pieces between blank lines: a comment right above a definition is one of them."""
    if gap.start >= gap.end or text[gap.start : gap.end].isspace():
        return
    edges = [gap.start, *(found.end() for found in _BLANK_LINE.finditer(text, gap.start, gap.end)), gap.end]
    for start, end in pairwise(edges):
        yield from _trimmed(text, replace(gap, start=start, end=end))


def _tiles(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int, int]]:
    """(index of the block, start, end) in order, cut so that none overlap."""
    order = sorted(range(len(blocks)), key=lambda i: (blocks[i].start, -blocks[i].end, i))
    open_blocks: list[int] = []
    cursor = 0

    def close(until: int) -> Iterator[tuple[int, int, int]]:
        nonlocal cursor
        while open_blocks:
            top = open_blocks[-1]
            end = min(blocks[top].end, len(text))
            stop = min(end, until)
            if cursor < stop:
                yield top, max(cursor, blocks[top].start), stop
                cursor = stop
            if end > until:
                return
            open_blocks.pop()

    for index in order:
        block = blocks[index]
        yield from close(block.start)
        cursor = max(cursor, min(block.start, len(text)))
        open_blocks.append(index)
    yield from close(len(text))


def _trimmed(text: str, segment: Segment) -> Iterator[Segment]:
    start = ink_start(text, segment.start, segment.end)
    end = ink_end(text, start, segment.end)
    if start >= end:
        return
    whole = (start, end) == (segment.start, segment.end)
    yield segment if whole else replace(segment, start=start, end=end)


def is_long_code(text: str, segment: Segment) -> bool:
    """True for code that is a chunk of its own: four content lines or more, the fence marks not counted."""
    if segment.kind is not BlockKind.CODE:
        return False
    lines = text[segment.start : segment.end].splitlines()
    opening = _FENCE.match(lines[0])
    if opening is not None:
        lines = lines[1:]
        if lines and lines[-1].strip().strip(">").strip().startswith(opening.group(1)[:3]):
            lines = lines[:-1]
    return len(lines) >= LONG_FENCE
