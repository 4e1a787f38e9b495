"""Syntactic: definitions of a programming language whole where they fit, their parts where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from findspot.model import BlockKind, ChunkKind
from findspot_chunking.levels import Level, Places, lines
from findspot_chunking.plan import Draft, Place, Run, SectionPlan, Source
from findspot_chunking.sections import pack_siblings, plan_sections
from findspot_chunking.segments import Segment
from findspot_chunking.strategies.cutter import StructuredCutter
from findspot_chunking.window import Context, Window


@dataclass(eq=False, slots=True)
class _Scope:
    """A definition, or the file: its own text and the definitions in it, in order."""

    place: Place
    path: tuple[str, ...] = ()
    definition: int = -1
    members: list[Segment | _Scope] = field(default_factory=list)

    def leaves(self) -> Iterator[Segment]:
        """Every segment, depth first."""
        for member in self.members:
            if isinstance(member, _Scope):
                yield from member.leaves()
            else:
                yield member


class SyntacticCutter(StructuredCutter):
    """Cuts code at its definitions. A document without any is cut by its headings, its code by lines."""

    def plan(self, source: Source, window: Window) -> list[SectionPlan]:
        """One section a definition that fits; small ones beside each other packed."""
        if not any(segment.kind is BlockKind.DEFINITION for segment in source.segments):
            return super().plan(source, window)
        drafts = list(_drafts(source, _scopes(source), window))
        return plan_sections(source, pack_siblings(source, drafts, window, at_root=True))

    def prose_levels(self, source: Source, run: Run) -> Sequence[Level]:
        """Blocks, then lines."""
        starts = Places(segment.start for segment in run.segments[1:])
        return starts, Places(lines(source.text, run.start, run.end))


def _scopes(source: Source) -> _Scope:
    """The tree of definitions, from their symbol paths and from which lies in which."""
    root = _Scope(Place())
    stack = [root]
    between: dict[tuple[str, ...], Place] = {}
    waiting: list[Segment] = []
    for segment in source.segments:
        if segment.kind is not BlockKind.DEFINITION and not segment.language:
            waiting.append(segment)
            continue
        if segment.kind is not BlockKind.DEFINITION:
            # The reader says whose it is: the file's, or by its path what stands between members of a class.
            _back_to(stack, segment.symbol_path)
        elif any(scope.definition == segment.definition for scope in stack):
            # The rest of a definition behind one that lies in it.
            while stack[-1].definition != segment.definition:
                stack.pop()
        else:
            path = segment.symbol_path or (segment.title,)
            _back_to(stack, path[:-1])
            own, waiting = _split_comments(source, waiting, segment)
            stack[-1].members.extend(own)
            place = _place(stack[-1].place, path[len(stack[-1].path) :], between)
            scope = _Scope(place, path, segment.definition)
            stack[-1].members.append(scope)
            stack.append(scope)
        stack[-1].members.extend([*waiting, segment])
        waiting = []
    root.members.extend(waiting)
    return root


def _place(outer: Place, names: tuple[str, ...], between: dict[tuple[str, ...], Place]) -> Place:
    """The place of a definition. Names between (the receiver of a Go method) are places that others share."""
    for name in names[:-1]:
        known = between.get((*outer.path, name))
        if known is None:
            known = between[*outer.path, name] = outer.child(name, outer.level + 1)
        outer = known
    return outer.child(names[-1], outer.level + 1)


def _back_to(stack: list[_Scope], path: tuple[str, ...]) -> None:
    """Close scopes until the last one lies on the way to `path`."""
    while len(stack) > 1 and stack[-1].path != path[: len(stack[-1].path)]:
        stack.pop()


def _split_comments(
    source: Source, waiting: list[Segment], segment: Segment
) -> tuple[list[Segment], list[Segment]]:
    """Text right above a definition, without a blank line between, belongs to it (comments, attributes)."""
    split = len(waiting)
    below = segment.start
    while split and source.text.count("\n", waiting[split - 1].end, below) <= 1:
        split -= 1
        below = waiting[split].start
    return waiting[:split], waiting[split:]


def _drafts(source: Source, scope: _Scope, window: Window) -> Iterator[Draft]:
    leaves = list(scope.leaves())
    if not leaves:
        return
    kind = ChunkKind.CODE if source.is_code else ChunkKind.SECTION
    stated = [scope.place] if scope.place.parent is not None else []
    has_inner = any(isinstance(member, _Scope) for member in scope.members)
    if not has_inner or window.fits(leaves[0].start, leaves[-1].end, _path_context(scope.place, window)):
        yield Draft(scope.place, leaves, kind, stated)
        return
    own: list[Segment] = []
    for member in scope.members:
        if not isinstance(member, _Scope):
            own.append(member)
            continue
        if own:
            yield Draft(scope.place, own, kind, stated)
            own, stated = [], []
        yield from _drafts(source, member, window)
    if own:
        yield Draft(scope.place, own, kind, stated)


def _path_context(place: Place, window: Window) -> Context:
    names = place.path[:-1]
    tokens = sum(window.counter.part(name) + 2 for name in names) if window.counter is not None else 0
    return Context(" > ".join(names)[: window.size // 3], tokens)
