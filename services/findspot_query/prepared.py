"""Statements compiled once and run by the driver: building and processing one again costs more than running it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import String

_SIZES = (1, 32, 128, 512)
"""Lengths of lists for which SQLite gets a statement of its own; shorter lists repeat their last value."""


@dataclass(frozen=True, slots=True)
class Shape:
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
        self._compiled: dict[Shape, tuple[str, Sequence[str] | None, dict[str, Any]]] = {}

    def rows(self, connection: Connection, **parameters: Any) -> Sequence[Sequence[Any]]:
        """All rows."""
        dialect = connection.dialect.name
        shape = Shape(dialect, 0)
        if self._listed and dialect == "sqlite":
            values = parameters.pop(self._listed)
            shape = Shape(dialect, next(size for size in _SIZES if size >= len(values)))
            padded = [*values, *[values[-1]] * (shape.size - len(values))]
            parameters.update(zip(_names(self._listed, shape.size), padded, strict=True))
        sql, order, constants = self._compiled.get(shape) or self._compile(shape, connection)
        named = {**constants, **parameters}
        given = named if order is None else tuple([named[name] for name in order])
        # The driver's own cursor: describing the columns to SQLAlchemy again each time takes longer than the query.
        driver: Any = connection.connection.driver_connection
        rows: Sequence[Sequence[Any]] = driver.execute(sql, given).fetchall()
        return rows

    def _compile(
        self, shape: Shape, connection: Connection
    ) -> tuple[str, Sequence[str] | None, dict[str, Any]]:
        compiled = self._build(shape).compile(dialect=connection.dialect)
        made = (str(compiled), getattr(compiled, "positiontup", None), dict(compiled.params))
        self._compiled[shape] = made
        return made


def any_of(shape: Shape, which: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """`which IN :name`."""
    if shape.dialect == "sqlite":
        return which.in_([bindparam(each) for each in _names(name, shape.size)])
    return which == func.any(bindparam(name, type_=ARRAY(String)))


def _names(name: str, size: int) -> list[str]:
    return [f"{name}_{number}" for number in range(size)]


def decoded(value: Any) -> Any:
    """A JSON column: SQLite gives its text, PostgreSQL what it means."""
    return json.loads(value) if isinstance(value, str) else value
