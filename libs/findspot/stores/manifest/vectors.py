"""Which chunk has a vector of which identity: claimed in batches across documents, marked, taken away.

States: PENDING (to be made), READY (the vector store acknowledged it), FAILED, and REMOVED for a chunk
that is live no more. The first three are counted; REMOVED keeps the hash by which a returning chunk finds its
vector.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, delete, func, or_, select, update

from findspot.stores.manifest import counters
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, insert_of, row_by_row

PENDING = "PENDING"
READY = "READY"
FAILED = "FAILED"
REMOVED = "REMOVED"
COUNTED = (PENDING, READY, FAILED)
_LOST = "~"
"""Behind the owner of a claim that counts no more, while its batch is under way."""


@dataclass(frozen=True, slots=True)
class VectorWork:
    """A chunk that needs a vector, with all that its text and its payload are made of."""

    chunk_id: str
    document_id: str
    collection_id: str
    embed_hash: str
    attempts: int
    text: str
    context: str
    kind: str
    language: str
    contains_code: bool
    collection_path: str
    file_path: str
    document_type: str
    metadata: dict[str, str]
    source_modified_at: int


def want(
    connection: Connection,
    identity: str,
    document_id: str,
    collection_id: str,
    hashes: Iterable[tuple[str, str]],
    now: int,
) -> None:
    """Make (chunk id, embed hash) pairs PENDING, whatever they were before."""
    rows: list[dict[str, Any]] = [
        {
            "identity": identity,
            "chunk_id": chunk_id,
            "document_id": document_id,
            "collection_id": collection_id,
            "embed_hash": embed_hash,
            "state": PENDING,
            "next_attempt_at": now,
            "updated_at": now,
        }
        for chunk_id, embed_hash in hashes
    ]
    if not rows:
        return
    ids = [row["chunk_id"] for row in rows]
    _uncount(connection, identity, ids)
    connection.execute(_want(connection.dialect.name), rows)
    counters.add(connection, {(collection_id, identity, counters.vectors_in(PENDING)): len(rows)})


@cache
def _want(dialect: str) -> Any:
    statement = insert_of(dialect, t.chunk_vectors)
    fresh = {
        name: statement.excluded[name] for name in ("embed_hash", "state", "next_attempt_at", "updated_at")
    }
    # A batch that is in flight loses its claim, but the chunk stays out of reach until that batch, or its process,
    # has ended: otherwise its old vector could be written over the new one.
    none = {"attempts": 0, "lease_owner": without_claim(), "error_reason": "", "error_message": ""}
    return statement.on_conflict_do_update(index_elements=["identity", "chunk_id"], set_=fresh | none)


def without_claim() -> ColumnElement[str]:
    """What becomes of the owner of a chunk that is wanted anew: its claim counts no more."""
    owner = t.chunk_vectors.c.lease_owner
    return case((owner == "", ""), else_=owner + _LOST)


def remove(connection: Connection, chunk_ids: Sequence[str]) -> None:
    """Take away the vectors of chunks that are live no more, for every identity.

    What a batch is at stays out of reach until it has ended, see `want`: the text may return before that.
    """
    if not chunk_ids:
        return
    v = t.chunk_vectors.c
    _uncount(connection, None, chunk_ids)
    connection.execute(
        update(t.chunk_vectors)
        .where(among(v.chunk_id, chunk_ids))
        .values(state=REMOVED, lease_owner=without_claim())
    )


def outdate(connection: Connection, identities: Sequence[str], chunk_ids: Sequence[str]) -> None:
    """Take away what these identities hold of live chunks that changed: they lack them from now on."""
    v = t.chunk_vectors.c
    for identity in identities:
        _uncount(connection, identity, chunk_ids)
        connection.execute(
            update(t.chunk_vectors)
            .where(v.identity == identity, among(v.chunk_id, chunk_ids))
            .values(state=REMOVED, lease_owner=without_claim())
        )


def claim(
    connection: Connection, identity: str, owner: str, now: int, lease: int, limit: int
) -> list[VectorWork]:
    """Take up to `limit` chunks that need a vector, longest waiting first, for `lease` microseconds.

    One whose very text is in another batch now waits for what that batch makes: no text is embedded twice.
    """
    v, c, d = t.chunk_vectors.c, t.chunks.c, t.documents.c
    due = (
        select(v.chunk_id)
        .where(v.identity == identity, v.state == PENDING, v.next_attempt_at <= now, v.lease_until <= now)
        .where(~twin_being_made(now))
        .order_by(v.next_attempt_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    taken = connection.execute(
        update(t.chunk_vectors)
        .where(v.identity == identity, v.chunk_id.in_(select(due.c.chunk_id)))
        .values(lease_owner=owner, lease_until=now + lease)
        .returning(v.chunk_id)
    ).all()
    if not taken:
        return []
    rows = connection.execute(
        select(
            v.chunk_id, v.document_id, v.collection_id, v.embed_hash, v.attempts, c.text, c.context, c.kind,
            c.language, c.contains_code, d.collection_path, d.file_path, d.document_type, d.metadata,
            d.source_modified_at,
        )
        .join(t.chunks, c.id == v.chunk_id)
        .join(t.documents, d.id == v.document_id)
        .where(v.identity == identity, among(v.chunk_id, [row[0] for row in taken]))
    )  # fmt: skip
    return [VectorWork(**row._mapping) for row in rows]


def twin_being_made(now: int | ColumnElement[int]) -> ColumnElement[bool]:
    """True of a row of `chunk_vectors` whose text stands in a batch that is under way, for another chunk."""
    v, twin = t.chunk_vectors.c, t.chunk_vectors.alias("twin")
    return (
        select(twin.c.chunk_id)
        .where(
            # The hash is of the identity too, and only rows that a batch is at have a lease: to say so again would
            # have SQLite look through everything that is pending instead of the few rows of this hash.
            twin.c.embed_hash == v.embed_hash,
            twin.c.chunk_id != v.chunk_id,
            twin.c.lease_until > now,
        )
        .exists()
    )


def referred(connection: Connection, identity: str, hashes: Sequence[str]) -> set[str]:
    """Of these embed hashes those that a chunk refers to."""
    v = t.chunk_vectors.c
    wanted = select(v.embed_hash).where(v.identity == identity, among(v.embed_hash, hashes)).distinct()
    return {row[0] for row in connection.execute(wanted)}


def release(connection: Connection, identity: str, owner: str, chunk_ids: Sequence[str], due: int) -> None:
    """Give claimed chunks back without counting a try; they may be claimed again from `due` on."""
    v = t.chunk_vectors.c
    connection.execute(
        update(t.chunk_vectors)
        .where(v.identity == identity, v.lease_owner == owner, among(v.chunk_id, chunk_ids))
        .values(lease_owner="", lease_until=0, next_attempt_at=due)
    )


def reclaim_all(connection: Connection) -> None:
    """Give back whatever is claimed: at start nobody else can be at work."""
    connection.execute(update(t.chunk_vectors).where(t.LEASED).values(lease_owner="", lease_until=0))


def give_back(connection: Connection, instance: str) -> None:
    """Give back what the batches of an instance have claimed."""
    v = t.chunk_vectors.c
    connection.execute(
        update(t.chunk_vectors)
        .where(t.LEASED, v.lease_owner.startswith(f"{instance}/", autoescape=True))
        .values(lease_owner="", lease_until=0)
    )


def mark_ready(
    connection: Connection, identity: str, owner: str, chunk_ids: Sequence[str], now: int
) -> list[tuple[str, str, str]]:
    """Mark claimed chunks READY; returns (chunk, document, collection) of those still claimed by `owner`.

    One that is missing from the answer was retired or wanted anew meanwhile: its vector is not to be trusted.
    """
    v = t.chunk_vectors.c
    rows = connection.execute(
        update(t.chunk_vectors)
        .where(
            v.identity == identity,
            row_by_row(v.state) == PENDING,
            v.lease_owner == owner,
            among(v.chunk_id, chunk_ids),
        )
        .values(
            state=READY, lease_owner="", lease_until=0, attempts=0, error_reason="", error_message="",
            updated_at=now,
        )
        .returning(v.chunk_id, v.document_id, v.collection_id)
    ).all()  # fmt: skip
    _count_moves(connection, identity, [row[2] for row in rows], READY)
    return [(row[0], row[1], row[2]) for row in rows]


def record_failure(
    connection: Connection,
    identity: str,
    owner: str,
    chunk_id: str,
    *,
    reason: str,
    message: str,
    due: int | None,
    now: int,
) -> None:
    """Count a failed try; with `due` it is tried again then, without it is given up (FAILED)."""
    v = t.chunk_vectors.c
    rows = connection.execute(
        update(t.chunk_vectors)
        .where(v.identity == identity, v.state == PENDING, v.lease_owner == owner, v.chunk_id == chunk_id)
        .values(
            state=PENDING if due is not None else FAILED,
            attempts=v.attempts + 1,
            next_attempt_at=due or 0,
            lease_owner="",
            lease_until=0,
            error_reason=reason,
            error_message=message,
            updated_at=now,
        )
        .returning(v.collection_id)
    ).all()
    if due is None:
        _count_moves(connection, identity, [row[0] for row in rows], FAILED)


def erase_document(connection: Connection, document_id: str) -> None:
    """Remove every row of a document's chunks."""
    ids = [
        row[0]
        for row in connection.execute(
            select(t.chunk_vectors.c.chunk_id).where(t.chunk_vectors.c.document_id == document_id)
        )
    ]
    _uncount(connection, None, ids)
    connection.execute(delete(t.chunk_vectors).where(t.chunk_vectors.c.document_id == document_id))


def let_go(connection: Connection, identity: str, chunk_ids: Sequence[str]) -> None:
    """The batch that held these has ended: those that were wanted anew meanwhile may be claimed."""
    v = t.chunk_vectors.c
    connection.execute(
        update(t.chunk_vectors)
        .where(
            v.identity == identity,
            or_(v.lease_owner == "", v.lease_owner.endswith(_LOST)),
            among(v.chunk_id, chunk_ids),
        )
        .values(lease_owner="", lease_until=0)
    )


def _uncount(connection: Connection, identity: str | None, chunk_ids: Sequence[str]) -> None:
    v = t.chunk_vectors.c
    wanted = (
        select(v.collection_id, v.identity, v.state, func.count())
        .where(among(v.chunk_id, chunk_ids), row_by_row(v.state).in_(COUNTED))
        .group_by(v.collection_id, v.identity, v.state)
    )
    if identity is not None:
        wanted = wanted.where(v.identity == identity)
    counters.add(
        connection,
        {
            (collection, key, counters.vectors_in(state)): -count
            for collection, key, state, count in connection.execute(wanted)
        },
    )


def _count_moves(connection: Connection, identity: str, collection_ids: Sequence[str], to: str) -> None:
    deltas: dict[counters.Key, int] = {}
    for collection in collection_ids:
        for name, delta in ((counters.vectors_in(PENDING), -1), (counters.vectors_in(to), 1)):
            key = (collection, identity, name)
            deltas[key] = deltas.get(key, 0) + delta
    counters.add(connection, deltas)
