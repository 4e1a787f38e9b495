"""Calls of the API that the client has no method for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from findspot.rpc.status import from_rpc_error


async def answered(call: Awaitable[Any]) -> Any:
    """The answer of a stub; its failure as FindspotError."""
    try:
        return await call
    except grpc.RpcError as error:
        raise from_rpc_error(error) from error


async def call(method: Callable[..., Awaitable[Any]], request: Any, timeout: float = 60.0) -> Any:
    """The answer to a request, within so many seconds."""
    return await answered(method(request, timeout=timeout))
