"""Counts that are kept in the transactions that change what they count, so that nobody ever counts rows.

documents.<STATE>                     documents of a collection in a state
chunks.live                           chunks that can be found
vectors.pending | ready | failed      vectors of the live chunks, by identity
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, delete, func, select

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, insert_of

CHUNKS_LIVE = "chunks.live"

Key = tuple[str, str, str]
"""(collection id, identity key or "", name)."""


def documents_in(state: str) -> str:
    """The counter of documents in a state."""
    return f"documents.{state}"


def vectors_in(state: str) -> str:
    """The counter of vectors in a state: PENDING, READY or FAILED."""
    return f"vectors.{state.lower()}"


def add(connection: Connection, deltas: Mapping[Key, int]) -> None:
    """Add to counters; one that is not there starts at 0."""
    rows = [
        {"collection_id": collection, "identity": identity, "name": name, "value": delta}
        for (collection, identity, name), delta in sorted(deltas.items())
        if delta
    ]
    if not rows:
        return
    connection.execute(_add(connection.dialect.name), rows)


@cache
def _add(dialect: str) -> Any:
    statement = insert_of(dialect, t.counters)
    return statement.on_conflict_do_update(
        index_elements=["collection_id", "identity", "name"],
        set_={"value": t.counters.c.value + statement.excluded.value},
    )


def totals(connection: Connection, collection_ids: Sequence[str] | None = None) -> dict[tuple[str, str], int]:
    """Sums by (identity, name) over these collections, or over all.

    Counters that are wrong can sum up to less than nothing, which no count is: `Diagnose` names them, `Repair` mends them.
    """
    c = t.counters.c
    wanted = select(c.identity, c.name, func.sum(c.value)).group_by(c.identity, c.name)
    if collection_ids is not None:
        wanted = wanted.where(among(c.collection_id, collection_ids))
    return {(row[0], row[1]): max(0, int(row[2])) for row in connection.execute(wanted)}


def by_collection(connection: Connection, collection_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """The counters of each collection that belong to no identity, by name."""
    c = t.counters.c
    found: dict[str, dict[str, int]] = {identifier: {} for identifier in collection_ids}
    wanted = select(c.collection_id, c.name, c.value).where(
        among(c.collection_id, collection_ids), c.identity == ""
    )
    for row in connection.execute(wanted):
        found[row[0]][row[1]] = int(row[2])
    return found


def forget(connection: Connection, collection_id: str) -> None:
    """Remove the counters of a collection that is no more."""
    connection.execute(delete(t.counters).where(t.counters.c.collection_id == collection_id))


def recount(connection: Connection) -> dict[Key, int]:
    """What the counters must hold, by counting every row: for checks and repair only."""
    d, k, v = t.documents.c, t.chunks.c, t.chunk_vectors.c
    found: dict[Key, int] = {}
    by_state = select(d.collection_id, d.state, func.count()).group_by(d.collection_id, d.state)
    for collection, state, count in connection.execute(by_state):
        found[collection, "", documents_in(state)] = count
    live = (
        select(d.collection_id, func.count())
        .join(t.chunks, k.document_id == d.id)
        .where(k.state == "LIVE")
        .group_by(d.collection_id)
    )
    for collection, count in connection.execute(live):
        found[collection, "", CHUNKS_LIVE] = count
    vectors = (
        select(v.collection_id, v.identity, v.state, func.count())
        .where(v.state.in_(("PENDING", "READY", "FAILED")))
        .group_by(v.collection_id, v.identity, v.state)
    )
    for collection, identity, state, count in connection.execute(vectors):
        found[collection, identity, vectors_in(state)] = count
    return found
