"""A real findspot_vectors process for tests: on a free port that its log tells, ended as a test wants."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
_LISTENS = re.compile(r"listens on 127\.0\.0\.1:(\d+)")


def environment(data: Path, **settings: str) -> dict[str, str]:
    """The environment of a service over a data folder."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "libs"), str(ROOT / "services"))),
        "FINDSPOT_DATA": str(data),
        "FINDSPOT_VECTORS_PORT": "0",
        **settings,
    }


class VectorsProcess:
    """One process. `url` is where it serves; leaving the block ends it."""

    def __init__(self, data: Path, **settings: str) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "findspot_vectors"],
            env=environment(data, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self.port = int(self.wait_for(_LISTENS).group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """The next line of its log that holds the pattern."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line)
            if found := pattern.search(line):
                return found
        raise AssertionError(
            f"findspot_vectors ended without saying {pattern.pattern}:\n" + "".join(self.lines)
        )

    def kill(self) -> None:
        """kill -9: nothing of its own runs any more."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM, and its exit status."""
        return self._end(signal.SIGTERM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> int:
        if self._process.poll() is None:
            self._process.send_signal(number)
        rest, _ = self._process.communicate(timeout=30)
        self.lines += rest.splitlines(keepends=True)
        return self._process.returncode
