"""`SyncCollection`."""

from __future__ import annotations

from typing import Any

from findspot.errors import NotYetAvailable
from findspot.v1 import indexing_pb2
from findspot_indexing.handlers.methods import Methods


class SyncMethods(Methods):
    """Messages in, one function, messages out."""

    async def SyncCollection(
        self, request: indexing_pb2.SyncCollectionRequest, context: Any
    ) -> indexing_pb2.SyncCollectionResponse:
        """Not in this version."""
        raise NotYetAvailable("SyncCollection is not available in this version of the indexing service.")
