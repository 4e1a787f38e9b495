"""Sections and chunks of documents: staged beside what serves, switched live, retired, erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, or_, select, update

from findspot.model import DocumentState
from findspot.stores.manifest import counters
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, upsert

STAGED = "STAGED"
LIVE = "LIVE"
RETIRED = "RETIRED"
READY = "READY"
REMOVED = "REMOVED"

Values = Mapping[str, Any]
"""The columns of one row."""


def of_document(connection: Connection, document_id: str) -> list[Row[Any]]:
    """Every chunk row of a document that reconciling needs, in any state; without text and context."""
    c = t.chunks.c
    wanted = select(
        c.id, c.state, c.kind, c.chunk_hash, c.occurrence, c.language, c.heading_path, c.identifiers,
        c.contains_code, c.payload_recipe,
    ).where(c.document_id == document_id)  # fmt: skip
    return list(connection.execute(wanted))


def positions_of(connection: Connection, document_id: str) -> list[Row[tuple[str, str, str, int, int]]]:
    """(id, state, chunk_hash, occurrence, payload_recipe) of every chunk of a document, in any state."""
    c = t.chunks.c
    wanted = select(c.id, c.state, c.chunk_hash, c.occurrence, c.payload_recipe)
    return list(connection.execute(wanted.where(c.document_id == document_id)))


def stage(connection: Connection, sections: Sequence[Values], chunks: Sequence[Values]) -> None:
    """Write the sections and the new chunks of a generation; again after a crash, it overwrites the same."""
    upsert(connection, t.sections, sections, keys=("id",))
    upsert(connection, t.chunks, chunks, keys=("id",), only=STAGED)


def switch(
    connection: Connection,
    document_id: str,
    collection_id: str,
    *,
    staged: Sequence[str],
    moved: Sequence[Values],
    retired: Sequence[str],
    dropped: Sequence[str],
    now: int,
) -> None:
    """Make a generation live: `staged` rows, `moved` rows (kept or revived, each a whole row of new values).

    `retired` are found no more, `dropped` were staged by a try that never ended and go altogether.
    """
    c = t.chunks.c
    before = _count_live(connection, document_id)
    connection.execute(
        update(t.chunks).where(among(c.id, staged), c.state == STAGED).values(state=LIVE, text_state=READY)
    )
    if moved:
        names = [name for name in moved[0] if name != "id"]
        connection.execute(
            update(t.chunks)
            .where(c.id == bindparam("row_id"))
            .values({name: bindparam(name) for name in names} | {"state": LIVE, "retired_at": 0}),
            [{**row, "row_id": row["id"]} for row in moved],
        )
    retire(connection, retired, now)
    drop(connection, dropped)
    live = _count_live(connection, document_id)
    counters.add(connection, {(collection_id, "", counters.CHUNKS_LIVE): live - before})


def retire_document(connection: Connection, document_id: str, collection_id: str, now: int) -> list[str]:
    """Retire every live chunk of a document; returns their ids."""
    ids = live_ids(connection, document_id)
    retire(connection, ids, now)
    counters.add(connection, {(collection_id, "", counters.CHUNKS_LIVE): -len(ids)})
    return ids


def retire(connection: Connection, ids: Sequence[str], now: int) -> None:
    """Retire chunks: readable by id, never found. Counting them is the caller's."""
    c = t.chunks.c
    if ids:
        connection.execute(
            update(t.chunks).where(among(c.id, ids), c.state == LIVE).values(state=RETIRED, retired_at=now)
        )


def drop(connection: Connection, ids: Sequence[str]) -> None:
    """Remove rows that were staged and never live."""
    c = t.chunks.c
    if ids:
        connection.execute(delete(t.chunks).where(among(c.id, ids), c.state == STAGED))


def staged_ids(connection: Connection, document_id: str) -> list[str]:
    """The ids of a document's staged chunks."""
    c = t.chunks.c
    wanted = select(c.id).where(c.document_id == document_id, c.state == STAGED)
    return [row[0] for row in connection.execute(wanted)]


def ids_of_document(connection: Connection, document_id: str) -> list[str]:
    """The ids of all chunks of a document, in any state."""
    c = t.chunks.c
    return [row[0] for row in connection.execute(select(c.id).where(c.document_id == document_id))]


def live_ids(connection: Connection, document_id: str) -> list[str]:
    """The ids of a document's live chunks, in order."""
    c = t.chunks.c
    wanted = select(c.id).where(c.document_id == document_id, c.state == LIVE).order_by(c.chunk_index)
    return [row[0] for row in connection.execute(wanted)]


def unswept(connection: Connection, retired_before: int, limit: int) -> list[tuple[str, str]]:
    """(id, document id) of chunks retired before a time that the projections still hold, oldest first."""
    c = t.chunks.c
    wanted = (
        select(c.id, c.document_id)
        .where(c.state == RETIRED, c.text_state == READY, c.retired_at <= retired_before)
        .order_by(c.retired_at)
        .limit(limit)
    )
    return [(row[0], row[1]) for row in connection.execute(wanted)]


def expect_revived(connection: Connection, ids: Sequence[str]) -> None:
    """Note, before they are put into the text index again, that it may hold these retired chunks.

    If the try ends there, the sweep takes them out.
    """
    c = t.chunks.c
    if ids:
        connection.execute(
            update(t.chunks).where(among(c.id, ids), c.state == RETIRED).values(text_state=READY)
        )


def in_use(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Of these ids those that are live, or belong to a document that is being composed."""
    c, d = t.chunks.c, t.documents.c
    wanted = (
        select(c.id)
        .join(t.documents, d.id == c.document_id)
        .where(among(c.id, ids), or_(c.state == LIVE, d.state == DocumentState.EXTRACTING))
    )
    return {row[0] for row in connection.execute(wanted)}


def gone(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Of these ids those that no projection holds any more: purged, or retired and swept."""
    c = t.chunks.c
    wanted = select(c.id).where(among(c.id, ids), ~((c.state == RETIRED) & (c.text_state == REMOVED)))
    there = {row[0] for row in connection.execute(wanted)}
    return [key for key in ids if key not in there]


def mark_swept(connection: Connection, ids: Sequence[str]) -> None:
    """Note that the projections hold these retired chunks no more."""
    c = t.chunks.c
    connection.execute(
        update(t.chunks).where(among(c.id, ids), c.state == RETIRED).values(text_state=REMOVED)
    )


def note_recipe(connection: Connection, ids: Sequence[str], recipe: int) -> None:
    """Note by which recipe the vectors of these chunks are made, or will be."""
    connection.execute(update(t.chunks).where(among(t.chunks.c.id, ids)).values(payload_recipe=recipe))


def texts_of_document(connection: Connection, document_id: str) -> list[tuple[str, str]]:
    """(context, text) of every chunk of a document in any state: what its embeddings are found by."""
    c = t.chunks.c
    return [
        (row[0], row[1])
        for row in connection.execute(select(c.context, c.text).where(c.document_id == document_id))
    ]


def erase_document(connection: Connection, document_id: str) -> int:
    """Remove every chunk and section of a document; returns how many chunks."""
    connection.execute(delete(t.sections).where(t.sections.c.document_id == document_id))
    return connection.execute(delete(t.chunks).where(t.chunks.c.document_id == document_id)).rowcount


def _count_live(connection: Connection, document_id: str) -> int:
    c = t.chunks.c
    wanted = select(func.count()).where(c.document_id == document_id, c.state == LIVE)
    return connection.execute(wanted).scalar_one()
