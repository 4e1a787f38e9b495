"""Qdrant's `Points` service as calls of shards. What is not here answers UNIMPLEMENTED: the generated base
class says so."""

from __future__ import annotations

import time
from typing import Any

from findspot.stores.qdrant import wire
from findspot_vectors.model import ALL, NONE
from findspot_vectors.store import Collections
from findspot_vectors.wire_collections import index_of
from findspot_vectors.wire_filters import filter_in
from findspot_vectors.wire_points import (
    chosen_by,
    payload_selector,
    retrieved_message,
    scored_message,
    upsert_of,
    vectors_selector,
)
from findspot_vectors.wire_searches import scroll_of, search_of
from findspot_vectors.wire_values import payload_of, point_id, point_key
from findspot_vectors.writes import Delete, SetPayload


class PointsHandler(wire.PointsServicer):
    """Translates messages; the work is the shard's."""

    def __init__(self, collections: Collections) -> None:
        """Serves these collections."""
        self._collections = collections

    async def Upsert(self, request: wire.UpsertPoints, context: Any) -> wire.PointsOperationResponse:
        """Inserts or replaces points."""
        began = time.perf_counter()
        number = await self._collections.shard(request.collection_name).write(
            upsert_of(request), wait=request.wait
        )
        return _done(number, request.wait, began)

    async def Delete(self, request: wire.DeletePoints, context: Any) -> wire.PointsOperationResponse:
        """Deletes points by id or filter."""
        began = time.perf_counter()
        shard = self._collections.shard(request.collection_name)
        number = await shard.write(Delete(chosen_by(request.points)), wait=request.wait)
        return _done(number, request.wait, began)

    async def SetPayload(self, request: wire.SetPayloadPoints, context: Any) -> wire.PointsOperationResponse:
        """Sets fields of payloads."""
        return await self._set_payload(request, overwrite=False)

    async def OverwritePayload(
        self, request: wire.SetPayloadPoints, context: Any
    ) -> wire.PointsOperationResponse:
        """Replaces payloads."""
        return await self._set_payload(request, overwrite=True)

    async def CreateFieldIndex(
        self, request: wire.CreateFieldIndexCollection, context: Any
    ) -> wire.PointsOperationResponse:
        """Indexes a payload field."""
        began = time.perf_counter()
        number = await self._collections.index_field(
            request.collection_name, request.field_name, index_of(request)
        )
        return _done(number, True, began)

    async def Get(self, request: wire.GetPoints, context: Any) -> wire.GetResponse:
        """Points by id."""
        began = time.perf_counter()
        points = self._collections.shard(request.collection_name).engine.get(
            [point_key(i) for i in request.ids],
            payload_selector(request.with_payload) if request.HasField("with_payload") else ALL,
            vectors_selector(request.with_vectors) if request.HasField("with_vectors") else NONE,
        )
        return wire.GetResponse(
            result=[retrieved_message(p) for p in points], time=time.perf_counter() - began
        )

    async def Scroll(self, request: wire.ScrollPoints, context: Any) -> wire.ScrollResponse:
        """A page of points."""
        began = time.perf_counter()
        points, following = self._collections.shard(request.collection_name).engine.scroll(scroll_of(request))
        return wire.ScrollResponse(
            next_page_offset=None if following is None else point_id(following),
            result=[retrieved_message(p) for p in points],
            time=time.perf_counter() - began,
        )

    async def Count(self, request: wire.CountPoints, context: Any) -> wire.CountResponse:
        """How many points pass a filter, always exactly."""
        began = time.perf_counter()
        count = self._collections.shard(request.collection_name).engine.count(filter_in(request))
        return wire.CountResponse(result=wire.CountResult(count=count), time=time.perf_counter() - began)

    async def Query(self, request: wire.QueryPoints, context: Any) -> wire.QueryResponse:
        """The nearest points."""
        began = time.perf_counter()
        [points] = self._collections.shard(request.collection_name).engine.search([search_of(request)])
        return wire.QueryResponse(
            result=[scored_message(p) for p in points], time=time.perf_counter() - began
        )

    async def QueryBatch(self, request: wire.QueryBatchPoints, context: Any) -> wire.QueryBatchResponse:
        """Several queries of one collection."""
        began = time.perf_counter()
        ranked = self._collections.shard(request.collection_name).engine.search(
            [search_of(query) for query in request.query_points]
        )
        return wire.QueryBatchResponse(
            result=[wire.BatchResult(result=[scored_message(p) for p in points]) for points in ranked],
            time=time.perf_counter() - began,
        )

    async def _set_payload(
        self, request: wire.SetPayloadPoints, *, overwrite: bool
    ) -> wire.PointsOperationResponse:
        began = time.perf_counter()
        number = await self._collections.shard(request.collection_name).write(
            SetPayload(
                chosen_by(request.points_selector),
                payload_of(request.payload),
                overwrite=overwrite,
                key=request.key if request.HasField("key") else None,
            ),
            wait=request.wait,
        )
        return _done(number, request.wait, began)


def _done(number: int, waited: bool, began: float) -> wire.PointsOperationResponse:
    status = wire.UpdateStatus.Completed if waited else wire.UpdateStatus.Acknowledged
    return wire.PointsOperationResponse(
        result=wire.UpdateResult(operation_id=number, status=status), time=time.perf_counter() - began
    )
