"""A search as asked: frozen, in the service's own words, every default filled in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from findspot.model import ChunkKind
from findspot_query.parse import ScopeQualifier

MAX_QUERY_CHARACTERS = 8_192
MAX_PAGE_SIZE = 200
DEFAULT_PAGE_SIZE = 20


class SearchMode(StrEnum):
    """Which arms answer."""

    HYBRID = "hybrid"
    TEXT = "text"
    SEMANTIC = "semantic"


class GroupBy(StrEnum):
    """What a result stands for."""

    NONE = "none"
    SECTION = "section"
    DOCUMENT = "document"


class Formula(StrEnum):
    """Which formula makes one score of two ranks."""

    RRF = "rrf"
    WEIGHTED_RRF = "weighted_rrf"
    RELATIVE_SCORE = "relative_score"
    MAX_BONUS = "max_bonus"


class View(StrEnum):
    """How much of a hit is read."""

    SNIPPET = "snippet"
    TEXT = "text"
    SECTION = "section"


class OffsetUnit(StrEnum):
    """The unit of ranges at the edge of the service."""

    CODE_POINT = "code_point"
    UTF8_BYTE = "utf8_byte"
    UTF16_UNIT = "utf16_unit"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to search: an anchor, or a named target; neither is everything that the caller may read."""

    anchor: str | None = None
    """The place where the caller is: this collection and those above it."""
    target: str | None = None
    qualifier: ScopeQualifier = ScopeQualifier.SUBTREE


@dataclass(frozen=True, slots=True)
class Filters:
    """What a result must be like; empty parts do not restrict."""

    kinds: tuple[ChunkKind, ...] = ()
    languages: tuple[str, ...] = ()
    path_globs: tuple[tuple[str, ...], ...] = ()
    """Of each group at least one has to fit."""
    exclude_paths: tuple[str, ...] = ()
    document_ids: tuple[str, ...] | None = None
    """None is every document, an empty tuple none."""
    document_types: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    modified_from: int | None = None
    """Unix seconds, included."""
    modified_to: int | None = None
    """Unix seconds, excluded."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """How the arms are fused."""

    formula: Formula = Formula.RRF
    k: int = 60
    text_weight: float = 1.0
    vector_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `page_size` is 1 to 200, `neighbors` 0 to 3, `max_per_group` 1 to 100."""

    query: str
    mode: SearchMode = SearchMode.HYBRID
    scope: Scope = field(default_factory=Scope)
    filters: Filters = field(default_factory=Filters)
    fusion: Fusion = field(default_factory=Fusion)
    min_similarity: float | None = None
    min_text_score: float | None = None
    group_by: GroupBy = GroupBy.DOCUMENT
    max_per_group: int = 1
    expand: bool = False
    rerank: bool = False
    page_size: int = DEFAULT_PAGE_SIZE
    page_token: str = ""
    min_revision: int = 0
    view: View = View.SNIPPET
    neighbors: int = 0
    offset_unit: OffsetUnit = OffsetUnit.CODE_POINT


def ranking_hash(request: SearchRequest) -> bytes:
    """16 bytes over all that decides the order of results: a page token is good for exactly this."""
    parts = (
        request.query, request.mode, request.scope, request.filters, request.fusion, request.min_similarity,
        request.min_text_score, request.group_by, request.max_per_group, request.expand, request.rerank,
        request.view, request.neighbors, request.offset_unit,
    )  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).digest()[:16]
