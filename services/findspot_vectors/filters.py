"""Filters over payloads as frozen values, and their translation to the engine's classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import qdrant_edge

edge: Any = qdrant_edge
"""Untyped: the stubs of its constructors are narrower than what they take."""


@dataclass(frozen=True, slots=True)
class MatchValue:
    """The field is, or its array holds, exactly this value."""

    value: str | int | bool


@dataclass(frozen=True, slots=True)
class MatchAny:
    """The field is, or its array holds, one of these values (all strings or all integers)."""

    values: tuple[str, ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchExcept:
    """The field holds a value that is none of these."""

    values: tuple[str, ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchText:
    """The field's words hold all words of this text."""

    text: str


@dataclass(frozen=True, slots=True)
class MatchTextAny:
    """The field's words hold one of the words of this text."""

    text: str


@dataclass(frozen=True, slots=True)
class MatchPhrase:
    """The field's words hold this phrase."""

    phrase: str


Match = MatchValue | MatchAny | MatchExcept | MatchText | MatchTextAny | MatchPhrase


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Bounds for a number; None leaves a side open."""

    gte: float | None = None
    gt: float | None = None
    lte: float | None = None
    lt: float | None = None


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Bounds for a point in time, RFC 3339; None leaves a side open."""

    gte: str | None = None
    gt: str | None = None
    lte: str | None = None
    lt: str | None = None


@dataclass(frozen=True, slots=True)
class CountRange:
    """Bounds for the number of values of a field; None leaves a side open."""

    gte: int | None = None
    gt: int | None = None
    lte: int | None = None
    lt: int | None = None


@dataclass(frozen=True, slots=True)
class FieldCondition:
    """What must hold of one field, named by its JSON path."""

    key: str
    match: Match | None = None
    range: NumberRange | TimeRange | None = None
    values_count: CountRange | None = None
    is_empty: bool | None = None
    is_null: bool | None = None


@dataclass(frozen=True, slots=True)
class IsEmpty:
    """The field is missing, null or an empty array."""

    key: str


@dataclass(frozen=True, slots=True)
class IsNull:
    """The field is there, and null."""

    key: str


@dataclass(frozen=True, slots=True)
class HasId:
    """The point is one of these."""

    keys: frozenset[int | UUID]


@dataclass(frozen=True, slots=True)
class HasVector:
    """The point has this vector."""

    name: str


@dataclass(frozen=True, slots=True)
class Nested:
    """One element of the array at `key` passes the whole filter."""

    key: str
    filter: Filter


@dataclass(frozen=True, slots=True)
class MinShould:
    """At least `count` of the conditions hold."""

    conditions: tuple[Condition, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Filter:
    """All of `must`, none of `must_not`, one of `should` (when there is any), and `min_should`."""

    must: tuple[Condition, ...] = ()
    should: tuple[Condition, ...] = ()
    must_not: tuple[Condition, ...] = ()
    min_should: MinShould | None = None


Condition = FieldCondition | IsEmpty | IsNull | HasId | HasVector | Nested | Filter


def to_engine(where: Filter) -> Any:
    """The engine's filter. Raises ValueError from the engine for a path or a date that it cannot read."""
    return edge.Filter(
        must=[_condition(c) for c in where.must] or None,
        should=[_condition(c) for c in where.should] or None,
        must_not=[_condition(c) for c in where.must_not] or None,
        min_should=None if where.min_should is None else _min_should(where.min_should),
    )


def _min_should(wanted: MinShould) -> Any:
    return edge.MinShould(conditions=[_condition(c) for c in wanted.conditions], min_count=wanted.count)


def _condition(condition: Condition) -> Any:
    match condition:
        case FieldCondition():
            return _field(condition)
        case Filter():
            return to_engine(condition)
        case HasId(keys):
            return edge.HasIdCondition(set(keys))
        case IsEmpty(key):
            return edge.IsEmptyCondition(key)
        case IsNull(key):
            return edge.IsNullCondition(key)
        case HasVector(name):
            return edge.HasVectorCondition(name)
        case Nested(key, inner):
            return edge.NestedCondition(key=key, filter=to_engine(inner))


def _field(condition: FieldCondition) -> Any:
    count = condition.values_count
    return edge.FieldCondition(
        key=condition.key,
        match=None if condition.match is None else _match(condition.match),
        range=None if condition.range is None else _range(condition.range),
        values_count=None
        if count is None
        else edge.ValuesCount(gte=count.gte, gt=count.gt, lte=count.lte, lt=count.lt),
        is_empty=condition.is_empty,
        is_null=condition.is_null,
    )


def _range(bounds: NumberRange | TimeRange) -> Any:
    kind = edge.RangeFloat if isinstance(bounds, NumberRange) else edge.RangeDateTime
    return kind(gte=bounds.gte, gt=bounds.gt, lte=bounds.lte, lt=bounds.lt)


def _match(match_: Match) -> Any:
    match match_:
        case MatchValue(value):
            # The engine's binding takes Python's bool for an integer, which no boolean equals; not numpy's.
            return edge.MatchValue(np.bool_(value) if isinstance(value, bool) else value)
        case MatchAny(values):
            return edge.MatchAny(list(values))
        case MatchExcept(values):
            return edge.MatchExcept(list(values))
        case MatchText(text):
            return edge.MatchText(text)
        case MatchTextAny(text):
            return edge.MatchTextAny(text)
        case MatchPhrase(phrase):
            return edge.MatchPhrase(phrase)
