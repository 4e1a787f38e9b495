"""The reads that every search and every step through a document makes, compiled once.

They answer as `findspot.stores.manifest.reading` does, at a fifth of its cost; a test compares the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Integer, Select, String, bindparam, func, or_, select, true

from findspot.model import EmbeddingIdentity
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.counters import CHUNKS_LIVE, documents_in, vectors_in
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.freshness_columns import seen, seen_columns, vector_of_active, vector_state
from findspot.stores.manifest.outages import unavailable_when_away
from findspot.stores.manifest.stored import ChunkPosition, Coverage, LiveChunk, SnapshotState, file_of
from findspot_query.prepared import Prepared, Shape, any_of, decoded

_IDS_AT_ONCE = 500
_PENDING = (documents_in("PENDING"), documents_in("EXTRACTING"))


def _state(shape: Shape) -> Select[Any]:
    i = t.identities.c
    columns = (i.key, i.display, i.name, i.dimension, i.input_limit, i.special_tokens, i.qdrant_collection)
    return select(*columns).join(t.active_identity, t.active_identity.c.identity_key == i.key)


def _sums(shape: Shape) -> Select[Any]:
    c = t.counters.c
    return select(c.name, c.identity, func.sum(c.value)).group_by(c.name, c.identity)


def _sums_of(shape: Shape) -> Select[Any]:
    return _sums(shape).where(any_of(shape, t.counters.c.collection_id, "collections"))


def _positions(shape: Shape) -> Select[Any]:
    c = t.chunks.c
    return select(c.id, c.document_id, c.chunk_index, c.section_id).where(
        any_of(shape, c.id, "ids"), c.state == "LIVE"
    )


def _chunks(shape: Shape) -> Select[Any]:
    c, d, g = t.chunks.c, t.documents.c, t.generations.c
    # In the order of the fields of LiveChunk.
    return (
        select(
            c.id, c.state, c.document_id, d.collection_path, d.file_path, d.title, d.document_type, d.language,
            d.metadata, d.source_modified_at, c.generation, func.coalesce(g.chunk_count, 0),
            c.chunk_index, c.section_id, c.kind, c.language, c.heading_path,
            c.locator, c.page, c.boxes, c.text, c.context, c.start, c.end, c.overlap, c.contains_code,
            c.identifiers, c.token_count, c.chunk_hash, c.retired_at, d.content_hash, d.observed_hash,
            d.diverged_at, *seen_columns(), vector_state(), c.payload_recipe,
        )
        .join(t.documents, d.id == c.document_id)
        .outerjoin(t.generations, (g.document_id == d.id) & (g.generation == d.generation))
        .outerjoin(t.source_files, seen())
        .outerjoin(t.active_identity, true())
        .outerjoin(t.chunk_vectors, vector_of_active())
    )  # fmt: skip


def _chunks_live(shape: Shape) -> Select[Any]:
    return _chunks(shape).where(any_of(shape, t.chunks.c.id, "ids"), t.chunks.c.state == "LIVE")


def _chunk_by_id(shape: Shape) -> Select[Any]:
    c = t.chunks.c
    return _chunks(shape).where(
        c.id == bindparam("chunk", type_=String), or_(c.state == "LIVE", c.state == "RETIRED")
    )


def _chunks_between(shape: Shape) -> Select[Any]:
    c = t.chunks.c
    return (
        _chunks(shape)
        .where(c.document_id == bindparam("document", type_=String), c.state == "LIVE")
        .where(c.chunk_index >= bindparam("first", type_=Integer))
        .where(c.chunk_index < bindparam("stop", type_=Integer))
        .order_by(c.chunk_index)
    )


def _chunk_at_path(shape: Shape) -> Select[Any]:
    c, d = t.chunks.c, t.documents.c
    return (
        _chunks(shape)
        .where(d.collection_path == bindparam("collection", type_=String), d.deleted_at == 0)
        .where(d.file_path == bindparam("file", type_=String))
        .where(c.state == "LIVE", c.chunk_index == bindparam("index", type_=Integer))
    )


def _code(shape: Shape) -> Select[Any]:
    c = t.chunks.c
    return select(c.id, c.identifiers).where(any_of(shape, c.id, "ids"), c.kind == "code")


_REVISION = Prepared(lambda shape: select(t.revision.c.value))
_STATE = Prepared(_state)
_SUMS = Prepared(_sums)
_SUMS_OF = Prepared(_sums_of, "collections")
_POSITIONS = Prepared(_positions, "ids")
_CHUNKS_LIVE = Prepared(_chunks_live, "ids")
_CHUNK_BY_ID = Prepared(_chunk_by_id)
_CHUNKS_BETWEEN = Prepared(_chunks_between)
_CODE = Prepared(_code, "ids")
_CHUNK_AT_PATH = Prepared(_chunk_at_path)


@contextmanager
def read_snapshot(engine: Engine) -> Iterator[Snapshot]:
    """One reading transaction: what is committed while it is open is not seen by it."""
    with unavailable_when_away(engine), engine.connect() as connection:
        if connection.dialect.name != "sqlite":
            connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            # SQLite takes its snapshot at the first read, not at BEGIN: reading the revision takes it now.
            found = _REVISION.rows(connection)
            yield Snapshot(connection, found[0][0] if found else 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a whole scope stands at in one snapshot."""

    state: SnapshotState
    coverage: Coverage


def standing(snapshot: Snapshot, collection_ids: Sequence[str] | None) -> Standing:
    """The active identity, and what of some collections (None: of all) can be found now."""
    found = _STATE.rows(snapshot.connection)
    active = EmbeddingIdentity(*found[0][:6]) if found else None
    state = SnapshotState(snapshot.revision, active, found[0][6] if found else None)
    if collection_ids is None:
        rows = list(_SUMS.rows(snapshot.connection))
    else:
        batches = _batches(collection_ids)
        rows = [row for batch in batches for row in _SUMS_OF.rows(snapshot.connection, collections=batch)]
    sums: Counter[tuple[str, str]] = Counter()
    for name, identity, value in rows:
        sums[name, identity] += int(value)
    return Standing(state, _coverage(sums, active.key if active else None))


def _coverage(sums: Mapping[tuple[str, str], int], active: str | None) -> Coverage:
    def count(name: str, identity: str = "") -> int:
        # Counters that are wrong can sum up to less than nothing; a search goes on, and `Diagnose` names them.
        return max(0, sums.get((name, identity), 0))

    return Coverage(
        live_chunks=count(CHUNKS_LIVE),
        embedded_chunks=count(vectors_in("READY"), active) if active else 0,
        pending_documents=sum(count(name) for name in _PENDING),
        failed_documents=count(documents_in("FAILED")),
    )


def live_positions(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, ChunkPosition]:
    """Of these chunk ids the live ones and where they stand."""
    return {
        row[0]: ChunkPosition(row[1], row[2], row[3])
        for batch in _batches(ids)
        for row in _POSITIONS.rows(snapshot.connection, ids=batch)
    }


def code_identifiers(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, list[str]]:
    """Of these chunk ids those of code, and the names in them."""
    return {
        row[0]: decoded(row[1])
        for batch in _batches(ids)
        for row in _CODE.rows(snapshot.connection, ids=batch)
    }


def live_chunks(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, LiveChunk]:
    """Of these chunk ids the live ones, whole."""
    return {
        row[0]: _chunk(row)
        for batch in _batches(ids)
        for row in _CHUNKS_LIVE.rows(snapshot.connection, ids=batch)
    }


def chunk_by_id(snapshot: Snapshot, chunk_id: str) -> LiveChunk | None:
    """A chunk that is live or retired; never one that is still being staged."""
    found = _CHUNK_BY_ID.rows(snapshot.connection, chunk=chunk_id)
    return _chunk(found[0]) if found else None


def chunk_range(snapshot: Snapshot, document_id: str, start: int, stop: int) -> tuple[LiveChunk, ...]:
    """The live chunks of a document from index `start` to before `stop`, in order."""
    rows = _CHUNKS_BETWEEN.rows(snapshot.connection, document=document_id, first=start, stop=stop)
    return tuple(map(_chunk, rows))


def chunk_at(snapshot: Snapshot, document_id: str, index: int) -> LiveChunk | None:
    """The live chunk at an index of a document."""
    return next(iter(chunk_range(snapshot, document_id, index, index + 1)), None)


def chunk_at_path(snapshot: Snapshot, collection: str, file_path: str, index: int) -> LiveChunk | None:
    """The live chunk at an index of the document at a path of a collection."""
    found = _CHUNK_AT_PATH.rows(snapshot.connection, collection=collection, file=file_path, index=index)
    return _chunk(found[0]) if found else None


_CONVERSIONS: tuple[tuple[int, Callable[[Any], Any]], ...] = (
    (8, decoded),  # metadata
    (16, lambda value: tuple(decoded(value))),  # heading_path
    (19, lambda value: tuple(map(tuple, decoded(value)))),  # boxes
    (25, bool),  # contains_code
    (26, lambda value: tuple(decoded(value))),  # identifiers
)
_FILE = 33
"""Where the columns of the file begin, which are one field of `LiveChunk`."""


def _chunk(row: Sequence[Any]) -> LiveChunk:
    values = list(row)
    for number, make in _CONVERSIONS:
        values[number] = make(values[number])
    values[_FILE : _FILE + 3] = [file_of(*values[_FILE : _FILE + 3])]
    return LiveChunk(*values)


def _batches(ids: Iterable[str]) -> Iterable[list[str]]:
    unique = list(dict.fromkeys(ids))
    return (unique[at : at + _IDS_AT_ONCE] for at in range(0, len(unique), _IDS_AT_ONCE))
