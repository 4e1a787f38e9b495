"""Traces over two real hops, for all four call kinds; and that tracing costs nothing when it is off."""

from __future__ import annotations

import asyncio
import queue
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind, StatusCode
from rpc_testing import SERVICE, connected, path, serving, unary

from findspot.errors import FailedPrecondition, NotFound
from findspot.rpc.channel import open_sync_channel
from findspot.rpc.interceptors import tracing

SECRET = "where did Schliemann dig"
KINDS = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")


class Spans(SpanExporter):
    """Keeps the spans that end, in a queue."""

    def __init__(self) -> None:
        self.finished: queue.Queue[ReadableSpan] = queue.Queue()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        for span in spans:
            self.finished.put(span)
        return SpanExportResult.SUCCESS


@pytest.fixture
def exporter() -> Iterator[Spans]:
    """Tracing into memory for the length of a test."""
    spans = Spans()
    tracing.configure_tracing("test", spans)
    yield spans
    tracing.shutdown_tracing()


def handler(kind: str, answer: Any) -> Any:
    """A handler of a call kind which awaits `answer(request)` and sends what that returns."""

    async def one(request: Any, context: Any) -> bytes:
        return await answer(request if isinstance(request, bytes) else b"".join([m async for m in request]))

    async def many(request: Any, context: Any) -> AsyncIterator[bytes]:
        yield await one(request, context)

    return getattr(grpc, f"{kind}_rpc_method_handler")(many if kind.endswith("stream") else one)


async def ask(channel: grpc.aio.Channel, kind: str, method: str, request: bytes = b"") -> bytes:
    sent: Any = iter([request]) if kind.startswith("stream") else request
    call = getattr(channel, kind)(path(method))(sent)
    if kind.endswith("stream"):
        return b"".join([message async for message in call])
    return bytes(await call)


async def spans_of(exporter: Spans, count: int) -> list[ReadableSpan]:
    """The next `count` spans: a server's span may end just after its caller has the answer."""
    return [await asyncio.to_thread(exporter.finished.get, timeout=10) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
async def test_one_trace_over_two_hops(kind: str, exporter: Spans) -> None:
    async def upper(request: bytes) -> bytes:
        return request.upper()

    async with serving(Inner=handler(kind, upper)) as second, connected(second) as between:

        async def pass_on(request: bytes) -> bytes:
            return await ask(between, kind, "Inner", request)

        async with serving(Outer=handler(kind, pass_on)) as first, connected(first) as channel:
            assert await ask(channel, kind, "Outer", SECRET.encode()) == SECRET.upper().encode()
            spans = await spans_of(exporter, 4)
    chain = {(span.name, span.kind): span for span in spans}
    outer_client, outer_server, inner_client, inner_server = (
        chain[f"{SERVICE}/{method}", kind]
        for method in ("Outer", "Inner")
        for kind in (SpanKind.CLIENT, SpanKind.SERVER)
    )
    assert outer_client.parent is None
    for parent, child in (
        (outer_client, outer_server),
        (outer_server, inner_client),
        (inner_client, inner_server),
    ):
        assert child.parent is not None
        assert child.parent.span_id == parent.context.span_id
        assert child.context.trace_id == parent.context.trace_id
    assert all(span.attributes["rpc.grpc.status_code"] == 0 for span in spans if span.attributes is not None)
    assert all(span.status.status_code is StatusCode.UNSET for span in spans)
    assert SECRET.lower() not in "".join(span.to_json().lower() for span in spans)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("error", "code", "server_status"),
    [
        (NotFound(f"nothing for {SECRET}"), grpc.StatusCode.NOT_FOUND, StatusCode.UNSET),
        (ValueError(SECRET), grpc.StatusCode.INTERNAL, StatusCode.ERROR),
    ],
)
async def test_failures_are_recorded_by_code_and_without_text(
    kind: str,
    error: Exception,
    code: grpc.StatusCode,
    server_status: StatusCode,
    exporter: Spans,
) -> None:
    async def fail(request: bytes) -> bytes:
        raise error

    async with serving(Fail=handler(kind, fail)) as server, connected(server) as channel:
        with pytest.raises(grpc.aio.AioRpcError):
            await ask(channel, kind, "Fail", SECRET.encode())
        spans = {span.kind: span for span in await spans_of(exporter, 2)}
    for span in spans.values():
        assert span.attributes is not None
        assert span.attributes["rpc.grpc.status_code"] == code.value[0]
        assert SECRET not in span.to_json()
        assert not span.events
    assert spans[SpanKind.SERVER].status.status_code is server_status
    assert spans[SpanKind.CLIENT].status.status_code is StatusCode.ERROR


async def test_a_call_whose_time_ran_out_ends_both_spans(exporter: Spans) -> None:
    async def hang(request: bytes, context: Any) -> bytes:
        await asyncio.Event().wait()
        return b""

    async with serving(Hang=unary(hang)) as server, connected(server) as channel:
        with pytest.raises(grpc.aio.AioRpcError):
            await channel.unary_unary(path("Hang"))(b"", timeout=0.1)
        spans = {span.kind: span for span in await spans_of(exporter, 2)}
    codes = {kind: span.attributes["rpc.grpc.status_code"] for kind, span in spans.items() if span.attributes}
    assert codes == {
        SpanKind.CLIENT: grpc.StatusCode.DEADLINE_EXCEEDED.value[0],
        SpanKind.SERVER: grpc.StatusCode.CANCELLED.value[0],
    }


async def test_synchronous_channels_are_traced(exporter: Spans) -> None:
    async def answer(request: bytes, context: Any) -> bytes:
        return request

    async with serving(Echo=unary(answer)) as server:

        def calls() -> None:
            with open_sync_channel(server.address) as channel:
                make = channel.unary_unary(path("Echo"))
                assert make(b"1") == make.with_call(b"1")[0] == make.future(b"1").result() == b"1"
                with pytest.raises(grpc.RpcError):
                    channel.unary_unary(path("Missing"))(b"")

        await asyncio.to_thread(calls)
        spans = await spans_of(exporter, 7)
    clients = [span for span in spans if span.kind is SpanKind.CLIENT]
    codes = sorted(span.attributes["rpc.grpc.status_code"] for span in clients if span.attributes)
    assert codes == [0, 0, 0, grpc.StatusCode.UNIMPLEMENTED.value[0]]


async def test_health_checks_are_not_traced(exporter: Spans) -> None:
    async def answer(request: bytes, context: Any) -> bytes:
        return request

    async with serving(Echo=unary(answer)) as server, connected(server) as channel:
        await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        await channel.unary_unary(path("Echo"))(b"")
        spans = await spans_of(exporter, 2)
    assert {span.name for span in spans} == {f"{SERVICE}/Echo"}


async def test_the_callers_own_metadata_is_kept(exporter: Spans) -> None:
    async def keys(request: bytes, context: Any) -> bytes:
        return ",".join(sorted(key for key, _ in context.invocation_metadata())).encode()

    async with serving(Keys=unary(keys)) as server, connected(server) as channel:
        for metadata in ((("x-own", "1"),), grpc.aio.Metadata(("x-own", "1"))):
            answer = await channel.unary_unary(path("Keys"))(b"", metadata=metadata)
            assert {b"traceparent", b"x-own"} <= set(answer.split(b","))


def test_off_means_no_interceptor_and_no_import() -> None:
    for off in (None, "", "off"):
        tracing.configure_tracing("test", off)
        assert not tracing.tracing_enabled()
        assert tracing.server_interceptors() == []
    code = "import sys, findspot.rpc.server, findspot.rpc.channel; assert 'opentelemetry' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_endpoint_is_exported_to_over_otlp() -> None:
    tracing.configure_tracing("test", "http://127.0.0.1:1")
    try:
        assert tracing.tracing_enabled()
        assert len(tracing.server_interceptors()) == 1
    finally:
        tracing.shutdown_tracing()
    assert not tracing.tracing_enabled()


def test_the_console_gets_spans_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    tracing.configure_tracing("test", "console")

    def make(**kwargs: Any) -> None:
        assert "traceparent" in dict(kwargs["metadata"])

    tracing.traced_call(path("Made"), make, (), {})
    tracing.shutdown_tracing()
    captured = capsys.readouterr()
    assert f"{SERVICE}/Made" in captured.err
    assert captured.out == ""


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with pytest.raises(FailedPrecondition, match=r"findspot\[tracing\]"):
        tracing.configure_tracing("test", "console")
    assert not tracing.tracing_enabled()
