"""Qdrant's point, vector and selector messages, to and from the values of this service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from findspot.errors import InvalidArgument, NotYetAvailable
from findspot.stores.qdrant import wire
from findspot_vectors.model import (
    ALL,
    NONE,
    FoundPoint,
    NamedVectors,
    NewPoint,
    PointsChosen,
    Selector,
    UpsertMode,
)
from findspot_vectors.wire_filters import filter_of
from findspot_vectors.wire_values import payload_message, payload_of, point_id, point_key
from findspot_vectors.writes import Upsert

_MODES = {
    wire.UpdateMode.Upsert: UpsertMode.UPSERT,
    wire.UpdateMode.InsertOnly: UpsertMode.INSERT_ONLY,
    wire.UpdateMode.UpdateOnly: UpsertMode.UPDATE_ONLY,
}


def upsert_of(request: wire.UpsertPoints) -> Upsert:
    """The upsert asked for. Raises InvalidArgument for a mode this version does not know."""
    if request.update_mode not in _MODES:
        raise InvalidArgument(f"Wrong input: {request.update_mode} is no update mode.")
    return Upsert(
        points=[
            NewPoint(point_key(m.id), _vectors_of(m.vectors), payload_of(m.payload) if m.payload else {})
            for m in request.points
        ],
        mode=_MODES[request.update_mode],
        only=filter_of(request.update_filter) if request.HasField("update_filter") else None,
    )


def chosen_by(selector: wire.PointsSelector) -> PointsChosen:
    """The points that a change applies to. Raises InvalidArgument when the selector is empty."""
    kind = selector.WhichOneof("points_selector_one_of")
    if kind == "filter":
        return PointsChosen(where=filter_of(selector.filter))
    if kind == "points":
        return PointsChosen(keys=tuple(point_key(i) for i in selector.points.ids))
    raise InvalidArgument("Wrong input: the request selects no points; give ids or a filter.")


def payload_selector(message: wire.WithPayloadSelector) -> Selector:
    """Which fields of the payload to return."""
    match message.WhichOneof("selector_options"):
        case "include":
            return Selector(include=tuple(message.include.fields))
        case "exclude":
            return Selector(exclude=tuple(message.exclude.fields))
    return ALL if message.enable else NONE


def vectors_selector(message: wire.WithVectorsSelector) -> Selector:
    """Which vectors to return."""
    if message.WhichOneof("selector_options") == "include":
        return Selector(include=tuple(message.include.names))
    return ALL if message.enable else NONE


def dense_of(message: wire.Vector) -> Sequence[float]:
    """A dense vector, in the current or in the deprecated form. Raises NotYetAvailable for every other
    kind."""
    kind = message.WhichOneof("vector")
    if kind == "dense":
        return list(message.dense.data)
    if kind is None and not message.HasField("indices") and message.vectors_count <= 1:
        return list(message.data)
    raise _dense_only(kind or "sparse")


def input_dense(message: wire.VectorInput) -> Sequence[float]:
    """The dense vector of a query. Raises NotYetAvailable for every other kind."""
    kind = message.WhichOneof("variant")
    if kind != "dense":
        raise _dense_only(kind or "empty")
    return list(message.dense.data)


def scored_message(point: FoundPoint) -> wire.ScoredPoint:
    """A point of a ranked list."""
    return wire.ScoredPoint(
        id=point_id(point.key),
        score=0.0 if point.score is None else point.score,
        version=point.version,
        payload=payload_message(point.payload),
        vectors=_vectors_message(point.vectors),
    )


def retrieved_message(point: FoundPoint) -> wire.RetrievedPoint:
    """A point without a score."""
    return wire.RetrievedPoint(
        id=point_id(point.key),
        payload=payload_message(point.payload),
        vectors=_vectors_message(point.vectors),
    )


def _vectors_of(message: wire.Vectors) -> NamedVectors:
    kind = message.WhichOneof("vectors_options")
    if kind == "vector":
        return {"": dense_of(message.vector)}
    return {name: dense_of(vector) for name, vector in message.vectors.vectors.items()}


def _vectors_message(vectors: NamedVectors | None) -> wire.VectorsOutput | None:
    if vectors is None:
        return None
    if list(vectors) == [""]:
        return wire.VectorsOutput(vector=_dense_message(vectors[""]))
    named: Mapping[str, Any] = {name: _dense_message(vector) for name, vector in vectors.items()}
    return wire.VectorsOutput(vectors=wire.NamedVectorsOutput(vectors=named))


def _dense_message(vector: Sequence[float]) -> wire.VectorOutput:
    return wire.VectorOutput(dense=wire.DenseVector(data=vector))


def _dense_only(kind: str) -> NotYetAvailable:
    return NotYetAvailable(
        f"Vectors of the kind `{kind}` are not served, only dense ones; use a Qdrant server."
    )
