"""Full texts and ranges of stored chunks and sections, for one read."""

from __future__ import annotations

from sqlalchemy import select

from findspot.errors import NotFound, Reason
from findspot.model import Span
from findspot.stores.manifest import tables
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.stored import LiveChunk
from findspot_query.offsets import TextUnits
from findspot_query.request import OffsetUnit
from findspot_query.texts import DocumentTexts


class Units:
    """Ranges in a unit; the full text of a generation is read only when the unit needs it."""

    def __init__(self, snapshot: Snapshot, texts: DocumentTexts, unit: OffsetUnit) -> None:
        self._snapshot = snapshot
        self._texts = texts
        self._unit = unit
        self._converters: dict[tuple[str, int], TextUnits] = {}

    def text(self, document_id: str, generation: int) -> str:
        """The full text of a generation. NotFound DOCUMENT_NOT_FOUND once it was purged."""
        g = tables.generations.c
        wanted = select(g.text_key).where(g.document_id == document_id, g.generation == generation)
        key = self._snapshot.connection.execute(wanted).scalar_one_or_none()
        if not key:
            raise NotFound(
                f"The text of document {document_id}, generation {generation}, is not there any more.",
                reason=Reason.DOCUMENT_NOT_FOUND,
            )
        return self._texts.text(key)

    def converter(self, document_id: str, generation: int) -> TextUnits:
        """Converts positions of a generation's text."""
        if self._unit is OffsetUnit.CODE_POINT:
            raise ValueError("Code points are not converted.")
        found = self._converters.get((document_id, generation))
        if found is None:
            found = TextUnits(self.text(document_id, generation), self._unit)
            self._converters[document_id, generation] = found
        return found

    def span(self, chunk: LiveChunk, start: int, end: int) -> Span:
        """A range of the text that a chunk is, or was last, part of."""
        return self.in_generation(chunk.document_id, chunk.generation, start, end)

    def in_generation(self, document_id: str, generation: int, start: int, end: int) -> Span:
        """A range of a generation's text."""
        if self._unit is OffsetUnit.CODE_POINT:
            return Span(start, end)
        return self.converter(document_id, generation).span(start, end)
