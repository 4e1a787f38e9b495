"""A search as the engine's query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from findspot_vectors.answers import engine_payload, engine_vectors
from findspot_vectors.filters import Filter, HasId, edge, to_engine
from findspot_vectors.model import PointKey, Search, VectorParams
from findspot_vectors.validation import check_query


def engine_query(
    params: Mapping[str, VectorParams],
    search: Search,
    vector_of: Callable[[PointKey, str], Sequence[float]],
) -> Any:
    """The engine's request. A point that is searched by is left out of its own neighbours, as Qdrant does."""
    where, vector = search.where, search.vector
    if search.like is not None:
        vector = vector_of(search.like, search.using)
        itself = HasId(frozenset({search.like}))
        where = Filter(must_not=(itself,), must=() if where is None else (where,))
    query = None
    if vector is not None:
        check_query(params, search.using, vector)
        query = edge.Query.Nearest(vector, using=search.using or None)
    return edge.QueryRequest(
        limit=search.limit,
        offset=search.offset,
        query=query,
        filter=None if where is None else to_engine(where),
        score_threshold=search.score_threshold,
        params=edge.SearchParams(hnsw_ef=search.hnsw_ef, exact=search.exact),
        with_payload=engine_payload(search.payload),
        with_vector=engine_vectors(search.vectors),
    )
