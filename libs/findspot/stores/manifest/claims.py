"""Work on documents: claimed for a time, put back, ended; the counters follow in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select, update

from findspot.model import DocumentState
from findspot.stores.manifest import revisions
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, row_by_row
from findspot.stores.manifest.documents import count_move
from findspot.stores.manifest.reading import document_rows
from findspot.stores.manifest.stored import StoredDocument, document_of


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a document failed, as stored."""

    reason: str
    message: str


def claim(connection: Connection, owner: str, now: int, lease: int, limit: int) -> list[StoredDocument]:
    """Take up to `limit` waiting documents, longest waiting first, for `lease` microseconds.

    Each try is counted when it begins: a document that ends the whole process every time is still given up.
    """
    d = t.documents.c
    due = (
        select(d.id)
        .where(d.state == DocumentState.PENDING, d.next_attempt_at <= now)
        .order_by(d.next_attempt_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        # As a subquery it could be run again for each row, and take more than the limit.
        .cte("due")
    )
    taken = connection.execute(
        update(t.documents)
        .where(d.id.in_(select(due.c.id)))
        .values(
            state=DocumentState.EXTRACTING,
            lease_owner=owner,
            lease_until=now + lease,
            attempts=d.attempts + 1,
            updated_at=now,
        )
        .returning(d.id, d.collection_id)
    ).all()
    if not taken:
        return []
    for _, collection_id in taken:
        count_move(connection, collection_id, DocumentState.PENDING, DocumentState.EXTRACTING)
    rows = connection.execute(
        document_rows().where(among(d.id, [row[0] for row in taken])).order_by(d.next_attempt_at)
    )
    return [document_of(row) for row in rows]


def renew(connection: Connection, ids: Iterable[str], owner: str, until: int) -> None:
    """Keep the leases of documents that are still being worked on."""
    d = t.documents.c
    connection.execute(
        update(t.documents).where(among(d.id, list(ids)), d.lease_owner == owner).values(lease_until=until)
    )


def reclaim(connection: Connection, now: int, *, everyone: bool) -> int:
    """Put back documents whose lease ran out, or all that are claimed (`everyone`); returns how many."""
    d = t.documents.c
    lost = update(t.documents).where(d.state == DocumentState.EXTRACTING)
    if not everyone:
        lost = lost.where(d.lease_until <= now)
    rows = connection.execute(
        lost.values(state=DocumentState.PENDING, lease_owner="", lease_until=0).returning(d.collection_id)
    ).all()
    for (collection_id,) in rows:
        count_move(connection, collection_id, DocumentState.EXTRACTING, DocumentState.PENDING)
    return len(rows)


def give_back(connection: Connection, owner: str) -> int:
    """Put back all documents that `owner` has claimed, without counting those tries; returns how many."""
    d = t.documents.c
    rows = connection.execute(
        update(t.documents)
        .where(d.state == DocumentState.EXTRACTING, d.lease_owner == owner)
        .values(state=DocumentState.PENDING, lease_owner="", lease_until=0, attempts=d.attempts - 1)
        .returning(d.collection_id)
    ).all()
    for (collection_id,) in rows:
        count_move(connection, collection_id, DocumentState.EXTRACTING, DocumentState.PENDING)
    return len(rows)


def owns(connection: Connection, document: StoredDocument, owner: str) -> bool:
    """True while the claim holds: nobody took it over and no newer bytes came."""
    return holds(connection, document.id, owner, document.next_generation)


def holds(connection: Connection, document_id: str, owner: str, generation: int) -> bool:
    """True while `owner` has the document claimed, to make this generation of it."""
    d = t.documents.c
    held = select(d.id).where(
        d.id == document_id,
        d.state == DocumentState.EXTRACTING,
        d.lease_owner == owner,
        d.next_generation == generation,
    )
    return connection.execute(held).first() is not None


def put_back(
    connection: Connection,
    document: StoredDocument,
    owner: str,
    *,
    next_attempt_at: int,
    counted: bool,
    failure: Failure,
    now: int,
) -> bool:
    """Let a claimed document wait for another try, `counted` or not; False when it is not ours any more."""
    d = t.documents.c
    if not owns(connection, document, owner):
        return False
    connection.execute(
        update(t.documents)
        .where(d.id == document.id)
        .values(
            state=DocumentState.PENDING,
            lease_owner="",
            lease_until=0,
            next_attempt_at=next_attempt_at,
            attempts=d.attempts if counted else d.attempts - 1,
            error_reason=failure.reason,
            error_message=failure.message,
            updated_at=now,
        )
    )
    count_move(connection, document.collection_id, DocumentState.EXTRACTING, DocumentState.PENDING)
    return True


def finish(
    connection: Connection,
    document: StoredDocument,
    state: DocumentState,
    values: Mapping[str, Any],
    now: int,
) -> int:
    """End a claimed document (`owns` was checked) in a state, with these columns. Returns the revision."""
    revision = revisions.raise_revision(connection)
    connection.execute(
        update(t.documents)
        .where(t.documents.c.id == document.id)
        .values(
            state=state, lease_owner="", lease_until=0, stage="", revision=revision, updated_at=now, **values
        )
    )
    count_move(connection, document.collection_id, DocumentState.EXTRACTING, state)
    return revision


def promote(connection: Connection, identity: str, ids: Sequence[str], now: int) -> list[str]:
    """Of these documents make INDEXED those that are CHUNKED and have every vector; returns their ids."""
    d, c, v = t.documents.c, t.chunks.c, t.chunk_vectors.c
    missing = select(v.chunk_id).where(
        v.document_id == d.id, v.identity == identity, v.state.in_(("PENDING", "FAILED"))
    )
    # Where a model comes after the text, chunks are asked for page by page: some of a document may not be yet.
    ready = select(v.chunk_id).where(v.identity == identity, v.chunk_id == c.id, v.state == "READY")
    lacking = select(c.id).where(c.document_id == d.id, c.state == "LIVE", ~ready.exists())
    done = connection.execute(
        update(t.documents)
        .where(
            among(d.id, ids),
            row_by_row(d.state) == DocumentState.CHUNKED,
            ~missing.exists(),
            ~lacking.exists(),
        )
        .values(
            state=DocumentState.INDEXED, indexed_at=now, updated_at=now, error_reason="", error_message=""
        )
        .returning(d.id, d.collection_id)
    ).all()
    for _, collection_id in done:
        count_move(connection, collection_id, DocumentState.CHUNKED, DocumentState.INDEXED)
    return [row[0] for row in done]


def note_lost_vectors(connection: Connection, identity: str, document_id: str) -> None:
    """Say on a document how many of its chunks will get no vector, and why the last of them did not."""
    v = t.chunk_vectors.c
    lost = connection.execute(
        select(v.error_reason, v.error_message).where(
            v.document_id == document_id, v.identity == identity, v.state == "FAILED"
        )
    ).all()
    if lost:
        connection.execute(
            update(t.documents)
            .where(t.documents.c.id == document_id, t.documents.c.state == DocumentState.CHUNKED)
            .values(
                error_reason=lost[-1].error_reason,
                error_message=f"{len(lost)} chunks have no vector: {lost[-1].error_message}",
            )
        )


def demote(connection: Connection, ids: Sequence[str]) -> None:
    """Of these documents make CHUNKED again those that are INDEXED and lack a vector now."""
    d = t.documents.c
    rows = connection.execute(
        update(t.documents)
        .where(among(d.id, ids), row_by_row(d.state) == DocumentState.INDEXED)
        .values(state=DocumentState.CHUNKED)
        .returning(d.collection_id)
    ).all()
    for (collection_id,) in rows:
        count_move(connection, collection_id, DocumentState.INDEXED, DocumentState.CHUNKED)


def next_due(connection: Connection) -> int | None:
    """When the next waiting document may be tried; None when none waits."""
    d = t.documents.c
    wanted = select(func.min(d.next_attempt_at)).where(d.state == DocumentState.PENDING)
    return connection.execute(wanted).scalar_one_or_none()
