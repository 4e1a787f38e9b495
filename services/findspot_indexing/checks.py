"""Checks, as the diagnosis gives them: each tells how it ended and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Outcome(IntEnum):
    """How one check ended; the largest is the worst."""

    OK = 1
    WARNING = 2
    FAILED = 3


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what was found, and what to do."""

    name: str
    outcome: Outcome
    message: str
