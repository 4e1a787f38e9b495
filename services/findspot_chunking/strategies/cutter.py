"""The seam between strategies and the rest: which sections there are, and how each run of them is cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from findspot.model import BlockKind, ChunkKind
from findspot_chunking.levels import (
    Graphemes,
    Level,
    Marks,
    Places,
    Sentences,
    Words,
    lines,
    outer_lines,
    paragraphs,
)
from findspot_chunking.outline import heading_drafts
from findspot_chunking.plan import Run, SectionPlan, Source
from findspot_chunking.sections import plan_sections
from findspot_chunking.splitter import Manner
from findspot_chunking.window import Window


class Cutter(Protocol):
    """One strategy."""

    def plan(self, source: Source, window: Window) -> list[SectionPlan]:
        """The sections of the document; together their runs hold every non-blank character."""
        ...

    def manner(self, source: Source, run: Run, overlap: int) -> Manner:
        """How a run that does not fit the window is cut."""
        ...


class StructuredCutter:
    """What strategies that keep to sections share: tables by rows, code by lines, prose as each says."""

    def plan(self, source: Source, window: Window) -> list[SectionPlan]:
        """Every heading's own body is a section, every table too."""
        del window
        return plan_sections(source, heading_drafts(source))

    def manner(self, source: Source, run: Run, overlap: int) -> Manner:
        """Cut a table by its rows, code by its lines, prose by `prose_levels`."""
        if run.kind is ChunkKind.TABLE:
            return table_manner(source, run)
        if run.kind is ChunkKind.CODE:
            return code_manner(source, run, overlap)
        sentences = sentence_level(source, run)
        tail: list[Level] = [sentences, Words(source.text), Marks(source.text), Graphemes(source.text)]
        return Manner(
            levels=[*self.prose_levels(source, run), *tail],
            overlap_levels=[sentences, Words(source.text), Graphemes(source.text)],
            overlap=overlap,
            glued=run.glued,
        )

    def prose_levels(self, source: Source, run: Run) -> Sequence[Level]:
        """Levels of prose that are stronger than a sentence."""
        raise NotImplementedError


def sentence_level(source: Source, run: Run) -> Sentences:
    """Sentences of a run; a block begins one, and inside of a short fence so does a line."""
    code = [(segment.start, segment.end) for segment in run.segments if segment.kind is BlockKind.CODE]
    starts = [segment.start for segment in run.segments[1:]]
    for low, high in code:
        starts.extend(lines(source.text, low, high))
    return Sentences(source.text, run.start, run.end, source.language, starts, code)


def code_manner(source: Source, run: Run, overlap: int) -> Manner:
    """Code: at outer statements after a blank line, any blank line, a line, then words."""
    text = source.text
    starts = [segment.start for segment in run.segments[1:]]
    every_line = Places(lines(text, run.start, run.end))
    tail: list[Level] = [Words(text), Marks(text), Graphemes(text)]
    return Manner(
        levels=[
            Places([*starts, *outer_lines(text, run.start, run.end)]),
            Places([*starts, *paragraphs(text, run.start, run.end)]),
            every_line,
            *tail,
        ],
        overlap_levels=[every_line, Words(text), Graphemes(text)],
        overlap=overlap,
        glued=run.glued,
    )


def table_manner(source: Source, run: Run) -> Manner:
    """A table: between rows, best not right behind the header; inside of a row only when it has to be."""
    text = source.text
    rows: list[int] = []
    header_ends: list[int] = []
    cells: list[int] = []
    for segment in run.segments:
        if segment.table is None or not segment.table.rows:
            rows.extend(lines(text, segment.start, segment.end))
            continue
        header = segment.table.header_rows
        begins = [row.start for row in segment.table.rows]
        header_ends.extend(begins[header : header + 1] if header else ())
        rows.extend(begins[1:] if not header else begins[header + 1 :])
        cells.extend(cell.start for row in segment.table.rows for cell in row.cells[1:])
        if segment is not run.segments[0]:
            rows.append(segment.start)
    return Manner(
        levels=[
            Places(rows),
            Places([*rows, *header_ends]),
            Places(cells),
            Words(text),
            Marks(text),
            Graphemes(text),
        ],
        glued=run.glued,
        whole=2,
    )
