"""Qdrant's query and scroll messages as searches of this service."""

from __future__ import annotations

from typing import Any

from findspot.errors import InvalidArgument, NotYetAvailable
from findspot.stores.qdrant import wire
from findspot_vectors.model import ALL, NONE, Scroll, Search
from findspot_vectors.wire_filters import filter_in
from findspot_vectors.wire_points import input_dense, payload_selector, vectors_selector
from findspot_vectors.wire_values import point_key

_DEFAULT_LIMIT = 10
_REFUSED = ("lookup_from", "shard_key_selector")
_REFUSED_PARAMS = ("acorn", "idf")


def search_of(request: wire.QueryPoints) -> Search:
    """One query. Raises NotYetAvailable, by name, for what is not served: prefetch, fusion, recommend and
    the like."""
    if request.prefetch:
        raise _not_served("prefetch")
    _refuse(request, _REFUSED)
    _refuse(request.params, _REFUSED_PARAMS)
    vector, like = None, None
    if request.HasField("query"):
        kind = request.query.WhichOneof("variant")
        if kind != "nearest":
            raise _not_served(f"query.{kind}")
        if request.query.nearest.WhichOneof("variant") == "id":
            like = point_key(request.query.nearest.id)
        else:
            vector = input_dense(request.query.nearest)
    return Search(
        limit=request.limit if request.HasField("limit") else _DEFAULT_LIMIT,
        vector=vector,
        like=like,
        using=request.using,
        offset=request.offset,
        where=filter_in(request),
        score_threshold=request.score_threshold if request.HasField("score_threshold") else None,
        exact=request.params.exact,
        hnsw_ef=request.params.hnsw_ef if request.params.HasField("hnsw_ef") else None,
        payload=payload_selector(request.with_payload),
        vectors=vectors_selector(request.with_vectors),
    )


def scroll_of(request: wire.ScrollPoints) -> Scroll:
    """One page. Raises NotYetAvailable for an order other than that of ids."""
    _refuse(request, ("order_by", "shard_key_selector"))
    limit = request.limit if request.HasField("limit") else _DEFAULT_LIMIT
    if limit < 1:
        raise InvalidArgument(f"Wrong input: limit is {limit}; a page has at least 1 point.")
    return Scroll(
        limit=limit,
        offset=point_key(request.offset) if request.HasField("offset") else None,
        where=filter_in(request),
        payload=payload_selector(request.with_payload) if request.HasField("with_payload") else ALL,
        vectors=vectors_selector(request.with_vectors) if request.HasField("with_vectors") else NONE,
    )


def _refuse(message: Any, names: tuple[str, ...]) -> None:
    for name in names:
        if message.HasField(name):
            raise _not_served(name)


def _not_served(name: str) -> NotYetAvailable:
    return NotYetAvailable(f"`{name}` is not served by this vector store; use a Qdrant server for it.")
