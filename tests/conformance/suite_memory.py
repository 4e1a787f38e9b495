"""How much memory the processes of a suite held at most since they started."""

from __future__ import annotations

import re
from pathlib import Path

import psutil

from tests.e2e.suite_process import Suite

_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)


def peak_mib(suite: Suite) -> dict[str, float]:
    """The largest resident set of every process, in MiB, by service and process id; Linux alone tells."""
    assert suite.process is not None
    peaks = {}
    for child in psutil.Process(suite.process.pid).children(recursive=True):
        found = _PEAK.search(Path(f"/proc/{child.pid}/status").read_text())
        if found:
            peaks[f"{child.cmdline()[-1]} {child.pid}"] = int(found[1]) / 1024
    return peaks
