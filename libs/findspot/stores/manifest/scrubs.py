"""The operation that follows purges: wanted by each, done once for all that came before it began."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, update

from findspot.stores.manifest import operations
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.clock import SECOND

KIND = "scrub"
_REST = 20
"""After one that took so long, the next waits so many times as long: it writes every store anew."""


def want(connection: Connection, now: int, quiet_seconds: float | None) -> str:
    """The scrub that will follow a purge of now: one that waits already, or another; returns its id.

    It begins `quiet_seconds` later or when the last one has rested, with None at once.
    """
    waiting = hurry(connection, now) if quiet_seconds is None else _waiting(connection)
    if waiting:
        return waiting
    operation_id = operations.begin(connection, KIND, scope="", within=None, request={}, now=now)
    due = now if quiet_seconds is None else max(now + int(quiet_seconds * SECOND), _rested(connection))
    connection.execute(update(t.operations).where(t.operations.c.id == operation_id).values(lease_until=due))
    return operation_id


def hurry(connection: Connection, now: int) -> str:
    """Let the scrub that waits begin at once; its id, "" when none waits."""
    waiting = _waiting(connection)
    if waiting is None:
        return ""
    connection.execute(update(t.operations).where(t.operations.c.id == waiting).values(lease_until=now))
    return waiting


def due(connection: Connection) -> tuple[int, int]:
    """(scrubs that have not ended, when the oldest of them was wanted)."""
    o = t.operations.c
    row = connection.execute(
        select(func.count(), func.min(o.created_at)).where(o.kind == KIND, o.state == operations.RUNNING)
    ).one()
    return row[0], row[1] or 0


def last_failure(connection: Connection) -> str:
    """Why the latest scrub that ended did not do its work; empty when it did."""
    o = t.operations.c
    row = connection.execute(
        select(o.state, o.error_message)
        .where(o.kind == KIND, o.state != operations.RUNNING)
        .order_by(o.finished_at.desc())
        .limit(1)
    ).one_or_none()
    if row is None or row.state == operations.SUCCEEDED:
        return ""
    return str(row.error_message) or "it was stopped."


def _waiting(connection: Connection) -> str | None:
    o = t.operations.c
    wanted = (
        select(o.id)
        .where(o.kind == KIND, o.state == operations.RUNNING, o.started_at == 0)
        .order_by(o.created_at)
        .limit(1)
    )
    return connection.execute(wanted).scalar_one_or_none()


def _rested(connection: Connection) -> int:
    o = t.operations.c
    wanted = (
        select(o.started_at, o.finished_at)
        .where(o.kind == KIND, o.state == operations.SUCCEEDED)
        .order_by(o.finished_at.desc())
        .limit(1)
    )
    row = connection.execute(wanted).one_or_none()
    return 0 if row is None else row.finished_at + _REST * (row.finished_at - row.started_at)
