"""One gRPC server as every service starts it: limits, errors, health, and an end that loses no call."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence

import grpc
from grpc_channelz.v1 import channelz
from grpc_health.v1 import (  # type: ignore[import-untyped, unused-ignore]
    health_pb2,
    health_pb2_grpc,
)
from grpc_reflection.v1alpha import reflection

from findspot.rpc.address import cannot_listen, join_address, refuse_exposure
from findspot.rpc.health import Health
from findspot.rpc.interceptors import tracing
from findspot.rpc.interceptors.access import AccessInterceptor
from findspot.rpc.interceptors.deadline import DeadlineInterceptor
from findspot.rpc.interceptors.errors import ErrorInterceptor
from findspot.rpc.interceptors.limits import LimitInterceptor
from findspot.rpc.options import ServerOptions
from findspot.rpc.reflection import MethodsToo
from findspot.rpc.sizes import MAX_METADATA_BYTES

__all__ = ["Register", "Server", "ServerOptions", "build_server", "running", "serve_until_signal"]

log = logging.getLogger(__name__)

Register = Callable[[grpc.aio.Server], None]
"""Adds a servicer: `lambda server: add_QueryServiceServicer_to_server(handler, server)`."""


class Server:
    """A server and its health. Made by `build_server`, listening from `start` to `stop`."""

    def __init__(self, options: ServerOptions, server: grpc.aio.Server, health: Health, names: Sequence[str]):
        self.options = options
        self.draining = asyncio.Event()
        """Set when the server begins to stop: endless streams watch it to end by themselves."""
        self._server = server
        self._health = health
        self._names = tuple(names)
        self._port = 0

    @property
    def port(self) -> int:
        """The bound TCP port; 0 before `start`."""
        return self._port

    @property
    def address(self) -> str:
        """`host:port` for `open_channel`."""
        return join_address(self.options.host, self._port)

    async def start(self) -> int:
        """Binds, serves and returns the port. FailedPrecondition when the port is taken or the host is not
        ours."""
        self._port = self._bind()
        await self.set_serving(self.options.serving_on_start)
        await self._server.start()
        return self._port

    async def set_serving(self, serving: bool, service: str | None = None) -> None:
        """Health of one service by its full name, "" for overall; None sets overall and every service."""
        for name in ("", *self._names) if service is None else (service,):
            await self._health.set(name, serving)

    async def stop(self, grace: float | None = None) -> None:
        """NOT_SERVING first, then no new calls, then waits for those in flight: `grace` seconds or the
        option's."""
        self.draining.set()
        await self._health.stop()
        await self._server.stop(self.options.grace_seconds if grace is None else grace)

    def _bind(self) -> int:
        options = self.options
        address = join_address(options.host, options.port)
        try:
            if options.credentials is not None:
                return self._server.add_secure_port(address, options.credentials)
            return self._server.add_insecure_port(address)
        except RuntimeError as exc:
            raise cannot_listen(options.service_name, options.host, options.port) from exc


def build_server(
    options: ServerOptions, register: Sequence[Register], service_names: Sequence[str]
) -> Server:
    """A server, not yet listening. `service_names` are full: `findspot.v1.QueryService`. Needs a running
    event loop.

    InvalidArgument when the host is not loopback and neither `credentials` nor `insecure` is given.
    """
    if not options.insecure and options.credentials is None:
        refuse_exposure(options.service_name, options.host)
    server = grpc.aio.server(interceptors=_interceptors(options), options=server_arguments(options))
    health = Health()
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    for add in register:
        add(server)
    if options.channelz:
        channelz.add_channelz_servicer(server)
    if options.reflection:
        names = [*service_names, _HEALTH, reflection.SERVICE_NAME]
        reflection.enable_server_reflection(names, server, MethodsToo())
    return Server(options, server, health, service_names)


async def serve_until_signal(
    server: Server,
    on_ready: Callable[[int], None] | None = None,
    on_stop: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Starts the server, serves until SIGTERM or SIGINT, lets calls in flight finish, then awaits `on_stop`.

    `on_ready` gets the bound port. A second signal ends the calls in flight at once. `on_stop` runs in any
    case.
    """
    with _signals() as (first, second):
        try:
            port = await server.start()
            log.info("%s listens on %s", server.options.service_name, server.address)
            if on_ready is not None:
                on_ready(port)
            await first.wait()
            log.info(
                "%s stops: calls in flight have %s s",
                server.options.service_name,
                server.options.grace_seconds,
            )
            await _stop_unless(second, server)
        finally:
            await server.stop(0)
            if on_stop is not None:
                await on_stop()


@contextlib.asynccontextmanager
async def running(server: Server) -> AsyncIterator[Server]:
    """The server, started, for the length of a block."""
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


def _interceptors(options: ServerOptions) -> list[grpc.aio.ServerInterceptor]:
    """Outermost first: what errors maps has to be visible to tracing, and everything else to errors."""
    return [
        *tracing.server_interceptors(),
        ErrorInterceptor(),
        LimitInterceptor(options.max_concurrent, options.method_limits),
        DeadlineInterceptor(),
        AccessInterceptor(),
    ]


def server_arguments(options: ServerOptions) -> list[tuple[str, int]]:
    """The gRPC arguments of a server."""
    return [
        # On by default: two servers would share a port in silence, each getting some of the connections.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_send_message_length", options.max_message_bytes),
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", 2 * MAX_METADATA_BYTES),
        # Clients ping each 30 s: below this interval a server answers "too many pings" and hangs up.
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # Frees the streams of callers whose machine went away without closing the connection.
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
    ]


@contextlib.contextmanager
def _signals() -> Iterator[tuple[asyncio.Event, asyncio.Event]]:
    """Events for the first and the second SIGTERM or SIGINT that arrives."""
    first, second = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def arrived() -> None:
        (second if first.is_set() else first).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, arrived)
    try:
        yield first, second
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


async def _stop_unless(hurry: asyncio.Event, server: Server) -> None:
    """Stops with grace; returns early, for an immediate stop, when `hurry` is set."""
    stopping = asyncio.create_task(server.stop())
    hurrying = asyncio.create_task(hurry.wait())
    await asyncio.wait([stopping, hurrying], return_when=asyncio.FIRST_COMPLETED)
    hurrying.cancel()
    if not stopping.done():
        await server.stop(0)
    await stopping
