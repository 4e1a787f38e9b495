"""Statements compiled once and run by the driver: building and processing one again costs more than running it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import String

from findspot.stores.manifest.words import storable

_SIZES = (1, 32, 128, 512)
"""Lengths of lists for which SQLite gets a statement of its own; shorter lists repeat their last value."""


class Shape(NamedTuple):
    """What a statement is compiled for: a dialect, and where that needs it a length of the list."""

    dialect: str
    size: int


Build = Callable[[Shape], Select[Any]]


class Prepared:
    """A SELECT with named parameters. Rows come as the driver gives them: JSON columns go through `decoded`."""

    def __init__(self, build: Build, listed: str = "") -> None:
        """`listed` is the parameter that `any_of` made, if there is one: it takes a list of 1 to 512 values."""
        self._build = build
        self._listed = listed
        self._compiled: dict[Shape, _Compiled] = {}

    def rows(self, connection: Connection, **parameters: Any) -> Sequence[Sequence[Any]]:
        """All rows."""
        dialect = connection.dialect.name
        expanded = bool(self._listed) and dialect == "sqlite"
        values: list[Any] = parameters.pop(self._listed) if expanded else []
        size = next(size for size in _SIZES if size >= len(values)) if expanded else 0
        shape = Shape(dialect, size)
        compiled = self._compiled.get(shape)
        if compiled is None:
            compiled = self._compiled[shape] = self._compile(shape, connection)
        named = {**compiled.constants, **{name: _given(value) for name, value in parameters.items()}}
        given: Any = named
        if compiled.before is not None:
            spread = [*values, *values[-1:] * (size - len(values))]
            before, after = compiled.before, compiled.after
            given = [*[named[name] for name in before], *spread, *[named[name] for name in after]]
        # The driver's own cursor: describing the columns to SQLAlchemy again each time takes longer than the query.
        driver: Any = connection.connection.driver_connection
        rows: Sequence[Sequence[Any]] = driver.execute(compiled.sql, given).fetchall()
        return rows

    def _compile(self, shape: Shape, connection: Connection) -> _Compiled:
        compiled = self._build(shape).compile(dialect=connection.dialect)
        order: list[str] | None = getattr(compiled, "positiontup", None)
        if order is None:
            return _Compiled(str(compiled), dict(compiled.params), None, ())
        names = _names(self._listed, shape.size)
        first = order.index(names[0]) if names else len(order)
        before, after = tuple(order[:first]), tuple(order[first + len(names) :])
        return _Compiled(str(compiled), dict(compiled.params), before, after)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The words of a statement, and where parameters by position stand: around the list, which stands in one piece."""

    sql: str
    constants: dict[str, Any]
    before: tuple[str, ...] | None
    """None where the dialect takes parameters by name."""
    after: tuple[str, ...]


def any_of(shape: Shape, which: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """`which IN :name`."""
    if shape.dialect == "sqlite":
        return which.in_([bindparam(each) for each in _names(name, shape.size)])
    return which == func.any(bindparam(name, type_=ARRAY(String)))


def _names(name: str, size: int) -> list[str]:
    return [f"{name}_{number}" for number in range(size)]


def _given(value: Any) -> Any:
    # As the columns' own type does it when something is stored.
    return storable(value) if isinstance(value, str) else value


def decoded(value: Any) -> Any:
    """A JSON column: SQLite gives its text, PostgreSQL what it means."""
    return json.loads(value) if isinstance(value, str) else value
