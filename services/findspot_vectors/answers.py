"""The engine's records and scored points as values, and which of their parts it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from findspot.errors import InvalidArgument, NotFound, Reason
from findspot_vectors.filters import edge
from findspot_vectors.model import FoundPoint, NamedVectors, PointKey, Search, Selector


def engine_payload(chosen: Selector) -> Any:
    """The engine's way to say which fields of the payload to return."""
    if chosen.include is not None:
        return list(chosen.include)
    if chosen.exclude is not None:
        return edge.PayloadSelector.Exclude(list(chosen.exclude))
    return chosen.everything


def engine_vectors(chosen: Selector) -> Any:
    """The engine's way to say which vectors to return."""
    return list(chosen.include) if chosen.include is not None else chosen.everything


def record(point: Any, vectors: Selector) -> FoundPoint:
    """A record: it has no score."""
    return FoundPoint(key=point.id, payload=point.payload, vectors=_vectors(point, vectors))


def scored(point: Any, search: Search) -> FoundPoint:
    """A point of a ranked list."""
    return FoundPoint(
        key=point.id,
        score=point.score,
        version=point.version,
        payload=point.payload,
        vectors=_vectors(point, search.vectors),
    )


def vector_of(records: Sequence[Any], key: PointKey, name: str) -> Sequence[float]:
    """The vector of the one record asked for. Raises NotFound without the record, InvalidArgument without
    the vector."""
    if not records:
        raise NotFound(f"Not found: No point with id {key} found", reason=Reason.CHUNK_NOT_FOUND)
    stored = records[0].vector
    named = stored if isinstance(stored, dict) else {"": stored}
    if not named.get(name):
        raise InvalidArgument(
            f"Wrong input: point {key} has no vector {name!r}; search with a vector instead."
        )
    vector: Sequence[float] = named[name]
    return vector


def _vectors(point: Any, chosen: Selector) -> NamedVectors | None:
    if not chosen.everything and chosen.include is None:
        return None
    stored = point.vector
    if isinstance(stored, dict):
        return stored
    return {} if stored is None else {"": stored}
