"""Who runs which operation: claimed for a time, kept, given back, taken over from the dead."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from findspot.stores.manifest import operations
from findspot.stores.manifest import tables as t


def claim(connection: Connection, kind: str, owner: str, now: int, lease: int) -> operations.Operation | None:
    """Take the oldest operation of a kind for `lease` microseconds; None when none waits, or it is being run.

    Only ever the oldest: whatever the number of workers, one kind is done one after another.
    """
    o = t.operations.c
    oldest = (
        select(o.id)
        .where(o.kind == kind, o.state == operations.RUNNING)
        .order_by(o.created_at, o.id)
        .limit(1)
    ).scalar_subquery()
    row = connection.execute(
        update(t.operations)
        .where(o.id == oldest, o.state == operations.RUNNING, o.lease_until <= now)
        .values(lease_owner=owner, lease_until=now + lease, attempts=o.attempts + 1, updated_at=now)
        .returning(*t.operations.c)
    ).one_or_none()
    if row is None:
        return None
    if not row.started_at:
        connection.execute(update(t.operations).where(o.id == row.id).values(started_at=now))
    return operations.get(connection, row.id)


def next_due(connection: Connection, kind: str) -> int | None:
    """When the oldest operation of a kind may be claimed; None when none waits."""
    o = t.operations.c
    wanted = (
        select(o.lease_until)
        .where(o.kind == kind, o.state == operations.RUNNING)
        .order_by(o.created_at, o.id)
        .limit(1)
    )
    return connection.execute(wanted).scalar_one_or_none()


def renew(connection: Connection, owner: str, until: int) -> None:
    """Keep the leases of the operations that a worker runs."""
    o = t.operations.c
    connection.execute(
        update(t.operations)
        .where(o.lease_owner == owner, o.state == operations.RUNNING)
        .values(lease_until=until)
    )


def give_back(connection: Connection, owner: str) -> None:
    """Let others take up at once what a worker runs: it is about to end, and those tries do not count."""
    o = t.operations.c
    connection.execute(
        update(t.operations)
        .where(o.lease_owner == owner, o.state == operations.RUNNING)
        .values(lease_owner="", lease_until=0, attempts=o.attempts - 1)
    )


def release(connection: Connection, operation_id: str, owner: str, until: int) -> None:
    """Let an operation wait until a time, without counting the try: what it needs is away."""
    o = t.operations.c
    connection.execute(
        update(t.operations)
        .where(o.id == operation_id, o.lease_owner == owner)
        .values(lease_owner="", lease_until=until, attempts=o.attempts - 1)
    )


def reclaim_all(connection: Connection) -> None:
    """Give back whatever is claimed: when nobody else can be at work, its worker is dead."""
    connection.execute(
        update(t.operations)
        .where(t.operations.c.state == operations.RUNNING)
        .values(lease_owner="", lease_until=0)
    )
