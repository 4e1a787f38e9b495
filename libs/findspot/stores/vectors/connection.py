"""One gRPC connection to a Qdrant server by its URL: TLS, API key, deadline, and named failures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import grpc

from findspot.errors import InvalidArgument
from findspot.stores.qdrant import wire
from findspot.stores.vectors.failures import vector_store_error

_DEFAULT_PORT = 6334
_MAX_MESSAGE_BYTES = 64 * 1024 * 1024
_OPTIONS = (
    ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", _MAX_MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A server that comes back is found within two seconds, not within the default's two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)


class Connection:
    """The stubs of a server, and the one way to call them. Needs a running event loop."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str = "",
        timeout: float = 10.0,
        govern: Callable[[grpc.aio.Channel], grpc.aio.Channel] = lambda channel: channel,
    ) -> None:
        """`url` is `http://host:port` or `https://host:port` (6334 without a port); `timeout` is seconds a
        call.

        `govern` puts deadlines and traces around the channel. Connects with the first call. Raises
        InvalidArgument for a URL that is none.
        """
        self.url = url
        self.timeout = timeout
        self._metadata = (("api-key", api_key),) if api_key else ()
        target, secure = parse_url(url)
        if secure:
            credentials = grpc.ssl_channel_credentials()
            channel = grpc.aio.secure_channel(target, credentials, _OPTIONS)
        else:
            channel = grpc.aio.insecure_channel(target, _OPTIONS)
        self._channel = govern(channel)
        self.points: Any = wire.PointsStub(self._channel)  # type: ignore[no-untyped-call]
        self.collections: Any = wire.CollectionsStub(self._channel)  # type: ignore[no-untyped-call]
        self.server: Any = wire.QdrantStub(self._channel)  # type: ignore[no-untyped-call]

    async def call(
        self,
        method: Callable[..., Awaitable[Any]],
        request: Any,
        doing: str,
        within: float | None = None,
    ) -> Any:
        """One call, `within` seconds (the connection's without one). Raises the errors of
        `failures`."""
        try:
            return await method(request, timeout=within or self.timeout, metadata=self._metadata)
        except grpc.aio.AioRpcError as failure:
            raise vector_store_error(failure, self.url, doing) from failure

    async def close(self) -> None:
        """Ends the connection; calls in flight are cancelled."""
        await self._channel.close()


def parse_url(url: str) -> tuple[str, bool]:
    """`host:port` and whether TLS is spoken. Raises InvalidArgument."""
    parts = urlsplit(url)
    try:
        port = parts.port or _DEFAULT_PORT
    except ValueError:
        port = None
    if port is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise InvalidArgument(
            f"{url!r} is no address of a vector store; write http://host:port or https://host:port, "
            f"with the gRPC port ({_DEFAULT_PORT} on a Qdrant server)."
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{host}:{port}", parts.scheme == "https"
