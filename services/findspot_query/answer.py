"""The answer to a search, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.freshness import Verdict
from findspot.model import EmbeddingIdentity, Notice, Span
from findspot.stores.manifest.stored import Coverage, LiveChunk
from findspot_query.candidates import Candidate
from findspot_query.failures import Degradation, Failure
from findspot_query.snippets import Snippet
from findspot_query.strength import Strength


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A chunk next to a hit, without what it repeats of the chunk between. The range is that of `text`."""

    chunk_id: str
    chunk_index: int
    text: str
    range: Span


@dataclass(frozen=True, slots=True)
class SectionText:
    """The text of a hit's section, cut around the hit where it is long."""

    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk that matched. Ranges are in the unit of the request."""

    candidate: Candidate
    chunk: LiveChunk
    range: Span
    snippet: Snippet
    freshness: Verdict
    section: SectionText | None = None
    before: tuple[Neighbor, ...] = ()
    after: tuple[Neighbor, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainInfo:
    """All chunks of a document, and which of them matched."""

    chain_id: str
    original_title: str
    chunks_matched: int
    best_chunk_sequence: int
    total_chunks: int
    matched_chunk_indices: tuple[int, ...]
    is_lower_bound: bool


@dataclass(frozen=True, slots=True)
class Result:
    """One result: its best chunk, the others that are shown, and the chain when results are grouped."""

    rank: int
    """From 1 over all pages."""
    hit: Hit
    more: tuple[Hit, ...] = ()
    chain: ChainInfo | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """How the query was understood."""

    terms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()
    semantic_text: str = ""
    collections: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """An answer. `count` is None unless something was searched: absence cannot be read as zero."""

    searched: bool
    revision: int
    understood: Understood
    coverage: Coverage
    results: tuple[Result, ...] = ()
    count: int | None = None
    count_is_lower_bound: bool = False
    failure: Failure | None = None
    degradations: tuple[Degradation, ...] = ()
    strength: Strength = Strength.NONE
    next_page_token: str = ""
    filtered_out: int = 0
    not_live: int = 0
    below_threshold: int = 0
    identity: EmbeddingIdentity | None = None
    hint: str = ""
