"""What is asked of the text index, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TextFilter:
    """Which chunks may be found at all. Every part that is given has to hold; empty parts do not restrict."""

    readable: tuple[str, ...] | None = None
    """Subtrees that the caller may read; None is everything, an empty tuple nothing."""
    collections: tuple[str, ...] = ()
    """Exactly these collections. Together with `subtrees` one scope: in any of either."""
    subtrees: tuple[str, ...] = ()
    """These paths and everything below them."""
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    document_types: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    file_paths: tuple[str, ...] = ()
    """Glob patterns: `*` within a folder, `**` over folders, `?` one character."""
    exclude_file_paths: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    contains_code: bool | None = None
    modified_from: int | None = None
    """Unix seconds, included."""
    modified_to: int | None = None
    """Unix seconds, excluded."""


@dataclass(frozen=True, slots=True)
class TextQuery:
    """What to look for: `words` are alternatives that are scored, `required` and `excluded` are hard."""

    words: str = ""
    required: tuple[tuple[str, ...], ...] = ()
    """Of each group at least one phrase has to stand in the text, word for word."""
    excluded: tuple[str, ...] = ()
    """None of these words or phrases may stand in the text."""
    filter: TextFilter = field(default_factory=TextFilter)


@dataclass(frozen=True, slots=True)
class TextHit:
    """A chunk and its BM25 score: above 0, no upper bound, comparable only within one search."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How much each field adds to a score, relative to the stemmed text."""

    stem: float = 1.0
    body: float = 0.2
    context: float = 0.3
    title: float = 0.3
    path: float = 0.2
    code: float = 0.6
    cjk: float = 1.0
