"""The indexing processes that share a manifest: who is alive, and what dead ones had claimed is put back."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import BigInteger, ColumnElement, Connection, cast, delete, func, literal, or_, select, update

from findspot.model import DocumentState
from findspot.stores.manifest import clock
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.dialect import upsert
from findspot.stores.manifest.documents import count_move

OWNER = "OWNER"
"""It alone writes the text index, and does what has to be done once."""
WORKER = "WORKER"


@dataclass(frozen=True, slots=True)
class Instance:
    """One indexing process. `seen_at` is by the clock of the database."""

    id: str
    role: str
    place: str
    """Host and process, for people."""
    data: str
    """Its data folder."""
    seen_at: int


def database_now(connection: Connection) -> int:
    """The time by which all instances are judged, since the clocks of their machines may differ."""
    if connection.dialect.name == "sqlite":
        return clock.now()
    seconds = func.extract("epoch", func.clock_timestamp())
    return int(connection.execute(select(cast(seconds * SECOND, BigInteger))).scalar_one())


def beat(connection: Connection, instance: str, role: str, place: str, data: str) -> None:
    """Say that an instance is alive; the first time, that it is there."""
    now = database_now(connection)
    seen = (
        update(t.instances)
        .where(t.instances.c.id == instance)
        .values(seen_at=now, place=place, data=data, role=role)
    )
    if not connection.execute(seen).rowcount:
        row = {"id": instance, "role": role, "place": place, "data": data, "started_at": now, "seen_at": now}
        upsert(connection, t.instances, [row], keys=("id",))


def end(connection: Connection, instance: str) -> None:
    """An instance has ended in order."""
    connection.execute(delete(t.instances).where(t.instances.c.id == instance))


def alive(connection: Connection, timeout: int) -> list[Instance]:
    """The instances that were seen within `timeout` microseconds, the oldest first."""
    i = t.instances.c
    wanted = select(i.id, i.role, i.place, i.data, i.seen_at).where(
        i.seen_at > database_now(connection) - timeout
    )
    return [Instance(*row) for row in connection.execute(wanted.order_by(i.started_at, i.id))]


def forget_owners(connection: Connection, data: str) -> None:
    """Whoever owned this data folder before is dead: its lock is ours."""
    i = t.instances.c
    connection.execute(delete(t.instances).where(i.role == OWNER, i.data == data))


def forget_dead(connection: Connection, timeout: int) -> None:
    """Remove the instances that were not seen for `timeout` microseconds."""
    connection.execute(delete(t.instances).where(t.instances.c.seen_at <= database_now(connection) - timeout))


def reclaim_lost(connection: Connection) -> int:
    """Put back what is claimed by instances that are not there; returns how many documents and chunks.

    Operations and batches are claimed under the instance's name, a batch with `/` and a number behind it.
    """
    d = t.documents.c
    lost = connection.execute(
        update(t.documents)
        .where(d.state == DocumentState.EXTRACTING, _ownerless(d.lease_owner))
        .values(state=DocumentState.PENDING, lease_owner="", lease_until=0)
        .returning(d.collection_id)
    ).all()
    for (collection_id,) in lost:
        count_move(connection, collection_id, DocumentState.EXTRACTING, DocumentState.PENDING)
    v, o = t.chunk_vectors.c, t.operations.c
    # Also what a batch lost its claim on while it was under way: nobody is left to let it go.
    chunks = connection.execute(
        update(t.chunk_vectors)
        .where(t.LEASED, v.lease_owner != "", _ownerless(v.lease_owner))
        .values(lease_owner="", lease_until=0)
    ).rowcount
    connection.execute(
        update(t.operations)
        .where(o.state == "RUNNING", o.lease_owner != "", _ownerless(o.lease_owner))
        .values(lease_owner="", lease_until=0)
    )
    return len(lost) + chunks


def _ownerless(owner: ColumnElement[str]) -> ColumnElement[bool]:
    i = t.instances.c
    mine = or_(owner == i.id, owner.like(i.id + literal("/%")))
    return ~select(i.id).where(mine).exists()
