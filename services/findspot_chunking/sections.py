"""Drafts made into sections: small siblings packed, runs of prose, code and tables told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from findspot.model import BlockKind, ChunkKind, PageKind, Span
from findspot_chunking.plan import ContextParts, Draft, Place, Run, SectionPlan, Source, headings_of
from findspot_chunking.segments import Segment, is_long_code
from findspot_chunking.window import Context, Window

SMALL = 4
"""A section is small when it takes less than one part in this many of the window."""

_LEADS = (BlockKind.HEADING, BlockKind.CAPTION)
_LED = (BlockKind.TABLE, BlockKind.CODE)


def pack_siblings(
    source: Source, drafts: Sequence[Draft], window: Window, *, at_root: bool = False
) -> list[Draft]:
    """Put small sections that are siblings, or a parent's lead text and its children, into one while it fits.

    `at_root` packs the top level too: right for definitions of one file, wrong for chapters, which have no
    heading in common.
    """
    packed: list[Draft] = []
    for draft in drafts:
        joint = _common_place(source, packed[-1], draft, at_root) if packed else None
        if joint is not None and (_small(packed[-1], window) or _small(draft, window)):
            together = Draft(
                joint,
                [*packed[-1].segments, *draft.segments],
                draft.kind,
                [*packed[-1].stated, *draft.stated],
            )
            if window.fits(together.start, together.end, _rough_context(source, together, window)):
                packed[-1] = together
                continue
        packed.append(draft)
    return packed


def _common_place(source: Source, before: Draft, draft: Draft, at_root: bool) -> Place | None:
    parent = draft.place.parent
    if parent is None or draft.place.has_children or not _whole_prose(source, draft):
        return None
    if draft.place not in draft.stated or not _whole_prose(source, before):
        return None
    if parent.parent is None and not at_root:
        return None
    if before.place is parent:
        return parent
    if before.place.parent is parent and not before.place.has_children and before.place in before.stated:
        return parent
    return None


def _whole_prose(source: Source, draft: Draft) -> bool:
    if source.is_code:
        return draft.kind is ChunkKind.CODE
    return draft.kind is ChunkKind.SECTION and not any(is_long_code(source.text, s) for s in draft.segments)


def _small(draft: Draft, window: Window) -> bool:
    characters = draft.end - draft.start
    tokens = window.counter.count(draft.start, draft.end) if window.counter is not None else 0
    return characters * SMALL < window.size and (
        window.counter is None or tokens * SMALL < window.token_cap - window.special_tokens
    )


def _rough_context(source: Source, draft: Draft, window: Window) -> Context:
    """At least as long as the context will be: headings are cut back at a third of the window, never here."""
    names = headings_of(source, draft.place, draft.stated)
    text = " > ".join(" ".join(name.split()) for name in names)
    tokens = 0
    if window.counter is not None:
        tokens = sum(window.counter.part(" ".join(name.split())) + 2 for name in names)
    return Context(text[: window.size // 3], tokens)


def plan_sections(source: Source, drafts: Sequence[Draft]) -> list[SectionPlan]:
    """Every draft as a section of runs."""
    return [SectionPlan(draft.kind, draft.place.path, tuple(_runs(source, draft))) for draft in drafts]


def _runs(source: Source, draft: Draft) -> Iterator[Run]:
    first = headings_of(source, draft.place, draft.stated)
    rest = headings_of(source, draft.place, ())
    if draft.kind is ChunkKind.TABLE:
        yield _table_run(source, draft, first, rest)
        return
    for index, (group, long_code) in enumerate(_groups(source, draft.segments)):
        headings = first if index == 0 else rest
        kind = ChunkKind.CODE if source.is_code or long_code else ChunkKind.SECTION
        before = _paragraph_before(source, draft, group) if long_code else None
        yield Run(
            kind=kind,
            segments=tuple(group),
            first=ContextParts(headings, _labels(source, group[0].start), before=before),
            rest=ContextParts(rest, _labels(source, group[0].start), before=before),
            language=_language(source, group) if kind is ChunkKind.CODE else "",
            glued=glued(group),
        )


def _groups(source: Source, segments: Sequence[Segment]) -> Iterator[tuple[list[Segment], bool]]:
    """Runs of segments: a long piece of code by itself with the headings and captions that lead it."""
    current: list[Segment] = []
    for index, segment in enumerate(segments):
        if source.is_code or not is_long_code(source.text, segment):
            current.append(segment)
            continue
        lead = len(current)
        while lead and current[lead - 1].kind in _LEADS:
            lead -= 1
        if lead:
            yield current[:lead], False
        group = [*current[lead:], segment]
        if all(later.kind in _LEADS for later in segments[index + 1 :]):
            # Nothing but headings without a body follows: they are never a chunk of their own.
            yield [*group, *segments[index + 1 :]], True
            return
        yield group, True
        current = []
    if current:
        yield current, False


def _paragraph_before(source: Source, draft: Draft, group: Sequence[Segment]) -> Span | None:
    at = draft.segments.index(group[0])
    if at == 0:
        return None
    before = draft.segments[at - 1]
    if before.kind in (BlockKind.CODE, BlockKind.TABLE, *_LEADS):
        return None
    return Span(before.start, before.end)


def _table_run(source: Source, draft: Draft, first: tuple[str, ...], rest: tuple[str, ...]) -> Run:
    tables = [segment.table for segment in draft.segments if segment.table is not None]
    columns = next((table.columns for table in tables if any(table.columns)), ())
    caption = next((table.caption for table in tables if table.caption), "")
    labels = _labels(source, draft.start)
    captioned = any(segment.kind is BlockKind.CAPTION for segment in draft.segments)
    later = (*labels, caption) if caption else labels
    return Run(
        kind=ChunkKind.TABLE,
        segments=tuple(draft.segments),
        first=ContextParts(first, labels if captioned else later, columns),
        rest=ContextParts(rest, later, columns),
        glued=glued(draft.segments),
    )


def _labels(source: Source, position: int) -> tuple[str, ...]:
    """The name of the sheet on which a position lies."""
    for page in source.pages:
        if (
            page.kind is PageKind.SHEET
            and page.label
            and page.start <= position < max(page.end, page.start + 1)
        ):
            return (page.label,)
    return ()


def _language(source: Source, group: Sequence[Segment]) -> str:
    stated = next((segment.language for segment in group if segment.language), "")
    return stated.lower() or source.grammar


def glued(segments: Sequence[Segment]) -> tuple[Span, ...]:
    """Ranges of places at which a run is not cut, so that no heading or caption is left alone.

    A heading is shut from its second character to the start of what it leads; one that ends the run from its
    first on. The ranges include their ends.
    """
    if all(segment.kind is BlockKind.HEADING for segment in segments):
        return ()
    last = len(segments)
    while segments[last - 1].kind is BlockKind.HEADING:
        last -= 1
    spans: list[Span] = []
    for index, segment in enumerate(segments):
        following = segments[index + 1] if index + 1 < len(segments) else None
        if index >= last:
            spans.append(Span(segment.start, segment.end))
        elif following is not None and segment.kind is BlockKind.HEADING:
            spans.append(Span(segment.start + 1, following.start))
        elif segment.kind is BlockKind.CAPTION and following is not None and following.kind in _LED:
            spans.append(Span(following.start, following.start))
    return tuple(spans)
