"""Turns the candidates of a page into hits, with what the manifest of the search's snapshot says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from findspot.freshness import judge
from findspot.model import Caller, ChunkKind, Span
from findspot.stores.manifest import evidence
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.reading import documents_by_id, sections_by_id
from findspot.stores.manifest.stored import LiveChunk
from findspot.stores.text.tokens import DEFAULT_ANALYZER, analyzer_of
from findspot_query.access import visible
from findspot_query.answer import Hit, Neighbor, SectionText
from findspot_query.candidates import Candidate
from findspot_query.offsets import TextUnits
from findspot_query.request import OffsetUnit, SearchRequest, View
from findspot_query.rows import chunk_range, live_chunks
from findspot_query.snippets import QueryMatcher, Snippet, snippet
from findspot_query.texts import DocumentTexts

SECTION_CHARACTERS = 4_000
"""A section's text is cut to this around its hit."""


@dataclass(frozen=True, slots=True)
class Hydrator:
    """Reads hits for one search."""

    snapshot: Snapshot
    caller: Caller
    request: SearchRequest
    matcher: QueryMatcher
    texts: DocumentTexts

    def hits(self, candidates: Sequence[Candidate]) -> dict[str, Hit]:
        """The hits by chunk id. Who is not live, or not for this caller, is not among them."""
        chunks = live_chunks(self.snapshot, [candidate.id for candidate in candidates])
        chunks = {key: chunk for key, chunk in chunks.items() if visible(self.caller, chunk.collection_path)}
        full = self._full_texts(chunks)
        sections = self._sections(chunks, full)
        hits = {}
        for candidate in candidates:
            chunk = chunks.get(candidate.id)
            if chunk is not None:
                units = TextUnits(full.get(chunk.document_id, ""), self._unit(chunk, full))
                hits[candidate.id] = self._hit(candidate, chunk, units, sections)
        return hits

    def _hit(
        self, candidate: Candidate, chunk: LiveChunk, units: TextUnits, sections: Mapping[str, SectionText]
    ) -> Hit:
        before, after = self._neighbors(chunk, units)
        return Hit(
            candidate=candidate,
            chunk=chunk,
            range=_range(units, self.request.offset_unit, chunk.start, chunk.end),
            snippet=self._snippet(chunk),
            freshness=judge(evidence.of_chunk(chunk)),
            section=sections.get(chunk.id),
            before=before,
            after=after,
        )

    def _snippet(self, chunk: LiveChunk) -> Snippet:
        found = snippet(chunk.text, self.matcher, chunk_analyzer(chunk))
        if self.request.offset_unit is OffsetUnit.CODE_POINT:
            return found
        units = TextUnits(found.text, self.request.offset_unit)
        return Snippet(found.text, tuple(units.span(span.start, span.end) for span in found.highlights))

    def _unit(self, chunk: LiveChunk, full: Mapping[str, str]) -> OffsetUnit:
        return self.request.offset_unit if chunk.document_id in full else OffsetUnit.CODE_POINT

    def _full_texts(self, chunks: Mapping[str, LiveChunk]) -> dict[str, str]:
        """Full texts by document, where the view or the unit of ranges needs them."""
        if self.request.view is not View.SECTION and self.request.offset_unit is OffsetUnit.CODE_POINT:
            return {}
        documents = documents_by_id(self.snapshot, {chunk.document_id for chunk in chunks.values()})
        return {key: self.texts.text(found.text_key) for key, found in documents.items() if found.text_key}

    def _sections(self, chunks: Mapping[str, LiveChunk], full: Mapping[str, str]) -> dict[str, SectionText]:
        if self.request.view is not View.SECTION:
            return {}
        stored = sections_by_id(self.snapshot, {chunk.section_id for chunk in chunks.values()})
        texts = {}
        for chunk in chunks.values():
            section = stored.get(chunk.section_id)
            if section is not None and chunk.document_id in full:
                text = full[chunk.document_id]
                texts[chunk.id] = around(text, Span(section.start, section.end), Span(chunk.start, chunk.end))
        return texts

    def _neighbors(
        self, chunk: LiveChunk, units: TextUnits
    ) -> tuple[tuple[Neighbor, ...], tuple[Neighbor, ...]]:
        if not self.request.neighbors:
            return (), ()
        reach = self.request.neighbors
        start = max(0, chunk.chunk_index - reach)
        found = chunk_range(self.snapshot, chunk.document_id, start, chunk.chunk_index + reach + 1)
        inside = [near for near in found if near.section_id == chunk.section_id]
        before = [near for near in inside if near.chunk_index < chunk.chunk_index]
        after = [near for near in inside if near.chunk_index > chunk.chunk_index]
        unit = self.request.offset_unit
        # What neighbours repeat of each other is shown once: a chunk before ends where the next begins.
        ends = [near.start for near in (*before[1:], chunk)]
        starts = [near.end for near in (chunk, *after[:-1])]
        return (
            tuple(
                _neighbor(near, near.start, min(near.end, end), units, unit)
                for near, end in zip(before, ends, strict=False)
            ),
            tuple(
                _neighbor(near, max(near.start, begin), near.end, units, unit)
                for near, begin in zip(after, starts, strict=False)
            ),
        )


def chunk_analyzer(chunk: LiveChunk) -> str:
    """The stemmer that the chunk was indexed with."""
    return DEFAULT_ANALYZER if chunk.kind == ChunkKind.CODE else analyzer_of(chunk.language)


def around(text: str, section: Span, hit: Span, limit: int = SECTION_CHARACTERS) -> SectionText:
    """The section's text; cut to `limit` characters with the hit in the middle when it is longer."""
    if section.end - section.start <= limit:
        return SectionText(text[section.start : section.end], False)
    lead = max(0, limit - (hit.end - hit.start)) // 2
    start = max(section.start, min(hit.start - lead, section.end - limit))
    return SectionText(text[start : start + limit], True)


def _neighbor(near: LiveChunk, start: int, end: int, units: TextUnits, unit: OffsetUnit) -> Neighbor:
    text = near.text[start - near.start : end - near.start]
    return Neighbor(near.id, near.chunk_index, text, _range(units, unit, start, end))


def _range(units: TextUnits, unit: OffsetUnit, start: int, end: int) -> Span:
    return Span(start, end) if unit is OffsetUnit.CODE_POINT else units.span(start, end)
