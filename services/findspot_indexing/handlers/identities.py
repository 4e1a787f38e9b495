"""`ActivateIdentity` and `DropIdentity`."""

from __future__ import annotations

from typing import Any

from findspot.errors import NotYetAvailable
from findspot.v1 import indexing_pb2
from findspot_indexing.handlers.methods import Methods


class IdentityMethods(Methods):
    """Messages in, one function, messages out."""

    async def ActivateIdentity(
        self, request: indexing_pb2.ActivateIdentityRequest, context: Any
    ) -> indexing_pb2.ActivateIdentityResponse:
        """Not in this version."""
        raise NotYetAvailable("ActivateIdentity is not available in this version of the indexing service.")

    async def DropIdentity(
        self, request: indexing_pb2.DropIdentityRequest, context: Any
    ) -> indexing_pb2.DropIdentityResponse:
        """Not in this version."""
        raise NotYetAvailable("DropIdentity is not available in this version of the indexing service.")
