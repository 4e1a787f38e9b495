"""Sliding window: windows of one size over the whole text, each repeating the end of the one before."""

from __future__ import annotations

from findspot.model import ChunkKind
from findspot_chunking.levels import Graphemes
from findspot_chunking.outline import heading_marks
from findspot_chunking.plan import ContextParts, Place, Run, SectionPlan, Source, headings_of
from findspot_chunking.splitter import Manner
from findspot_chunking.window import Window


class SlidingWindowCutter:
    """Ignores structure: one section; each window has the headings in force where it begins."""

    def plan(self, source: Source, window: Window) -> list[SectionPlan]:
        """One section of one run."""
        del window
        kind = ChunkKind.CODE if source.is_code else ChunkKind.SECTION
        parts = ContextParts(headings_of(source, Place(), ()))
        run = Run(
            kind=kind,
            segments=source.segments,
            first=parts,
            rest=parts,
            language=source.grammar if source.is_code else "",
            marks=heading_marks(source),
        )
        return [SectionPlan(kind, (), (run,))]

    def manner(self, source: Source, run: Run, overlap: int) -> Manner:
        """Any place that cuts no grapheme; the overlap is as long as asked."""
        del run
        graphemes = Graphemes(source.text)
        return Manner(levels=[graphemes], overlap_levels=[graphemes], overlap=overlap, balanced=False)
