"""`Reindex` and `Repair`."""

from __future__ import annotations

from typing import Any

from findspot.errors import NotYetAvailable
from findspot.v1 import indexing_pb2
from findspot_indexing.handlers.methods import Methods


class ReindexMethods(Methods):
    """Messages in, one function, messages out."""

    async def Reindex(
        self, request: indexing_pb2.ReindexRequest, context: Any
    ) -> indexing_pb2.ReindexResponse:
        """Not in this version."""
        raise NotYetAvailable("Reindex is not available in this version of the indexing service.")

    async def Repair(self, request: indexing_pb2.RepairRequest, context: Any) -> indexing_pb2.RepairResponse:
        """Not in this version."""
        raise NotYetAvailable("Repair is not available in this version of the indexing service.")
