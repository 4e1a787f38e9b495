"""Channels to services: retries where they are safe, a deadline on every call, quick reconnection, traces."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc

from findspot.rpc.early_status import keep_early_status
from findspot.rpc.interceptors import tracing
from findspot.rpc.interceptors.deadline import outgoing_timeout
from findspot.rpc.sizes import MAX_MESSAGE_BYTES, MAX_METADATA_BYTES

IDEMPOTENT_METHODS: dict[str, tuple[str, ...]] = {
    "findspot.v1.ExtractionService": ("DetectType", "ListDocumentTypes"),
    "findspot.v1.EmbeddingService": ("Embed", "ListModels", "Rerank", "Tokenize"),
    "findspot.v1.ChunkingService": ("ListProfiles",),
    "findspot.v1.CollectionService": ("GetCollection", "ListCollections"),
    "findspot.v1.IndexingService": (
        "CheckDocuments",
        "Diagnose",
        "GetDocument",
        "GetOperation",
        "GetStatus",
        "ListDocuments",
        "ListOperations",
        "WaitForDocument",
        "WatchIndexing",
    ),
    "findspot.v1.QueryService": (
        "AssembleContext",
        "BatchGetChunks",
        "BatchSearch",
        "DownloadDocument",
        "GetChunk",
        "GetChunkRange",
        "GetDocumentText",
        "GetSection",
        "ListChunks",
        "LocateChunk",
        "Search",
        "SearchChunks",
        "SuggestDocuments",
    ),
    "findspot.v1.TextIndexService": ("Count",),
    "findspot.v1.InspectionService": ("ExplainSearch", "FindNeighbors", "InspectChunks"),
    "grpc.health.v1.Health": ("Check",),
}
"""Methods that may be repeated when a service was not there: reads and pure functions. Uploads stream and are
not here: their callers send them again themselves, from the file."""


@dataclass(frozen=True)
class ChannelOptions:
    """How a channel behaves; the defaults suit calls between services."""

    default_deadline: float | None = 30.0
    """Seconds for calls with one answer that are made outside of a served call and without a timeout; None:
    no end."""
    stream_deadline: float | None = None
    """The same for calls that stream in either direction."""
    retry_attempts: int = 4
    """Attempts in all for the methods of `IDEMPOTENT_METHODS` on UNAVAILABLE, 1 to 5; 1 never retries."""
    max_message_bytes: int = MAX_MESSAGE_BYTES
    """Largest message in either direction."""
    keepalive_seconds: float = 30.0
    """Interval of pings that find a dead connection."""
    keepalive_timeout_seconds: float = 10.0
    """How long an answer to a ping may take."""
    credentials: grpc.ChannelCredentials | None = None
    """TLS of the channel; None speaks plain text."""


DEFAULTS = ChannelOptions()


def open_channel(target: str, options: ChannelOptions = DEFAULTS) -> grpc.aio.Channel:
    """A channel to `host:port`, `dns:///name:port` or `ipv4:host:port,host:port`; connects with its first
    call.

    Calls inherit the deadline of the call being served, minus a margin. Needs a running event loop.
    """
    arguments = channel_arguments(options)
    if options.credentials is None:
        channel = grpc.aio.insecure_channel(target, options=arguments)
    else:
        channel = grpc.aio.secure_channel(target, options.credentials, options=arguments)
    return _AsyncChannel(channel, options)


def open_sync_channel(target: str, options: ChannelOptions = DEFAULTS) -> grpc.Channel:
    """The same for callers without an event loop."""
    arguments = channel_arguments(options)
    if options.credentials is None:
        channel = grpc.insecure_channel(target, options=arguments)
    else:
        channel = grpc.secure_channel(target, options.credentials, options=arguments)
    return _SyncChannel(channel, options)


def govern(channel: grpc.aio.Channel, options: ChannelOptions = DEFAULTS) -> grpc.aio.Channel:
    """A channel that somebody else opened, with a deadline and a span around each of its calls."""
    return _AsyncChannel(channel, options)


def channel_arguments(options: ChannelOptions = DEFAULTS) -> list[tuple[str, int | str]]:
    """The gRPC arguments of a channel, for clients that open their own (qdrant-client)."""
    return [
        ("grpc.service_config", service_config(options.retry_attempts)),
        ("grpc.enable_retries", 1),
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_send_message_length", options.max_message_bytes),
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", 2 * MAX_METADATA_BYTES),
        ("grpc.keepalive_time_ms", round(options.keepalive_seconds * 1000)),
        ("grpc.keepalive_timeout_ms", round(options.keepalive_timeout_seconds * 1000)),
        ("grpc.keepalive_permit_without_calls", 1),
        # A restarted service is found again within a second, not after the default of up to two minutes.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1000),
        ("grpc.dns_min_time_between_resolutions_ms", 1000),
    ]


def service_config(retry_attempts: int = DEFAULTS.retry_attempts) -> str:
    """The gRPC service config as JSON: round robin over all addresses, retries for what may be repeated."""
    config: dict[str, Any] = {"loadBalancingConfig": [{"round_robin": {}}]}
    if retry_attempts > 1:
        config["methodConfig"] = [
            {
                "name": [
                    {"service": s, "method": m} for s, methods in IDEMPOTENT_METHODS.items() for m in methods
                ],
                "retryPolicy": {
                    "maxAttempts": retry_attempts,
                    "initialBackoff": "0.05s",
                    "maxBackoff": "1s",
                    "backoffMultiplier": 3,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ]
        # A service that is down altogether gets less traffic by this, not four times as much.
        config["retryThrottling"] = {"maxTokens": 100, "tokenRatio": 0.5}
    return json.dumps(config)


class _Calls:
    """A multi-callable that gives each of its calls a deadline, and a span when tracing is on.

    Not client interceptors of gRPC: those cost a task a call and replace the call objects of streams.
    """

    def __init__(self, inner: Any, method: str, default: float | None) -> None:
        self._inner = inner
        self._method = method
        self._default = default

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._make(self._inner, args, kwargs)

    def future(self, *args: Any, **kwargs: Any) -> Any:
        """As the call, of synchronous channels: returns a future."""
        return self._make(self._inner.future, args, kwargs)

    def with_call(self, *args: Any, **kwargs: Any) -> Any:
        """As the call, of synchronous channels: returns the answer and the call."""
        return self._make(self._inner.with_call, args, kwargs)

    def _make(self, make: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        timeout = outgoing_timeout(kwargs.get("timeout"), self._default)
        if timeout is not None and timeout <= 0:
            # gRPC would still send it, and the server begin with work that nobody waits for.
            raise grpc.aio.AioRpcError(
                grpc.StatusCode.DEADLINE_EXCEEDED,
                grpc.aio.Metadata(),
                grpc.aio.Metadata(),
                f"No time was left to call {self._method.removeprefix('/')}.",
            )
        kwargs["timeout"] = timeout
        return keep_early_status(tracing.traced_call(self._method, make, args, kwargs))


class _Wrapping:
    """The four ways to make multi-callables, each with deadlines around what the inner channel makes."""

    def __init__(self, inner: Any, options: ChannelOptions) -> None:
        self._inner = inner
        self._options = options

    def unary_unary(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return _Calls(
            self._inner.unary_unary(method, *args, **kwargs), method, self._options.default_deadline
        )

    def unary_stream(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return _Calls(
            self._inner.unary_stream(method, *args, **kwargs), method, self._options.stream_deadline
        )

    def stream_unary(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return _Calls(
            self._inner.stream_unary(method, *args, **kwargs), method, self._options.stream_deadline
        )

    def stream_stream(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return _Calls(
            self._inner.stream_stream(method, *args, **kwargs), method, self._options.stream_deadline
        )


class _AsyncChannel(_Wrapping, grpc.aio.Channel):
    async def close(self, grace: float | None = None) -> None:
        await self._inner.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        state: grpc.ChannelConnectivity = self._inner.get_state(try_to_connect)
        return state

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        await self._inner.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        await self._inner.channel_ready()

    async def __aenter__(self) -> _AsyncChannel:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()


class _SyncChannel(_Wrapping, grpc.Channel):
    def subscribe(
        self, callback: Callable[[grpc.ChannelConnectivity], None], try_to_connect: bool = False
    ) -> None:
        self._inner.subscribe(callback, try_to_connect)

    def unsubscribe(self, callback: Callable[[grpc.ChannelConnectivity], None]) -> None:
        self._inner.unsubscribe(callback)

    def close(self) -> None:
        self._inner.close()

    def __enter__(self) -> _SyncChannel:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()
