"""The few places where SQLite and PostgreSQL need different words for the same statement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, Table, bindparam, column, func, select
from sqlalchemy.dialects import postgresql, sqlite

Insert = sqlite.Insert | postgresql.Insert


def insert(connection: Connection, table: Table) -> Any:
    """An INSERT that knows `on_conflict_do_update`; typed Any, because the two dialects share no base."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def among(connection: Connection, which: ColumnElement[Any], values: Sequence[str]) -> ColumnElement[bool]:
    """`which IN values` with one parameter however many values there are: one statement, compiled once."""
    if connection.dialect.name == "sqlite":
        given = func.json_each(bindparam(None, json.dumps(list(values)), type_=String, unique=True))
        return which.in_(select(column("value")).select_from(given.table_valued("value")))
    return which == func.any(bindparam(None, list(values), type_=postgresql.ARRAY(String), unique=True))
