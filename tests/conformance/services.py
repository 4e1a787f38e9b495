"""The services that cases are run through: real processes, started for the run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from findspot.suite.ports import choose_ports

NAMES = ("extraction", "embedding", "chunking")
START_SECONDS = 120.0


@contextmanager
def services() -> Iterator[Mapping[str, str]]:
    """Runs them for as long as the block; `host:port` by name, each of them serving."""
    ports = choose_ports(NAMES, {}, {}, "127.0.0.1")
    addresses = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    with tempfile.TemporaryDirectory(prefix="findspot-conformance-") as folder, ExitStack() as stack:
        settings = {name: value for name, value in os.environ.items() if not name.startswith("FINDSPOT_")}
        settings |= {f"FINDSPOT_{name.upper()}_PORT": str(port) for name, port in ports.items()}
        settings |= {"FINDSPOT_DATA": folder, "FINDSPOT_CHUNKING_EMBEDDING_ADDRESS": addresses["embedding"]}
        for name in NAMES:
            stack.enter_context(_running(name, settings, Path(folder) / f"{name}.log"))
        for name, address in addresses.items():
            _await_serving(address, Path(folder) / f"{name}.log")
        yield addresses


@contextmanager
def _running(name: str, settings: Mapping[str, str], log: Path) -> Iterator[None]:
    command = [sys.executable, "-m", f"findspot_{name}"]
    with log.open("w") as said, subprocess.Popen(command, env=settings, stderr=said) as process:
        try:
            yield
        finally:
            process.terminate()


def _await_serving(address: str, log: Path) -> None:
    with grpc.insecure_channel(address) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(
            health_pb2.HealthCheckRequest(), timeout=START_SECONDS, wait_for_ready=True
        )
        try:
            for answer in watch:
                if answer.status == health_pb2.HealthCheckResponse.SERVING:
                    return
        except grpc.RpcError as problem:
            raise RuntimeError(f"{log.stem} does not serve: {log.read_text()[-2000:]}") from problem
