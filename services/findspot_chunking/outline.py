"""Headings made into a tree of places, and each heading's own body into a draft of a section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from findspot.model import BlockKind, ChunkKind, PageKind
from findspot_chunking.plan import Draft, Place, Source
from findspot_chunking.segments import Segment, is_long_code


@dataclass(slots=True)
class _Body:
    """What stands under one heading before the next one, and the headings that lead it or trail it."""

    place: Place
    stated: list[Place] = field(default_factory=list)
    headings: list[Segment] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    trailing: list[Segment] = field(default_factory=list)


def heading_drafts(source: Source) -> list[Draft]:
    """One draft for each heading's own body, tables apart, in document order; none is a heading alone.

    A heading without a body goes with the next place that lies under the same parent; where none follows it
    ends the section before it. A document of headings only is one draft.
    """
    drafts: list[Draft] = []
    for body in _settled(list(_bodies(source))):
        drafts.extend(_drafts_of(source, body))
    return drafts


def heading_marks(source: Source) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Where the heading path changes, and what it is from there on."""
    marks: list[tuple[int, tuple[str, ...]]] = []
    for body in _bodies(source):
        lead = body.headings or body.segments
        if lead and (not marks or marks[-1][1] != body.place.path):
            marks.append((lead[0].start, body.place.path))
    return tuple(marks)


def _bodies(source: Source) -> Iterator[_Body]:
    """Every heading with its own body, and the bodies before the first heading or on a new slide or sheet."""
    breaks = [page.start for page in source.pages if page.kind is not PageKind.PAGE][1:]
    place = root = Place()
    body = _Body(root)
    at = 0
    for segment in source.segments:
        fresh = False
        while at < len(breaks) and segment.start >= breaks[at]:
            at += 1
            fresh = True
        if fresh:
            # A slide or a sheet begins anew: the headings of the one before do not reach into it.
            yield body
            root = place = Place()
            body = _Body(root)
        if segment.kind is BlockKind.HEADING:
            yield body
            while place.parent is not None and place.level >= segment.level:
                place = place.parent
            place = place.child(segment.title, segment.level)
            body = _Body(place, [place], [segment])
        else:
            body.segments.append(segment)
    yield body


def _settled(bodies: Sequence[_Body]) -> list[_Body]:
    """Give every heading without a body to the body that it goes with."""
    settled: list[_Body] = []
    waiting: list[_Body] = []
    for body in bodies:
        if not body.segments:
            if body.headings:
                waiting.append(body)
            continue
        split = len(waiting)
        while split and _leads(waiting[split - 1].place, body.place):
            split -= 1
        if not settled:
            split = 0
        _trail(settled, waiting[:split])
        lead = waiting[split:]
        body.stated = [place for one in lead for place in one.stated] + body.stated
        body.headings = [segment for one in lead for segment in one.headings] + body.headings
        waiting = []
        settled.append(body)
    if waiting and settled:
        _trail(settled, waiting)
    elif waiting:
        whole = _Body(waiting[0].place if len(waiting) == 1 else _root(waiting[0].place))
        whole.stated = [place for one in waiting for place in one.stated]
        whole.headings = [segment for one in waiting for segment in one.headings]
        settled.append(whole)
    return settled


def _trail(settled: list[_Body], waiting: Sequence[_Body]) -> None:
    if waiting:
        settled[-1].trailing.extend(segment for one in waiting for segment in one.headings)


def _leads(heading: Place, place: Place) -> bool:
    """True when a heading without body leads to `place`; a bare slide title leads to the next slide."""
    return heading.parent in (place, *_above(place)) or _root(heading) is not _root(place)


def _above(place: Place) -> Iterator[Place]:
    while place.parent is not None:
        place = place.parent
        yield place


def _root(place: Place) -> Place:
    while place.parent is not None:
        place = place.parent
    return place


def _drafts_of(source: Source, body: _Body) -> list[Draft]:
    drafts: list[Draft] = []
    current: list[Segment] = list(body.headings)
    stated = list(body.stated)
    only_lead = True
    for index, segment in enumerate(body.segments):
        if segment.kind is BlockKind.TABLE and _goes_on(drafts, current, segment):
            drafts[-1].segments.append(segment)
        elif segment.kind is BlockKind.TABLE:
            captions = _captions(current)
            prose, lead = (current[: len(current) - captions], current[len(current) - captions :])
            if only_lead:
                prose, lead = [], current
            if prose:
                drafts.append(Draft(body.place, prose, _prose_kind(source, prose), stated))
                stated = []
            drafts.append(Draft(body.place, [*lead, segment], ChunkKind.TABLE, stated))
            current, stated, only_lead = [], [], True
        elif segment.kind is BlockKind.CAPTION and not current and drafts and not _captions_next(body, index):
            drafts[-1].segments.append(segment)
        else:
            current.append(segment)
            only_lead = only_lead and segment.kind is BlockKind.CAPTION
    if current:
        drafts.append(Draft(body.place, current, _prose_kind(source, current), stated))
    if body.trailing:
        drafts[-1].segments.extend(body.trailing)
    return drafts


def _goes_on(drafts: Sequence[Draft], current: Sequence[Segment], segment: Segment) -> bool:
    """A table that was broken by a page goes on in the section of its first part."""
    if segment.table is None or not segment.table.continues or current or not drafts:
        return False
    return drafts[-1].kind is ChunkKind.TABLE


def _captions(segments: Sequence[Segment]) -> int:
    count = 0
    while count < len(segments) and segments[-1 - count].kind is BlockKind.CAPTION:
        count += 1
    return count


def _captions_next(body: _Body, index: int) -> bool:
    """True when the caption at `index` leads to another table or piece of code."""
    for segment in body.segments[index + 1 :]:
        if segment.kind is not BlockKind.CAPTION:
            return segment.kind in (BlockKind.TABLE, BlockKind.CODE)
    return False


def _prose_kind(source: Source, segments: Sequence[Segment]) -> ChunkKind:
    body = [segment for segment in segments if segment.kind not in (BlockKind.HEADING, BlockKind.CAPTION)]
    if source.is_code or (body and all(is_long_code(source.text, segment) for segment in body)):
        return ChunkKind.CODE
    return ChunkKind.SECTION
