"""One Qdrant Edge shard: its files made and opened, changes applied, points read. All calls hold the
interpreter lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from findspot_vectors import answers
from findspot_vectors.disk import sync_tree
from findspot_vectors.engine_errors import engine_errors
from findspot_vectors.filters import Filter, edge, to_engine
from findspot_vectors.model import (
    FieldIndex,
    FoundPoint,
    PointKey,
    Scroll,
    Search,
    Selector,
    Statistics,
    VectorParams,
)
from findspot_vectors.searches import engine_query
from findspot_vectors.writes import IndexField, Write, engine_operations

_NEVER = 1_000_000_000
"""Indexing threshold in KB: a graph is built on a copy by another process, see `rebuilds`, never in the
one that serves."""
LINKS = 16
"""Links of a point in the graph; more find better and take more memory."""
BUILD_BREADTH = 128
"""Candidates looked at when a point is linked into the graph, and by default in a search of it."""
FULL_SCAN_KB = 10_000
"""Searches whose filter leaves fewer vectors than this many KB look at all of them: exact, and faster than
the graph."""


class Engine:
    """An open shard. Raises the errors of `engine_errors` throughout."""

    def __init__(self, name: str, directory: Path, params: Mapping[str, VectorParams], shard: Any) -> None:
        """Takes an open shard: use `create` or `load`."""
        self.directory = directory
        self._name = name
        self._params = params
        self._shard = shard

    @classmethod
    def create(cls, name: str, directory: Path, params: Mapping[str, VectorParams]) -> Engine:
        """Makes the files of a new shard, durable before it returns."""
        with engine_errors(name):
            shard = edge.EdgeShard.create(str(directory), engine_config(params))
            shard.flush()
        sync_tree(directory)
        return cls(name, directory, params, shard)

    @classmethod
    def load(
        cls, name: str, directory: Path, params: Mapping[str, VectorParams], indexes: Mapping[str, FieldIndex]
    ) -> Engine:
        """Opens a shard. What its log holds beyond the files is replayed, indexes that the files lack are
        built."""
        with engine_errors(name):
            engine = cls(name, directory, params, edge.EdgeShard.load(str(directory), engine_config(params)))
            there = engine._shard.info().payload_schema
        for field, index in indexes.items():
            if field not in there:
                for _ in engine.apply(IndexField(field, index)):
                    pass
        return engine

    def apply(self, write: Write) -> Iterator[None]:
        """Applies a change part by part, yielding between the parts."""
        with engine_errors(self._name):
            for operation in engine_operations(write):
                self._shard.update(operation)
                yield

    def get(self, keys: Sequence[PointKey], payload: Selector, vectors: Selector) -> list[FoundPoint]:
        """The points that are there, in the order asked for."""
        with engine_errors(self._name):
            records = self._shard.retrieve(
                list(keys), answers.engine_payload(payload), answers.engine_vectors(vectors)
            )
            found = {point.key: point for point in (answers.record(r, vectors) for r in records)}
        return [found[key] for key in dict.fromkeys(keys) if key in found]

    def scroll(self, page: Scroll) -> tuple[list[FoundPoint], PointKey | None]:
        """A page of points in the order of ids, and the id that the next page starts with."""
        with engine_errors(self._name):
            request = edge.ScrollRequest(
                offset=page.offset,
                limit=page.limit,
                filter=None if page.where is None else to_engine(page.where),
                with_payload=answers.engine_payload(page.payload),
                with_vector=answers.engine_vectors(page.vectors),
            )
            records, following = self._shard.scroll(request)
            return [answers.record(r, page.vectors) for r in records], following

    def count(self, where: Filter | None) -> int:
        """How many points pass, counted exactly."""
        with engine_errors(self._name):
            wanted = None if where is None else to_engine(where)
            return int(self._shard.count(edge.CountRequest(exact=True, filter=wanted)))

    def search(self, searches: Sequence[Search]) -> list[list[FoundPoint]]:
        """One ranked list a search."""
        with engine_errors(self._name):
            requests = [engine_query(self._params, search, self._vector_of) for search in searches]
            if len(requests) == 1:
                ranked = [self._shard.query(requests[0])]
            else:
                ranked = self._shard.query_batch(edge.QueryBatchRequest(requests))
            return [
                [answers.scored(point, search) for point in points]
                for search, points in zip(searches, ranked, strict=True)
            ]

    def statistics(self) -> Statistics:
        """What the shard holds."""
        with engine_errors(self._name):
            info = self._shard.info()
            return Statistics(
                points=self.count(None),
                segments=int(info.segments_count),
                in_graph=int(info.indexed_vectors_count),
                indexed={field: int(index.points) for field, index in info.payload_schema.items()},
            )

    def flush(self) -> None:
        """Writes the engine's files and empties its log."""
        with engine_errors(self._name):
            self._shard.flush()

    def close(self) -> None:
        """Frees the files; every call after this raises Unavailable."""
        with engine_errors(self._name):
            self._shard.close()

    def _vector_of(self, key: PointKey, name: str) -> Sequence[float]:
        return answers.vector_of(self._shard.retrieve([key], False, True), key, name)


def engine_config(params: Mapping[str, VectorParams], graph_above_kb: int = _NEVER, threads: int = 1) -> Any:
    """The engine's configuration; vectors beyond `graph_above_kb` get a graph when the engine is told to
    optimize."""
    vectors = {
        name: edge.EdgeVectorParams(size=p.size, distance=getattr(edge.Distance, p.distance.value))
        for name, p in params.items()
    }
    return edge.EdgeConfig(
        vectors=vectors[""] if list(vectors) == [""] else vectors,
        hnsw_config=edge.HnswIndexConfig(LINKS, BUILD_BREADTH, FULL_SCAN_KB, max_indexing_threads=threads),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=graph_above_kb, default_segment_number=1),
        max_search_threads=1,
    )
