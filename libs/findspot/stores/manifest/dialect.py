"""The few places where SQLite and PostgreSQL need different words for the same statement.

Statements are built once and kept: building one takes longer than running it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, Text, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.visitors import InternalTraversal
from sqlalchemy.types import Boolean

from findspot.stores.manifest.words import storable

Row = Mapping[str, Any]
"""The columns of one row, by name."""


@cache
def insert_of(dialect: str, table: Table) -> Any:
    """An INSERT that knows `on_conflict_do_update`; typed Any, because the two dialects share no base."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


def upsert(
    connection: Connection, table: Table, rows: Sequence[Row], *, keys: tuple[str, ...], only: str = ""
) -> None:
    """Insert rows; one whose keys are there already replaces it, `only` while that is in this state."""
    if rows:
        connection.execute(_upsert(connection.dialect.name, table, keys, tuple(rows[0]), only), list(rows))


@cache
def _upsert(dialect: str, table: Table, keys: tuple[str, ...], names: tuple[str, ...], only: str) -> Any:
    statement = insert_of(dialect, table)
    replaced = {name: statement.excluded[name] for name in names if name not in keys}
    where = table.c.state == only if only else None
    return statement.on_conflict_do_update(index_elements=keys, set_=replaced, where=where)


def insert_missing(
    connection: Connection, table: Table, rows: Sequence[Row], *, keys: tuple[str, ...]
) -> None:
    """Insert rows; one whose keys are there already changes nothing."""
    if rows:
        connection.execute(_insert_missing(connection.dialect.name, table, keys), list(rows))


@cache
def _insert_missing(dialect: str, table: Table, keys: tuple[str, ...]) -> Any:
    return insert_of(dialect, table).on_conflict_do_nothing(index_elements=keys)


class _Among(ColumnElement[bool]):
    """`which IN values` with one parameter, a JSON list, however many values there are."""

    __visit_name__ = "findspot_among"
    _traverse_internals = [  # noqa: RUF012 - as the base class declares it
        ("which", InternalTraversal.dp_clauseelement),
        ("values", InternalTraversal.dp_clauseelement),
    ]
    type = Boolean()
    # Else SQLite, which has no booleans, is asked for `(which IN values) = 1`: no index answers that.
    _is_implicitly_boolean = True

    def __init__(self, which: ColumnElement[Any], values: Sequence[str]) -> None:
        self.which = which
        self.values = bindparam(
            None, json.dumps([storable(value) for value in values]), type_=Text(), unique=True
        )


@compiles(_Among, "sqlite")
def _sqlite(element: _Among, compiler: Any, **options: Any) -> str:
    which, values = compiler.process(element.which, **options), compiler.process(element.values, **options)
    return f"{which} IN (SELECT value FROM json_each({values}))"


@compiles(_Among, "postgresql")
def _postgresql(element: _Among, compiler: Any, **options: Any) -> str:
    which, values = compiler.process(element.which, **options), compiler.process(element.values, **options)
    return f"{which} IN (SELECT json_array_elements_text(CAST({values} AS json)))"


def among(which: ColumnElement[Any], values: Sequence[str]) -> ColumnElement[bool]:
    """`which IN values` with one parameter: one statement, compiled once, however many values there are."""
    return _Among(which, values)


class _RowByRow(ColumnElement[Any]):
    """A column that SQLite compares in the rows it has come to, and never looks up in an index."""

    __visit_name__ = "findspot_row_by_row"
    _traverse_internals = [  # noqa: RUF012 - as the base class declares it
        ("column", InternalTraversal.dp_clauseelement),
    ]

    def __init__(self, column: ColumnElement[Any]) -> None:
        self.column = column
        self.type = column.type


@compiles(_RowByRow, "sqlite")
def _unindexed(element: _RowByRow, compiler: Any, **options: Any) -> str:
    return f"+{compiler.process(element.column, **options)}"


@compiles(_RowByRow, "postgresql")
def _as_it_is(element: _RowByRow, compiler: Any, **options: Any) -> str:
    return str(compiler.process(element.column, **options))


def row_by_row(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column that says little, a state for one, beside a list of ids that says nearly all.

    SQLite knows no frequencies: without this it looks through all rows of a state rather than for some ids.
    """
    return _RowByRow(column)
