"""Semantic: structure decides, size only where structure ends; small sibling sections are packed together."""

from __future__ import annotations

from collections.abc import Sequence

from findspot.model import BlockKind
from findspot_chunking.levels import Level, Places
from findspot_chunking.outline import heading_drafts
from findspot_chunking.plan import Run, SectionPlan, Source
from findspot_chunking.sections import pack_siblings, plan_sections
from findspot_chunking.strategies.cutter import StructuredCutter
from findspot_chunking.window import Window


class SemanticCutter(StructuredCutter):
    """Cuts at blocks, the items of a list staying with what introduces them while there is another place."""

    def plan(self, source: Source, window: Window) -> list[SectionPlan]:
        """Sections with small siblings packed."""
        return plan_sections(source, pack_siblings(source, heading_drafts(source), window))

    def prose_levels(self, source: Source, run: Run) -> Sequence[Level]:
        """Blocks that are no list items or code first, then every block."""
        inner = (BlockKind.LIST_ITEM, BlockKind.CODE)
        outer = [segment.start for segment in run.segments[1:] if segment.kind not in inner]
        return Places(outer), Places(segment.start for segment in run.segments[1:])
