"""The extraction service that is attacked: a process of its own with small limits, and how much memory it takes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
from grpc_health.v1 import health_pb2, health_pb2_grpc

from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.suite.ports import choose_ports

START_SECONDS = 120.0
POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Target:
    """A service that runs."""

    address: str
    process: psutil.Process
    extraction: ExtractionPeer
    health: health_pb2_grpc.HealthStub

    def resident(self) -> int:
        """Bytes that the process holds, workers not counted."""
        return int(self.process.memory_info().rss)

    async def serving(self) -> bool:
        """Whether the process lives and says of itself that it serves."""
        if not self.process.is_running() or self.process.status() == psutil.STATUS_ZOMBIE:
            return False
        try:
            answer = await self.health.Check(health_pb2.HealthCheckRequest(), timeout=10)
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@contextmanager
def started(folder: Path, settings: Mapping[str, str]) -> Iterator[tuple[str, psutil.Process]]:
    """Starts `python -m findspot_extraction` with these settings (their names without FINDSPOT_EXTRACTION_)."""
    port = choose_ports(("extraction",), {}, {}, "127.0.0.1")["extraction"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FINDSPOT_")}
    environment |= {f"FINDSPOT_EXTRACTION_{name.upper()}": value for name, value in settings.items()}
    environment |= {"FINDSPOT_EXTRACTION_PORT": str(port), "FINDSPOT_DATA": str(folder)}
    command = [sys.executable, "-m", "findspot_extraction"]
    with (
        (folder / "extraction.log").open("w") as log,
        subprocess.Popen(command, env=environment, stderr=log) as process,
    ):
        try:
            yield f"127.0.0.1:{port}", psutil.Process(process.pid)
        finally:
            process.terminate()


@asynccontextmanager
async def attacked(folder: Path, settings: Mapping[str, str]) -> AsyncIterator[Target]:
    """A service that serves, for as long as the block; its log is `extraction.log` in the folder."""
    with started(folder, settings) as (address, process):
        async with open_channel(address) as channel:
            target = Target(address, process, ExtractionPeer(channel), health_pb2_grpc.HealthStub(channel))
            await _until_serving(target, folder / "extraction.log")
            yield target


async def _until_serving(target: Target, log: Path) -> None:
    watch = target.health.Watch(health_pb2.HealthCheckRequest(), timeout=START_SECONDS, wait_for_ready=True)
    try:
        async for answer in watch:
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return
    except grpc.RpcError as problem:
        said = await asyncio.to_thread(log.read_text)
        raise RuntimeError(f"the extraction service does not serve: {said[-2000:]}") from problem


@dataclass
class Peak:
    """The most bytes that one worker process was seen to hold."""

    worker: int = 0


@asynccontextmanager
async def watched(process: psutil.Process) -> AsyncIterator[Peak]:
    """Follows the memory of the process's children for as long as the block."""
    peak, over = Peak(), asyncio.Event()
    for child in process.children():
        _forget_peak(child)

    async def follow() -> None:
        while not over.is_set():
            peak.worker = max(peak.worker, *(_held(child) for child in process.children()), 0)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), POLL_SECONDS)

    following = asyncio.create_task(follow())
    try:
        yield peak
    finally:
        over.set()
        await following


def _forget_peak(process: psutil.Process) -> None:
    """Has Linux count the most that the process holds from now on, where it may be told to."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{process.pid}/clear_refs").write_text("5")


def _held(process: psutil.Process) -> int:
    """What it holds now, or at most since it began where the system remembers that."""
    try:
        status = Path(f"/proc/{process.pid}/status")
        if status.exists():
            for line in status.read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        return int(process.memory_info().rss)
    except (psutil.NoSuchProcess, psutil.ZombieProcess, ProcessLookupError, FileNotFoundError):
        return 0
