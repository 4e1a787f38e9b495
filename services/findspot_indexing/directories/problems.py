"""What stands in the way of following a directory, as it was last looked at."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.errors import Reason
from findspot.stores.manifest.collections import Collection
from findspot_indexing.directories.sources import SourceState


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """Why a collection is not in line with its directory. `seen_at` is in microseconds since 1970, 0 if unknown."""

    collection: str
    reason: Reason
    message: str
    seen_at: int = 0


def problem_of(collection: Collection, state: SourceState) -> SourceProblem | None:
    """The worst that is known; None when the directory is followed as it should be."""
    root = collection.settings.source_root
    reason, message = Reason.SOURCE_UNREADABLE, ""
    if state.problem is not None:
        reason, message = state.problem.reason, state.problem.message
    elif is_watched(collection) and not state.watched and state.watch_problem:
        message = f"Changes below {root!r} are found by looking only: {state.watch_problem}."
    elif state.unreadable:
        message = f"{state.unreadable} files or folders below {root!r} cannot be read; what is stored of them stays."
    return SourceProblem(collection.path, reason, message, state.looked_at) if message else None


def is_watched(collection: Collection) -> bool:
    """True when changes are to be followed as they happen."""
    return bool((collection.settings.source_options or {}).get("watch", False))
