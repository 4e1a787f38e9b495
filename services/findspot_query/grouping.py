"""Collapses ranked candidates into results, before anything is cut off."""

from __future__ import annotations

from collections.abc import Sequence

from findspot_query.candidates import Candidate, Group
from findspot_query.request import GroupBy


def group(ranked: Sequence[Candidate], by: GroupBy) -> list[Group]:
    """One group a document, section or chunk, in the order of their best candidates; no candidate is lost."""
    members: dict[str, list[Candidate]] = {}
    for candidate in ranked:
        members.setdefault(_key(candidate, by), []).append(candidate)
    return [Group(key, tuple(found)) for key, found in members.items()]


def regroup(groups: Sequence[Group], behind: Sequence[Candidate], by: GroupBy) -> list[Group]:
    """Groups with further candidates put behind all of theirs, in groups of their own where they have none."""
    return group([*(member for found in groups for member in found.members), *behind], by)


def _key(candidate: Candidate, by: GroupBy) -> str:
    match by:
        case GroupBy.DOCUMENT:
            return candidate.document_id
        case GroupBy.SECTION:
            return candidate.section_id
        case GroupBy.NONE:
            return candidate.id


def shown(found: Group, max_per_group: int, *, expand: bool) -> tuple[Candidate, ...]:
    """The members that are sent: `max_per_group` of them, or with `expand` all."""
    return found.members if expand else found.members[:max_per_group]
