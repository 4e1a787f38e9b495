"""`VectorStore`: collections of chunk vectors in any server that speaks Qdrant's gRPC protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import grpc
import numpy as np
from numpy.typing import NDArray

from findspot.errors import AlreadyExists
from findspot.stores.qdrant import wire
from findspot.stores.vectors import schema
from findspot.stores.vectors.connection import Connection
from findspot.stores.vectors.filters import EVERYTHING, VectorFilter, document_filter, wire_filter
from findspot.stores.vectors.model import StoredPoint, Vector, VectorHit, VectorPoint
from findspot.stores.vectors.values import dense, payload_message, point_message, vector_of

_COMPARED = ("document_id", "collection", "file_path", "kind")
_VACUUM_VECTORS = 100
"""The least that Qdrant takes for the size of a segment that is worth rewriting."""

BATCH = 256
"""Points in one request: half a megabyte to a megabyte, and one call of the embedded engine."""


class VectorStore:
    """One server's collections. Every write is durable when its call returns; reads then see it. Retries
    are the caller's.

    Every method raises Unavailable VECTOR_STORE_UNAVAILABLE when the server cannot be reached or does not
    answer in
    time, NotFound COLLECTION_NOT_FOUND for a collection that is not there, InvalidArgument for vectors
    that do not fit.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str = "",
        timeout: float = 10.0,
        govern: Callable[[grpc.aio.Channel], grpc.aio.Channel] = lambda channel: channel,
    ) -> None:
        """`url` as `http://host:6334` or `https://host:6334`, `timeout` in seconds a call; `govern` puts deadlines
        and traces around the channel. Needs a running event loop."""
        self._server = Connection(url, api_key=api_key, timeout=timeout, govern=govern)

    async def ping(self, within: float = 2.0) -> str:
        """The server's title and version: says that it can be reached."""
        call = self._server
        reply = await call.call(
            call.server.HealthCheck, wire.HealthCheckRequest(), "asking for its health", within
        )
        return f"{reply.title} {reply.version}"

    async def ensure_collection(self, name: str, dimension: int) -> None:
        """Makes the collection, for the cosine distance, and the indexes of `schema.INDEXES`, where they
        are missing.

        Raises FailedPrecondition when it is there with another dimension or distance.
        """
        if not await self.has_collection(name):
            vectors = wire.VectorsConfig(
                params=wire.VectorParams(size=dimension, distance=wire.Distance.Cosine)
            )
            request = wire.CreateCollection(collection_name=name, vectors_config=vectors)
            # Somebody else may have made it since the question: what counts is what is there now.
            with suppress(AlreadyExists):
                await self._collections("Create", request, f"creating {name}")
        info = await self._collections(
            "Get", wire.GetCollectionInfoRequest(collection_name=name), f"reading {name}"
        )
        schema.check_vectors(name, info.result.config.params.vectors_config, dimension)
        for field, field_type in schema.INDEXES.items():
            if field not in info.result.payload_schema:
                index = wire.CreateFieldIndexCollection(
                    collection_name=name, wait=True, field_name=field, field_type=field_type
                )
                await self._points("CreateFieldIndex", index, f"indexing {field} of {name}")

    async def has_collection(self, name: str) -> bool:
        """Whether the collection is there."""
        request = wire.CollectionExistsRequest(collection_name=name)
        reply = await self._collections("CollectionExists", request, f"looking for {name}")
        return bool(reply.result.exists)

    async def collections(self) -> list[str]:
        """The names of all collections of the server, those of others too."""
        reply = await self._collections("List", wire.ListCollectionsRequest(), "listing collections")
        return [collection.name for collection in reply.collections]

    async def drop_collection(self, name: str) -> None:
        """Deletes a collection with all its points; none of that name is no error."""
        await self._collections("Delete", wire.DeleteCollection(collection_name=name), f"deleting {name}")

    async def upsert(self, name: str, points: Sequence[VectorPoint]) -> None:
        """Writes points, in requests of at most `BATCH`; a failure in between leaves the earlier ones
        written."""
        for start in range(0, len(points), BATCH):
            request = wire.UpsertPoints(
                collection_name=name,
                wait=True,
                points=[point_message(point) for point in points[start : start + BATCH]],
            )
            await self._points("Upsert", request, f"writing to {name}")

    async def delete(self, name: str, ids: Sequence[str]) -> None:
        """Deletes points; ids that are not there are no error."""
        if ids:
            await self._delete(name, wire.PointsSelector(points=_ids_list(ids)))

    async def delete_document(self, name: str, document_id: str) -> None:
        """Deletes all points of a document; none is no error."""
        await self._delete(name, wire.PointsSelector(filter=document_filter(document_id)))

    async def set_payload(self, name: str, ids: Sequence[str], payload: Mapping[str, Any]) -> None:
        """Sets the given fields on points and leaves their others; vectors stay.

        Raises NotFound CHUNK_NOT_FOUND when one is not there: the others are changed all the same.
        """
        if not ids:
            return
        request = wire.SetPayloadPoints(
            collection_name=name,
            wait=True,
            payload=payload_message(payload),
            points_selector=wire.PointsSelector(points=_ids_list(ids)),
        )
        await self._points("SetPayload", request, f"changing payloads in {name}")

    async def search(
        self,
        name: str,
        vector: Vector,
        limit: int,
        filter: VectorFilter = EVERYTHING,
        *,
        exact: bool = False,
        within: float | None = None,
    ) -> list[VectorHit]:
        """The `limit` nearest chunks that pass the filter, nearest first. `exact` looks at all, without a
        graph."""
        if filter.matches_nothing:
            return []
        request = wire.QueryPoints(
            collection_name=name,
            query=wire.Query(nearest=wire.VectorInput(dense=dense(vector))),
            limit=limit,
            filter=wire_filter(filter),
            params=wire.SearchParams(exact=True) if exact else None,
        )
        call = self._server
        reply = await call.call(call.points.Query, request, f"searching {name}", within)
        return [VectorHit(point.id.uuid, point.score) for point in reply.result]

    async def count(self, name: str, filter: VectorFilter = EVERYTHING) -> int:
        """How many points pass the filter, exactly."""
        if filter.matches_nothing:
            return 0
        request = wire.CountPoints(collection_name=name, exact=True, filter=wire_filter(filter))
        reply = await self._points("Count", request, f"counting in {name}")
        return int(reply.result.count)

    async def scroll_ids(self, name: str, after: str | None, limit: int) -> list[str]:
        """Up to `limit` ids in the server's order, from the one behind `after` (None: the first). Fewer:
        that was all."""
        request = wire.ScrollPoints(
            collection_name=name,
            # The server's offset is inclusive.
            offset=None if after is None else wire.PointId(uuid=after),
            limit=limit + (after is not None),
            with_payload=wire.WithPayloadSelector(enable=False),
        )
        reply = await self._points("Scroll", request, f"listing points of {name}")
        ids = [point.id.uuid for point in reply.result]
        return [point_id for point_id in ids if point_id != after][:limit]

    async def scroll(self, name: str, after: str | None, limit: int) -> list[StoredPoint]:
        """Up to `limit` points in the order of ids, from the one behind `after`, with what they are filtered by."""
        fields = wire.PayloadIncludeSelector(fields=_COMPARED)
        request = wire.ScrollPoints(
            collection_name=name,
            offset=None if after is None else wire.PointId(uuid=after),
            limit=limit + (after is not None),
            with_payload=wire.WithPayloadSelector(include=fields),
        )
        reply = await self._points("Scroll", request, f"listing points of {name}")
        points = [
            StoredPoint(point.id.uuid, *(point.payload[field].string_value for field in _COMPARED))
            for point in reply.result
        ]
        return [point for point in points if point.id != after][:limit]

    async def retrieve_vectors(self, name: str, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The stored vectors, float32, of length 1 (the cosine distance keeps no other), of the ids that
        are there."""
        found: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(ids), BATCH):
            request = wire.GetPoints(
                collection_name=name,
                ids=_ids_list(ids[start : start + BATCH]).ids,
                with_payload=wire.WithPayloadSelector(enable=False),
                with_vectors=wire.WithVectorsSelector(enable=True),
            )
            reply = await self._points("Get", request, f"reading vectors of {name}")
            found |= {point.id.uuid: vector_of(point.vectors) for point in reply.result}
        return found

    async def present(self, name: str, ids: Sequence[str]) -> set[str]:
        """Of these ids those that are there."""
        found: set[str] = set()
        for start in range(0, len(ids), BATCH):
            request = wire.GetPoints(
                collection_name=name,
                ids=_ids_list(ids[start : start + BATCH]).ids,
                with_payload=wire.WithPayloadSelector(enable=False),
                with_vectors=wire.WithVectorsSelector(enable=False),
            )
            reply = await self._points("Get", request, f"looking up points of {name}")
            found.update(point.id.uuid for point in reply.result)
        return found

    async def vacuum(self, name: str) -> None:
        """Has the store rewrite what deleted points are left in, in the background; see `busy`."""
        wanted = wire.OptimizersConfigDiff(deleted_threshold=1e-6, vacuum_min_vector_number=_VACUUM_VECTORS)
        request = wire.UpdateCollection(collection_name=name, optimizers_config=wanted)
        await self._collections("Update", request, f"rewriting {name}")

    async def busy(self, name: str) -> bool:
        """True while the store rewrites files of the collection."""
        request = wire.GetCollectionInfoRequest(collection_name=name)
        info = await self._collections("Get", request, f"reading {name}")
        return bool(info.result.status == wire.CollectionStatus.Yellow)

    async def close(self) -> None:
        """Ends the connection."""
        await self._server.close()

    async def _delete(self, name: str, chosen: wire.PointsSelector) -> None:
        request = wire.DeletePoints(collection_name=name, wait=True, points=chosen)
        await self._points("Delete", request, f"deleting from {name}")

    async def _points(self, method: str, request: Any, doing: str) -> Any:
        return await self._server.call(getattr(self._server.points, method), request, doing)

    async def _collections(self, method: str, request: Any, doing: str) -> Any:
        return await self._server.call(getattr(self._server.collections, method), request, doing)


def _ids_list(ids: Sequence[str]) -> wire.PointsIdsList:
    return wire.PointsIdsList(ids=[wire.PointId(uuid=point_id) for point_id in ids])
