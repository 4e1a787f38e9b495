"""Long pieces of work: begun, claimed by a lease, kept up to date while they run, ended, listed, forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, or_, select, update

from findspot.ids import uuid7
from findspot.model import Notice
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.clock import SECOND

RUNNING = "RUNNING"
SUCCEEDED = "SUCCEEDED"
FAILED = "FAILED"
CANCELLED = "CANCELLED"
STATES = (RUNNING, SUCCEEDED, FAILED, CANCELLED)

KEPT_FOR = 30 * 24 * 3600 * SECOND
"""How long an operation that ended can be asked about, in microseconds."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far an operation is: items by outcome, what it did by name, and what the caller should know."""

    done: int = 0
    total: int = 0
    failed: int = 0
    counts: Mapping[str, int] | None = None
    notices: tuple[Notice, ...] = ()
    """The first of them."""
    notice_count: int = 0
    """How many there were in all."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation as stored. Times are microseconds since 1970, 0 when not set."""

    id: str
    kind: str
    state: str
    scope: str
    """What people are told that it works on: a collection, a document; empty for everything."""
    within: tuple[str, ...] | None
    """Subtrees of collections that it works on; None for everything. Who may read them all may see it."""
    request: Mapping[str, Any]
    """What was asked for: whatever its kind wants to be told, as JSON holds it."""
    standing: Standing
    cancel_requested: bool
    error_reason: str
    error_message: str
    attempts: int
    """How often it was taken up since it last came further."""
    created_at: int
    started_at: int
    finished_at: int


def begin(
    connection: Connection,
    kind: str,
    *,
    scope: str,
    within: Sequence[str] | None,
    request: Mapping[str, Any],
    now: int,
    standing: Standing | None = None,
) -> str:
    """Note an operation that is to be run; returns its id."""
    identifier = uuid7()
    connection.execute(
        t.operations.insert().values(
            id=identifier,
            kind=kind,
            state=RUNNING,
            scope=scope,
            request={"within": None if within is None else list(within), "asked": dict(request)},
            progress=_plain(standing or Standing()),
            cancel_requested=False,
            created_at=now,
            updated_at=now,
        )
    )
    return identifier


def get(connection: Connection, operation_id: str) -> Operation | None:
    """The operation of an id."""
    row = connection.execute(select(t.operations).where(t.operations.c.id == operation_id)).one_or_none()
    return None if row is None else _operation(row)


def page(
    connection: Connection, *, state: str = "", before: tuple[int, str] | None = None, limit: int
) -> list[Operation]:
    """Operations, the latest first, from `before` (created at, id) on."""
    o = t.operations.c
    wanted = select(t.operations).order_by(o.created_at.desc(), o.id.desc()).limit(limit)
    if state:
        wanted = wanted.where(o.state == state)
    if before is not None:
        at, identifier = before
        wanted = wanted.where(or_(o.created_at < at, and_(o.created_at == at, o.id < identifier)))
    return [_operation(row) for row in connection.execute(wanted)]


def running(connection: Connection, kind: str, scope: str) -> Operation | None:
    """The oldest operation of a kind over exactly this scope that has not ended."""
    o = t.operations.c
    wanted = (
        select(t.operations)
        .where(o.kind == kind, o.scope == scope, o.state == RUNNING)
        .order_by(o.created_at, o.id)
        .limit(1)
    )
    row = connection.execute(wanted).one_or_none()
    return None if row is None else _operation(row)


def save(
    connection: Connection, operation_id: str, owner: str, standing: Standing, now: int, *, further: bool
) -> bool | None:
    """Keep how far an operation is. True when it shall stop, None when it is not ours any more.

    `further` when it came further since it was kept last: then tries before this do not count against it.
    """
    o = t.operations.c
    values: dict[str, Any] = {"progress": _plain(standing), "updated_at": now}
    if further:
        values["attempts"] = 1
    row = connection.execute(
        update(t.operations)
        .where(o.id == operation_id, o.lease_owner == owner, o.state == RUNNING)
        .values(**values)
        .returning(o.cancel_requested)
    ).one_or_none()
    return None if row is None else bool(row[0])


def finish(
    connection: Connection,
    operation_id: str,
    owner: str,
    state: str,
    standing: Standing,
    now: int,
    *,
    reason: str = "",
    message: str = "",
) -> bool:
    """End an operation that `owner` runs, and drop its items; False when it is not ours any more."""
    o = t.operations.c
    ended = (
        update(t.operations)
        .where(o.id == operation_id, o.lease_owner == owner, o.state == RUNNING)
        .values(
            state=state,
            progress=_plain(standing),
            error_reason=reason,
            error_message=message,
            lease_owner="",
            lease_until=0,
            updated_at=now,
            finished_at=now,
        )
    )
    if not connection.execute(ended).rowcount:
        return False
    _drop_items(connection, operation_id)
    return True


def request_cancel(connection: Connection, operation_id: str, now: int) -> None:
    """Ask an operation to stop: one that nobody runs has stopped at once, one that ended stays as it is."""
    o = t.operations.c
    mine = (o.id == operation_id) & (o.state == RUNNING)
    stopped = (
        update(t.operations)
        .where(mine, o.lease_owner == "")
        .values(state=CANCELLED, cancel_requested=True, lease_until=0, updated_at=now, finished_at=now)
    )
    if connection.execute(stopped).rowcount:
        _drop_items(connection, operation_id)
    connection.execute(update(t.operations).where(mine).values(cancel_requested=True, updated_at=now))


def forget_old(connection: Connection, now: int) -> int:
    """Forget operations that ended more than 30 days ago; returns how many."""
    o, i = t.operations.c, t.operation_items.c
    old = select(o.id).where(o.state != RUNNING, o.finished_at < now - KEPT_FOR)
    connection.execute(delete(t.operation_items).where(i.operation_id.in_(old)))
    return connection.execute(delete(t.operations).where(o.id.in_(old))).rowcount


def _drop_items(connection: Connection, operation_id: str) -> None:
    # How they ended is counted; there may be as many as documents.
    connection.execute(delete(t.operation_items).where(t.operation_items.c.operation_id == operation_id))


def _plain(standing: Standing) -> dict[str, Any]:
    return {
        "done": standing.done,
        "total": standing.total,
        "failed": standing.failed,
        "counts": dict(standing.counts or {}),
        "notices": [[notice.code, notice.message, notice.page] for notice in standing.notices],
        "notice_count": standing.notice_count,
    }


def _operation(row: Row[Any]) -> Operation:
    within = row.request["within"]
    progress = row.progress
    return Operation(
        id=row.id,
        kind=row.kind,
        state=row.state,
        scope=row.scope,
        within=None if within is None else tuple(within),
        request=row.request["asked"],
        standing=Standing(
            progress["done"],
            progress["total"],
            progress["failed"],
            progress["counts"],
            tuple(Notice(*notice) for notice in progress["notices"]),
            progress["notice_count"],
        ),
        cancel_requested=row.cancel_requested,
        error_reason=row.error_reason,
        error_message=row.error_message,
        attempts=row.attempts,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
