"""What query reads of the manifest, all of it through one `Snapshot`: frozen values out, no row counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, true

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.freshness_columns import seen, seen_columns, vector_of_active, vector_state
from findspot.stores.manifest.stored import (
    ChunkPosition,
    CollectionRef,
    Coverage,
    LiveChunk,
    SnapshotState,
    StoredDocument,
    StoredSection,
    chunk_of,
    document_of,
    identity_of,
    section_of,
)

IDS_PER_QUERY = 500

LIVE = "LIVE"
RETIRED = "RETIRED"
PENDING_STATES = ("PENDING", "EXTRACTING")


def snapshot_state(snapshot: Snapshot) -> SnapshotState:
    """The revision and the active identity; `active` is None before any embedding model was ever there."""
    row = snapshot.connection.execute(
        select(t.identities).join(t.active_identity, t.active_identity.c.identity_key == t.identities.c.key)
    ).one_or_none()
    if row is None:
        return SnapshotState(snapshot.revision, None, None)
    return SnapshotState(snapshot.revision, identity_of(row), row.qdrant_collection)


def under(column: ColumnElement[str], root: str) -> ColumnElement[bool]:
    """True for `root` and every path below it: `a/b` holds `a/b/c` and not `a/bc`."""
    # "0" is the character after "/": the range is what the index on the path can answer.
    return or_(column == root, and_(column > root + "/", column < root + "0"))


def collection_exists(snapshot: Snapshot, path: str) -> bool:
    """True when there is a collection of exactly this path."""
    found = select(t.collections.c.id).where(t.collections.c.path == path)
    return snapshot.connection.execute(found).first() is not None


def collections_in_scope(
    snapshot: Snapshot, *, exact: Sequence[str] = (), subtrees: Sequence[str] | None = ()
) -> tuple[CollectionRef, ...]:
    """Collections whose path is one of `exact` or lies in one of `subtrees` (None: everywhere), by path."""
    wanted = select(t.collections.c.id, t.collections.c.path).order_by(t.collections.c.path)
    if subtrees is not None:
        if not exact and not subtrees:
            return ()
        below = [under(t.collections.c.path, root) for root in subtrees]
        wanted = wanted.where(or_(among(t.collections.c.path, exact), *below))
    return tuple(CollectionRef(row.id, row.path) for row in snapshot.connection.execute(wanted))


def coverage(snapshot: Snapshot, collection_ids: Sequence[str] | None = None) -> Coverage:
    """What of these collections (None: of all) can be found now, read from the counters."""
    c = t.counters.c
    wanted = select(c.name, c.identity, func.sum(c.value)).group_by(c.name, c.identity)
    if collection_ids is not None:
        wanted = wanted.where(among(c.collection_id, collection_ids))
    sums = {(row[0], row[1]): max(0, int(row[2])) for row in snapshot.connection.execute(wanted)}
    active = snapshot.connection.execute(select(t.active_identity.c.identity_key)).scalar_one_or_none()
    return Coverage(
        live_chunks=sums.get(("chunks.live", ""), 0),
        embedded_chunks=sums.get(("vectors.ready", active), 0) if active else 0,
        pending_documents=sum(sums.get((f"documents.{state}", ""), 0) for state in PENDING_STATES),
        failed_documents=sums.get(("documents.FAILED", ""), 0),
    )


def live_ids(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, ChunkPosition]:
    """Of these chunk ids the live ones and where they stand: answered from one index, no row read."""
    c = t.chunks.c
    found: dict[str, ChunkPosition] = {}
    for batch in _batches(ids):
        wanted = select(c.id, c.document_id, c.chunk_index, c.section_id).where(
            among(c.id, batch), c.state == LIVE
        )
        for row in snapshot.connection.execute(wanted):
            found[row[0]] = ChunkPosition(row[1], row[2], row[3])
    return found


def live_chunks(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, LiveChunk]:
    """Of these chunk ids the live ones, whole."""
    found: dict[str, LiveChunk] = {}
    for batch in _batches(ids):
        wanted = _chunk_rows().where(among(t.chunks.c.id, batch), t.chunks.c.state == LIVE)
        found.update((row.id, chunk_of(row)) for row in snapshot.connection.execute(wanted))
    return found


def chunk_by_id(snapshot: Snapshot, chunk_id: str) -> LiveChunk | None:
    """A chunk that is live or retired; never one that is still being staged."""
    c = t.chunks.c
    wanted = _chunk_rows().where(c.id == chunk_id, c.state.in_((LIVE, RETIRED)))
    row = snapshot.connection.execute(wanted).one_or_none()
    return None if row is None else chunk_of(row)


def chunk_at(snapshot: Snapshot, document_id: str, index: int) -> LiveChunk | None:
    """The live chunk at an index of a document."""
    found = chunk_range(snapshot, document_id, index, index + 1)
    return found[0] if found else None


def chunk_range(snapshot: Snapshot, document_id: str, start: int, stop: int) -> tuple[LiveChunk, ...]:
    """The live chunks of a document from index `start` to before `stop`, in order."""
    c = t.chunks.c
    wanted = (
        _chunk_rows()
        .where(c.document_id == document_id, c.state == LIVE, c.chunk_index >= start, c.chunk_index < stop)
        .order_by(c.chunk_index)
    )
    return tuple(chunk_of(row) for row in snapshot.connection.execute(wanted))


def chunk_count(snapshot: Snapshot, document_id: str) -> int:
    """How many live chunks a document has; 0 when it has none or does not exist."""
    wanted = (
        select(t.generations.c.chunk_count)
        .join(t.documents, _published())
        .where(t.documents.c.id == document_id, t.documents.c.deleted_at == 0)
    )
    return snapshot.connection.execute(wanted).scalar_one_or_none() or 0


def document_by_id(snapshot: Snapshot, document_id: str) -> StoredDocument | None:
    """A document, deleted or not."""
    row = snapshot.connection.execute(document_rows().where(t.documents.c.id == document_id)).one_or_none()
    return None if row is None else document_of(row)


def document_by_path(snapshot: Snapshot, collection_path: str, file_path: str) -> StoredDocument | None:
    """The document at a path of a collection, deleted or not."""
    d = t.documents.c
    wanted = document_rows().where(d.collection_path == collection_path, d.file_path == file_path)
    row = snapshot.connection.execute(wanted).one_or_none()
    return None if row is None else document_of(row)


def documents_by_id(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, StoredDocument]:
    """Of these document ids those that exist."""
    found: dict[str, StoredDocument] = {}
    for batch in _batches(ids):
        wanted = document_rows().where(among(t.documents.c.id, batch))
        found.update((row.id, document_of(row)) for row in snapshot.connection.execute(wanted))
    return found


def section_by_id(snapshot: Snapshot, section_id: str) -> StoredSection | None:
    """A section of any generation that was not purged."""
    row = snapshot.connection.execute(select(t.sections).where(t.sections.c.id == section_id)).one_or_none()
    return None if row is None else section_of(row)


def section_of_chunk(snapshot: Snapshot, chunk_id: str) -> StoredSection | None:
    """The section a chunk belongs to, also for a retired chunk."""
    wanted = (
        select(t.sections)
        .join(t.chunks, t.chunks.c.section_id == t.sections.c.id)
        .where(t.chunks.c.id == chunk_id)
    )
    row = snapshot.connection.execute(wanted).one_or_none()
    return None if row is None else section_of(row)


def sections_by_id(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, StoredSection]:
    """Of these section ids those that exist."""
    found: dict[str, StoredSection] = {}
    for batch in _batches(ids):
        wanted = select(t.sections).where(among(t.sections.c.id, batch))
        found.update((row.id, section_of(row)) for row in snapshot.connection.execute(wanted))
    return found


def chunks_of_section(snapshot: Snapshot, document_id: str, section_id: str) -> tuple[LiveChunk, ...]:
    """The live chunks of a section of a document, in order."""
    c = t.chunks.c
    wanted = (
        _chunk_rows()
        .where(c.document_id == document_id, c.state == LIVE, c.section_id == section_id)
        .order_by(c.chunk_index)
    )
    return tuple(chunk_of(row) for row in snapshot.connection.execute(wanted))


def _batches(ids: Iterable[str]) -> Iterable[list[str]]:
    unique = list(dict.fromkeys(ids))
    return (unique[at : at + IDS_PER_QUERY] for at in range(0, len(unique), IDS_PER_QUERY))


def _published() -> ColumnElement[bool]:
    g, d = t.generations.c, t.documents.c
    return and_(g.document_id == d.id, g.generation == d.generation)


@cache
def _chunk_rows() -> Select[Any]:
    d = t.documents.c
    return (
        select(
            t.chunks,
            d.collection_path,
            d.file_path,
            d.title,
            d.document_type,
            d.language.label("document_language"),
            d.metadata.label("document_metadata"),
            d.source_modified_at,
            func.coalesce(t.generations.c.chunk_count, 0).label("chunk_count"),
            d.content_hash.label("row_hash"),
            d.observed_hash.label("received_hash"),
            d.diverged_at,
            *seen_columns(),
            vector_state().label("vector_state"),
        )
        .join(t.documents, d.id == t.chunks.c.document_id)
        .outerjoin(t.generations, _published())
        .outerjoin(t.source_files, seen())
        .outerjoin(t.active_identity, true())
        .outerjoin(t.chunk_vectors, vector_of_active())
    )


@cache
def document_rows() -> Select[Any]:
    """Every document with what `document_of` needs of its published generation."""
    g = t.generations.c
    return (
        select(
            t.documents,
            func.coalesce(g.chunk_count, 0).label("chunk_count"),
            func.coalesce(g.section_count, 0).label("section_count"),
            func.coalesce(g.page_count, 0).label("page_count"),
            func.coalesce(g.text_length, 0).label("text_length"),
            func.coalesce(g.blob_key, "").label("published_blob_key"),
            func.coalesce(g.extraction_key, "").label("extraction_key"),
            func.coalesce(g.text_key, "").label("text_key"),
            g.extractor_stamp,
            g.chunker_stamp,
            g.warnings,
            *seen_columns(),
        )
        .outerjoin(t.generations, _published())
        .outerjoin(t.source_files, seen())
    )
