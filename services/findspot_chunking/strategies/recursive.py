"""Recursive: the strongest separator in reach: paragraph, line, sentence, word, grapheme."""

from __future__ import annotations

from collections.abc import Sequence

from findspot_chunking.levels import Level, Places, lines, paragraphs
from findspot_chunking.plan import Run, Source
from findspot_chunking.strategies.cutter import StructuredCutter


class RecursiveCutter(StructuredCutter):
    """Cuts data and code that no grammar reads; needs nothing but the text."""

    def prose_levels(self, source: Source, run: Run) -> Sequence[Level]:
        """Blank lines, then lines."""
        text = source.text
        return Places(paragraphs(text, run.start, run.end)), Places(lines(text, run.start, run.end))
