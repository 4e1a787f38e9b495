"""Conditions that only the stored text and path can decide: phrases, exclusions and path globs in the vector arm."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.stores.manifest.stored import LiveChunk
from findspot.stores.text.tokens import body_tokens, contains_phrase
from findspot_query.globs import compiled
from findspot_query.parse import ParsedQuery
from findspot_query.request import Filters


@dataclass(frozen=True, slots=True)
class StoredConditions:
    """What has to hold of the stored text and file path of a chunk."""

    required: tuple[tuple[tuple[str, ...], ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    path_globs: tuple[tuple[str, ...], ...] = ()
    exclude_paths: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """False when there is nothing to check, so that no text has to be read."""
        return bool(self.required or self.excluded or self.path_globs or self.exclude_paths)


def conditions(query: ParsedQuery, filters: Filters) -> StoredConditions:
    """The hard conditions of a query and its filters."""
    return StoredConditions(
        required=tuple(tuple(tuple(body_tokens(phrase)) for phrase in group) for group in query.phrases),
        excluded=tuple(filter(None, (tuple(body_tokens(phrase)) for phrase in query.exclusions))),
        path_globs=filters.path_globs,
        exclude_paths=filters.exclude_paths,
    )


def holds(wanted: StoredConditions, chunk: LiveChunk) -> bool:
    """True when a chunk meets every condition, by the same tokens as the text index."""
    if not all(
        any(compiled(pattern).matches(chunk.file_path) for pattern in group) for group in wanted.path_globs
    ):
        return False
    if any(compiled(pattern).matches(chunk.file_path) for pattern in wanted.exclude_paths):
        return False
    if not wanted.required and not wanted.excluded:
        return True
    tokens = body_tokens(chunk.text)
    if any(contains_phrase(tokens, phrase) for phrase in wanted.excluded):
        return False
    return all(any(contains_phrase(tokens, phrase) for phrase in group) for group in wanted.required)
