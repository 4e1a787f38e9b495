"""Point ids, vectors and payloads as Qdrant's messages, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from findspot.errors import InvalidArgument
from findspot.stores.qdrant import wire
from findspot.stores.vectors.model import Vector, VectorPoint


def point_message(point: VectorPoint) -> wire.PointStruct:
    """A point to write."""
    return wire.PointStruct(
        id=wire.PointId(uuid=point.id),
        vectors=wire.Vectors(vector=wire.Vector(dense=dense(point.vector))),
        payload=payload_message(point.payload),
    )


def dense(vector: Vector) -> wire.DenseVector:
    """A dense vector."""
    return wire.DenseVector(data=vector.tolist() if isinstance(vector, np.ndarray) else vector)


def payload_message(payload: Mapping[str, Any]) -> dict[str, wire.Value]:
    """A payload. Raises InvalidArgument for a value that has no place in one, a float that is not finite
    among them."""
    return {key: _value(key, value) for key, value in payload.items()}


def vector_of(output: wire.VectorsOutput) -> NDArray[np.float32]:
    """The unnamed dense vector of an answer; older servers fill a field that newer ones call deprecated."""
    vector = output.vector
    data = vector.dense.data if vector.WhichOneof("vector") == "dense" else vector.data
    return np.asarray(data, dtype=np.float32)


def _value(key: str, value: Any) -> wire.Value:
    match value:
        case None:
            return wire.Value(null_value=wire.NullValue.NULL_VALUE)
        case bool():
            return wire.Value(bool_value=value)
        case int() if -(2**63) <= value < 2**63:
            return wire.Value(integer_value=value)
        case float() if np.isfinite(value):
            return wire.Value(double_value=value)
        case str():
            return wire.Value(string_value=value)
        case Mapping():
            return wire.Value(struct_value=wire.Struct(fields={k: _value(key, v) for k, v in value.items()}))
        case list() | tuple():
            return wire.Value(list_value=wire.ListValue(values=[_value(key, v) for v in value]))
    raise InvalidArgument(
        f"The payload field {key!r} holds {value!r} ({type(value).__name__}); "
        "it can hold None, bool, 64-bit int, finite float, str, and lists and maps of them."
    )
