"""What a document is before it is cut: places in its structure, sections, and the runs they consist of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from findspot.model import ChunkKind, Page, Span
from findspot_chunking.segments import Segment


@dataclass(frozen=True, slots=True)
class Source:
    """A document to cut: full text and structure, without words, boxes and marginalia."""

    text: str
    segments: tuple[Segment, ...]
    pages: tuple[Page, ...] = ()
    title: str = ""
    language: str = ""
    document_type: str = "text"
    category: str = "prose"
    grammar: str = ""
    """The programming language of a code file."""

    @property
    def is_code(self) -> bool:
        """True for a code file: what is no table in it is code."""
        return self.category == "code"


@dataclass(eq=False, slots=True)
class Place:
    """A place in the structure: under a heading, or in a definition. The root has no parent and no name."""

    parent: Place | None = None
    name: str = ""
    level: int = 0
    has_children: bool = False

    @property
    def chain(self) -> tuple[Place, ...]:
        """The places from the outermost to this one, the root left out."""
        found: list[Place] = []
        place: Place | None = self
        while place is not None and place.parent is not None:
            found.append(place)
            place = place.parent
        return tuple(reversed(found))

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost to this one."""
        return tuple(place.name for place in self.chain if place.name)

    def child(self, name: str, level: int) -> Place:
        """A new place below this one."""
        self.has_children = True
        return Place(self, name, level)


@dataclass(frozen=True, slots=True)
class ContextParts:
    """What a context is made of, before it is cut back to its share of the window."""

    headings: tuple[str, ...] = ()
    """Title and headings, outermost first."""
    labels: tuple[str, ...] = ()
    """Sheet and caption."""
    columns: tuple[str, ...] = ()
    before: Span | None = None
    """The paragraph before a piece of code, as a range of the text."""


@dataclass(frozen=True, slots=True)
class Run:
    """Segments of one section that are cut together: prose, one piece of code, or one table."""

    kind: ChunkKind
    segments: tuple[Segment, ...]
    first: ContextParts
    """Context of the first chunk: without the headings that stand in its text."""
    rest: ContextParts
    """Context of every later chunk."""
    language: str = ""
    glued: tuple[Span, ...] = ()
    """Ranges of places, ends included, at which it is not cut: a heading or caption would be left alone."""
    marks: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Where the heading path changes inside, for a run that ignores sections: (position, path), in order."""

    def path_at(self, position: int) -> tuple[str, ...]:
        """The heading path in force at a position, by the marks."""
        at = bisect_right(self.marks, position, key=lambda mark: mark[0]) - 1
        return self.marks[at][1] if at >= 0 else ()

    def parts_at(self, position: int) -> ContextParts:
        """What the context of a chunk that begins at `position` is made of."""
        if self.marks:
            return ContextParts((*self.rest.headings, *self.path_at(position)))
        return self.first if position <= self.start else self.rest

    @property
    def start(self) -> int:
        """Where its text begins."""
        return self.segments[0].start

    @property
    def end(self) -> int:
        """Where its text ends."""
        return self.segments[-1].end


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section before it is cut."""

    kind: ChunkKind
    heading_path: tuple[str, ...]
    runs: tuple[Run, ...]

    @property
    def start(self) -> int:
        """Where its text begins."""
        return self.runs[0].start

    @property
    def end(self) -> int:
        """Where its text ends."""
        return self.runs[-1].end


@dataclass(slots=True)
class Draft:
    """Segments that will be one section, while sections are still being put together."""

    place: Place
    segments: list[Segment]
    kind: ChunkKind = ChunkKind.SECTION
    stated: list[Place] = field(default_factory=list)
    """Places whose heading line stands in its segments."""

    @property
    def start(self) -> int:
        """Where its text begins."""
        return self.segments[0].start

    @property
    def end(self) -> int:
        """Where its text ends."""
        return self.segments[-1].end


def headings_of(source: Source, place: Place, stated: Sequence[Place]) -> tuple[str, ...]:
    """Title and heading path without the places in `stated`; the title only where it says something new."""
    names = [place.name for place in place.chain if place.name and place not in stated]
    known = {_folded(p.name) for p in (*place.chain, *stated)}
    if source.title and _folded(source.title) not in known:
        names.insert(0, " ".join(source.title.split()))
    return tuple(names)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
