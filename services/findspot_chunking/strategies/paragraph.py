"""Paragraph: blocks and pieces between blank lines, packed up to the size inside of each section."""

from __future__ import annotations

from collections.abc import Sequence

from findspot_chunking.levels import Level, Places, paragraphs
from findspot_chunking.plan import Run, Source
from findspot_chunking.strategies.cutter import StructuredCutter


class ParagraphCutter(StructuredCutter):
    """Cuts at paragraphs, at sentences where one paragraph is over the window."""

    def prose_levels(self, source: Source, run: Run) -> Sequence[Level]:
        """Blank lines and blocks."""
        starts = [segment.start for segment in run.segments[1:]]
        return (Places([*starts, *paragraphs(source.text, run.start, run.end)]),)
