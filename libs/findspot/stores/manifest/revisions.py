"""The revision: one number that rises with every change somebody could see."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Connection, select

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import insert_of


def raise_revision(connection: Connection) -> int:
    """Raise the revision by one and return it."""
    return int(connection.execute(_raise(connection.dialect.name)).scalar_one())


@cache
def _raise(dialect: str) -> Any:
    statement = insert_of(dialect, t.revision).values(id=1, value=1)
    return statement.on_conflict_do_update(
        index_elements=["id"], set_={"value": t.revision.c.value + 1}
    ).returning(t.revision.c.value)


def current(connection: Connection) -> int:
    """The revision; 0 before the first change."""
    return connection.execute(select(t.revision.c.value)).scalar_one_or_none() or 0
