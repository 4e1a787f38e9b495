"""What is asked about vectors: how many there are, which are lacking, when the next may be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.vectors import FAILED, PENDING, READY, twin_being_made


def next_due(connection: Connection, identity: str) -> int | None:
    """When the next chunk may be claimed; None when none waits for a time: the end of a batch is told otherwise."""
    v = t.chunk_vectors.c
    # In the order of the index, and no further than the first: as a minimum it takes 0.1 s with 100,000 that wait.
    wanted = (
        select(v.next_attempt_at)
        .where(v.identity == identity, v.state == PENDING, v.lease_until == 0, ~twin_being_made(0))
        .order_by(v.next_attempt_at)
        .limit(1)
    )
    return connection.execute(wanted).scalar_one_or_none()


def ready_by_document(connection: Connection, identity: str, ids: Sequence[str]) -> dict[str, int]:
    """How many chunks of each of these documents have a vector."""
    v = t.chunk_vectors.c
    wanted = (
        select(v.document_id, func.count())
        .where(among(v.document_id, ids), v.identity == identity, v.state == READY)
        .group_by(v.document_id)
    )
    return {row[0]: row[1] for row in connection.execute(wanted)}


def unready_of_document(connection: Connection, identity: str, document_id: str) -> tuple[int, int]:
    """How many vectors of a document are (still to come, given up)."""
    v = t.chunk_vectors.c
    wanted = (
        select(v.state, func.count())
        .where(v.document_id == document_id, v.identity == identity, v.state.in_((PENDING, FAILED)))
        .group_by(v.state)
    )
    counts = {row[0]: row[1] for row in connection.execute(wanted)}
    return counts.get(PENDING, 0), counts.get(FAILED, 0)


def lacking(connection: Connection, identity: str, limit: int, after: str = "") -> list[Row[Any]]:
    """Live chunks for which no vector of this identity was asked for, by id from the one behind `after`.

    Each with (id, document id, collection id, context, text).
    """
    v, c, d = t.chunk_vectors.c, t.chunks.c, t.documents.c
    has = select(v.chunk_id).where(
        v.identity == identity, v.chunk_id == c.id, v.state.in_((PENDING, READY, FAILED))
    )
    wanted = (
        select(c.id, c.document_id, d.collection_id, c.context, c.text)
        .join(t.documents, d.id == c.document_id)
        .where(c.state == "LIVE", c.id > after, ~has.exists())
        .order_by(c.id)
        .limit(limit)
    )
    return list(connection.execute(wanted))


def failures(connection: Connection, identity: str) -> list[tuple[str, int, str]]:
    """(reason, how many, one message) of chunks that were given up, the most frequent first."""
    v = t.chunk_vectors.c
    wanted = (
        select(v.error_reason, func.count(), func.min(v.error_message))
        .where(v.identity == identity, v.state == FAILED)
        .group_by(v.error_reason)
        .order_by(func.count().desc(), v.error_reason)
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(wanted)]
