"""Runs the embedded profile: one process a service, ready in order of need, restarted after crashes, stopped cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from findspot.errors import FailedPrecondition
from findspot.suite.layout import (
    DEFAULT_PORTS,
    SERVICES,
    Endpoints,
    forget_endpoints,
    read_endpoints,
    write_endpoints,
)
from findspot.suite.lock import owned
from findspot.suite.ports import choose_ports
from findspot.suite.process import ServiceEvent, ServiceProcess


@dataclass(frozen=True)
class SuiteOptions:
    """What to run and where."""

    data: Path
    """Folder that holds everything the suite stores."""
    registry: Path
    """The user's registry of running suites."""
    host: str = "127.0.0.1"
    """Address that all services listen on."""
    services: tuple[str, ...] = SERVICES
    """Services to run."""
    configured_ports: Mapping[str, int] = field(default_factory=dict)
    """Ports that must be used; 0 or absent leaves the choice."""
    free_ports: bool = False
    """True to take any free ports instead of the usual ones."""
    grace: float = 15.0
    """Seconds that a service may take to stop."""
    environments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Further environment variables, by service."""


async def run_suite(
    options: SuiteOptions,
    report: Callable[[ServiceEvent], None],
    on_ready: Callable[[Endpoints], None],
    on_stop: Callable[[], None] = lambda: None,
) -> None:
    """Runs the suite until SIGINT or SIGTERM; `on_ready` is called once every service serves.

    Then `on_stop` is called, and every service may end what it is at; a second signal ends them at once.

    Raises FailedPrecondition when the folder or a configured port is taken, or a service cannot start.
    """
    with owned(options.data, "findspot-up"):
        endpoints = _endpoints(options)
        write_endpoints(endpoints, options.registry)
        signals = _Signals(on_stop)
        try:
            async with _children(options, endpoints, report, signals.second) as children:
                await _serve(children, endpoints, on_ready, signals.first)
        finally:
            forget_endpoints(options.data, options.registry)


class _Signals:
    """The first SIGINT or SIGTERM, and the second."""

    def __init__(self, on_first: Callable[[], None]) -> None:
        self.first = asyncio.Event()
        self.second = asyncio.Event()
        self._on_first = on_first
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._came)

    def _came(self) -> None:
        if self.first.is_set():
            self.second.set()
            return
        self.first.set()
        self._on_first()


def _endpoints(options: SuiteOptions) -> Endpoints:
    before = read_endpoints(options.data)
    last = {
        name: int(address.rpartition(":")[2])
        for name, address in (before.addresses if before else {}).items()
    }
    preferred = last if options.free_ports else {**DEFAULT_PORTS, **last}
    ports = choose_ports(options.services, options.configured_ports, preferred, options.host)
    addresses = {name: f"{options.host}:{port}" for name, port in ports.items()}
    return Endpoints(options.data, os.getpid(), addresses)


@contextlib.asynccontextmanager
async def _children(
    options: SuiteOptions,
    endpoints: Endpoints,
    report: Callable[[ServiceEvent], None],
    hurry: asyncio.Event,
) -> AsyncIterator[list[ServiceProcess]]:
    parent_pipe, our_end = os.pipe()
    children = [
        ServiceProcess(
            service,
            endpoints.addresses[service],
            {**_environment(service, endpoints), **options.environments.get(service, {})},
            options.data / "logs" / f"{service}.log",
            parent_pipe,
            report,
        )
        for service in options.services
    ]
    keeping = [asyncio.ensure_future(child.keep_alive()) for child in children]
    try:
        yield children
    finally:
        # Callers first, so that work in flight still finds the services that it needs.
        for child in reversed(children):
            await child.stop(options.grace, hurry)
        await asyncio.gather(*keeping)
        os.close(our_end)
        os.close(parent_pipe)


async def _serve(
    children: Sequence[ServiceProcess],
    endpoints: Endpoints,
    on_ready: Callable[[Endpoints], None],
    stop: asyncio.Event,
) -> None:
    all_ready = asyncio.ensure_future(_all_ready(children))
    endings = [
        asyncio.ensure_future(event.wait()) for event in (stop, *(child.given_up for child in children))
    ]
    waiting = {all_ready, *endings}
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not any(ending.done() for ending in endings):
            on_ready(endpoints)
            await asyncio.wait(endings, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waiting:
            wait.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    for child in children:
        if child.given_up.is_set():
            message = f"{child.service} cannot start; the end of its log:\n{child.last_lines()}"
            raise FailedPrecondition(message)


async def _all_ready(children: Sequence[ServiceProcess]) -> bool:
    for child in children:
        await child.ready.wait()
    return True


def _environment(service: str, endpoints: Endpoints) -> dict[str, str]:
    host, _, port = endpoints.addresses[service].rpartition(":")
    settings = {
        "FINDSPOT_DATA": str(endpoints.data),
        f"FINDSPOT_{service.upper()}_HOST": host,
        f"FINDSPOT_{service.upper()}_PORT": port,
    }
    for peer, address in endpoints.addresses.items():
        if peer != service:
            settings[f"FINDSPOT_{service.upper()}_{peer.upper()}_ADDRESS"] = address
    return settings
