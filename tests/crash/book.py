"""What the index must hold: for each path what was acknowledged, and what calls without an answer may have left."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.crash.documents import Version


@dataclass
class Entry:
    """One path. None stands for "no document"."""

    certain: Version | None = None
    """What the last call with an answer left."""
    possible: list[Version | None] = field(default_factory=list)
    """What later calls without an answer may have left instead."""
    former: list[Version] = field(default_factory=list)
    """What it held before: none of that may be found again."""

    def allowed(self) -> list[Version | None]:
        """Everything that it may hold now."""
        return [self.certain, *self.possible]


@dataclass
class Book:
    """All paths of a collection."""

    collection: str
    entries: dict[str, Entry] = field(default_factory=dict)

    def of(self, path: str) -> Entry:
        """The entry of a path."""
        return self.entries.setdefault(path, Entry())

    def present(self) -> list[str]:
        """Paths that certainly hold a document."""
        return [path for path, entry in self.entries.items() if entry.certain and not entry.possible]

    def absent(self) -> list[str]:
        """Paths that certainly hold none."""
        return [path for path, entry in self.entries.items() if entry.allowed() == [None]]

    def acknowledged(self, path: str, version: Version | None) -> None:
        """A call was answered: from now on this is what the path holds."""
        entry = self.of(path)
        self._was(entry, *entry.allowed())
        entry.certain, entry.possible = version, []

    def unanswered(self, path: str, version: Version | None) -> None:
        """A call got no answer: it was done, or it was not."""
        self.of(path).possible.append(version)

    def seen(self, path: str, version: Version | None) -> None:
        """What the index came to rest with, one of those that were allowed."""
        self.acknowledged(path, version)

    @staticmethod
    def _was(entry: Entry, *versions: Version | None) -> None:
        for version in versions:
            if version is not None and version not in entry.former:
                entry.former.append(version)
        del entry.former[:-3]
