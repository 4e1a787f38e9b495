"""What the projections must hold, read in ranges of ids: for checks and repair, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, func, or_, select

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.chunks import LIVE, READY, RETIRED
from findspot.stores.manifest.dialect import among, row_by_row
from findspot.stores.manifest.reading import under


@dataclass(frozen=True, slots=True)
class IdRange:
    """Ids from `low` on and before `high`; empty is no bound."""

    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class ChunkStanding:
    """Where a chunk stands. `unswept`: retired, and still rightly in the projections."""

    id: str
    document_id: str
    live: bool
    staged: bool
    unswept: bool


@dataclass(frozen=True, slots=True)
class VectorStanding:
    """A chunk that has a vector (READY) of one identity, with what its point is filtered by."""

    id: str
    document_id: str
    collection_path: str
    file_path: str
    kind: str


def standings(connection: Connection, ids: IdRange, within: str = "") -> dict[str, ChunkStanding]:
    """Every chunk of a range of ids and a subtree of collections ("" for everywhere), by id."""
    c = t.chunks.c
    wanted = _standing().where(*_between(c.id, ids))
    if within:
        wanted = wanted.join(t.documents, t.documents.c.id == c.document_id)
        wanted = wanted.where(under(t.documents.c.collection_path, within))
    return {row.id: _standing_of(row) for row in connection.execute(wanted)}


def standings_of(connection: Connection, ids: Sequence[str]) -> dict[str, ChunkStanding]:
    """The chunks of these ids that there are, by id."""
    rows = connection.execute(_standing().where(among(t.chunks.c.id, ids)))
    return {row.id: _standing_of(row) for row in rows}


def ready_vectors(
    connection: Connection, identity: str, ids: IdRange, within: str = ""
) -> dict[str, VectorStanding]:
    """Live chunks of a range that have a vector of an identity, by id."""
    v, c, d = t.chunk_vectors.c, t.chunks.c, t.documents.c
    wanted = (
        select(c.id, c.document_id, d.collection_path, d.file_path, c.kind)
        .join(t.chunk_vectors, v.chunk_id == c.id)
        .join(t.documents, d.id == c.document_id)
        .where(v.identity == identity, v.state == READY, c.state == LIVE, *_between(v.chunk_id, ids))
    )
    if within:
        wanted = wanted.where(under(d.collection_path, within))
    return {row.id: VectorStanding(*row) for row in connection.execute(wanted)}


def expected_entries(connection: Connection, within: str = "") -> int:
    """About how many entries each projection has: decides how finely the ids are parted."""
    c = t.chunks.c
    wanted = select(func.count()).where(c.state == LIVE)
    if within:
        wanted = wanted.join(t.documents, t.documents.c.id == c.document_id)
        wanted = wanted.where(under(t.documents.c.collection_path, within))
    return connection.execute(wanted).scalar_one()


@dataclass(frozen=True, slots=True)
class ProjectedDocument:
    """What every entry of a document's live chunks says of it."""

    id: str
    collection_path: str
    file_path: str
    document_type: str


def projected_documents(
    connection: Connection, after: str, limit: int, within: str = ""
) -> list[ProjectedDocument]:
    """Documents that have published something, in the order of ids, behind one."""
    d = t.documents.c
    wanted = (
        select(d.id, d.collection_path, d.file_path, d.document_type)
        .where(d.id > after, d.generation > 0)
        .order_by(d.id)
        .limit(limit)
    )
    if within:
        wanted = wanted.where(under(d.collection_path, within))
    return [ProjectedDocument(*row) for row in connection.execute(wanted)]


def document_ids(connection: Connection, after: str, limit: int) -> list[str]:
    """Every document in the order of ids, behind one: deleted ones too."""
    d = t.documents.c
    wanted = select(d.id).where(d.id > after).order_by(d.id).limit(limit)
    return [row[0] for row in connection.execute(wanted)]


def entry_rows(connection: Connection, ids: Sequence[str]) -> list[Any]:
    """Of these chunks those that are live, with all that an entry of the text index is made of."""
    c = t.chunks.c
    return list(connection.execute(_entries().where(among(c.id, ids), c.state == LIVE)))


def entry_rows_of_document(connection: Connection, document_id: str, after: str, limit: int) -> list[Any]:
    """A document's chunks that belong into the text index, in the order of ids, behind one."""
    c = t.chunks.c
    belongs = or_(c.state == LIVE, and_(c.state == RETIRED, c.text_state == READY))
    wanted = _entries().where(c.document_id == document_id, belongs, c.id > after).order_by(c.id).limit(limit)
    return list(connection.execute(wanted))


def point_rows(connection: Connection, identity: str, ids: Sequence[str]) -> list[Any]:
    """Of these chunks those that are live and have a vector of an identity, with all that a point is made of."""
    v, c, d = t.chunk_vectors.c, t.chunks.c, t.documents.c
    wanted = (
        select(
            v.chunk_id, v.document_id, v.collection_id, v.embed_hash, c.kind, c.language, c.contains_code,
            d.collection_path, d.file_path, d.document_type, d.metadata, d.source_modified_at,
        )
        .join(t.chunks, c.id == v.chunk_id)
        .join(t.documents, d.id == v.document_id)
        .where(v.identity == identity, row_by_row(v.state) == READY, row_by_row(c.state) == LIVE, among(v.chunk_id, ids))
    )  # fmt: skip
    return list(connection.execute(wanted))


def ready_ids_of_document(connection: Connection, identity: str, document_id: str) -> list[str]:
    """The live chunks of a document that have a vector of an identity."""
    v, c = t.chunk_vectors.c, t.chunks.c
    wanted = (
        select(v.chunk_id)
        .join(t.chunks, c.id == v.chunk_id)
        .where(v.document_id == document_id, v.identity == identity, v.state == READY, c.state == LIVE)
    )
    return [row[0] for row in connection.execute(wanted)]


def _standing() -> Select[Any]:
    c = t.chunks.c
    return select(c.id, c.document_id, c.state, c.text_state)


def _standing_of(row: Any) -> ChunkStanding:
    return ChunkStanding(
        row.id,
        row.document_id,
        live=row.state == LIVE,
        staged=row.state not in (LIVE, RETIRED),
        unswept=row.state == RETIRED and row.text_state == READY,
    )


def _entries() -> Select[Any]:
    c, d = t.chunks.c, t.documents.c
    return select(
        c.id, c.document_id, d.collection_path, d.file_path, d.document_type, c.kind, c.language, d.title,
        c.heading_path, c.context, c.text, c.identifiers, c.contains_code, d.metadata, d.source_modified_at,
    ).join(t.documents, d.id == c.document_id)  # fmt: skip


def _between(column: Any, ids: IdRange) -> list[Any]:
    bounds = [column >= ids.low] if ids.low else []
    return [*bounds, column < ids.high] if ids.high else bounds
