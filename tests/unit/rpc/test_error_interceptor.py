"""What callers see of a handler that fails, for all four call kinds, over real servers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from rpc_testing import SERVICE, connected, path, serving

from findspot import errors
from findspot.errors import FieldViolation, Reason
from findspot.rpc.status import DETAILS_KEY, from_rpc_error

SECRET = "sk-secret-query-text"
KINDS = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")


def failing(kind: str, make: Callable[[], BaseException]) -> Any:
    """A handler of a call kind that raises what `make` gives; streams answer one message first."""

    async def answer(request: Any, context: Any) -> bytes:
        raise make()

    async def stream(request: Any, context: Any) -> AsyncIterator[bytes]:
        yield b"first"
        raise make()

    behaviour = stream if kind.endswith("stream") else answer
    return getattr(grpc, f"{kind}_rpc_method_handler")(behaviour)


async def call(channel: grpc.aio.Channel, kind: str, method: str = "Fail") -> list[bytes]:
    """Everything that a call answers; raises AioRpcError when it fails."""
    request: Any = iter([b"a", b"b"]) if kind.startswith("stream") else b"a"
    made = getattr(channel, kind)(path(method))(request)
    if kind.endswith("stream"):
        return [message async for message in made]
    return [await made]


async def failure(handler: Any, kind: str = "unary_unary") -> grpc.aio.AioRpcError:
    async with serving(Fail=handler) as server, connected(server) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(channel, kind)
    return caught.value


@pytest.mark.parametrize("kind", KINDS)
async def test_a_findspot_error_arrives_whole(kind: str) -> None:
    error = errors.ResourceExhausted(
        "too many: ü",
        reason=Reason.OVERLOADED,
        metadata={"limit": "8"},
        fields=[FieldViolation("page_size", "at most 200")],
        retry_after=0.25,
    )
    exc = await failure(failing(kind, lambda: error), kind)
    assert exc.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert exc.details() == "too many: ü"
    back = from_rpc_error(exc)
    assert (type(back), back.reason, back.metadata) == (
        errors.ResourceExhausted,
        Reason.OVERLOADED,
        {"limit": "8"},
    )
    assert (back.fields, back.retry_after) == (error.fields, 0.25)


@pytest.mark.parametrize("kind", KINDS)
async def test_an_unexpected_error_does_not_leak_and_is_logged(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    exc = await failure(failing(kind, lambda: ValueError(SECRET)), kind)
    assert exc.code() is grpc.StatusCode.INTERNAL
    trailers = dict(exc.trailing_metadata())
    assert SECRET not in f"{exc.details()}{trailers}{exc.debug_error_string()}"
    assert SECRET.encode() not in trailers[DETAILS_KEY]
    back = from_rpc_error(exc)
    record = next(record for record in caplog.records if record.levelno == logging.ERROR)
    assert back.metadata["incident"] in record.getMessage()
    assert record.exc_info is not None
    assert SECRET in str(record.exc_info[1])


@pytest.mark.parametrize("kind", KINDS)
async def test_an_abort_of_the_handler_passes(kind: str) -> None:
    async def answer(request: Any, context: Any) -> None:
        await context.abort(grpc.StatusCode.ABORTED, "said by the handler")

    handler = getattr(grpc, f"{kind}_rpc_method_handler")(answer)
    exc = await failure(handler, kind)
    assert (exc.code(), exc.details()) == (grpc.StatusCode.ABORTED, "said by the handler")


@pytest.mark.parametrize("kind", KINDS)
async def test_messages_pass_both_ways(kind: str) -> None:
    async def read(request: Any) -> list[bytes]:
        return [request] if isinstance(request, bytes) else [message async for message in request]

    async def answer(request: Any, context: Any) -> bytes:
        return b"+".join(await read(request))

    async def stream(request: Any, context: Any) -> AsyncIterator[bytes]:
        for message in await read(request):
            yield message
        yield b"end"

    behaviour = stream if kind.endswith("stream") else answer
    handler = getattr(grpc, f"{kind}_rpc_method_handler")(behaviour)
    async with serving(Echo=handler) as server, connected(server) as channel:
        answers = await call(channel, kind, "Echo")
    sent = [b"a", b"b"] if kind.startswith("stream") else [b"a"]
    assert answers == ([*sent, b"end"] if kind.endswith("stream") else [b"+".join(sent)])


def unimplemented(request: Any, context: Any) -> None:
    """What the generated base class of a service does for a method that nobody wrote."""
    context.set_code(grpc.StatusCode.UNIMPLEMENTED)
    context.set_details("Method not implemented!")
    raise NotImplementedError("Method not implemented!")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_method_that_is_not_overridden_says_not_yet_available(kind: str) -> None:
    handler = getattr(grpc, f"{kind}_rpc_method_handler")(unimplemented)
    exc = await failure(handler, kind)
    assert exc.code() is grpc.StatusCode.UNIMPLEMENTED
    back = from_rpc_error(exc)
    assert back.reason is Reason.NOT_YET_AVAILABLE
    assert f"{SERVICE}/Fail" in back.message
    assert back.metadata == {"method": f"{SERVICE}/Fail"}


async def test_a_not_implemented_error_of_the_work_is_a_bug() -> None:
    exc = await failure(failing("unary_unary", lambda: NotImplementedError(SECRET)))
    assert exc.code() is grpc.StatusCode.INTERNAL
    assert SECRET not in str(exc.details())


async def test_a_synchronous_handler_is_refused() -> None:
    exc = await failure(grpc.unary_unary_rpc_method_handler(lambda request, context: b"blocking"))
    assert exc.code() is grpc.StatusCode.INTERNAL


async def test_cancellation_reaches_the_handler() -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def wait(request: bytes, context: Any) -> bytes:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return b""

    async with (
        serving(Wait=grpc.unary_unary_rpc_method_handler(wait)) as server,
        connected(server) as channel,
    ):
        made = channel.unary_unary(path("Wait"))(b"")
        await started.wait()
        made.cancel()
        async with asyncio.timeout(5):
            await cancelled.wait()
        with pytest.raises(asyncio.CancelledError):
            await made


async def test_a_cancelled_stream_cleans_up_at_once() -> None:
    ended = asyncio.Event()

    async def endless(request: bytes, context: Any) -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"x" * 10_000
                await asyncio.sleep(0)
        finally:
            ended.set()

    handler = grpc.unary_stream_rpc_method_handler(endless)
    async with serving(Endless=handler) as server, connected(server) as channel:
        made = channel.unary_stream(path("Endless"))(b"")
        assert await made.read() == b"x" * 10_000
        made.cancel()
        async with asyncio.timeout(5):
            await ended.wait()


async def test_a_task_group_fails_for_the_reason_of_its_task() -> None:
    async def grouped(request: bytes, context: Any) -> bytes:
        async def arm() -> None:
            raise errors.Unavailable("no vectors", reason=Reason.VECTOR_STORE_UNAVAILABLE)

        async with asyncio.TaskGroup() as group:
            group.create_task(arm())
        return b""

    back = from_rpc_error(await failure(grpc.unary_unary_rpc_method_handler(grouped)))
    assert (type(back), back.reason) == (errors.Unavailable, Reason.VECTOR_STORE_UNAVAILABLE)


async def test_more_violations_than_trailers_hold_still_arrive() -> None:
    fields = [
        FieldViolation(f"items[{n}]", "is too long: 12,000 characters, at most 8,000") for n in range(1_000)
    ]
    exc = await failure(failing("unary_unary", lambda: errors.InvalidArgument("1,000 items", fields=fields)))
    back = from_rpc_error(exc)
    assert isinstance(back, errors.InvalidArgument)
    assert len(back.fields) > 10
    assert "left out here" in back.fields[-1].description


async def test_a_failed_peer_tells_neither_its_address_nor_its_text() -> None:
    async def asks(request: bytes, context: Any) -> bytes:
        async with grpc.aio.insecure_channel("127.0.0.1:1") as nobody:
            return await nobody.unary_unary(path("X"))(b"")

    exc = await failure(grpc.unary_unary_rpc_method_handler(asks))
    assert exc.code() is grpc.StatusCode.UNAVAILABLE
    assert "127.0.0.1:1" not in str(exc.details())
    assert from_rpc_error(exc).retry_after is not None


async def test_an_error_of_a_peer_passes_through_whole() -> None:
    error = errors.NotFound("no chunk 7", reason=Reason.CHUNK_NOT_FOUND)
    async with serving(Fail=failing("unary_unary", lambda: error)) as inner, connected(inner) as channel:

        async def asks(request: bytes, context: Any) -> bytes:
            return await channel.unary_unary(path("Fail"))(b"")

        back = from_rpc_error(await failure(grpc.unary_unary_rpc_method_handler(asks)))
    assert (type(back), back.reason, back.message) == (errors.NotFound, Reason.CHUNK_NOT_FOUND, "no chunk 7")


@pytest.mark.parametrize("kind", ["stream_unary", "stream_stream"])
@pytest.mark.parametrize("frame", [b"x", bytes(64 * 1024)])
async def test_the_reason_of_an_upload_refused_early_is_never_lost(kind: str, frame: bytes) -> None:
    error = errors.ResourceExhausted("too large", reason=Reason.DOCUMENT_TOO_LARGE)

    async def frames() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield frame

    async with serving(Fail=failing(kind, lambda: error)) as server, connected(server) as channel:
        for _ in range(60):
            made = getattr(channel, kind)(path("Fail"))(frames())
            if kind == "stream_stream":
                assert await made.read() == b"first"
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await (made.read() if kind == "stream_stream" else made)
            assert from_rpc_error(caught.value).reason is Reason.DOCUMENT_TOO_LARGE
