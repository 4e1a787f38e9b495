"""`GetOperation`, `ListOperations`, `CancelOperation`."""

from __future__ import annotations

from typing import Any

from findspot.errors import NotYetAvailable
from findspot.v1 import indexing_pb2
from findspot_indexing.handlers.methods import Methods


class OperationMethods(Methods):
    """Messages in, one function, messages out."""

    async def GetOperation(
        self, request: indexing_pb2.GetOperationRequest, context: Any
    ) -> indexing_pb2.GetOperationResponse:
        """Not in this version."""
        raise NotYetAvailable("GetOperation is not available in this version of the indexing service.")

    async def ListOperations(
        self, request: indexing_pb2.ListOperationsRequest, context: Any
    ) -> indexing_pb2.ListOperationsResponse:
        """Not in this version."""
        raise NotYetAvailable("ListOperations is not available in this version of the indexing service.")

    async def CancelOperation(
        self, request: indexing_pb2.CancelOperationRequest, context: Any
    ) -> indexing_pb2.CancelOperationResponse:
        """Not in this version."""
        raise NotYetAvailable("CancelOperation is not available in this version of the indexing service.")
