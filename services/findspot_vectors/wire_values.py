"""Qdrant's point ids and payload values, to and from Python's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from findspot.errors import FieldViolation, InvalidArgument
from findspot.stores.qdrant import wire
from findspot_vectors.model import PointKey

_INT64 = range(-(2**63), 2**63)


def point_key(point_id: wire.PointId) -> PointKey:
    """The id of a message. Raises InvalidArgument for none and for a string that is no UUID."""
    kind = point_id.WhichOneof("point_id_options")
    if kind == "num":
        return point_id.num
    if kind is None:
        raise InvalidArgument("Wrong input: a point id is missing; give a number or a UUID.")
    try:
        return UUID(point_id.uuid)
    except ValueError:
        raise InvalidArgument(
            f"Wrong input: Unable to parse UUID: {point_id.uuid[:80]!r}; a point id is a number or a UUID.",
            fields=(FieldViolation("id", f"{point_id.uuid[:80]!r} is no UUID"),),
        ) from None


def point_id(key: PointKey) -> wire.PointId:
    """The message of an id."""
    return wire.PointId(num=key) if isinstance(key, int) else wire.PointId(uuid=str(key))


def payload_of(fields: Mapping[str, wire.Value]) -> dict[str, Any]:
    """A payload from its message."""
    return {key: value_of(value) for key, value in fields.items()}


def value_of(value: wire.Value) -> Any:
    """One value: None, bool, int, float, str, list or dict. A value without any kind is None."""
    kind = value.WhichOneof("kind")
    if kind is None or kind == "null_value":
        return None
    if kind == "struct_value":
        return payload_of(value.struct_value.fields)
    if kind == "list_value":
        return [value_of(item) for item in value.list_value.values]
    return getattr(value, kind)


def payload_message(payload: Mapping[str, Any] | None) -> dict[str, wire.Value]:
    """The message of a payload."""
    return {key: value_message(value) for key, value in (payload or {}).items()}


def value_message(value: Any) -> wire.Value:
    """The message of one value; an integer beyond 64 bits becomes a double, for the message has nothing
    wider."""
    match value:
        case None:
            return wire.Value(null_value=wire.NullValue.NULL_VALUE)
        case bool():
            return wire.Value(bool_value=value)
        case int() if value in _INT64:
            return wire.Value(integer_value=value)
        case int() | float():
            return wire.Value(double_value=float(value))
        case str():
            return wire.Value(string_value=value)
        case Mapping():
            return wire.Value(struct_value=wire.Struct(fields=payload_message(value)))
        case _:
            return wire.Value(list_value=wire.ListValue(values=[value_message(item) for item in value]))
