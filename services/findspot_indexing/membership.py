"""What this process is among those that index into one manifest."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.stores.manifest.clock import SECOND

_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Membership:
    """One process. The owner writes the text index and does what has to be done once; a worker does the rest."""

    owner: bool = True
    alone: bool = True
    """Nobody else can be at work: the manifest is in SQLite, and the data folder is held."""
    place: str = ""
    """Host and process, for people."""
    heartbeat_seconds: float = 3.0
    """Between two signs of life."""
    timeout_seconds: float = 15.0
    """After so long without one a process counts as dead, and others take up what it had claimed."""

    def look_seconds(self, sweep_seconds: float) -> float:
        """How often to look for what others did: what this process did itself it is told."""
        return sweep_seconds if self.alone else min(sweep_seconds, _LOOK_SECONDS)

    @property
    def timeout(self) -> int:
        """In microseconds."""
        return int(self.timeout_seconds * SECOND)


ALONE = Membership()
