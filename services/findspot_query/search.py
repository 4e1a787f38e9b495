"""One search from the request to the answer: every stage over frozen values, all of one manifest snapshot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Engine

from findspot.errors import Unavailable
from findspot.model import Caller
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.stored import Coverage, SnapshotState
from findspot_query.answer import Hit, Result, SearchAnswer
from findspot_query.arms import Arms, Target, Wanted
from findspot_query.candidates import Group
from findspot_query.checks import check_search, require_revision, wordless
from findspot_query.compose import chain_info, degradations, merged_filters, understood
from findspot_query.grouping import shown
from findspot_query.hydrate import Hydrator, chunk_analyzer
from findspot_query.page_tokens import PageTokens, PinnedWindow, TokenSubject
from findspot_query.parse import ParsedQuery, parse
from findspot_query.ranking import RankingTask, WindowLimits, rank
from findspot_query.rankings import Ranking
from findspot_query.request import GroupBy, SearchMode, SearchRequest, ranking_hash
from findspot_query.rows import read_snapshot, standing
from findspot_query.scope import ResolvedScope, resolve
from findspot_query.snippets import QueryMatcher
from findspot_query.strength import strength
from findspot_query.texts import DocumentTexts
from findspot_query.trace import Disposition, TraceCollector
from findspot_query.windows import RecentWindows, WindowKey, in_pinned_order, pinned

_NO_WORDS = (
    "The query holds no word, only punctuation or operators, so nothing can match it. Give at least one word."
)


@dataclass(frozen=True)
class SearchSources:
    """What a search reads."""

    engine: Engine
    arms: Arms
    texts: DocumentTexts
    tokens: PageTokens
    windows: RecentWindows
    limits: WindowLimits
    slots: asyncio.Semaphore
    """Searches that may hold a manifest connection while they wait for the arms: fewer than there are connections,
    since a connection that is not free would be waited for on the event loop itself."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """What is fixed for one search before anything is looked for."""

    caller: Caller
    request: SearchRequest
    query: ParsedQuery
    snapshot: Snapshot
    state: SnapshotState
    scope: ResolvedScope
    coverage: Coverage
    subject: TokenSubject


async def search(
    caller: Caller, request: SearchRequest, sources: SearchSources, trace: TraceCollector | None = None
) -> SearchAnswer:
    """Answers a search. An arm that fails degrades the answer; Unavailable is raised when no arm is left of two."""
    query = parse(request.query)
    check_search(request, query)
    if trace is not None:
        trace.stage("parse", 0, 0, semantic_text=query.semantic_text)
    async with sources.slots:
        with read_snapshot(sources.engine) as snapshot:
            setting = _setting(caller, request, query, snapshot)
            answer = await _searched(setting, sources, trace)
    return answer


async def _searched(setting: _Setting, sources: SearchSources, trace: TraceCollector | None) -> SearchAnswer:
    request, scope = setting.request, setting.scope
    if trace is not None:
        trace.stage("scope", 0, 0, collections=len(scope.named), revision=setting.snapshot.revision)
    if scope.hint:
        return replace(_empty(setting), hint=scope.hint)
    if wordless(setting.query):
        return replace(_empty(setting), searched=True, count=0, hint=_NO_WORDS)
    window = sources.tokens.unseal(request.page_token, setting.subject) if request.page_token else None
    ranking = await _ranking(setting, sources, window, trace)
    if _nothing_searched(request, ranking):
        return replace(_empty(setting), failure=ranking.text_failure or ranking.vector_failure)
    answer = _answer(setting, sources, ranking, window.offset if window else 0)
    if trace is not None:
        shown_ids = [hit.chunk.id for result in answer.results for hit in (result.hit, *result.more)]
        trace.stage("page", len(ranking.groups), len(answer.results), size=request.page_size)
        trace.dispose(shown_ids, Disposition.RETURNED)
    return answer


def _setting(caller: Caller, request: SearchRequest, query: ParsedQuery, snapshot: Snapshot) -> _Setting:
    require_revision(snapshot.revision, request.min_revision)
    scope = resolve(snapshot, caller, request.scope, query)
    now = standing(snapshot, scope.collection_ids)
    identity = now.state.active.key if now.state.active else ""
    return _Setting(
        caller=caller,
        request=request,
        query=query,
        snapshot=snapshot,
        state=now.state,
        scope=scope,
        coverage=now.coverage,
        subject=TokenSubject(ranking_hash(request), f"{caller.subject}\x1f{caller.readable}", identity),
    )


async def _ranking(
    setting: _Setting, sources: SearchSources, window: PinnedWindow | None, trace: TraceCollector | None
) -> Ranking:
    """Ranks, or finds again what was ranked for the page before."""
    key = b""
    if window is not None:
        key = WindowKey(setting.subject.request_hash, setting.subject.caller, window.entries).digest()
        kept = sources.windows.find(key)
        if kept is not None:
            return kept
    active, name = setting.state.active, setting.state.qdrant_collection
    task = RankingTask(
        request=setting.request,
        wanted=Wanted(
            setting.query, setting.scope.reach, merged_filters(setting.query, setting.request.filters)
        ),
        snapshot=setting.snapshot,
        target=Target(active, name) if active is not None and name else None,
        expected=setting.coverage.live_chunks > 0,
    )
    ranking = await rank(task, sources.arms, sources.limits, trace)
    if window is not None:
        ranking = in_pinned_order(ranking, window)
        sources.windows.keep(key, ranking)
    return ranking


def _nothing_searched(request: SearchRequest, ranking: Ranking) -> bool:
    """True when the one arm of the mode failed. Raises Unavailable when both arms of HYBRID did."""
    text, vector = ranking.text_failure, ranking.vector_failure
    if request.mode is SearchMode.HYBRID:
        if text is not None and vector is not None:
            raise Unavailable(
                f"Neither arm could search. Text: {text.message} Vectors: {vector.message}",
                reason=text.reason,
                metadata={"text": text.name, "vector": vector.name},
                retry_after=1.0,
            )
        return False
    return text is not None or vector is not None


def _empty(setting: _Setting) -> SearchAnswer:
    return SearchAnswer(
        searched=False,
        revision=setting.snapshot.revision,
        understood=understood(setting.query, setting.scope.named),
        coverage=setting.coverage,
    )


def _answer(setting: _Setting, sources: SearchSources, ranking: Ranking, offset: int) -> SearchAnswer:
    request = setting.request
    page = ranking.groups[offset : offset + request.page_size]
    matcher = QueryMatcher(setting.query.scored_text)
    results, gone = _results(setting, sources, matcher, ranking, page, offset)
    best = results[0] if results and offset == 0 else None
    answered = ranking.vectors_answered
    return SearchAnswer(
        searched=True,
        revision=setting.snapshot.revision,
        understood=understood(setting.query, setting.scope.named),
        coverage=setting.coverage,
        results=results,
        count=len(ranking.groups),
        count_is_lower_bound=not ranking.complete,
        degradations=degradations(request, ranking.text_failure, ranking.vector_failure),
        strength=strength(
            best.hit.candidate if best else (ranking.groups[0].best if ranking.groups else None),
            every_word=best is not None and _every_word(matcher, best.hit),
        ),
        next_page_token=_next_token(setting, sources, ranking, offset + len(page)),
        filtered_out=ranking.filtered_out,
        not_live=ranking.not_live + gone,
        below_threshold=ranking.below_threshold,
        identity=setting.state.active if answered else None,
    )


def _results(
    setting: _Setting,
    sources: SearchSources,
    matcher: QueryMatcher,
    ranking: Ranking,
    page: Sequence[Group],
    offset: int,
) -> tuple[tuple[Result, ...], int]:
    """The results of a page, and how many of its groups are no longer live. Places of those are not given away."""
    request = setting.request
    visible = [shown(found, request.max_per_group, expand=request.expand) for found in page]
    hydrator = Hydrator(setting.snapshot, setting.caller, request, matcher, sources.texts)
    hits = hydrator.hits([candidate for members in visible for candidate in members])
    results: list[Result] = []
    for number, (found, members) in enumerate(zip(page, visible, strict=True), offset + 1):
        there = [hits[member.id] for member in members if member.id in hits]
        if there and there[0].chunk.id == found.best.id:
            chain = None
            if request.group_by is not GroupBy.NONE:
                chain = chain_info(found, there[0].chunk, lower_bound=not ranking.complete)
            results.append(Result(number, there[0], tuple(there[1:]), chain))
    return tuple(results), len(page) - len(results)


def _every_word(matcher: QueryMatcher, hit: Hit) -> bool:
    chunk = hit.chunk
    return matcher.every_word(f"{chunk.title}\n{chunk.context}\n{chunk.text}", chunk_analyzer(chunk))


def _next_token(setting: _Setting, sources: SearchSources, ranking: Ranking, offset: int) -> str:
    if offset >= len(ranking.groups):
        return ""
    window = pinned(ranking.groups, offset, complete=ranking.complete)
    key = WindowKey(setting.subject.request_hash, setting.subject.caller, window.entries).digest()
    sources.windows.keep(key, ranking)
    return sources.tokens.seal(window, setting.subject)
