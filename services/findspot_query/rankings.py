"""What a window gives, and how one ranking is put behind another without moving anything in the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from findspot_query.candidates import Candidate, Group
from findspot_query.failures import Failure
from findspot_query.grouping import regroup
from findspot_query.page_tokens import MAX_GROUPS
from findspot_query.request import GroupBy


@dataclass(frozen=True, slots=True)
class Ranking:
    """All groups of a window, best first, and what happened on the way to them."""

    groups: tuple[Group, ...] = ()
    complete: bool = True
    """False when the arms may hold more than the window: counts are then lower bounds."""
    text_failure: Failure | None = None
    vector_failure: Failure | None = None
    vectors_answered: bool = False
    filtered_out: int = 0
    not_live: int = 0
    below_threshold: int = 0


def widened(first: Ranking, wider: Ranking, by: GroupBy) -> Ranking:
    """The ranking of a wider window in the order that the narrower one had; what is new stands behind, best first.

    Otherwise a result would move with the size of the page: deep in the list, a candidate's second arm comes in late.
    """
    known = {member.id for found in first.groups for member in found.members}
    fresh = [member for found in wider.groups for member in found.members if member.id not in known]
    groups = _behind(first, sorted(fresh, key=_best_first), by)
    return replace(wider, groups=tuple(groups[:MAX_GROUPS]))


def _best_first(found: Candidate) -> tuple[float, str, int, str]:
    return (-found.score, found.document_id, found.chunk_index, found.id)


def _behind(first: Ranking, candidates: Sequence[Candidate], by: GroupBy) -> list[Group]:
    """Groups with these candidates behind all others, and no score above those of the candidates before them."""
    floor = min((member.score for found in first.groups for member in found.members), default=None)
    if floor is not None:
        candidates = [member._replace(score=min(member.score, floor)) for member in candidates]
    return regroup(first.groups, candidates, by)


def followed_by(first: Ranking, second: Ranking, by: GroupBy) -> Ranking:
    """Two rankings as one: all of the first, then the second with its ranks and scores put behind."""
    leaders = [member for found in first.groups for member in found.members]
    texts = sum(member.text_rank is not None for member in leaders)
    vectors = sum(member.vector_rank is not None for member in leaders)
    behind = [
        member._replace(
            text_rank=None if member.text_rank is None else member.text_rank + texts,
            vector_rank=None if member.vector_rank is None else member.vector_rank + vectors,
        )
        for found in second.groups
        for member in found.members
    ]
    groups = _behind(first, behind, by)
    return replace(
        first,
        groups=tuple(groups[:MAX_GROUPS]),
        complete=first.complete and second.complete and len(groups) <= MAX_GROUPS,
        filtered_out=first.filtered_out + second.filtered_out,
        not_live=first.not_live + second.not_live,
        below_threshold=first.below_threshold + second.below_threshold,
    )
