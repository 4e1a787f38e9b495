"""What a search tells about itself while it runs. Without a collector nothing is recorded and nothing is paid."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from findspot_query.candidates import ArmHit, Candidate


class Disposition(StrEnum):
    """What became of a candidate: exactly one of these."""

    RETURNED = "returned"
    BELOW_THRESHOLD = "below_threshold"
    NOT_IN_MANIFEST = "not_in_manifest"
    FILTERED_OUT = "filtered_out"
    COLLAPSED = "collapsed"
    BEYOND_PAGE = "beyond_page"


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a search: how many candidates came in and went on, and how long it took."""

    name: str
    in_count: int
    out_count: int
    dropped_count: int
    milliseconds: float
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass
class TraceCollector:
    """Collects the stages and the candidates of the one search that it is given to."""

    stages: list[Stage] = field(default_factory=list)
    text_hits: tuple[ArmHit, ...] = ()
    vector_hits: tuple[ArmHit, ...] = ()
    fused: tuple[Candidate, ...] = ()
    dispositions: dict[str, Disposition] = field(default_factory=dict)
    window: int = 0
    vector_collection: str = ""
    _began: float = field(default_factory=time.perf_counter)

    def restart(self, window: int) -> None:
        """Forgets the candidates of a window that turned out too small; its stages are kept."""
        self.window = window
        self.dispositions.clear()
        self._began = time.perf_counter()

    def stage(self, name: str, in_count: int, out_count: int, **settings: object) -> None:
        """Records a stage that ended now and began when the one before it ended."""
        now = time.perf_counter()
        texts = {key: str(value) for key, value in settings.items()}
        elapsed = (now - self._began) * 1000
        self.stages.append(Stage(name, in_count, out_count, max(0, in_count - out_count), elapsed, texts))
        self._began = now

    def dispose(self, ids: Iterable[str], disposition: Disposition) -> None:
        """Says what became of some candidates; a later word counts."""
        self.dispositions.update(dict.fromkeys(ids, disposition))
