"""The candidates of a search on their way from the arms to the results."""

from __future__ import annotations

from typing import NamedTuple


class ArmHit(NamedTuple):
    """A chunk that one arm found: BM25 score, or cosine similarity."""

    id: str
    score: float


class Candidate(NamedTuple):
    """A live chunk that at least one arm found. Ranks are from 1; None: not in that arm.

    A tuple, not a dataclass: a search makes hundreds of these.
    """

    id: str
    document_id: str
    chunk_index: int
    section_id: str
    text_rank: int | None = None
    text_score: float | None = None
    vector_rank: int | None = None
    similarity: float | None = None
    identifier_match: bool = False
    score: float = 0.0
    """After fusion."""


class Group(NamedTuple):
    """The candidates of one result, best first."""

    key: str
    members: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The candidate that stands for the group."""
        return self.members[0]
