"""Changes of a collection as values: applied to an engine now, and once more to its copy when one is being
made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from findspot_vectors.filters import Filter, edge, to_engine
from findspot_vectors.indexes import engine_index
from findspot_vectors.model import MAX_BATCH, FieldIndex, NewPoint, PointsChosen, UpsertMode

Item = TypeVar("Item")

_MODES = {
    UpsertMode.UPSERT: edge.UpdateMode.Upsert,
    UpsertMode.INSERT_ONLY: edge.UpdateMode.InsertOnly,
    UpsertMode.UPDATE_ONLY: edge.UpdateMode.UpdateOnly,
}


@dataclass(frozen=True, slots=True)
class Upsert:
    """Inserts or replaces points; with `only`, replaces just those that pass it."""

    points: Sequence[NewPoint]
    mode: UpsertMode = UpsertMode.UPSERT
    only: Filter | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Deletes points; ids that are not there are no error."""

    chosen: PointsChosen


@dataclass(frozen=True, slots=True)
class SetPayload:
    """Sets fields of payloads (under `key` where one is given), or replaces them whole.

    NotFound when an id is not there; the others of its part are changed all the same.
    """

    chosen: PointsChosen
    payload: Mapping[str, Any]
    overwrite: bool = False
    key: str | None = None


@dataclass(frozen=True, slots=True)
class IndexField:
    """Builds the index of a payload field over all points."""

    field: str
    index: FieldIndex


Write = Upsert | Delete | SetPayload | IndexField


def size_of(write: Write) -> int:
    """Points written or changed, 1 where that is not known beforehand."""
    match write:
        case Upsert(points):
            return len(points)
        case Delete(chosen) | SetPayload(chosen):
            return len(chosen.keys or (0,))
        case IndexField():
            return 1


def engine_operations(write: Write) -> Iterator[Any]:
    """The engine's operations, in order, each of at most `MAX_BATCH` points."""
    make = edge.UpdateOperation
    match write:
        case Upsert():
            yield from _upserts(write)
        case IndexField(field, index):
            yield make.create_field_index(field, engine_index(index))
        case Delete(PointsChosen(where=None, keys=keys)):
            for part in _parts(keys or ()):
                yield make.delete_points(list(part))
        case Delete(chosen) if chosen.where is not None:
            yield make.delete_points_by_filter(to_engine(chosen.where))
        case SetPayload():
            yield from _set_payloads(write)


def _upserts(write: Upsert) -> Iterator[Any]:
    only = None if write.only is None else to_engine(write.only)
    for part in _parts(write.points):
        points = [edge.Point(p.key, _vectors(p), dict(p.payload)) for p in part]
        yield edge.UpdateOperation.upsert_points(points, only, _MODES[write.mode])


def _set_payloads(write: SetPayload) -> Iterator[Any]:
    make, payload = edge.UpdateOperation, dict(write.payload)
    if write.chosen.where is not None:
        by_filter = make.overwrite_payload_by_filter if write.overwrite else make.set_payload_by_filter
        yield by_filter(to_engine(write.chosen.where), payload, write.key)
        return
    by_ids = make.overwrite_payload if write.overwrite else make.set_payload
    for part in _parts(write.chosen.keys or ()):
        yield by_ids(list(part), payload, write.key)


def _vectors(point: NewPoint) -> Any:
    unnamed = point.vectors.get("")
    return unnamed if unnamed is not None else dict(point.vectors)


def _parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), MAX_BATCH):
        yield items[start : start + MAX_BATCH]
