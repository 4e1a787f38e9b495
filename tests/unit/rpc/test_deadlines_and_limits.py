"""Deadlines over two hops, default deadlines, and refusal over the limit; all with real servers."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rpc_testing import SERVICE, connected, path, serving, unary

from findspot.errors import DeadlineExceeded, Reason, ResourceExhausted
from findspot.model import EVERYTHING
from findspot.rpc.channel import ChannelOptions, open_sync_channel
from findspot.rpc.interceptors import deadline
from findspot.rpc.interceptors.access import current_caller
from findspot.rpc.server import ServerOptions
from findspot.rpc.status import from_rpc_error


async def time_left(request: bytes, context: Any) -> bytes:
    """The server's own view of the time that it was given."""
    left = context.time_remaining()
    return b"none" if left is None else b"%.3f" % left


def forward(channel: grpc.aio.Channel, method: str, timeout: float | None = None) -> Any:
    """A handler that asks another server and answers what that answers."""

    async def ask(request: bytes, context: Any) -> bytes:
        return await channel.unary_unary(path(method))(request, timeout=timeout)

    return unary(ask)


def ask(
    channel: grpc.aio.Channel, method: str, timeout: float | None = None
) -> grpc.aio.UnaryUnaryCall[bytes, bytes]:
    return channel.unary_unary(path(method))(b"", timeout=timeout)


@contextlib.asynccontextmanager
async def two_hops(inner_timeout: float | None = None, **inner: Any) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server whose method `Ask` asks the method `Inner` of a second server."""
    async with (
        serving(Inner=unary(inner["inner"])) as second,
        connected(second) as between,
        serving(Ask=forward(between, "Inner", inner_timeout)) as first,
        connected(first) as channel,
    ):
        yield channel


async def test_the_second_hop_gets_what_is_left_minus_a_margin() -> None:
    async with two_hops(inner=time_left) as channel:
        left = float(await ask(channel, "Ask", timeout=8))
    assert 5 < left <= 8 - deadline.MARGIN_SECONDS + 0.02  # gRPC rounds a deadline up by some milliseconds


async def test_a_longer_timeout_is_cut_and_a_shorter_one_kept() -> None:
    async with two_hops(inner_timeout=60, inner=time_left) as channel:
        assert float(await ask(channel, "Ask", timeout=8)) < 8
    async with two_hops(inner_timeout=3, inner=time_left) as channel:
        assert float(await ask(channel, "Ask", timeout=8)) <= 3.02


async def test_the_second_hop_is_cancelled_and_the_first_still_answers_in_time() -> None:
    cancelled = asyncio.Event()

    async def slow(request: bytes, context: Any) -> bytes:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return b""

    async with two_hops(inner=slow) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "Ask", timeout=0.5)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        async with asyncio.timeout(5):
            await cancelled.wait()


async def test_without_a_deadline_the_channels_default_holds() -> None:
    async with serving(Left=unary(time_left)) as server:
        async with connected(server) as channel:
            assert 25 < float(await ask(channel, "Left")) <= 30.02
        async with connected(server, ChannelOptions(default_deadline=7)) as channel:
            assert 5 < float(await ask(channel, "Left")) <= 7.02
        async with connected(server, ChannelOptions(default_deadline=None)) as channel:
            assert await ask(channel, "Left") == b"none"


async def test_streams_have_no_default_deadline_unless_told() -> None:
    async def stream(request: bytes, context: Any) -> AsyncIterator[bytes]:
        yield await time_left(request, context)

    async with serving(Left=grpc.unary_stream_rpc_method_handler(stream)) as server:
        for limit in (None, 9.0):
            async with connected(server, ChannelOptions(stream_deadline=limit)) as channel:
                (answer,) = [message async for message in channel.unary_stream(path("Left"))(b"")]
            if limit is None:
                assert answer == b"none"
            else:
                assert 7 < float(answer) <= 9.02


async def test_synchronous_channels_have_deadlines_too() -> None:
    async with serving(Left=unary(time_left)) as server:

        def call() -> bytes:
            with open_sync_channel(server.address, ChannelOptions(default_deadline=7)) as channel:
                make = channel.unary_unary(path("Left"))
                assert float(make.with_call(b"")[0]) <= 7.02
                assert float(make.future(b"").result()) <= 7.02
                answer: bytes = make(b"")
                return answer

        assert 5 < float(await asyncio.to_thread(call)) <= 7.02


async def test_a_call_past_its_deadline_fails_at_once_and_is_not_sent() -> None:
    served: list[bytes] = []

    async def serve(request: bytes, context: Any) -> bytes:
        served.append(request)
        return b""

    async with serving(Serve=unary(serve)) as server, connected(server) as channel:
        with deadline.time_limit(-1), pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "Serve")
        assert await ask(channel, "Serve") == b""
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert isinstance(from_rpc_error(caught.value), DeadlineExceeded)
    assert len(served) == 1


async def test_background_work_does_not_inherit_the_deadline() -> None:
    tasks: list[asyncio.Task[float | None]] = []

    async def look() -> float | None:
        return deadline.remaining()

    async def begin(request: bytes, context: Any) -> bytes:
        tasks.append(asyncio.create_task(look()))
        with deadline.no_deadline():
            tasks.append(asyncio.create_task(look()))
        return b""

    async with serving(Begin=unary(begin)) as server, connected(server) as channel:
        await ask(channel, "Begin", timeout=5)
        bound, free = await asyncio.gather(*tasks)
    assert bound is not None
    assert 0 < bound <= 5.02
    assert free is None


def outgoing(left: float | None, asked: float | None, default: float | None = 30.0) -> float | None:
    def compute() -> float | None:
        if left is None:
            return deadline.outgoing_timeout(asked, default)
        with deadline.time_limit(left):
            return deadline.outgoing_timeout(asked, default)

    return contextvars.Context().run(compute)


@pytest.mark.parametrize(
    ("left", "asked", "expected"),
    [
        (None, None, 30.0),
        (None, 5.0, 5.0),
        (None, 90.0, 90.0),
        (10.0, None, 9.95),  # 50 ms kept back
        (0.2, None, 0.19),  # 5 % kept back
        (10.0, 90.0, 9.95),
        (10.0, 2.0, 2.0),
        (-3.0, None, 0.0),
        (-3.0, 2.0, 0.0),
    ],
)
def test_outgoing_timeouts(left: float | None, asked: float | None, expected: float) -> None:
    assert outgoing(left, asked) == pytest.approx(expected, abs=0.005)


def test_a_time_limit_never_lengthens_the_deadline() -> None:
    with deadline.time_limit(1), deadline.time_limit(60):
        left = deadline.remaining()
    assert left is not None
    assert left <= 1


async def test_the_caller_is_known_to_the_handler() -> None:
    async def who(request: bytes, context: Any) -> bytes:
        return current_caller().subject.encode()

    async with serving(Who=unary(who)) as server, connected(server) as channel:
        assert await ask(channel, "Who") == EVERYTHING.subject.encode()


class Gate:
    """A handler that holds its calls until it is opened."""

    def __init__(self) -> None:
        self.entered = asyncio.Semaphore(0)
        self.open = asyncio.Event()

    async def __call__(self, request: bytes, context: Any) -> bytes:
        self.entered.release()
        await self.open.wait()
        return b"served"


def hold(gate: Gate) -> Any:
    async def behaviour(request: bytes, context: Any) -> bytes:
        return await gate(request, context)

    return unary(behaviour)


async def test_over_the_limit_calls_are_refused_at_once_and_health_still_answers() -> None:
    gate = Gate()
    async with (
        serving(ServerOptions(max_concurrent=2), Hold=hold(gate)) as server,
        connected(server) as channel,
    ):
        held = [asyncio.ensure_future(ask(channel, "Hold")) for _ in range(2)]
        for _ in held:
            await gate.entered.acquire()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "Hold")
        error = from_rpc_error(caught.value)
        assert isinstance(error, ResourceExhausted)
        assert error.reason is Reason.OVERLOADED
        assert error.retry_after is not None
        assert error.metadata == {"limit": "2"}
        check = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        assert check.status == health_pb2.HealthCheckResponse.SERVING
        gate.open.set()
        assert await asyncio.gather(*held) == [b"served", b"served"]
        assert await ask(channel, "Hold") == b"served"


async def test_failed_and_cancelled_calls_give_their_room_back() -> None:
    gate = Gate()

    async def fail(request: bytes, context: Any) -> bytes:
        raise ValueError

    options = ServerOptions(max_concurrent=1)
    async with serving(options, Hold=hold(gate), Fail=unary(fail)) as server, connected(server) as channel:
        for _ in range(3):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ask(channel, "Fail")
            assert caught.value.code() is grpc.StatusCode.INTERNAL
        with pytest.raises(grpc.aio.AioRpcError):
            await ask(channel, "Hold", timeout=0.1)
        gate.open.set()
        async with asyncio.timeout(5):
            while True:  # the server hears of the deadline a moment after the caller
                with contextlib.suppress(grpc.aio.AioRpcError):
                    assert await ask(channel, "Hold") == b"served"
                    break


async def test_a_method_with_its_own_limit_leaves_the_room_of_the_others() -> None:
    watch, other = Gate(), Gate()
    other.open.set()
    options = ServerOptions(max_concurrent=1, method_limits={path("Watch"): 1})
    async with serving(options, Watch=hold(watch), Other=hold(other)) as server, connected(server) as channel:
        held = asyncio.ensure_future(ask(channel, "Watch"))
        await watch.entered.acquire()
        assert await ask(channel, "Other") == b"served"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "Watch")
        assert f"{SERVICE}/Watch" in str(caught.value.details())
        watch.open.set()
        assert await held == b"served"
