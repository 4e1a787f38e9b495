"""Servers: ports, exposure, health, reflection, and the drain of a real process on SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from rpc_testing import SERVICE, connected, path, register, serving, unary

from findspot.config import ServiceSettings
from findspot.errors import FailedPrecondition, InvalidArgument
from findspot.rpc.address import is_loopback, join_address
from findspot.rpc.channel import open_channel
from findspot.rpc.server import Server, ServerOptions, build_server, running

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def echo(request: bytes, context: Any) -> bytes:
    return request


def new_server(**options: Any) -> Server:
    return build_server(ServerOptions(**options), [register(Echo=unary(echo))], [SERVICE])


async def health(channel: grpc.aio.Channel, service: str = "") -> int:
    request = health_pb2.HealthCheckRequest(service=service)
    status: int = (await health_pb2_grpc.HealthStub(channel).Check(request)).status
    return status


async def test_a_free_port_is_taken_and_reported() -> None:
    async with serving(Echo=unary(echo)) as server, connected(server) as channel:
        assert server.port > 0
        assert server.address == f"127.0.0.1:{server.port}"
        assert await channel.unary_unary(path("Echo"))(b"hello") == b"hello"


async def test_a_taken_port_is_refused_by_number() -> None:
    async with serving(Echo=unary(echo)) as first:
        with pytest.raises(FailedPrecondition) as caught:
            await new_server(port=first.port, service_name="query").start()
    assert f"query cannot listen on 127.0.0.1:{first.port}: Address already in use" in caught.value.message
    assert caught.value.metadata["port"] == str(first.port)


async def test_a_port_taken_by_something_else_is_refused_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        server = new_server(port=other.getsockname()[1])
        with pytest.raises(FailedPrecondition, match="Address already in use"):
            await server.start()


async def test_a_host_that_is_not_ours_is_refused_with_the_reason() -> None:
    with pytest.raises(FailedPrecondition, match="Cannot assign requested address"):
        await new_server(host="192.0.2.1", insecure=True).start()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "search.example.com"])
async def test_listening_beyond_this_machine_has_to_be_said(host: str) -> None:
    with pytest.raises(InvalidArgument, match="insecure=True") as caught:
        new_server(host=host)
    assert caught.value.fields[0].field == "host"
    assert host in caught.value.message


async def test_said_aloud_it_listens_everywhere() -> None:
    server = new_server(host="0.0.0.0", insecure=True)
    port = await server.start()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        assert await channel.unary_unary(path("Echo"))(b"x") == b"x"
    await server.stop()


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.8.9.10", "localhost", "::1", "[::1]", "unix:findspot.sock"]
)
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    ("host", "written"),
    [("127.0.0.1", "127.0.0.1:7"), ("::1", "[::1]:7"), ("[::1]", "[::1]:7"), ("unix:a.sock", "unix:a.sock")],
)
def test_addresses(host: str, written: str) -> None:
    assert join_address(host, 7) == written


async def test_a_unix_socket_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    server = new_server(host="unix:findspot.sock")
    await server.start()
    async with open_channel(server.address) as channel:
        assert await channel.unary_unary(path("Echo"))(b"x") == b"x"
    await server.stop()


async def test_health_by_service() -> None:
    async with serving(Echo=unary(echo)) as server, connected(server) as channel:
        assert [await health(channel), await health(channel, SERVICE)] == [SERVING, SERVING]
        await server.set_serving(False, SERVICE)
        assert [await health(channel), await health(channel, SERVICE)] == [SERVING, NOT_SERVING]
        await server.set_serving(False)
        assert [await health(channel), await health(channel, SERVICE)] == [NOT_SERVING, NOT_SERVING]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await health(channel, "no.such.Service")
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_service_that_is_not_ready_says_so_until_it_is() -> None:
    options = ServerOptions(serving_on_start=False)
    async with serving(options, Echo=unary(echo)) as server, connected(server) as channel:
        assert await health(channel) == NOT_SERVING
        await server.set_serving(True)
        assert await health(channel, SERVICE) == SERVING


async def test_a_watch_hears_of_the_stop_and_does_not_hold_it_up() -> None:
    server = new_server(grace_seconds=60)
    await server.start()
    async with connected(server) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        messages = aiter(watch)
        assert (await anext(messages)).status == SERVING
        async with asyncio.timeout(10):
            stopping = asyncio.create_task(server.stop())
            assert {message.status async for message in messages} == {NOT_SERVING}
            await stopping
        assert await watch.code() is grpc.StatusCode.OK


async def test_an_endless_stream_can_end_by_itself_when_the_server_stops() -> None:
    servers: list[Server] = []

    async def events(request: bytes, context: Any) -> AsyncIterator[bytes]:
        yield b"begun"
        await servers[0].draining.wait()
        yield b"ended"

    handlers = register(Events=grpc.unary_stream_rpc_method_handler(events))
    servers.append(build_server(ServerOptions(grace_seconds=60), [handlers], [SERVICE]))
    await servers[0].start()
    async with connected(servers[0]) as channel:
        stream = channel.unary_stream(path("Events"))(b"")
        assert await stream.read() == b"begun"
        async with asyncio.timeout(10):
            stopping = asyncio.create_task(servers[0].stop())
            assert await stream.read() == b"ended"
            assert await stream.code() is grpc.StatusCode.OK
            await stopping


async def test_grace_ends_calls_that_do_not() -> None:
    entered, cancelled = asyncio.Event(), asyncio.Event()

    async def hang(request: bytes, context: Any) -> bytes:
        entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return b""

    server = build_server(ServerOptions(grace_seconds=0.05), [register(Hang=unary(hang))], [SERVICE])
    await server.start()
    async with connected(server) as channel:
        call = channel.unary_unary(path("Hang"))(b"")
        await entered.wait()
        async with asyncio.timeout(10):
            await server.stop()
            await cancelled.wait()
        with pytest.raises(grpc.aio.AioRpcError):
            await call


async def listed(channel: grpc.aio.Channel) -> list[str]:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    requests = iter([reflection_pb2.ServerReflectionRequest(list_services="")])
    answers = [answer async for answer in stub.ServerReflectionInfo(requests)]
    return [service.name for service in answers[0].list_services_response.service]


async def test_reflection_and_channelz_are_there_and_can_be_turned_off() -> None:
    async with serving(Echo=unary(echo)) as server, connected(server) as channel:
        assert {SERVICE, "grpc.health.v1.Health"} <= set(await listed(channel))
        channelz = channelz_pb2_grpc.ChannelzStub(channel)
        assert (await channelz.GetServers(channelz_pb2.GetServersRequest())).server
    options = ServerOptions(reflection=False, channelz=False)
    async with serving(options, Echo=unary(echo)) as server, connected(server) as channel:
        channelz = channelz_pb2_grpc.ChannelzStub(channel)
        for ask in (listed(channel), channelz.GetServers(channelz_pb2.GetServersRequest())):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ask
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_messages_up_to_16_mib_pass_and_larger_ones_say_the_limit() -> None:
    async with serving(Echo=unary(echo)) as server, connected(server) as channel:
        ask = channel.unary_unary(path("Echo"))
        assert len(await ask(bytes(16 * 1024 * 1024))) == 16 * 1024 * 1024
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(bytes(16 * 1024 * 1024 + 1))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "16777216" in str(caught.value.details())


def test_options_come_from_settings() -> None:
    settings = ServiceSettings(port=7415, max_concurrent=3, grace_seconds=2, insecure=True, host="0.0.0.0")
    options = ServerOptions.of(settings, "query", method_limits={path("Watch"): 1})
    assert (options.host, options.port, options.insecure) == ("0.0.0.0", 7415, True)
    assert (options.max_concurrent, options.grace_seconds, options.service_name) == (3, 2, "query")
    assert options.method_limits == {path("Watch"): 1}


SLOW_SERVICE = """
import asyncio, sys, grpc
from findspot.rpc.server import ServerOptions, build_server, serve_until_signal

async def slow(request, context):
    print("entered", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    return b"finished"

async def stopped():
    print("stopped", flush=True)

async def main(grace):
    handlers = {"Slow": grpc.unary_unary_rpc_method_handler(slow)}
    generic = grpc.method_handlers_generic_handler("test.Bytes", handlers)
    add = lambda server: server.add_generic_rpc_handlers((generic,))
    server = build_server(ServerOptions(grace_seconds=grace), [add], ["test.Bytes"])
    await serve_until_signal(server, lambda port: print(port, flush=True), stopped)

asyncio.run(main(float(sys.argv[1])))
"""


class SlowProcess:
    """A real server process with one slow method, which ends when a line is written to it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, grace: float) -> SlowProcess:
        pipe = asyncio.subprocess.PIPE
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", SLOW_SERVICE, str(grace), stdin=pipe, stdout=pipe
            )
        )

    async def line(self) -> str:
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            return (await self.process.stdout.readline()).decode().strip()

    def finish_call(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")

    async def exit_code(self) -> int:
        async with asyncio.timeout(30):
            return await self.process.wait()


async def test_sigterm_says_not_serving_and_lets_the_call_in_flight_finish() -> None:
    slow = await SlowProcess.start(grace=60)
    async with open_channel(f"127.0.0.1:{await slow.line()}") as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        call = channel.unary_unary(path("Slow"))(b"")
        assert await slow.line() == "entered"
        slow.process.send_signal(signal.SIGTERM)
        assert (await watch.read()).status == NOT_SERVING
        assert not call.done()
        slow.finish_call()
        assert await call == b"finished"
    assert await slow.line() == "stopped"
    assert await slow.exit_code() == 0


async def test_a_second_signal_ends_calls_at_once() -> None:
    slow = await SlowProcess.start(grace=600)
    async with open_channel(f"127.0.0.1:{await slow.line()}") as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        call = channel.unary_unary(path("Slow"))(b"")
        assert await slow.line() == "entered"
        slow.process.send_signal(signal.SIGINT)
        assert (await watch.read()).status == NOT_SERVING
        slow.process.send_signal(signal.SIGINT)
        with pytest.raises(grpc.aio.AioRpcError):
            await call
        assert await slow.line() == "stopped"
        slow.finish_call()  # the thread that reads standard input is joined when the process ends
        assert await slow.exit_code() == 0


@pytest.mark.parametrize(
    ("symbol", "known"),
    [
        ("grpc.health.v1.Health", True),
        ("grpc.health.v1.Health.Check", True),
        ("grpc.health.v1.Health.Nothing", False),
        ("grpc.health.v1.Nothing.Check", False),
        ("Check", False),
    ],
)
async def test_reflection_knows_services_and_methods(symbol: str, known: bool) -> None:
    async with (
        running(build_server(ServerOptions(), [], [])) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)
        answers = [answer async for answer in stub.ServerReflectionInfo(iter([request]), timeout=10)]
    assert [answer.HasField("file_descriptor_response") for answer in answers] == [known]
