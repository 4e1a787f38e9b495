"""One collection as one Qdrant Edge shard: its writes, made durable, and its reads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from findspot_vectors import answers
from findspot_vectors.disk import sync_tree
from findspot_vectors.durability import WriteAheadLog
from findspot_vectors.engine_errors import engine_errors
from findspot_vectors.filters import Filter, edge, to_engine
from findspot_vectors.flushing import Flusher, FlushPolicy
from findspot_vectors.indexes import engine_index
from findspot_vectors.model import (
    MAX_BATCH,
    FieldIndex,
    FoundPoint,
    NewPoint,
    PointKey,
    PointsChosen,
    Scroll,
    Search,
    Selector,
    UpsertMode,
    VectorParams,
)
from findspot_vectors.searches import engine_query
from findspot_vectors.validation import check_points

Item = TypeVar("Item")

_NEVER = 1_000_000_000
"""Indexing threshold in KB: the engine must not build a graph in this process, which would stand still
meanwhile."""


class Shard:
    """A collection's engine. Calls run on the event loop: the engine holds the interpreter lock, threads
    gain nothing.

    Writes of a collection run one after another, in parts of at most `MAX_BATCH` points, and let reads in
    between.
    """

    def __init__(
        self, name: str, directory: Path, params: Mapping[str, VectorParams], engine: Any, policy: FlushPolicy
    ) -> None:
        """Takes an open engine: use `create` or `load`."""
        self.name = name
        self.params = params
        self.flusher = Flusher(name, self._flush, policy)
        self._engine = engine
        self._log = WriteAheadLog(directory)
        self._writes = asyncio.Lock()
        self._operations = 0
        self._closed = False

    @classmethod
    def create(
        cls, name: str, directory: Path, params: Mapping[str, VectorParams], policy: FlushPolicy
    ) -> Shard:
        """Makes the files of a new shard, durable before it returns."""
        with engine_errors(name):
            engine = edge.EdgeShard.create(str(directory), _config(params))
            engine.flush()
        sync_tree(directory)
        return cls(name, directory, params, engine, policy)

    @classmethod
    def load(
        cls, name: str, directory: Path, params: Mapping[str, VectorParams], policy: FlushPolicy
    ) -> Shard:
        """Opens a shard; what its log holds beyond the files is replayed."""
        with engine_errors(name):
            engine = edge.EdgeShard.load(str(directory), _config(params))
        return cls(name, directory, params, engine, policy)

    async def upsert(
        self, points: Sequence[NewPoint], *, mode: UpsertMode, only: Filter | None, wait: bool
    ) -> int:
        """Writes points; answers the operation's number. All are checked before the first is written."""
        check_points(self.params, points)
        modes = {
            UpsertMode.UPSERT: edge.UpdateMode.Upsert,
            UpsertMode.INSERT_ONLY: edge.UpdateMode.InsertOnly,
            UpsertMode.UPDATE_ONLY: edge.UpdateMode.UpdateOnly,
        }
        with engine_errors(self.name):
            condition = None if only is None else to_engine(only)
        operations = (
            edge.UpdateOperation.upsert_points(
                [edge.Point(p.key, _engine_vectors(p), dict(p.payload)) for p in part], condition, modes[mode]
            )
            for part in _parts(points)
        )
        return await self._write(operations, len(points), wait)

    async def delete(self, chosen: PointsChosen, *, wait: bool) -> int:
        """Deletes points; ids that are not there are no error."""
        make = edge.UpdateOperation
        with engine_errors(self.name):
            if chosen.where is not None:
                operations = [make.delete_points_by_filter(to_engine(chosen.where))]
            else:
                operations = [make.delete_points(list(part)) for part in _parts(chosen.keys or ())]
        return await self._write(operations, len(chosen.keys or (0,)), wait)

    async def set_payload(
        self,
        chosen: PointsChosen,
        payload: Mapping[str, Any],
        *,
        overwrite: bool,
        key: str | None,
        wait: bool,
    ) -> int:
        """Sets fields of the payload (under `key` where one is given), or replaces all of it.

        Raises NotFound when an id is not there; the others of its part are changed all the same.
        """
        make = edge.UpdateOperation
        by_ids, by_filter = (
            (make.overwrite_payload, make.overwrite_payload_by_filter)
            if overwrite
            else (make.set_payload, make.set_payload_by_filter)
        )
        with engine_errors(self.name):
            if chosen.where is not None:
                operations = [by_filter(to_engine(chosen.where), dict(payload), key)]
            else:
                operations = [by_ids(list(part), dict(payload), key) for part in _parts(chosen.keys or ())]
        return await self._write(operations, len(chosen.keys or (0,)), wait)

    async def index_field(self, field: str, index: FieldIndex) -> int:
        """Builds the index of a field over all points; flushed, for the engine keeps indexes outside its
        log."""
        async with self._writes:
            self._apply(edge.UpdateOperation.create_field_index, field, engine_index(index))
            self.flusher.now()
        return self._operations

    def restore_indexes(self, indexes: Mapping[str, FieldIndex]) -> None:
        """Builds the indexes that the catalogue names and the files lack; before the shard serves."""
        with engine_errors(self.name):
            there = self._engine.info().payload_schema
            for field, index in indexes.items():
                if field not in there:
                    self._engine.update(edge.UpdateOperation.create_field_index(field, engine_index(index)))

    def get(self, keys: Sequence[PointKey], payload: Selector, vectors: Selector) -> list[FoundPoint]:
        """The points that are there, in the order asked for."""
        with engine_errors(self.name):
            records = self._engine.retrieve(
                list(keys), answers.engine_payload(payload), answers.engine_vectors(vectors)
            )
            found = {point.key: point for point in (answers.record(r, vectors) for r in records)}
        return [found[key] for key in dict.fromkeys(keys) if key in found]

    def scroll(self, page: Scroll) -> tuple[list[FoundPoint], PointKey | None]:
        """A page of points in the order of ids, and the id that the next page starts with."""
        with engine_errors(self.name):
            request = edge.ScrollRequest(
                offset=page.offset,
                limit=page.limit,
                filter=None if page.where is None else to_engine(page.where),
                with_payload=answers.engine_payload(page.payload),
                with_vector=answers.engine_vectors(page.vectors),
            )
            records, following = self._engine.scroll(request)
            return [answers.record(r, page.vectors) for r in records], following

    def count(self, where: Filter | None) -> int:
        """How many points pass, counted exactly."""
        with engine_errors(self.name):
            return int(
                self._engine.count(
                    edge.CountRequest(exact=True, filter=None if where is None else to_engine(where))
                )
            )

    def search(self, searches: Sequence[Search]) -> list[list[FoundPoint]]:
        """One ranked list a search."""
        with engine_errors(self.name):
            requests = [engine_query(self.params, search, self._vector_of) for search in searches]
            if len(requests) == 1:
                ranked = [self._engine.query(requests[0])]
            else:
                ranked = self._engine.query_batch(edge.QueryBatchRequest(requests))
            return [
                [answers.scored(p, search) for p in points]
                for search, points in zip(searches, ranked, strict=True)
            ]

    def statistics(self) -> tuple[int, int, int, dict[str, int]]:
        """Points, segments, vectors in a graph, and points in each field's index."""
        with engine_errors(self.name):
            info = self._engine.info()
            indexed = {name: int(i.points) for name, i in info.payload_schema.items()}
            return self.count(None), int(info.segments_count), int(info.indexed_vectors_count), indexed

    async def close(self) -> None:
        """Flushes and closes, after the write that runs; closing again does nothing."""
        async with self._writes:
            if self._closed:
                return
            self.flusher.now()
            with engine_errors(self.name):
                self._engine.close()
            self._closed = True

    def _flush(self) -> None:
        with engine_errors(self.name):
            self._engine.flush()

    def _vector_of(self, key: PointKey, name: str) -> Sequence[float]:
        records = self._engine.retrieve([key], False, True)
        return answers.vector_of(records, key, name)

    def _apply(self, make: Any, *arguments: Any) -> None:
        with engine_errors(self.name):
            self._engine.update(make(*arguments))
        self._operations += 1

    async def _write(self, operations: Iterable[Any], points: int, wait: bool) -> int:
        async with self._writes:
            with engine_errors(self.name):
                for operation in operations:
                    self._engine.update(operation)
                    await asyncio.sleep(0)  # a turn for the queries that came meanwhile
            self._operations += 1
            self.flusher.wrote(points)
            number = self._operations
        if wait:
            with engine_errors(self.name):
                await self._log.durable()
        return number


def _config(params: Mapping[str, VectorParams]) -> Any:
    vectors = {
        name: edge.EdgeVectorParams(size=p.size, distance=getattr(edge.Distance, p.distance.value))
        for name, p in params.items()
    }
    return edge.EdgeConfig(
        vectors=vectors[""] if list(vectors) == [""] else vectors,
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=_NEVER, default_segment_number=1),
        max_search_threads=1,
    )


def _engine_vectors(point: NewPoint) -> Any:
    unnamed = point.vectors.get("")
    return unnamed if unnamed is not None else dict(point.vectors)


def _parts(items: Sequence[Item]) -> Iterable[Sequence[Item]]:
    for start in range(0, len(items), MAX_BATCH):
        yield items[start : start + MAX_BATCH]
