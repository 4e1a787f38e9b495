"""What a comparison found, and how it tells of its progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from findspot.model import Notice
from findspot.stores.manifest.comparing import IdRange

_EXAMPLES = 100


@dataclass(frozen=True, slots=True)
class Found:
    """Differences of one projection in one range of ids."""

    missing: Mapping[str, str] = field(default_factory=dict)
    """Chunks that the manifest has live and the projection has not, with the document of each."""
    orphaned: tuple[str, ...] = ()
    """Entries that no live and no lately retired chunk has."""
    duplicated: Mapping[str, str] = field(default_factory=dict)
    """Chunks with more than one entry."""
    stale: Mapping[str, str] = field(default_factory=dict)
    """Chunks whose entry says something else of its document than the manifest."""

    @property
    def anything(self) -> bool:
        """True when there is something to mend."""
        return bool(self.missing or self.orphaned or self.duplicated or self.stale)

    @property
    def rewritten(self) -> dict[str, str]:
        """Chunks to be written again, with the document of each."""
        return {**self.missing, **self.duplicated, **self.stale}


class Ledger(Protocol):
    """Where what was found is counted: an operation's `Progress`, or a `Report`."""

    counts: dict[str, int]

    def count(self, name: str, by: int = 1) -> None:
        """Count under a name."""

    def note(self, notice: Notice) -> None:
        """Tell the caller something."""


@dataclass
class Report:
    """What was found, by name, with what the caller should know."""

    counts: dict[str, int] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)

    def count(self, name: str, by: int = 1) -> None:
        """Count under a name."""
        self.counts[name] = self.counts.get(name, 0) + by

    def note(self, notice: Notice) -> None:
        """Tell the caller something: the first hundred are kept, the others counted."""
        if len(self.notices) < _EXAMPLES:
            self.notices.append(notice)
        else:
            self.count("notices_left_out")


def enter(ledger: Ledger, projection: str, found: Found) -> None:
    """Count the differences of one range of a projection, as `text_missing` for one."""
    for name in ("missing", "orphaned", "duplicated", "stale"):
        number = len(getattr(found, name))
        if number:
            ledger.count(f"{projection}_{name}", number)


def total(counts: Mapping[str, int], name: str) -> int:
    """What both projections have of a kind of difference; what is stale counts as missing."""
    names = (name, "stale") if name == "missing" else (name,)
    return sum(counts.get(f"{part}_{kind}", 0) for part in ("text", "vectors") for kind in names)


class Steps:
    """Progress of the work as steps of a whole. This one tells nobody."""

    async def expect(self, steps: int) -> None:
        """So many more steps are to come."""

    async def step(self, steps: int = 1) -> None:
        """Some steps are done: a point at which the work may be stopped."""


@dataclass(frozen=True, slots=True)
class Part:
    """Ids that begin with the same hex digits."""

    prefix: str
    ids: IdRange


def parts(entries: int) -> Iterator[Part]:
    """All ids in parts of a few hundred: chunk ids are hashes, so they are spread evenly."""
    digits = next((n for n in (0, 1, 2, 3) if entries <= 500 * 16**n), 4)
    for number in range(16**digits):
        low = f"{number:0{digits}x}" if digits else ""
        high = f"{number + 1:0{digits}x}" if number + 1 < 16**digits else ""
        yield Part(low, IdRange(low, high))


def part_count(entries: int) -> int:
    """How many parts `parts` gives."""
    return sum(1 for _ in parts(entries))
