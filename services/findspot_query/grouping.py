"""Collapses ranked candidates into results, before anything is cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from findspot_query.candidates import Candidate, Group
from findspot_query.request import GroupBy


def group(ranked: Sequence[Candidate], by: GroupBy) -> list[Group]:
    """One group a document, section or chunk, in the order of their best candidates; no candidate is lost."""
    if by is GroupBy.NONE:
        return [Group(candidate.id, (candidate,)) for candidate in ranked]
    key = _KEYS[by]
    members: dict[str, list[Candidate]] = {}
    for candidate in ranked:
        members.setdefault(key(candidate), []).append(candidate)
    return [Group(name, tuple(found)) for name, found in members.items()]


_KEYS: dict[GroupBy, Callable[[Candidate], str]] = {
    GroupBy.DOCUMENT: attrgetter("document_id"),
    GroupBy.SECTION: attrgetter("section_id"),
}


def regroup(groups: Sequence[Group], behind: Sequence[Candidate], by: GroupBy) -> list[Group]:
    """Groups with further candidates put behind all of theirs, in groups of their own where they have none."""
    return group([*(member for found in groups for member in found.members), *behind], by)


def shown(found: Group, max_per_group: int, *, expand: bool) -> tuple[Candidate, ...]:
    """The members that are sent: `max_per_group` of them, or with `expand` all."""
    return found.members if expand else found.members[:max_per_group]
