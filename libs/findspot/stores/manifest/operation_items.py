"""The items of an operation, documents for one: which are still to be done, and how the others ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, func, select, update

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, insert_missing

WAITING = "WAITING"


def add(connection: Connection, operation_id: str, items: Iterable[str], state: str = WAITING) -> None:
    """Note items of an operation; one that is noted already stays as it is."""
    rows = [{"operation_id": operation_id, "item": item, "state": state} for item in items]
    insert_missing(connection, t.operation_items, rows, keys=("operation_id", "item"))


def of(connection: Connection, operation_id: str, state: str, limit: int, after: str = "") -> list[str]:
    """Up to `limit` items in a state, in order, those behind `after`."""
    i = t.operation_items.c
    wanted = (
        select(i.item)
        .where(i.operation_id == operation_id, i.state == state, i.item > after)
        .order_by(i.item)
        .limit(limit)
    )
    return [row[0] for row in connection.execute(wanted)]


def move(connection: Connection, operation_id: str, items: Sequence[str], state: str) -> None:
    """Put items into another state."""
    i = t.operation_items.c
    if items:
        connection.execute(
            update(t.operation_items)
            .where(i.operation_id == operation_id, among(i.item, items))
            .values(state=state)
        )


def counts(connection: Connection, operation_id: str) -> Mapping[str, int]:
    """How many items there are, by state."""
    i = t.operation_items.c
    wanted = select(i.state, func.count()).where(i.operation_id == operation_id).group_by(i.state)
    return {row[0]: row[1] for row in connection.execute(wanted)}
