"""Small pieces of an answer, each made of what is known by then."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from findspot.errors import Reason
from findspot.stores.manifest.stored import LiveChunk
from findspot_query.answer import ChainInfo, Understood
from findspot_query.candidates import Group
from findspot_query.failures import Degradation, Failure
from findspot_query.parse import ParsedQuery
from findspot_query.request import Filters, SearchMode, SearchRequest

_T = TypeVar("_T")


def merged_filters(query: ParsedQuery, filters: Filters) -> Filters:
    """The filters of the request narrowed by the qualifiers of the query: a list that both give has to meet both."""
    kinds = _shared(query.kinds, filters.kinds)
    languages = _shared(query.languages, filters.languages)
    globs = (*filters.path_globs, query.path_globs) if query.path_globs else filters.path_globs
    narrowed = replace(filters, kinds=kinds or (), languages=languages or (), path_globs=globs)
    # Lists that share nothing let nothing through, while an empty list would let everything through.
    return replace(narrowed, document_ids=()) if kinds is None or languages is None else narrowed


def _shared(one: tuple[_T, ...], other: tuple[_T, ...]) -> tuple[_T, ...] | None:
    """What two lists of alternatives both allow; None when that is nothing. An empty list allows all."""
    if not one or not other:
        return one or other
    return tuple(value for value in one if value in other) or None


def understood(query: ParsedQuery, collections: tuple[str, ...]) -> Understood:
    """How the query was understood."""
    return Understood(
        terms=query.words,
        phrases=tuple(phrase for group in query.phrases for phrase in group),
        exclusions=query.exclusions,
        qualifiers=query.qualifiers,
        semantic_text=query.semantic_text,
        collections=collections,
        notices=query.notices,
    )


_NO_RERANKER = Failure(
    Reason.RERANKER_UNAVAILABLE,
    "No reranker is configured, so the results are in the order of retrieval. Leave `rerank` out.",
    "reranker-unavailable",
    "operator",
)


def degradations(
    request: SearchRequest, text: Failure | None, vector: Failure | None
) -> tuple[Degradation, ...]:
    """What was lost on the way to the answer: an arm, or the reranker."""
    lost = []
    if request.rerank:
        lost.append(Degradation("rerank", _NO_RERANKER, request.mode))
    if text is not None:
        lost.append(Degradation("text", text, SearchMode.SEMANTIC))
    if vector is not None:
        lost.append(Degradation("vector", vector, SearchMode.TEXT))
    return tuple(lost)


def chain_info(found: Group, chunk: LiveChunk, *, lower_bound: bool) -> ChainInfo:
    """The chain of a result: which chunks of how many matched."""
    return ChainInfo(
        chain_id=chunk.document_id,
        original_title=chunk.title,
        chunks_matched=len(found.members),
        best_chunk_sequence=chunk.chunk_index,
        total_chunks=chunk.chunk_count,
        matched_chunk_indices=tuple(member.chunk_index for member in found.members),
        is_lower_bound=lower_bound,
    )
