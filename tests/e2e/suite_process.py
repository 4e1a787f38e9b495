"""A real suite for tests: `findspot up` in a process of its own, and `findspot` commands against it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FINDSPOT = str(Path(sys.executable).with_name("findspot"))
ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "tests" / "fixtures" / "library"
START_SECONDS = 100


@dataclass
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


@dataclass
class Suite:
    """A suite in a folder: started, killed, started again."""

    data: Path
    environment: dict[str, str]
    models: Path | None = None
    """Where the embedding graph is kept for other suites, so that it is built once."""
    process: subprocess.Popen[str] | None = None
    addresses: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        """Runs `findspot up` and returns when every service serves."""
        if self.models is not None and not (self.data / "models").exists():
            self.data.mkdir(parents=True, exist_ok=True)
            self.models.mkdir(parents=True, exist_ok=True)
            (self.data / "models").symlink_to(self.models)
        self.process = subprocess.Popen(
            [FINDSPOT, "up", "--data", str(self.data), "--free-ports", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line)
            if line == "}\n" and "services" in json.loads("".join(lines)):
                self.addresses = json.loads("".join(lines))["services"]
                return
        assert self.process.stderr is not None
        with self.process:
            said = "".join(lines) + self.process.stderr.read()
            raise AssertionError(f"the suite ended with {self.process.wait()}: {said}")

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Ends the supervisor and waits for it; its exit code."""
        assert self.process is not None
        with self.process:
            self.process.send_signal(how)
            return self.process.wait(60)

    def run(self, *command: str, timeout: float = 110) -> Ran:
        """Runs a command against this suite."""
        done = subprocess.run(
            [FINDSPOT, *command, "--data", str(self.data)],
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=timeout,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def begin(self, *command: str) -> subprocess.Popen[str]:
        """Starts a command against this suite and does not wait for it."""
        return subprocess.Popen(
            [FINDSPOT, *command, "--data", str(self.data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )


def environment(home: Path) -> dict[str, str]:
    """The environment of a user of their own, without the settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FINDSPOT_")}
    return {
        **kept,
        "HOME": str(home),
        "FINDSPOT_SUITE_REGISTRY": str(home / "suites"),
        "COLUMNS": "200",
    }


@contextmanager
def running(data: Path, env: dict[str, str], models: Path | None = None) -> Iterator[Suite]:
    """A suite that runs for as long as the block, unless the block itself ends it."""
    suite = Suite(data, env, models)
    suite.start()
    try:
        yield suite
    finally:
        if suite.process is not None and suite.process.poll() is None:
            suite.stop()
