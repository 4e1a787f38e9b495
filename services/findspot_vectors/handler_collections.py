"""Qdrant's `Collections` and `Qdrant` (health) services as calls of the folder's collections."""

from __future__ import annotations

import time
from typing import Any

from findspot.stores.qdrant import wire
from findspot_vectors.store import Collections
from findspot_vectors.wire_collections import info_message, require_rewrite, vectors_of


class CollectionsHandler(wire.CollectionsServicer):
    """Translates messages; the work is that of `Collections`."""

    def __init__(self, collections: Collections) -> None:
        """Serves these collections."""
        self._collections = collections

    async def List(self, request: wire.ListCollectionsRequest, context: Any) -> wire.ListCollectionsResponse:
        """The names of all collections."""
        began = time.perf_counter()
        names = self._collections.names()
        return wire.ListCollectionsResponse(
            collections=[wire.CollectionDescription(name=name) for name in names],
            time=time.perf_counter() - began,
        )

    async def Create(self, request: wire.CreateCollection, context: Any) -> wire.CollectionOperationResponse:
        """Makes a collection."""
        began = time.perf_counter()
        self._collections.create(request.collection_name, vectors_of(request))
        return wire.CollectionOperationResponse(result=True, time=time.perf_counter() - began)

    async def Update(self, request: wire.UpdateCollection, context: Any) -> wire.CollectionOperationResponse:
        """Writes a collection anew when its optimizers are told what they shall not leave of deleted points."""
        began = time.perf_counter()
        require_rewrite(request)
        self._collections.rewrite(request.collection_name)
        return wire.CollectionOperationResponse(result=True, time=time.perf_counter() - began)

    async def Delete(self, request: wire.DeleteCollection, context: Any) -> wire.CollectionOperationResponse:
        """Deletes a collection; the result is false when there was none."""
        began = time.perf_counter()
        deleted = await self._collections.delete(request.collection_name)
        return wire.CollectionOperationResponse(result=deleted, time=time.perf_counter() - began)

    async def CollectionExists(
        self, request: wire.CollectionExistsRequest, context: Any
    ) -> wire.CollectionExistsResponse:
        """Whether there is such a collection."""
        began = time.perf_counter()
        exists = self._collections.exists(request.collection_name)
        return wire.CollectionExistsResponse(
            result=wire.CollectionExists(exists=exists), time=time.perf_counter() - began
        )

    async def Get(
        self, request: wire.GetCollectionInfoRequest, context: Any
    ) -> wire.GetCollectionInfoResponse:
        """What a collection is and holds."""
        began = time.perf_counter()
        info = self._collections.info(request.collection_name)
        return wire.GetCollectionInfoResponse(result=info_message(info), time=time.perf_counter() - began)


class HealthHandler(wire.QdrantServicer):
    """Qdrant's own health check: the server answers, so it is well; its version is the protocol's."""

    def __init__(self, version: str) -> None:
        """`version` is that of the Qdrant protocol that is spoken."""
        self._version = version

    async def HealthCheck(self, request: wire.HealthCheckRequest, context: Any) -> wire.HealthCheckReply:
        """Title and version."""
        return wire.HealthCheckReply(title="findspot_vectors over qdrant-edge", version=self._version)
