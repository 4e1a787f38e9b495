"""Reads sections, those of retired generations too."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from findspot.errors import NotFound, Reason
from findspot.model import Caller, Span
from findspot.stores.manifest import tables
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.reading import document_by_id, section_by_id
from findspot.stores.manifest.stored import StoredDocument, StoredSection
from findspot_query.access import visible
from findspot_query.names import ChunkName, find_chunk
from findspot_query.reading import ReadSources
from findspot_query.request import OffsetUnit
from findspot_query.rows import read_snapshot
from findspot_query.units import Units


@dataclass(frozen=True, slots=True)
class SectionAnswer:
    """A section with its text and the indices of its chunks. `retired_at` is 0 while it is live."""

    section: StoredSection
    document: StoredDocument
    range: Span
    text: str
    first_chunk_index: int
    last_chunk_index: int
    retired_at: int


def get_section(
    caller: Caller,
    section: str | ChunkName,
    sources: ReadSources,
    *,
    unit: OffsetUnit = OffsetUnit.CODE_POINT,
) -> SectionAnswer:
    """A section by its id, or that of a chunk. NotFound SECTION_NOT_FOUND, or CHUNK_NOT_FOUND with the valid range."""
    with read_snapshot(sources.engine) as snapshot:
        found = section_by_id(snapshot, _section_id(snapshot, caller, section))
        document = None if found is None else document_by_id(snapshot, found.document_id)
        if found is None or document is None or not visible(caller, document.collection_path):
            raise NotFound(f"There is no section {section!r}.", reason=Reason.SECTION_NOT_FOUND)
        units = Units(snapshot, sources.texts, unit)
        first, last = _chunk_indices(snapshot, found)
        return SectionAnswer(
            section=found,
            document=document,
            range=units.in_generation(found.document_id, found.generation, found.start, found.end),
            text=units.text(found.document_id, found.generation)[found.start : found.end],
            first_chunk_index=first,
            last_chunk_index=last,
            retired_at=_retired_at(snapshot, found),
        )


def _section_id(snapshot: Snapshot, caller: Caller, section: str | ChunkName) -> str:
    if isinstance(section, str):
        return section
    found = find_chunk(snapshot, caller, section)
    if found.chunk is None:
        raise NotFound(found.message, reason=Reason.CHUNK_NOT_FOUND)
    return found.chunk.section_id


def _chunk_indices(snapshot: Snapshot, section: StoredSection) -> tuple[int, int]:
    c = tables.chunks.c
    wanted = select(func.min(c.chunk_index), func.max(c.chunk_index)).where(
        c.document_id == section.document_id, c.section_id == section.id, c.state.in_(("LIVE", "RETIRED"))
    )
    first, last = snapshot.connection.execute(wanted).one()
    return first or 0, last or 0


def _retired_at(snapshot: Snapshot, section: StoredSection) -> int:
    g = tables.generations.c
    wanted = select(g.retired_at).where(
        g.document_id == section.document_id, g.generation == section.generation
    )
    return snapshot.connection.execute(wanted).scalar_one_or_none() or 0
