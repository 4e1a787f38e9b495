"""Search requests and answers, from and to protobuf."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from findspot.errors import FieldViolation, InvalidArgument
from findspot.rpc.freshness_messages import FRESHNESS, evidence_unless_fresh
from findspot.v1 import query_pb2
from findspot_query.answer import ChainInfo, Hit, Neighbor, Result, SearchAnswer, Understood
from findspot_query.failures import Degradation
from findspot_query.handler_values import (
    KINDS,
    box_messages,
    code_language,
    failure_message,
    identity_message,
    kind_message,
    notice_message,
    range_message,
    unit_of,
    unknown_value,
)
from findspot_query.parse import ScopeQualifier
from findspot_query.request import (
    DEFAULT_PAGE_SIZE,
    MAX_PAGE_SIZE,
    Filters,
    Formula,
    Fusion,
    GroupBy,
    Scope,
    SearchMode,
    SearchRequest,
    View,
)
from findspot_query.strength import Strength

_MODES = {
    query_pb2.SEARCH_MODE_UNSPECIFIED: SearchMode.HYBRID,
    query_pb2.SEARCH_MODE_HYBRID: SearchMode.HYBRID,
    query_pb2.SEARCH_MODE_TEXT: SearchMode.TEXT,
    query_pb2.SEARCH_MODE_SEMANTIC: SearchMode.SEMANTIC,
}
_EFFECTIVE = {
    SearchMode.HYBRID: query_pb2.SEARCH_MODE_HYBRID,
    SearchMode.TEXT: query_pb2.SEARCH_MODE_TEXT,
    SearchMode.SEMANTIC: query_pb2.SEARCH_MODE_SEMANTIC,
}
_GROUPS = {
    query_pb2.GROUP_BY_NONE: GroupBy.NONE,
    query_pb2.GROUP_BY_SECTION: GroupBy.SECTION,
    query_pb2.GROUP_BY_DOCUMENT: GroupBy.DOCUMENT,
}
_FORMULAS = {
    query_pb2.FUSION_FORMULA_RRF: Formula.RRF,
    query_pb2.FUSION_FORMULA_WEIGHTED_RRF: Formula.WEIGHTED_RRF,
    query_pb2.FUSION_FORMULA_RELATIVE_SCORE: Formula.RELATIVE_SCORE,
    query_pb2.FUSION_FORMULA_MAX_BONUS: Formula.MAX_BONUS,
}
_VIEWS = {
    query_pb2.RESULT_VIEW_UNSPECIFIED: View.SNIPPET,
    query_pb2.RESULT_VIEW_SNIPPET: View.SNIPPET,
    query_pb2.RESULT_VIEW_TEXT: View.TEXT,
    query_pb2.RESULT_VIEW_SECTION: View.SECTION,
}
_QUALIFIERS = {
    query_pb2.SCOPE_QUALIFIER_UNSPECIFIED: ScopeQualifier.SUBTREE,
    query_pb2.SCOPE_QUALIFIER_SUBTREE: ScopeQualifier.SUBTREE,
    query_pb2.SCOPE_QUALIFIER_EXACT: ScopeQualifier.EXACT,
    query_pb2.SCOPE_QUALIFIER_ANCESTORS: ScopeQualifier.ANCESTORS,
}
_STRENGTHS = {
    Strength.STRONG: query_pb2.STRENGTH_STRONG,
    Strength.WEAK: query_pb2.STRENGTH_WEAK,
    Strength.NONE: query_pb2.STRENGTH_NONE,
}


def search_request(message: query_pb2.SearchRequest, group_by: GroupBy) -> SearchRequest:
    """A search; `group_by` is the default of the method. InvalidArgument for enum numbers nobody knows."""
    for field, value, known in (
        ("mode", message.mode, _MODES),
        ("group_by", message.group_by, {query_pb2.GROUP_BY_UNSPECIFIED: group_by, **_GROUPS}),
        ("view", message.view, _VIEWS),
    ):
        if value not in known:
            raise unknown_value(field, value)
    return SearchRequest(
        query=message.query,
        mode=_MODES[message.mode],
        scope=scope_of(message.scope),
        filters=_filters(message.filters),
        fusion=_fusion(message.fusion),
        min_similarity=message.min_similarity if message.HasField("min_similarity") else None,
        min_text_score=message.min_text_score if message.HasField("min_text_score") else None,
        group_by=_GROUPS.get(message.group_by, group_by),
        max_per_group=message.max_per_group or 1,
        expand=message.expand,
        rerank=message.rerank,
        page_size=page_size(message.page_size),
        page_token=message.page_token,
        min_revision=message.min_revision,
        view=_VIEWS[message.view],
        neighbors=message.neighbors,
        offset_unit=unit_of(message.offset_unit),
    )


def page_size(asked: int) -> int:
    """0 takes the default, more than the maximum the maximum; a negative one is refused by the checks."""
    return min(asked or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)


def scope_of(message: query_pb2.Scope) -> Scope:
    """Where to search."""
    match message.WhichOneof("kind"):
        case "anchor":
            return Scope(anchor=message.anchor)
        case "target":
            if message.target.qualifier not in _QUALIFIERS:
                raise unknown_value("scope.target.qualifier", message.target.qualifier)
            return Scope(target=message.target.path, qualifier=_QUALIFIERS[message.target.qualifier])
        case _:
            return Scope()


def _filters(message: query_pb2.SearchFilters) -> Filters:
    unknown = [kind for kind in message.kinds if kind not in KINDS]
    if unknown:
        raise unknown_value("filters.kinds", unknown[0])
    after, before = message.HasField("modified_after"), message.HasField("modified_before")
    return Filters(
        kinds=tuple(KINDS[kind] for kind in message.kinds),
        languages=tuple(message.languages),
        path_globs=(tuple(message.path_globs),) if message.path_globs else (),
        exclude_paths=tuple(message.exclude_paths),
        document_ids=tuple(message.document_ids) or None,
        document_types=tuple(message.document_types),
        metadata=tuple(sorted(message.metadata.items())),
        modified_from=_whole_second(message.modified_after) if after else None,
        modified_to=_whole_second(message.modified_before) if before else None,
    )


def _whole_second(time: Timestamp) -> int:
    """Sources are dated to the second: the first second at or after `time`."""
    return time.seconds + (time.nanos > 0)


def _fusion(message: query_pb2.Fusion) -> Fusion:
    weighted = message.HasField("text_weight") or message.HasField("vector_weight")
    if message.formula == query_pb2.FUSION_FORMULA_UNSPECIFIED:
        formula = Formula.WEIGHTED_RRF if weighted else Formula.RRF
    elif message.formula in _FORMULAS:
        formula = _FORMULAS[message.formula]
    else:
        raise unknown_value("fusion.formula", message.formula)
    if weighted and formula is Formula.RRF:
        told = "RRF has no weights, which would be left out in silence; choose WEIGHTED_RRF"
        raise InvalidArgument(f"{told}.", fields=[FieldViolation("fusion.formula", told)])
    return Fusion(
        formula=formula,
        k=message.k or 60,
        text_weight=message.text_weight if message.HasField("text_weight") else 1.0,
        vector_weight=message.vector_weight if message.HasField("vector_weight") else 1.0,
    )


def search_response(answer: SearchAnswer, view: View) -> query_pb2.SearchResponse:
    """An answer."""
    return query_pb2.SearchResponse(
        searched=answer.searched,
        count=answer.count,
        count_is_lower_bound=answer.count_is_lower_bound,
        results=[_result(result, view) for result in answer.results],
        failure=None if answer.failure is None else failure_message(answer.failure),
        degradations=[_degradation(lost) for lost in answer.degradations],
        coverage=query_pb2.Coverage(
            total_chunk_count=answer.coverage.live_chunks,
            embedded_chunk_count=answer.coverage.embedded_chunks,
        ),
        pending_document_count=answer.coverage.pending_documents,
        strength=_STRENGTHS[answer.strength] if answer.searched else query_pb2.STRENGTH_UNSPECIFIED,
        understood=_understood(answer.understood),
        next_page_token=answer.next_page_token,
        revision=answer.revision,
        filtered_out_count=answer.filtered_out,
        not_live_count=answer.not_live,
        below_threshold_count=answer.below_threshold,
        identity=None if answer.identity is None else identity_message(answer.identity),
        hint=answer.hint,
    )


def _degradation(lost: Degradation) -> query_pb2.Degradation:
    return query_pb2.Degradation(
        arm=lost.arm,
        failure=failure_message(lost.failure),
        effective_mode=_EFFECTIVE[SearchMode(lost.effective_mode)],
    )


def _understood(understood: Understood) -> query_pb2.UnderstoodQuery:
    return query_pb2.UnderstoodQuery(
        terms=understood.terms,
        phrases=understood.phrases,
        exclusions=understood.exclusions,
        qualifiers=understood.qualifiers,
        semantic_text=understood.semantic_text,
        collections=understood.collections,
        notices=[notice_message(notice) for notice in understood.notices],
    )


def _result(result: Result, view: View) -> query_pb2.SearchResult:
    return query_pb2.SearchResult(
        hit=hit_message(result.hit, result.rank, view),
        more=[hit_message(hit, result.rank, view) for hit in result.more],
        chain_info=None if result.chain is None else _chain(result.chain),
    )


def _chain(chain: ChainInfo) -> query_pb2.ChainInfo:
    return query_pb2.ChainInfo(
        chain_id=chain.chain_id,
        original_title=chain.original_title,
        chunks_matched=chain.chunks_matched,
        best_chunk_sequence=chain.best_chunk_sequence,
        total_chunks=chain.total_chunks,
        matched_chunk_indices=chain.matched_chunk_indices,
        chunks_matched_is_lower_bound=chain.is_lower_bound,
    )


def hit_message(hit: Hit, rank: int, view: View) -> query_pb2.SearchHit:
    """One chunk that matched; those of one result share its rank."""
    chunk, candidate = hit.chunk, hit.candidate
    return query_pb2.SearchHit(
        rank=rank,
        score=candidate.score,
        text_rank=candidate.text_rank,
        vector_rank=candidate.vector_rank,
        similarity=candidate.similarity,
        text_score=candidate.text_score,
        identifier_match=candidate.identifier_match,
        collection=chunk.collection_path,
        file_path=chunk.file_path,
        document_id=chunk.document_id,
        document_path=f"{chunk.collection_path}/{chunk.file_path}",
        title=chunk.title,
        document_type=chunk.document_type,
        chunk_id=chunk.id,
        chunk_index=chunk.chunk_index,
        section_id=chunk.section_id,
        kind=kind_message(chunk.kind),
        language=code_language(chunk),
        heading_path=chunk.heading_path,
        locator=chunk.locator,
        range=range_message(hit.range),
        snippet=hit.snippet.text,
        highlights=[range_message(span) for span in hit.snippet.highlights],
        page=chunk.page or None,
        boxes=box_messages(chunk.boxes),
        text="" if view is View.SNIPPET else chunk.text,
        section_text=hit.section.text if hit.section else "",
        section_text_cut=hit.section.cut if hit.section else False,
        freshness=FRESHNESS[hit.freshness.freshness],
        before=[_neighbor(near) for near in hit.before],
        after=[_neighbor(near) for near in hit.after],
        contains_code=chunk.contains_code,
        stale=hit.freshness.stale,
        evidence=evidence_unless_fresh(hit.freshness),
    )


def _neighbor(near: Neighbor) -> query_pb2.ChunkText:
    return query_pb2.ChunkText(
        chunk_id=near.chunk_id, chunk_index=near.chunk_index, text=near.text, range=range_message(near.range)
    )
