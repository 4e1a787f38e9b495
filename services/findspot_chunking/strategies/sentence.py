"""Sentence: whole sentences, packed up to the size inside of each section."""

from __future__ import annotations

from collections.abc import Sequence

from findspot_chunking.levels import Level
from findspot_chunking.plan import Run, Source
from findspot_chunking.strategies.cutter import StructuredCutter


class SentenceCutter(StructuredCutter):
    """Cuts at sentences, wherever paragraphs end."""

    def prose_levels(self, source: Source, run: Run) -> Sequence[Level]:
        """Nothing is stronger than a sentence here."""
        del source, run
        return ()
