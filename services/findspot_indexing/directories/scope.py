"""Which part of a directory is looked at: all of it, or what changed in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

EVERYTHING = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """Paths relative to the root, each with all that lies below it; `""` is the root itself."""

    paths: frozenset[str] = frozenset({EVERYTHING})
    _on_the_way: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        above = frozenset(folder for path in self.paths for folder in folders_of(path))
        object.__setattr__(self, "_on_the_way", above)

    @classmethod
    def of(cls, paths: Iterable[str]) -> Scope:
        """The scope of these paths."""
        return cls(frozenset(paths))

    @property
    def whole(self) -> bool:
        """True when the whole directory is looked at."""
        return EVERYTHING in self.paths

    def holds(self, path: str) -> bool:
        """True when a path is in the scope."""
        return self.whole or path in self.paths or any(folder in self.paths for folder in folders_of(path))

    def touches(self, path: str) -> bool:
        """True when a path is in the scope, or is a folder on the way to something that is."""
        return path in self._on_the_way or self.holds(path)


def folders_of(path: str) -> Iterator[str]:
    """The folders that a path lies in, the innermost first, without the root."""
    at = path.rfind("/")
    while at > 0:
        yield path[:at]
        at = path.rfind("/", 0, at)


WHOLE = Scope()
