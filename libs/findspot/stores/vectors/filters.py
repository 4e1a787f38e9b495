"""What a vector search is limited to, and its translation to Qdrant's filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from findspot.stores.qdrant import wire


@dataclass(frozen=True, slots=True)
class VectorFilter:
    """All that is set must hold.

    The first three are scopes: None is no limit, and an empty tuple is a scope that holds nothing, so a
    caller who may
    read nothing finds nothing. The other tuples are wishes: empty is no limit.
    """

    ancestors_any: tuple[str, ...] | None = None
    """Collections at or below one of these paths."""
    collections_any: tuple[str, ...] | None = None
    """Exactly one of these collections."""
    document_ids: tuple[str, ...] | None = None
    """One of these documents."""
    exclude_document_ids: tuple[str, ...] = ()
    exclude_file_paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    document_types: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()
    """Terms `key=value`, all of which the document must have."""
    modified_from: int | None = None
    """Unix seconds, inclusive."""
    modified_to: int | None = None
    """Unix seconds, inclusive."""
    contains_code: bool | None = None

    @property
    def matches_nothing(self) -> bool:
        """True when a scope is empty: no server needs to be asked."""
        return () in (self.ancestors_any, self.collections_any, self.document_ids)


EVERYTHING = VectorFilter()


def wire_filter(wanted: VectorFilter) -> wire.Filter | None:
    """Qdrant's filter, None for no limit at all."""
    if wanted == EVERYTHING:
        return None
    any_of = {
        "ancestors": wanted.ancestors_any,
        "collection": wanted.collections_any,
        "document_id": wanted.document_ids,
        "kind": wanted.kinds or None,
        "language": wanted.languages or None,
        "document_type": wanted.document_types or None,
    }
    must = [_any_of(key, values) for key, values in any_of.items() if values is not None]
    must += [_any_of("metadata", (term,)) for term in wanted.metadata]
    if wanted.modified_from is not None or wanted.modified_to is not None:
        bounds = wire.Range(gte=wanted.modified_from, lte=wanted.modified_to)
        must.append(wire.Condition(field=wire.FieldCondition(key="modified", range=bounds)))
    if wanted.contains_code is not None:
        match = wire.Match(boolean=wanted.contains_code)
        must.append(wire.Condition(field=wire.FieldCondition(key="contains_code", match=match)))
    excluded = {"document_id": wanted.exclude_document_ids, "file_path": wanted.exclude_file_paths}
    return wire.Filter(
        must=must, must_not=[_any_of(key, values) for key, values in excluded.items() if values]
    )


def document_filter(document_id: str) -> wire.Filter:
    """Qdrant's filter for all points of one document."""
    return wire.Filter(must=[_any_of("document_id", (document_id,))])


def _any_of(key: str, values: Sequence[str]) -> wire.Condition:
    match = (
        wire.Match(keyword=values[0])
        if len(values) == 1
        else wire.Match(keywords=wire.RepeatedStrings(strings=values))
    )
    return wire.Condition(field=wire.FieldCondition(key=key, match=match))
