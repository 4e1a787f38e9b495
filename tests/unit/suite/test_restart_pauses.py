"""How long the supervisor waits before it starts a service again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from findspot.suite.process import FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS, ServiceEvent, ServiceProcess


class Crashing(ServiceProcess):
    """Ends again and again, each time after it has served for so many seconds; None: it never was ready."""

    def __init__(self, served: list[float | None]) -> None:
        self.events: list[ServiceEvent] = []
        super().__init__("query", "127.0.0.1:1", {}, Path("query.log"), 0, self.events.append)
        self._served = served

    async def _run_once(self) -> int:
        if not self._served:
            self._stopping.set()
            return 0
        served = self._served.pop(0)
        self._was_ready = served is not None
        self._ready_at = time.monotonic() - (served or 0.0)
        return -9

    async def _sleep_unless_stopping(self, seconds: float) -> None:
        return


async def pauses(*served: float | None) -> list[float]:
    service = Crashing([*served])
    await service.keep_alive()
    return [event.seconds for event in service.events if event.state == "crashed"]


async def test_crashes_right_after_the_start_are_waited_for_longer_and_longer() -> None:
    waited = await pauses(*[0.1] * 8)
    assert waited[:3] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert waited[-1] == LONGEST_PAUSE


async def test_a_service_that_had_served_for_a_while_comes_back_at_once() -> None:
    assert await pauses(*[STEADY_SECONDS + 1] * 5) == [FIRST_PAUSE] * 5
    assert (await pauses(0.1, 0.1, 0.1, STEADY_SECONDS + 1))[-1] == FIRST_PAUSE


@pytest.mark.parametrize("before", [[], [0.1, STEADY_SECONDS + 1]])
async def test_one_that_is_never_ready_is_given_up(before: list[float]) -> None:
    service = Crashing([*before, None, None, None, 0.1])
    await service.keep_alive()
    assert service.given_up.is_set()
    assert service.events[-1].state == "given up"


class Ending(ServiceProcess):
    """A process that writes to its log and ends, once."""

    def __init__(self, log: Path, words: bytes, code: int) -> None:
        self.events: list[ServiceEvent] = []
        super().__init__("indexing", "127.0.0.1:1", {}, log, 0, self.events.append)
        self._words, self._code = words, code

    async def _run_once(self) -> int:
        self._log_from = self._log_file.stat().st_size
        with self._log_file.open("ab") as log:
            log.write(self._words)
        return self._code

    async def _sleep_unless_stopping(self, seconds: float) -> None:
        self._stopping.set()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (b"loading\n  no database there.\n", 1, "ended with exit code 1: no database there"),
        (b"x" * 5_000 + b"\nno \xff there\n\n", 2, "ended with exit code 2: no \ufffd there"),
        (b"", 1, "ended with exit code 1"),
        (b"serving\n", -9, "ended with signal 9"),
    ],
)
async def test_a_service_that_ended_by_itself_is_quoted(
    tmp_path: Path, words: bytes, code: int, said: str
) -> None:
    log = tmp_path / "indexing.log"
    log.write_bytes(b"of a process before\n")
    service = Ending(log, words, code)
    await service.keep_alive()
    assert [event.message for event in service.events] == [said]
