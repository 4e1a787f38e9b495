"""OpenTelemetry traces over every hop: a span on both ends, tied by W3C `traceparent`. Off until configured.

When tracing is off nothing of OpenTelemetry is imported and no interceptor is installed. Spans carry method
and status only, never texts, queries or keys: a failed call's message may quote the request.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import grpc

from findspot.errors import FailedPrecondition
from findspot.rpc.interceptors.handlers import AroundInterceptor, Context, is_plumbing

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

_provider: TracerProvider | None = None

_SERVER_FAULTS = frozenset(
    {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}
)
"""Codes that mark the span of a server as failed; the others tell the caller something about its request."""


def configure_tracing(service_name: str, exporter: SpanExporter | str | None) -> None:
    """Turns tracing on for this process, before its servers and channels are made.

    `exporter`: an OTLP endpoint (`http://collector:4317`), "console" (standard error), "off" or None, or an
    exporter. FailedPrecondition when the packages of the extra `tracing` are not installed.
    """
    global _provider
    shutdown_tracing()
    if exporter is None or exporter in ("", "off"):
        return
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider

        provider = TracerProvider(resource=Resource.create({"service.name": service_name}))
        provider.add_span_processor(_processor(exporter))
    except ImportError as exc:
        raise FailedPrecondition(
            f"Tracing to {exporter!r} needs OpenTelemetry, which is not installed: "
            "pip install 'findspot[tracing]'."
        ) from exc
    _provider = provider


def shutdown_tracing() -> None:
    """Sends what is still buffered and turns tracing off."""
    global _provider
    if _provider is not None:
        _provider.shutdown()
    _provider = None


def tracing_enabled() -> bool:
    """True between `configure_tracing` with an exporter and `shutdown_tracing`."""
    return _provider is not None


def server_interceptors() -> list[grpc.aio.ServerInterceptor]:
    """The tracing interceptor when tracing is on; nothing when it is off."""
    return [] if _provider is None else [TracingInterceptor(_provider)]


def traced_call(method: str, make: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Makes a call of a channel, in a span that ends with it when tracing is on."""
    if _provider is None or is_plumbing(method):
        return make(*args, **kwargs)
    from opentelemetry import propagate, trace

    span = _tracer(_provider).start_span(
        _span_name(method), kind=trace.SpanKind.CLIENT, attributes=_attributes(method)
    )
    carrier: dict[str, str] = {}
    propagate.inject(carrier, trace.set_span_in_context(span))
    kwargs["metadata"] = (*(kwargs.get("metadata") or ()), *carrier.items())
    try:
        call = make(*args, **kwargs)
    except grpc.RpcError as exc:
        _end(span, exc.code(), faults=None)
        raise
    except BaseException:
        _end(span, grpc.StatusCode.UNKNOWN, faults=None)
        raise
    if hasattr(call, "add_done_callback"):
        call.add_done_callback(lambda done: _end(span, _code_of(done), faults=None))
    else:
        _end(span, grpc.StatusCode.OK, faults=None)
    return call


class TracingInterceptor(AroundInterceptor):
    """A span around every call that is served, child of the caller's span."""

    def __init__(self, provider: TracerProvider) -> None:
        super().__init__()
        self._tracer = _tracer(provider)

    @contextlib.asynccontextmanager
    async def around(self, method: str, context: Context) -> AsyncIterator[None]:
        """The span is current while the handler runs, so that its own calls and its log lines belong to
        it."""
        if is_plumbing(method):
            yield
            return
        from opentelemetry import propagate, trace

        metadata = {
            key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)
        }
        span = self._tracer.start_span(
            _span_name(method), propagate.extract(metadata), trace.SpanKind.SERVER, _attributes(method)
        )
        code = grpc.StatusCode.UNKNOWN
        try:
            with trace.use_span(span, record_exception=False, set_status_on_exception=False):
                yield
            code = _as_code(context.code())
        except grpc.aio.AbortError:
            code = _as_code(context.code())
            raise
        except BaseException:
            # Neither an answer nor an abort: the caller went away, or its time ran out.
            code = grpc.StatusCode.CANCELLED
            raise
        finally:
            _end(span, code, faults=_SERVER_FAULTS)


def _processor(exporter: SpanExporter | str) -> Any:
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor

    if exporter == "console":
        return SimpleSpanProcessor(ConsoleSpanExporter(out=sys.stderr))
    if isinstance(exporter, str):
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

        return BatchSpanProcessor(OTLPSpanExporter(exporter, insecure=not exporter.startswith("https://")))
    return SimpleSpanProcessor(exporter)


def _tracer(provider: TracerProvider) -> Any:
    return provider.get_tracer("findspot.rpc")


def _span_name(method: str) -> str:
    return method.removeprefix("/")


def _attributes(method: str) -> dict[str, str]:
    service, _, name = method.removeprefix("/").rpartition("/")
    return {"rpc.system": "grpc", "rpc.service": service, "rpc.method": name}


def _end(span: Span, code: grpc.StatusCode, faults: frozenset[str] | None) -> None:
    """Ends a span with its status; `faults` None marks every code but OK as failed, as callers see it."""
    from opentelemetry.trace import StatusCode

    span.set_attribute("rpc.grpc.status_code", code.value[0])
    if code is not grpc.StatusCode.OK and (faults is None or code.name in faults):
        span.set_status(StatusCode.ERROR, code.name)
    span.end()


def _as_code(code: Any) -> grpc.StatusCode:
    """A servicer context holds an integer, or None, until somebody sets a StatusCode."""
    if isinstance(code, grpc.StatusCode):
        return code
    return next(
        (known for known in grpc.StatusCode if known.value[0] == (code or 0)), grpc.StatusCode.UNKNOWN
    )


def _code_of(call: Any) -> grpc.StatusCode:
    """The code of a finished call: a value on synchronous channels, on asynchronous ones a coroutine that
    does not wait."""
    code = call.code()
    if isinstance(code, grpc.StatusCode):
        return code
    try:
        code.send(None)
    except StopIteration as done:
        return _as_code(done.value)
    code.close()
    return grpc.StatusCode.UNKNOWN
