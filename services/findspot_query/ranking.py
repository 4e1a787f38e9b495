"""From the arms to ranked groups: live, stored conditions, thresholds, fusion, grouping; wider until there are enough."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from findspot.model import ChunkKind
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.stored import ChunkPosition
from findspot_query.arms import NOT_ASKED, ArmAnswer, Arms, Target, Wanted
from findspot_query.candidates import ArmHit, Candidate, Group
from findspot_query.failures import Failure
from findspot_query.fusion import VERSIONS, fuse, merge
from findspot_query.grouping import group
from findspot_query.identifiers import matching, query_identifiers
from findspot_query.page_tokens import MAX_GROUPS
from findspot_query.ports import QueryVector
from findspot_query.rankings import Ranking, followed_by, widened
from findspot_query.request import SearchMode, SearchRequest
from findspot_query.rows import live_chunks, live_positions
from findspot_query.stored import conditions, holds
from findspot_query.trace import Disposition, TraceCollector

_GROWTH = 4


@dataclass(frozen=True, slots=True)
class WindowLimits:
    """How many candidates each arm is asked for: first, and at most while groups are too few."""

    first: int = 100
    most: int = 3_200


@dataclass(frozen=True, slots=True)
class _Kept:
    """Hits of one arm that may be ranked, and how many were not live or did not meet a condition."""

    hits: tuple[ArmHit, ...]
    not_live: frozenset[str] = frozenset()
    filtered_out: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RankingTask:
    """One search to rank: what is asked, of which state of the manifest, with which vectors."""

    request: SearchRequest
    wanted: Wanted
    snapshot: Snapshot
    target: Target | None
    expected: bool
    """True when the manifest has chunks in reach: then the text index has to exist."""


async def rank(
    task: RankingTask, arms: Arms, limits: WindowLimits, trace: TraceCollector | None = None
) -> Ranking:
    """The groups for one search. A search for code goes on with prose that holds short fences."""
    found = await _rank(task, arms, limits, trace)
    second = _prose_with_code(task.wanted)
    if second is None or not found.complete or len(found.groups) >= task.request.page_size:
        return found
    return followed_by(
        found, await _rank(replace(task, wanted=second), arms, limits, trace), task.request.group_by
    )


def _prose_with_code(wanted: Wanted) -> Wanted | None:
    kinds = wanted.filters.kinds
    if ChunkKind.CODE not in kinds or ChunkKind.SECTION in kinds:
        return None
    return replace(wanted, filters=replace(wanted.filters, kinds=(ChunkKind.SECTION,)), contains_code=True)


async def _rank(task: RankingTask, arms: Arms, limits: WindowLimits, trace: TraceCollector | None) -> Ranking:
    """Ranks once. The window grows until a page of groups is full or the arms are exhausted.

    What a wider window finds stands behind what the narrower one ranked: a larger page begins with the smaller one.
    """
    window, found = limits.first, None
    vector: list[QueryVector | Failure] = []

    async def embedded() -> QueryVector | Failure:
        if not vector:
            vector.append(await arms.embed(task.wanted.query.semantic_text, task.target))
        return vector[0]

    while True:
        if trace is not None:
            trace.restart(window)
        text, vectors = await _ask(task, arms, window, embedded)
        wider = _ranked(task, text, vectors, trace)
        ranking = found = wider if found is None else widened(found, wider, task.request.group_by)
        if ranking.complete or len(ranking.groups) >= task.request.page_size or window >= limits.most:
            return ranking
        window = min(limits.most, window * _GROWTH)


async def _ask(
    task: RankingTask, arms: Arms, window: int, embedded: Callable[[], Awaitable[QueryVector | Failure]]
) -> tuple[ArmAnswer, ArmAnswer]:
    async def by_text() -> ArmAnswer:
        if task.request.mode is SearchMode.SEMANTIC:
            return NOT_ASKED
        return await arms.search_text(task.wanted, window, expected=task.expected)

    async def by_vector() -> ArmAnswer:
        if task.request.mode is SearchMode.TEXT:
            return NOT_ASKED
        return await arms.search_vectors(task.wanted, await embedded(), task.target, window)

    if task.request.mode is SearchMode.TEXT:
        return await by_text(), NOT_ASKED
    text, vectors = await asyncio.gather(by_text(), by_vector())
    return text, vectors


def _ranked(task: RankingTask, text: ArmAnswer, vectors: ArmAnswer, trace: TraceCollector | None) -> Ranking:
    request, snapshot = task.request, task.snapshot
    found = {hit.id for hit in (*text.hits, *vectors.hits)}
    positions = live_positions(snapshot, found)
    all_live = len(positions) == len(found)
    texts = _threshold(_live(text.hits, positions, all_live=all_live), request.min_text_score)
    nearest = _live(vectors.hits, positions, all_live=all_live)
    nearest = _threshold(_meeting(task, nearest), request.min_similarity)
    merged = merge(texts.hits, nearest.hits, positions)
    ids = {candidate.id for candidate in merged}
    names = query_identifiers(task.wanted.query.scored_text)
    fused = fuse(merged, request.fusion, matching(snapshot, ids, names))
    groups = group(fused, request.group_by)
    lost = found - ids
    if trace is not None:
        _record(trace, task, text, vectors, texts, nearest, fused, groups)
    return Ranking(
        groups=tuple(groups[:MAX_GROUPS]),
        complete=text.exhausted and vectors.exhausted and len(groups) <= MAX_GROUPS,
        text_failure=text.failure,
        vector_failure=vectors.failure,
        vectors_answered=request.mode is not SearchMode.TEXT and vectors.failure is None,
        filtered_out=len(nearest.filtered_out & lost),
        not_live=len(found - positions.keys()),
        below_threshold=len((texts.below | nearest.below) & lost),
    )


def _live(hits: tuple[ArmHit, ...], positions: Mapping[str, ChunkPosition], *, all_live: bool) -> _Kept:
    if all_live:
        return _Kept(hits)
    kept = tuple(hit for hit in hits if hit.id in positions)
    return _Kept(kept, not_live=frozenset(hit.id for hit in hits if hit.id not in positions))


def _meeting(task: RankingTask, kept: _Kept) -> _Kept:
    """Drops what does not meet the phrases, exclusions and globs, which the vector arm cannot decide itself."""
    wanted = conditions(task.wanted.query, task.wanted.filters)
    if not wanted.any or not kept.hits:
        return kept
    chunks = live_chunks(task.snapshot, [hit.id for hit in kept.hits])
    meets = frozenset(identifier for identifier, chunk in chunks.items() if holds(wanted, chunk))
    hits = tuple(hit for hit in kept.hits if hit.id in meets)
    return _Kept(hits, kept.not_live, frozenset(hit.id for hit in kept.hits) - meets)


def _threshold(kept: _Kept, least: float | None) -> _Kept:
    """Drops the tail of an arm below its threshold: always on the arm's own score, never on a fused one."""
    if least is None:
        return kept
    hits = tuple(hit for hit in kept.hits if hit.score >= least)
    below = frozenset(hit.id for hit in kept.hits[len(hits) :])
    return _Kept(hits, kept.not_live, kept.filtered_out, below)


def _record(
    trace: TraceCollector,
    task: RankingTask,
    text: ArmAnswer,
    vectors: ArmAnswer,
    texts: _Kept,
    nearest: _Kept,
    fused: Sequence[Candidate],
    groups: Sequence[Group],
) -> None:
    """Tells the collector what became of every candidate of this window."""
    trace.text_hits, trace.vector_hits, trace.fused = text.hits, vectors.hits, tuple(fused)
    trace.vector_collection = task.target.collection if task.target else ""
    hits = len(text.hits) + len(vectors.hits)
    live = hits - len(texts.not_live) - len(nearest.not_live)
    met = live - len(nearest.filtered_out)
    trace.stage("arms", hits, hits, text=len(text.hits), vector=len(vectors.hits), window=trace.window)
    trace.stage("live", hits, live, revision=task.snapshot.revision)
    trace.stage("filter", live, met)
    trace.stage("threshold", met, met - len(texts.below) - len(nearest.below))
    trace.stage("fuse", len(fused), len(fused), formula=VERSIONS[task.request.fusion.formula])
    trace.stage("group", len(fused), len(groups), by=task.request.group_by)
    trace.dispose(texts.not_live | nearest.not_live, Disposition.NOT_IN_MANIFEST)
    trace.dispose(nearest.filtered_out, Disposition.FILTERED_OUT)
    trace.dispose(texts.below | nearest.below, Disposition.BELOW_THRESHOLD)
    # Whoever reached fusion through one arm is not rejected by what the other arm did with it.
    for found in groups:
        trace.dispose([found.best.id], Disposition.BEYOND_PAGE)
        trace.dispose([member.id for member in found.members[1:]], Disposition.COLLAPSED)
