"""Statements that mend the manifest's own books, and what the rebuilding of a projection needs of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import CompoundSelect, Connection, func, select, union, update

from findspot.model import DocumentState
from findspot.stores.manifest import counters
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.chunks import LIVE
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.documents import count_move
from findspot.stores.manifest.embeddings import Vector
from findspot.stores.manifest.generations import RETIRED
from findspot.stores.manifest.vectors import PENDING, READY


def wrong_counters(connection: Connection) -> dict[counters.Key, int]:
    """What has to be added to each counter that is not what counting every row gives."""
    c = t.counters.c
    rows = connection.execute(select(c.collection_id, c.identity, c.name, c.value).where(c.value != 0))
    kept = {(row[0], row[1], row[2]): int(row[3]) for row in rows}
    counted = counters.recount(connection)
    off = {key: counted.get(key, 0) - kept.get(key, 0) for key in {*kept, *counted}}
    return {key: delta for key, delta in off.items() if delta}


def mend_counters(connection: Connection) -> int:
    """Make every counter what counting gives; returns how many were wrong."""
    wrong = wrong_counters(connection)
    counters.add(connection, wrong)
    return len(wrong)


def stored_vectors(connection: Connection, identity: str, hashes: Sequence[str]) -> dict[str, Vector]:
    """Of these hashes the vectors that are stored, by hash. Reading does not count as use."""
    e = t.embeddings.c
    wanted = select(e.embed_hash, e.vector).where(e.identity == identity, among(e.embed_hash, hashes))
    return {row.embed_hash: np.frombuffer(row.vector, dtype="<f4") for row in connection.execute(wanted)}


def want_all_again(connection: Connection, identity: str, now: int) -> int:
    """Make every READY vector of an identity PENDING: its collection is lost. Returns how many.

    The stored vectors stay, so none of them costs a call of the model.
    """
    v, d = t.chunk_vectors.c, t.documents.c
    mine = (v.identity == identity) & (v.state == READY)
    by_collection = connection.execute(
        select(v.collection_id, func.count()).where(mine).group_by(v.collection_id)
    ).all()
    connection.execute(
        update(t.chunk_vectors)
        .where(mine)
        .values(state=PENDING, attempts=0, next_attempt_at=now, lease_owner="", lease_until=0, updated_at=now)
    )
    deltas: dict[counters.Key, int] = {}
    for collection, count in by_collection:
        deltas[collection, identity, counters.vectors_in(READY)] = -count
        deltas[collection, identity, counters.vectors_in(PENDING)] = count
    counters.add(connection, deltas)
    if connection.execute(select(t.active_identity.c.identity_key)).scalar_one_or_none() == identity:
        lacking = select(v.document_id).where(
            v.document_id == d.id, v.identity == identity, v.state == PENDING
        )
        demoted = connection.execute(
            update(t.documents)
            .where(d.state == DocumentState.INDEXED, lacking.exists())
            .values(state=DocumentState.CHUNKED)
            .returning(d.collection_id)
        ).all()
        for (collection_id,) in demoted:
            count_move(connection, collection_id, DocumentState.INDEXED, DocumentState.CHUNKED)
    return sum(count for _, count in by_collection)


def unnoted_blobs(connection: Connection, keys: Sequence[str]) -> list[str]:
    """Of these blobs those that no row is about."""
    noted = {row[0] for row in connection.execute(select(t.blobs.c.key).where(among(t.blobs.c.key, keys)))}
    return [key for key in keys if key not in noted]


def noted_blobs(connection: Connection, after: str, limit: int) -> list[str]:
    """Blobs that rows are about, in the order of keys, behind one."""
    b = t.blobs.c
    return [
        row[0] for row in connection.execute(select(b.key).where(b.key > after).order_by(b.key).limit(limit))
    ]


def missed_blobs(connection: Connection, keys: Sequence[str]) -> list[str]:
    """Of these blobs those that a document needs as it stands: its newest content, or what serves or is being made.

    What only retired generations or deleted documents refer to is missed by nobody: adding the file again brings the
    document back, and nothing brings back a reading of long ago.
    """
    needing = _needing(keys).subquery()
    wanted = select(needing.c.key).where(among(needing.c.key, keys)).distinct().order_by(needing.c.key)
    return [str(row[0]) for row in connection.execute(wanted)]


def documents_of_blobs(connection: Connection, keys: Sequence[str], limit: int) -> list[tuple[str, str]]:
    """(collection, file path) of documents that need one of these blobs as they stand."""
    needing, d = _needing(keys).subquery(), t.documents.c
    wanted = (
        select(d.collection_path, d.file_path)
        .join(needing, needing.c.document_id == d.id)
        .where(among(needing.c.key, keys))
        .distinct()
        .order_by(d.collection_path, d.file_path)
        .limit(limit)
    )
    return [(row[0], row[1]) for row in connection.execute(wanted)]


def _needing(keys: Sequence[str]) -> CompoundSelect[tuple[str, str]]:
    """(document_id, key) of documents that are not deleted, and the blobs among these that they need."""
    g, d = t.generations.c, t.documents.c
    there = d.state != DocumentState.RETIRED
    return union(
        select(d.id.label("document_id"), d.blob_key.label("key")).where(there, among(d.blob_key, keys)),
        *(
            select(g.document_id, key)
            .join(t.documents, d.id == g.document_id)
            .where(there, g.state != RETIRED, among(key, keys))
            for key in (g.blob_key, g.extraction_key, g.text_key)
        ),
    )


def live_chunks(connection: Connection) -> int:
    """Chunks that can be found, by their counter."""
    return counters.totals(connection).get(("", counters.CHUNKS_LIVE), 0)


def any_live(connection: Connection) -> bool:
    """True when there is any chunk that has to be found."""
    return (
        connection.execute(select(t.chunks.c.id).where(t.chunks.c.state == LIVE).limit(1)).first() is not None
    )
