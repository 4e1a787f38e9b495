"""The two arms of a search, run at the same time. An arm that fails says why instead of raising."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from findspot.errors import Cancelled, FailedPrecondition, FindspotError, Reason, Unavailable
from findspot.model import ChunkKind, EmbeddingIdentity
from findspot.stores.text.query import TextFilter, TextQuery
from findspot.stores.vectors.filters import VectorFilter
from findspot_query.access import Reach
from findspot_query.candidates import ArmHit
from findspot_query.failures import Failure, failure_of
from findspot_query.parse import ParsedQuery
from findspot_query.ports import QueryEmbedder, QueryVector, TextSearch, VectorSearch
from findspot_query.request import Filters

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ArmAnswer:
    """What an arm found, best first. `exhausted`: there is nothing beyond these."""

    hits: tuple[ArmHit, ...] = ()
    exhausted: bool = True
    failure: Failure | None = None


NOT_ASKED = ArmAnswer()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What both arms are asked: the query, where, and what a chunk must be like."""

    query: ParsedQuery
    reach: Reach
    filters: Filters
    contains_code: bool | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Which vectors are searched: the active identity and its physical collection."""

    identity: EmbeddingIdentity
    collection: str


class Arms:
    """Both arms over their ports."""

    def __init__(
        self,
        text: TextSearch,
        vectors: VectorSearch | None,
        embedder: QueryEmbedder | None,
        threads: Executor,
    ) -> None:
        """`vectors` and `embedder` are None where none is configured.

        `threads` run the text index, which does not hold the interpreter while it searches.
        """
        self._text = text
        self._vectors = vectors
        self._embedder = embedder
        self._threads = threads

    async def search_text(self, wanted: Wanted, limit: int, *, expected: bool) -> ArmAnswer:
        """The text arm. `expected`: the manifest has chunks, so an index that is not there is a failure."""
        try:
            if expected and not self._text.exists:
                raise Unavailable(
                    "The text index does not exist although there are chunks. Indexing rebuilds it: "
                    "run `findspot doctor`.",
                    reason=Reason.TEXT_INDEX_UNAVAILABLE,
                )
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._threads, self._text.search, text_query(wanted), limit)
        except Cancelled:
            raise
        except FindspotError as error:
            log.warning("the text arm failed: %s", error.message)
            return ArmAnswer(failure=failure_of(error, Reason.TEXT_INDEX_UNAVAILABLE))
        return ArmAnswer(tuple([ArmHit(*hit) for hit in found]), len(found) < limit)

    async def embed(self, text: str, target: Target | None) -> QueryVector | Failure:
        """The vector of the query under the active identity, or why there is none."""
        try:
            if target is None or self._embedder is None or self._vectors is None:
                raise FailedPrecondition(
                    "There is no embedding model to search with. Search by text, or configure an embedding "
                    "provider and a vector store.",
                    reason=Reason.SEARCH_NOT_PERFORMED,
                )
            return await self._embedder.embed_query(text, target.identity)
        except Cancelled:
            raise
        except FindspotError as error:
            log.warning("the query was not embedded: %s", error.message)
            return failure_of(error, Reason.EMBEDDING_UNAVAILABLE)

    async def search_vectors(
        self, wanted: Wanted, vector: QueryVector | Failure, target: Target | None, limit: int
    ) -> ArmAnswer:
        """The vector arm, with the scope and the filters inside the search."""
        if isinstance(vector, Failure) or target is None or self._vectors is None:
            return ArmAnswer(failure=vector if isinstance(vector, Failure) else None)
        try:
            found = await self._vectors.search(target.collection, vector, limit, vector_filter(wanted))
        except Cancelled:
            raise
        except FindspotError as error:
            log.warning("the vector arm failed: %s", error.message)
            return ArmAnswer(failure=failure_of(error, Reason.VECTOR_STORE_UNAVAILABLE))
        return ArmAnswer(tuple(ArmHit(hit.id, hit.score) for hit in found), len(found) < limit)


def text_query(wanted: Wanted) -> TextQuery:
    """What the text arm is asked: everything is decided inside the index."""
    query, filters = wanted.query, wanted.filters
    return TextQuery(
        words=query.scored_text,
        required=query.phrases,
        excluded=query.exclusions,
        filter=TextFilter(
            subtrees=wanted.reach.subtrees,
            collections=wanted.reach.collections,
            document_ids=filters.document_ids,
            kinds=_values(filters.kinds),
            languages=filters.languages,
            document_types=filters.document_types,
            file_paths=filters.path_globs,
            exclude_file_paths=filters.exclude_paths,
            metadata=filters.metadata,
            contains_code=wanted.contains_code,
            modified_from=filters.modified_from,
            modified_to=filters.modified_to,
        ),
    )


def vector_filter(wanted: Wanted) -> VectorFilter:
    """What the vector arm can decide inside the search; path globs, phrases and exclusions it cannot."""
    filters = wanted.filters
    return VectorFilter(
        ancestors_any=wanted.reach.subtrees,
        collections_any=wanted.reach.collections,
        document_ids=filters.document_ids,
        kinds=_values(filters.kinds),
        languages=tuple(dict.fromkeys(form for tag in filters.languages for form in (tag, tag.lower()))),
        document_types=filters.document_types,
        metadata=tuple(f"{key}={value}" for key, value in filters.metadata),
        modified_from=filters.modified_from,
        modified_to=None if filters.modified_to is None else filters.modified_to - 1,
        contains_code=wanted.contains_code,
    )


def _values(kinds: Sequence[ChunkKind]) -> tuple[str, ...]:
    return tuple(kind.value for kind in kinds)
