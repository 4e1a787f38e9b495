"""What is asked of the text index, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class TextFilter:
    """Which chunks may be found at all: every part that is given has to hold.

    The first three are scopes: None is no limit, and an empty tuple holds nothing, so that a caller who may
    read nothing finds nothing. The others are wishes: empty is no limit.
    """

    subtrees: tuple[str, ...] | None = None
    """Collections at or below one of these paths."""
    collections: tuple[str, ...] | None = None
    """Exactly one of these collections."""
    document_ids: tuple[str, ...] | None = None
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    document_types: tuple[str, ...] = ()
    file_paths: tuple[tuple[str, ...], ...] = ()
    """Of each group at least one glob has to fit: `*` within a folder, `**` over folders, `?` one character."""
    exclude_file_paths: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    contains_code: bool | None = None
    modified_from: int | None = None
    """Unix seconds, included."""
    modified_to: int | None = None
    """Unix seconds, excluded."""

    @property
    def matches_nothing(self) -> bool:
        """True when a scope is empty: the index need not be asked."""
        return () in (self.subtrees, self.collections, self.document_ids)


@dataclass(frozen=True, slots=True)
class TextQuery:
    """What to look for: `words` are alternatives that are scored, `required` and `excluded` are hard."""

    words: str = ""
    required: tuple[tuple[str, ...], ...] = ()
    """Of each group at least one phrase has to stand in the text, word for word."""
    excluded: tuple[str, ...] = ()
    """None of these words or phrases may stand in the text."""
    filter: TextFilter = field(default_factory=TextFilter)


class TextHit(NamedTuple):
    """A chunk and its BM25 score: above 0, no upper bound, comparable only within one search."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How much each field adds to a score, relative to the stemmed text."""

    stem: float = 1.0
    body: float = 0.2
    context: float = 0.1
    title: float = 0.1
    path: float = 0.1
    code: float = 0.6
    cjk: float = 1.0
