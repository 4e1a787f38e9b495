"""The six ways to cut a document, behind one seam."""

from __future__ import annotations

from types import MappingProxyType

from findspot.model import Strategy
from findspot_chunking.strategies.cutter import Cutter
from findspot_chunking.strategies.paragraph import ParagraphCutter
from findspot_chunking.strategies.recursive import RecursiveCutter
from findspot_chunking.strategies.semantic import SemanticCutter
from findspot_chunking.strategies.sentence import SentenceCutter
from findspot_chunking.strategies.sliding_window import SlidingWindowCutter
from findspot_chunking.strategies.syntactic import SyntacticCutter

CUTTERS: MappingProxyType[Strategy, Cutter] = MappingProxyType(
    {
        Strategy.SEMANTIC: SemanticCutter(),
        Strategy.SYNTACTIC: SyntacticCutter(),
        Strategy.PARAGRAPH: ParagraphCutter(),
        Strategy.SENTENCE: SentenceCutter(),
        Strategy.SLIDING_WINDOW: SlidingWindowCutter(),
        Strategy.RECURSIVE: RecursiveCutter(),
    }
)
"""The cutter of each strategy."""

__all__ = ["CUTTERS", "Cutter"]
