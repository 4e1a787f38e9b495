"""Qdrant's filter messages as filters of this service."""

from __future__ import annotations

from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from findspot.errors import InvalidArgument, NotYetAvailable
from findspot.stores.qdrant import wire
from findspot_vectors import filters
from findspot_vectors.wire_values import point_key

_MATCHES: dict[str, Any] = {
    "keyword": lambda m: filters.MatchValue(m.keyword),
    "integer": lambda m: filters.MatchValue(m.integer),
    "boolean": lambda m: filters.MatchValue(m.boolean),
    "keywords": lambda m: filters.MatchAny(tuple(m.keywords.strings)),
    "integers": lambda m: filters.MatchAny(tuple(m.integers.integers)),
    "except_keywords": lambda m: filters.MatchExcept(tuple(m.except_keywords.strings)),
    "except_integers": lambda m: filters.MatchExcept(tuple(m.except_integers.integers)),
    "text": lambda m: filters.MatchText(m.text),
    "text_any": lambda m: filters.MatchTextAny(m.text_any),
    "phrase": lambda m: filters.MatchPhrase(m.phrase),
}
_BOUNDS = ("gte", "gt", "lte", "lt")
_GEO = ("geo_bounding_box", "geo_radius", "geo_polygon")


def filter_in(message: Any) -> filters.Filter | None:
    """The filter of a request that has one, else None."""
    return filter_of(message.filter) if message.HasField("filter") else None


def filter_of(message: wire.Filter) -> filters.Filter:
    """A filter. Raises InvalidArgument for a condition without content, NotYetAvailable for kinds that are
    not served."""
    wanted = message.min_should if message.HasField("min_should") else None
    return filters.Filter(
        must=_conditions(message.must),
        should=_conditions(message.should),
        must_not=_conditions(message.must_not),
        min_should=None
        if wanted is None
        else filters.MinShould(_conditions(wanted.conditions), wanted.min_count),
    )


def _conditions(messages: Any) -> tuple[filters.Condition, ...]:
    return tuple(_condition(message) for message in messages)


def _condition(message: wire.Condition) -> filters.Condition:
    kind = message.WhichOneof("condition_one_of")
    match kind:
        case "field":
            return _field(message.field)
        case "filter":
            return filter_of(message.filter)
        case "has_id":
            return filters.HasId(frozenset(point_key(i) for i in message.has_id.has_id))
        case "is_empty":
            return filters.IsEmpty(message.is_empty.key)
        case "is_null":
            return filters.IsNull(message.is_null.key)
        case "has_vector":
            return filters.HasVector(message.has_vector.has_vector)
        case "nested":
            return filters.Nested(message.nested.key, filter_of(message.nested.filter))
        case None:
            raise InvalidArgument("Wrong input: a filter holds a condition without content.")
    raise NotYetAvailable(f"Filter conditions of the kind `{kind}` are not served; use a Qdrant server.")


def _field(message: Any) -> filters.FieldCondition:
    for name in _GEO:
        if message.HasField(name):
            raise NotYetAvailable(
                f"Filter conditions of the kind `{name}` are not served; use a Qdrant server."
            )
    condition = filters.FieldCondition(
        key=message.key,
        match=_match(message.match) if message.HasField("match") else None,
        range=_range(message),
        values_count=filters.CountRange(**_bounds(message.values_count))
        if message.HasField("values_count")
        else None,
        is_empty=message.is_empty if message.HasField("is_empty") else None,
        is_null=message.is_null if message.HasField("is_null") else None,
    )
    if condition == filters.FieldCondition(message.key):
        raise InvalidArgument(f"Wrong input: the condition on field `{message.key}` says nothing of it.")
    return condition


def _match(message: wire.Match) -> filters.Match:
    kind = message.WhichOneof("match_value")
    if kind is None:
        raise InvalidArgument("Wrong input: a match condition holds no value.")
    if kind not in _MATCHES:
        raise NotYetAvailable(f"Match conditions of the kind `{kind}` are not served; use a Qdrant server.")
    match: filters.Match = _MATCHES[kind](message)
    return match


def _range(message: wire.FieldCondition) -> filters.NumberRange | filters.TimeRange | None:
    if message.HasField("range"):
        return filters.NumberRange(**_bounds(message.range))
    if message.HasField("datetime_range"):
        return filters.TimeRange(**{k: _iso(v) for k, v in _bounds(message.datetime_range).items()})
    return None


def _bounds(message: Any) -> dict[str, Any]:
    return {name: getattr(message, name) for name in _BOUNDS if message.HasField(name)}


def _iso(time: Timestamp) -> str:
    """RFC 3339. Raises InvalidArgument for a time outside of the years 1 to 9999."""
    try:
        return time.ToJsonString()
    except ValueError as failure:
        raise InvalidArgument(f"Wrong input: a bound in time cannot be read: {failure}.") from failure
