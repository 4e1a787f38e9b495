"""A service of plain bytes for the tests of findspot.rpc: real servers and channels, no protobuf."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc

from findspot.rpc.channel import ChannelOptions, open_channel
from findspot.rpc.server import Server, ServerOptions, build_server, running

SERVICE = "test.Bytes"


def register(**handlers: Any) -> Callable[[grpc.aio.Server], None]:
    """Adds the service `test.Bytes` with these method handlers
    (`grpc.unary_unary_rpc_method_handler(...)`)."""
    return lambda server: server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, handlers),)
    )


def unary(behaviour: Any) -> Any:
    return grpc.unary_unary_rpc_method_handler(behaviour)


@contextlib.asynccontextmanager
async def serving(options: ServerOptions | None = None, **handlers: Any) -> AsyncIterator[Server]:
    """A started server of `test.Bytes` with these handlers."""
    async with running(build_server(options or ServerOptions(), [register(**handlers)], [SERVICE])) as server:
        yield server


@contextlib.asynccontextmanager
async def connected(server: Server, options: ChannelOptions | None = None) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a started server."""
    async with open_channel(server.address, options or ChannelOptions()) as channel:
        yield channel


def path(method: str) -> str:
    return f"/{SERVICE}/{method}"
