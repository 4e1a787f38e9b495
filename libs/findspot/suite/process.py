"""One service as a process: started, awaited, restarted after a crash, stopped."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped, unused-ignore]

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
STEADY_SECONDS = 5.0
"""A service that was ready for so long is in no loop of crashes: its next restart has the shortest pause again."""
TRIES_BEFORE_READY = 3
"""A service that never was ready is not started more often: its settings or its installation are wrong."""
LARGEST_LOG = 10 * 1024 * 1024
LONGEST_SAID = 2_000
"""Bytes at the end of a log in which the last words of a process are looked for."""
_POLL_SECONDS = 0.05


class ServiceState(StrEnum):
    """What became of a service."""

    STARTING = "starting"
    READY = "ready"
    CRASHED = "crashed"
    STOPPED = "stopped"
    GIVEN_UP = "given up"


@dataclass(frozen=True)
class ServiceEvent:
    """Something that happened to a service, for whoever watches the suite."""

    service: str
    state: ServiceState
    address: str
    pid: int = 0
    seconds: float = 0.0
    """Until ready, or until the next start."""
    message: str = ""


class ServiceProcess:
    """Keeps one service alive until `stop`."""

    def __init__(
        self,
        service: str,
        address: str,
        environment: Mapping[str, str],
        log_file: Path,
        parent_pipe: int,
        report: Callable[[ServiceEvent], None],
    ) -> None:
        self.service = service
        self.ready = asyncio.Event()
        self.given_up = asyncio.Event()
        self._address = address
        self._environment = environment
        self._log_file = log_file
        self._parent_pipe = parent_pipe
        self._report = report
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = asyncio.Event()
        self._was_ready = False
        self._ready_at = 0.0
        self._log_from = 0

    async def keep_alive(self) -> None:
        """Starts the service, and starts it again after every end that nobody asked for."""
        pause, failures = FIRST_PAUSE, 0
        while not self._stopping.is_set():
            code = await self._run_once()
            served = time.monotonic() - self._ready_at if self._was_ready else 0.0
            self.ready.clear()
            if self._stopping.is_set():
                break
            failures = 0 if self._was_ready else failures + 1
            if failures >= TRIES_BEFORE_READY:
                self._tell(
                    ServiceState.GIVEN_UP,
                    message=f"ended with {_ending(code)} {failures} times before it was ready",
                )
                self.given_up.set()
                return
            pause = FIRST_PAUSE if served > STEADY_SECONDS else pause
            self._tell(
                ServiceState.CRASHED, seconds=pause, message=f"ended with {_ending(code)}{self._said(code)}"
            )
            await self._sleep_unless_stopping(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def stop(self, grace: float, hurry: asyncio.Event) -> None:
        """Asks the service to end, and ends it after `grace` seconds, or once `hurry` is set."""
        self._stopping.set()
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        ended, hurried = asyncio.ensure_future(process.wait()), asyncio.ensure_future(hurry.wait())
        await asyncio.wait({ended, hurried}, timeout=grace, return_when=asyncio.FIRST_COMPLETED)
        hurried.cancel()
        if not ended.done():
            process.kill()
        await ended
        self._tell(ServiceState.STOPPED)

    def last_lines(self, count: int = 12) -> str:
        """The end of the service's log."""
        if not self._log_file.exists():
            return ""
        return "\n".join(self._log_file.read_text(errors="replace").splitlines()[-count:])

    def _said(self, code: int) -> str:
        """The last line that a process wrote which ended by itself: mostly why."""
        if code <= 0 or not self._log_file.exists():
            return ""
        with self._log_file.open("rb") as log:
            log.seek(max(self._log_from, self._log_file.stat().st_size - LONGEST_SAID))
            lines = log.read().decode(errors="replace").strip().splitlines()
        return f": {lines[-1].strip().rstrip('.')}" if lines else ""

    async def _run_once(self) -> int:
        self._was_ready = False
        began = time.monotonic()
        self._log_file.parent.mkdir(parents=True, exist_ok=True)
        if self._log_file.exists() and self._log_file.stat().st_size > LARGEST_LOG:
            self._log_file.replace(self._log_file.with_suffix(".log.1"))
        with self._log_file.open("ab") as log:
            self._log_from = log.tell()
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "findspot.suite.child",
                str(self._parent_pipe),
                self.service,
                env={**os.environ, **self._environment},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(self._parent_pipe,),
                start_new_session=True,  # Ctrl-C goes to the supervisor alone, which stops its children in order.
            )
        self._tell(ServiceState.STARTING)
        ended = asyncio.ensure_future(self._process.wait())
        probe = asyncio.ensure_future(self._await_serving())
        try:
            await asyncio.wait({ended, probe}, return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                self._was_ready = True
                self._ready_at = time.monotonic()
                self.ready.set()
                self._tell(ServiceState.READY, seconds=self._ready_at - began)
            return await ended
        finally:
            probe.cancel()

    async def _await_serving(self) -> None:
        async with grpc.aio.insecure_channel(self._address, options=_PROBE_OPTIONS) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            while True:
                if await _serves(health):
                    return
                await asyncio.sleep(_POLL_SECONDS)

    async def _sleep_unless_stopping(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return

    def _tell(self, state: ServiceState, *, seconds: float = 0.0, message: str = "") -> None:
        pid = self._process.pid if self._process else 0
        self._report(ServiceEvent(self.service, state, self._address, pid, seconds, message))


_PROBE_OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.enable_http_proxy", 0),
)


async def _serves(health: health_pb2_grpc.HealthStub) -> bool:
    try:
        answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
