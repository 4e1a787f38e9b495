"""What a caller may see: the one function that turns a caller into the limits of both arms and of every read."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.model import Caller, may_read


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a search may look: collections by subtree or by name; None is no limit, an empty tuple nothing."""

    subtrees: tuple[str, ...] | None = None
    collections: tuple[str, ...] | None = None


def within(caller: Caller, reach: Reach) -> Reach:
    """The part of `reach` that the caller may read. What may not be seen is as if it were not there."""
    if caller.readable is None:
        return reach
    if reach.collections is not None:
        return Reach(collections=tuple(path for path in reach.collections if visible(caller, path)))
    if reach.subtrees is None:
        return Reach(subtrees=caller.readable)
    parts = (_deeper(mine, asked) for asked in reach.subtrees for mine in caller.readable)
    return Reach(subtrees=tuple(dict.fromkeys(path for path in parts if path)))


def visible(caller: Caller, collection_path: str) -> bool:
    """True when the caller may read this collection."""
    return may_read(caller, collection_path)


def _deeper(one: str, other: str) -> str:
    """The subtree that two subtrees share; empty when they share none."""
    if one == other or one.startswith(other + "/"):
        return one
    return other if other.startswith(one + "/") else ""
