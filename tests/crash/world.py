"""The suite that is killed: its folder, its models, its processes, and a client that is made anew after each kill."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
from grpc_health.v1 import health_pb2, health_pb2_grpc

from findspot.client import AsyncClient, connect_async
from findspot.suite.layout import SERVICES
from tests.e2e.suite_process import Suite, environment
from tests.fixtures.tiny_models import write_tiny_model

SUPERVISOR = "supervisor"
VICTIMS = (*SERVICES, SUPERVISOR)
RECOVERY_SECONDS = 60.0
_RECONNECT = [("grpc.initial_reconnect_backoff_ms", 50), ("grpc.min_reconnect_backoff_ms", 50),
              ("grpc.max_reconnect_backoff_ms", 100)]  # fmt: skip
SETTINGS = {
    "FINDSPOT_INDEXING_SWEEP_SECONDS": "1",
    "FINDSPOT_INDEXING_RETIRED_SECONDS": "0",
    "FINDSPOT_INDEXING_SCRUB_SECONDS": "0.2",
    "FINDSPOT_INDEXING_LEASE_SECONDS": "10",
    "FINDSPOT_EMBEDDING_DOCUMENT_THREADS": "1",
}
"""So that what a real suite does within minutes is done within a second."""


@dataclass
class World:
    """A suite with two models to change between."""

    suite: Suite
    models: tuple[Path, Path]
    active: int = 0
    """Which of the models it was started with."""

    @classmethod
    def made(cls, folder: Path) -> World:
        """A suite in a folder, not started yet."""
        models = tuple(
            write_tiny_model(folder / "models" / f"tiny-{dimension}", dimension=dimension, seed=dimension)
            for dimension in (64, 96)
        )
        home = folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        world = cls(Suite(folder / "data", environment(home) | SETTINGS), (models[0], models[1]))
        world._choose(0)
        return world

    def _choose(self, model: int) -> None:
        self.active = model
        self.suite.environment["FINDSPOT_EMBEDDING_MODEL"] = str(self.models[model])
        self.suite.environment["FINDSPOT_EMBEDDING_ALSO_LOAD"] = f'["{self.models[1 - model]}"]'

    async def start(self) -> None:
        """Starts it and waits until it serves."""
        await asyncio.to_thread(self.suite.start)

    async def change_model(self, how: int) -> None:
        """Ends the suite in one way or the other, and starts it with the other model."""
        await asyncio.to_thread(self._end, how)
        self._choose(1 - self.active)
        await self.start()

    async def kill(self, victim: str) -> None:
        """Ends a process as the kernel would, and returns once everything serves again."""
        if victim == SUPERVISOR:
            await asyncio.to_thread(self._end, signal.SIGKILL)
            await self.start()
            return
        await kill_service(self.suite, victim)

    def _end(self, how: int) -> None:
        assert self.suite.process is not None
        children = psutil.Process(self.suite.process.pid).children(recursive=True)
        self.suite.stop(how)
        _, alive = psutil.wait_procs(children, timeout=10)
        assert not alive, f"{alive} outlived the supervisor"

    @asynccontextmanager
    async def client(self) -> AsyncIterator[AsyncClient]:
        """A client with connections of its own: none of them remembers a process that was killed."""
        async with connect_async(self.suite.data) as client:
            yield client


async def kill_service(suite: Suite, service: str) -> None:
    """Ends a service as the kernel would, and returns once the supervisor has it serving again.

    Raises LookupError when no process runs it, TimeoutError when it does not come back.
    """
    killed = process_of(suite, service)
    killed.kill()
    async with asyncio.timeout(RECOVERY_SECONDS):
        await asyncio.to_thread(killed.wait)
        async with grpc.aio.insecure_channel(suite.addresses[service], _RECONNECT) as channel:
            while not await _serves(channel):
                pass


def process_of(suite: Suite, service: str) -> psutil.Process:
    """The process that runs a service; LookupError when there is none."""
    assert suite.process is not None
    for child in psutil.Process(suite.process.pid).children():
        try:
            if child.cmdline()[-1:] == [service]:
                return child
        except psutil.Error:
            continue
    raise LookupError(f"no process runs {service}")


async def _serves(channel: grpc.aio.Channel) -> bool:
    """True once the service says so; False when it went away while it was asked."""
    watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), wait_for_ready=True)
    try:
        async for answer in watch:
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return True
    except grpc.aio.AioRpcError:
        return False
    return False
