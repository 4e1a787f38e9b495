"""What the vector service works with: collections, points, queries and their answers, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from findspot_vectors.filters import Filter

PointKey = int | UUID
"""A point's id: an unsigned 64-bit integer or a UUID."""

NamedVectors = Mapping[str, Sequence[float]]
"""Dense vectors by name; the single unnamed vector of a collection has the name ""."""

MAX_BATCH = 256
"""Points in one engine call. The engine holds the interpreter lock all through a call: longer ones stall
every query."""


class Distance(StrEnum):
    """How two vectors are compared."""

    COSINE = "Cosine"
    DOT = "Dot"
    EUCLID = "Euclid"
    MANHATTAN = "Manhattan"


class IndexKind(StrEnum):
    """What a payload field holds, for its index."""

    KEYWORD = "keyword"
    INTEGER = "integer"
    FLOAT = "float"
    BOOL = "bool"
    DATETIME = "datetime"
    UUID = "uuid"
    TEXT = "text"


class UpsertMode(StrEnum):
    """What an upsert may do: insert and replace, only insert, only replace."""

    UPSERT = "upsert"
    INSERT_ONLY = "insert_only"
    UPDATE_ONLY = "update_only"


@dataclass(frozen=True, slots=True)
class VectorParams:
    """Dimension and distance of one vector of a collection."""

    size: int
    distance: Distance


@dataclass(frozen=True, slots=True)
class FieldIndex:
    """The index of one payload field; options are those of its kind ("range", "lookup", "tokenizer", ...)."""

    kind: IndexKind
    options: Mapping[str, bool | int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewPoint:
    """A point to write."""

    key: PointKey
    vectors: NamedVectors
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Selector:
    """Which parts of a payload, or which vectors, an answer carries: all, none, or by name."""

    everything: bool = False
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None


ALL = Selector(everything=True)
NONE = Selector()


@dataclass(frozen=True, slots=True)
class PointsChosen:
    """The points that a change applies to: by id, or by filter (exactly one is set)."""

    keys: tuple[PointKey, ...] | None = None
    where: Filter | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """One query: nearest to a vector, nearest to a stored point, or (neither) all that pass the filter, by
    id."""

    limit: int
    vector: Sequence[float] | None = None
    like: PointKey | None = None
    using: str = ""
    offset: int = 0
    where: Filter | None = None
    score_threshold: float | None = None
    exact: bool = False
    hnsw_ef: int | None = None
    payload: Selector = NONE
    vectors: Selector = NONE


@dataclass(frozen=True, slots=True)
class Scroll:
    """One page of points in the order of their ids, from `offset` on (inclusive)."""

    limit: int
    offset: PointKey | None = None
    where: Filter | None = None
    payload: Selector = ALL
    vectors: Selector = NONE


@dataclass(frozen=True, slots=True)
class FoundPoint:
    """A point of an answer; `score` is None when nothing was ranked, payload and vectors when not asked
    for."""

    key: PointKey
    score: float | None = None
    version: int = 0
    payload: Mapping[str, Any] | None = None
    vectors: NamedVectors | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a shard holds, as the engine counts it."""

    points: int
    segments: int
    in_graph: int
    """Vectors that a graph was built for; the others are searched one by one."""
    indexed: Mapping[str, int]
    """Points in the index of each payload field."""


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """An index and how many points have a value in it."""

    index: FieldIndex
    points: int


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """What a collection is and holds; `error` names what is wrong with its files, empty when nothing is."""

    vectors: Mapping[str, VectorParams]
    indexes: Mapping[str, IndexInfo]
    points: int
    segments: int
    indexed_vectors: int
    created: float
    """Unix seconds."""
    error: str = ""
    busy: bool = False
    """True while its files are being built or written anew."""
