"""Vectors by the hash of what was embedded, so that no text is embedded twice; and their identities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, delete, select, update

from findspot.model import EmbeddingIdentity
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, insert_missing, upsert
from findspot.stores.manifest.stored import identity_of

FILLING = "FILLING"
ACTIVE = "ACTIVE"
RETIRED = "RETIRED"

Vector = NDArray[np.float32]
"""One vector: shape (dimension,)."""


def look_up(connection: Connection, identity: str, hashes: Sequence[str], now: int) -> dict[str, Vector]:
    """Of these hashes the vectors that are stored, by hash; they count as used now."""
    e = t.embeddings.c
    mine = (e.identity == identity) & among(e.embed_hash, hashes)
    found = {
        row.embed_hash: np.frombuffer(row.vector, dtype="<f4")
        for row in connection.execute(select(e.embed_hash, e.vector).where(mine))
    }
    if found:
        connection.execute(update(t.embeddings).where(mine).values(last_used_at=now))
    return found


def known(connection: Connection, identity: str, hashes: Sequence[str]) -> frozenset[str]:
    """Of these hashes those whose vector is stored; looking does not count as use."""
    e = t.embeddings.c
    wanted = select(e.embed_hash).where(e.identity == identity, among(e.embed_hash, hashes))
    return frozenset(row[0] for row in connection.execute(wanted))


def store(connection: Connection, identity: str, vectors: Mapping[str, Vector], now: int) -> None:
    """Keep vectors by hash, as little-endian float32; one that is there already stays."""
    rows = [
        {
            "identity": identity,
            "embed_hash": embed_hash,
            "dimension": len(vector),
            "vector": np.asarray(vector, dtype="<f4").tobytes(),
            "last_used_at": now,
            "made_at": now,
        }
        for embed_hash, vector in vectors.items()
    ]
    insert_missing(connection, t.embeddings, rows, keys=("identity", "embed_hash"))


def forget_older(connection: Connection, identity: str, hashes: Sequence[str], before: int) -> int:
    """Remove the vectors of these hashes that were made before a time: the model is asked for them again."""
    e = t.embeddings.c
    old = delete(t.embeddings).where(e.identity == identity, among(e.embed_hash, hashes), e.made_at < before)
    return connection.execute(old).rowcount


def forget_unused(connection: Connection, pairs: Sequence[tuple[str, str]]) -> int:
    """Of these (identity, hash) pairs remove those that no chunk refers to; returns how many."""
    e, v = t.embeddings.c, t.chunk_vectors.c
    removed = 0
    for identity in sorted({pair[0] for pair in pairs}):
        hashes = sorted({pair[1] for pair in pairs if pair[0] == identity})
        used = select(v.chunk_id).where(v.identity == e.identity, v.embed_hash == e.embed_hash)
        removed += connection.execute(
            delete(t.embeddings).where(e.identity == identity, among(e.embed_hash, hashes), ~used.exists())
        ).rowcount
    return removed


def register(
    connection: Connection, identity: EmbeddingIdentity, qdrant_collection: str, state: str, now: int
) -> None:
    """Note an identity and the vector collection that is its own; one that is known stays as it is."""
    row = {
        "key": identity.key,
        "display": identity.display,
        "name": identity.name,
        "dimension": identity.dimension,
        "input_limit": identity.input_limit,
        "special_tokens": identity.special_tokens,
        "qdrant_collection": qdrant_collection,
        "state": state,
        "created_at": now,
    }
    insert_missing(connection, t.identities, [row], keys=("key",))


def activate(connection: Connection, key: str, now: int) -> None:
    """Make an identity the one whose vectors are searched; the one before is kept for a return."""
    before = active(connection)
    previous = before.key if before else ""
    row = {"id": 1, "identity_key": key, "previous_key": previous, "switched_at": now}
    upsert(connection, t.active_identity, [row], keys=("id",))
    for which, state in ((previous, RETIRED), (key, ACTIVE)):
        connection.execute(update(t.identities).where(t.identities.c.key == which).values(state=state))


def active(connection: Connection) -> EmbeddingIdentity | None:
    """The identity whose vectors are searched; None before there was any."""
    row = connection.execute(
        select(t.identities).join(t.active_identity, t.active_identity.c.identity_key == t.identities.c.key)
    ).one_or_none()
    return None if row is None else identity_of(row)


def all_identities(connection: Connection) -> list[Row[Any]]:
    """Every identity that was ever registered, the oldest first."""
    return list(connection.execute(select(t.identities).order_by(t.identities.c.created_at)))
