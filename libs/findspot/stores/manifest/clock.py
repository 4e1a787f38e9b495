"""Times as the manifest keeps them."""

from __future__ import annotations

import time

SECOND = 1_000_000
"""Microseconds."""


def now() -> int:
    """Whole microseconds since 1970, UTC."""
    return time.time_ns() // 1000
