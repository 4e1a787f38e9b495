"""`ActivateIdentity` and `DropIdentity`."""

from __future__ import annotations

from typing import Any

from findspot.rpc.interceptors.access import current_caller
from findspot.v1 import indexing_pb2
from findspot_indexing import choosing
from findspot_indexing.handlers.answers import identity_status_message
from findspot_indexing.handlers.methods import Methods


class IdentityMethods(Methods):
    """Messages in, one function, messages out."""

    async def ActivateIdentity(
        self, request: indexing_pb2.ActivateIdentityRequest, context: Any
    ) -> indexing_pb2.ActivateIdentityResponse:
        """See indexing.proto."""
        activated = await choosing.activate(
            current_caller(), self._indexing, request.identity, request_id=request.request_id
        )
        return indexing_pb2.ActivateIdentityResponse(
            identity=identity_status_message(activated.status),
            switched=activated.switched,
            revision=activated.revision,
        )

    async def DropIdentity(
        self, request: indexing_pb2.DropIdentityRequest, context: Any
    ) -> indexing_pb2.DropIdentityResponse:
        """See indexing.proto."""
        count = await choosing.drop(
            current_caller(), self._indexing, request.identity, request_id=request.request_id
        )
        return indexing_pb2.DropIdentityResponse(vector_count=count)
