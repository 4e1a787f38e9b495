"""Calls whose failures are `findspot.errors`, over either kind of channel."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeAlias, TypeVar

import grpc

from findspot.rpc.status import from_rpc_error

Response = TypeVar("Response")
# In quotes, because grpc's own classes are generic for type checkers only.
Method: TypeAlias = (
    "grpc.UnaryUnaryMultiCallable[Any, Response] | grpc.StreamUnaryMultiCallable[Any, Response]"
)


async def answer(call: Awaitable[Response]) -> Response:
    """The answer of a call that was made; its failure with the reason that the service gave."""
    try:
        return await call
    except grpc.RpcError as error:
        raise from_rpc_error(error) from error


def call(method: Method[Response], request: Any, timeout: float | None) -> Response:
    """Makes a call and waits for its answer. `timeout` in seconds."""
    try:
        return method(request, timeout=timeout)
    except grpc.RpcError as error:
        raise from_rpc_error(error) from error
