"""Channels: what is retried, where calls go, and how soon a restarted service is found."""

from __future__ import annotations

import json
from typing import Any

import grpc
import pytest
from rpc_testing import connected, path, register, serving, unary

from findspot.rpc.channel import IDEMPOTENT_METHODS, ChannelOptions, channel_arguments, open_channel
from findspot.rpc.server import ServerOptions, build_server, server_arguments
from findspot.v1 import (
    chunking_pb2,
    collection_pb2,
    embedding_pb2,
    extraction_pb2,
    indexing_pb2,
    inspection_pb2,
    query_pb2,
    text_index_pb2,
)

PROTOS = (
    chunking_pb2,
    collection_pb2,
    embedding_pb2,
    extraction_pb2,
    indexing_pb2,
    inspection_pb2,
    query_pb2,
    text_index_pb2,
)
WRITES = {
    "CreateCollection",
    "UpdateCollection",
    "DeleteCollection",
    "SyncCollection",
    "DeleteDocument",
    "PurgeDocument",
    "Reindex",
    "CancelOperation",
    "Repair",
    "ActivateIdentity",
    "DropIdentity",
}


def test_every_method_with_one_request_is_a_read_that_is_retried_or_a_known_write() -> None:
    methods = [
        (service.full_name, method.name)
        for proto in PROTOS
        for service in proto.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if not method.client_streaming
    ]
    reads = {(service, name) for service, name in methods if name not in WRITES}
    listed = {(service, name) for service, names in IDEMPOTENT_METHODS.items() for name in names}
    assert reads == {entry for entry in listed if entry[0].startswith("findspot.")}
    assert {name for _, name in methods} >= WRITES


class Flaky:
    """A method that is unavailable for its first calls."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    async def __call__(self, request: bytes, context: Any) -> bytes:
        self.calls += 1
        if self.calls <= self.failures:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")
        return b"answer"


def flaky_embedding(flaky: Flaky) -> Any:
    """The service findspot.v1.EmbeddingService with bytes, since retries go by its name."""
    name = embedding_pb2.DESCRIPTOR.services_by_name["EmbeddingService"].full_name

    async def behaviour(request: bytes, context: Any) -> bytes:
        return await flaky(request, context)

    handlers = {"Embed": unary(behaviour), "Write": unary(behaviour)}
    return lambda server: server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(name, handlers),)
    )


async def call_flaky(failures: int, method: str, options: ChannelOptions | None = None) -> tuple[Flaky, Any]:
    flaky = Flaky(failures)
    server = build_server(ServerOptions(), [flaky_embedding(flaky)], [])
    await server.start()
    try:
        async with connected(server, options) as channel:
            call = channel.unary_unary(f"/findspot.v1.EmbeddingService/{method}")(b"")
            return flaky, (await call.code(), call)
    finally:
        await server.stop()


async def test_a_read_is_tried_four_times() -> None:
    flaky, (code, call) = await call_flaky(3, "Embed")
    assert (code, await call, flaky.calls) == (grpc.StatusCode.OK, b"answer", 4)
    flaky, (code, _) = await call_flaky(9, "Embed")
    assert (code, flaky.calls) == (grpc.StatusCode.UNAVAILABLE, 4)


@pytest.mark.parametrize(
    ("method", "options"), [("Write", ChannelOptions()), ("Embed", ChannelOptions(retry_attempts=1))]
)
async def test_other_methods_are_tried_once(method: str, options: ChannelOptions) -> None:
    flaky, (code, _) = await call_flaky(1, method, options)
    assert (code, flaky.calls) == (grpc.StatusCode.UNAVAILABLE, 1)


def test_arguments() -> None:
    arguments = dict(channel_arguments())
    assert arguments["grpc.keepalive_time_ms"] == 30_000
    assert arguments["grpc.keepalive_timeout_ms"] == 10_000
    assert (
        arguments["grpc.max_receive_message_length"] == arguments["grpc.max_send_message_length"] == 1 << 24
    )
    assert json.loads(str(arguments["grpc.service_config"]))["loadBalancingConfig"] == [{"round_robin": {}}]
    # The service config's own timeout misfires in gRPC for Python: deadlines are given per call.
    assert "timeout" not in str(arguments["grpc.service_config"])


def named(name: bytes) -> Any:
    async def behaviour(request: bytes, context: Any) -> bytes:
        return name

    return unary(behaviour)


async def test_calls_go_round_all_addresses() -> None:
    async with (
        serving(Name=named(b"a")) as first,
        serving(Name=named(b"b")) as second,
        open_channel(f"ipv4:{first.address},{second.address}") as channel,
    ):
        ask = channel.unary_unary(path("Name"))
        answers = {await ask(b"") for _ in range(40)}
    assert answers == {b"a", b"b"}


def test_the_pings_of_an_idle_channel_are_permitted() -> None:
    options = dict(server_arguments(ServerOptions()))
    assert options["grpc.keepalive_permit_without_calls"] == 1
    client_interval = dict(channel_arguments())["grpc.keepalive_time_ms"]
    assert isinstance(client_interval, int)
    assert options["grpc.http2.min_recv_ping_interval_without_data_ms"] < client_interval
    assert options["grpc.http2.min_ping_interval_without_data_ms"] < client_interval


async def test_a_restarted_service_is_found_again() -> None:
    first = build_server(ServerOptions(), [register(Name=named(b"before"))], [])
    port = await first.start()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        ask = channel.unary_unary(path("Name"))
        assert await ask(b"") == b"before"
        await first.stop()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(b"")
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        second = build_server(ServerOptions(port=port), [register(Name=named(b"after"))], [])
        await second.start()
        # Waits in the channel for the connection; the default backoff of gRPC is a second and more.
        assert await ask(b"", wait_for_ready=True, timeout=3) == b"after"
        await second.stop()
