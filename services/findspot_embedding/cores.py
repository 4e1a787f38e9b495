"""How many cores this process may use."""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(quota_file: Path = CGROUP_QUOTA) -> int:
    """Cores by affinity, and by the quota of the container where there is one (a pod with 2 CPUs on a node of
    64 has 2)."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return max(1, min(affinity, _quota(quota_file) or affinity))


def _quota(quota_file: Path) -> int | None:
    try:
        quota, period = quota_file.read_text(encoding="ascii").split()
    except (FileNotFoundError, PermissionError, ValueError):
        return None  # no container, or cgroup version 1
    return None if quota == "max" else math.ceil(int(quota) / int(period))
