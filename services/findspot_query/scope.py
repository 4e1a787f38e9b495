"""Where a search looks: anchored, targeted, or everything that the caller may read."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.errors import NotFound, Reason
from findspot.ids import ancestor_paths
from findspot.model import Caller
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.reading import collections_in_scope
from findspot_query.access import Reach, within
from findspot_query.parse import ParsedQuery, ScopeQualifier, normal_path
from findspot_query.request import Scope

NO_ANCHOR = "The search is anchored and names no collection. Give a path, or search without a scope."
NO_COLLECTION = "There is no collection at {path} or above it. `namespace:PATH` in the query names one."


@dataclass(frozen=True, slots=True)
class ResolvedScope:
    """Where to look, after access, and the collections that are there (None: all)."""

    reach: Reach
    collection_ids: tuple[str, ...] | None = None
    named: tuple[str, ...] = ()
    """Collections that were named, as far as they exist: what the answer says was searched."""
    hint: str = ""
    """Set when there is nowhere to look: what the caller should do."""


def resolve(snapshot: Snapshot, caller: Caller, scope: Scope, query: ParsedQuery) -> ResolvedScope:
    """Where to look. A `namespace:` in the query overrides the request.

    Raises NotFound COLLECTION_NOT_FOUND when a target is not there, or not for this caller.
    """
    if query.namespace:
        return _targeted(snapshot, caller, query.namespace, query.qualifier)
    if scope.target is not None:
        return _targeted(snapshot, caller, normal_path(scope.target), scope.qualifier)
    if scope.anchor is not None:
        return _anchored(snapshot, caller, normal_path(scope.anchor))
    reach = within(caller, Reach())
    if reach.subtrees is None:
        return ResolvedScope(reach)
    found = collections_in_scope(snapshot, subtrees=reach.subtrees)
    return ResolvedScope(reach, tuple(collection.id for collection in found))


def _anchored(snapshot: Snapshot, caller: Caller, path: str) -> ResolvedScope:
    if not path:
        return ResolvedScope(Reach(collections=()), (), hint=NO_ANCHOR)
    found = _existing(snapshot, caller, Reach(collections=ancestor_paths(path)))
    return found if found.collection_ids else _replaced(found, NO_COLLECTION.format(path=path))


def _targeted(snapshot: Snapshot, caller: Caller, path: str, qualifier: ScopeQualifier) -> ResolvedScope:
    match qualifier:
        case ScopeQualifier.EXACT:
            reach = Reach(collections=(path,))
        case ScopeQualifier.ANCESTORS:
            reach = Reach(collections=ancestor_paths(path))
        case ScopeQualifier.SUBTREE:
            reach = Reach(subtrees=(path,))
    found = _existing(snapshot, caller, reach)
    if not found.collection_ids:
        raise NotFound(
            f"There is no collection {path!r} to search ({qualifier.value}). "
            "`findspot status` lists the collections.",
            reason=Reason.COLLECTION_NOT_FOUND,
            metadata={"collection": path},
        )
    return found


def _existing(snapshot: Snapshot, caller: Caller, asked: Reach) -> ResolvedScope:
    reach = within(caller, asked)
    found = collections_in_scope(snapshot, exact=reach.collections or (), subtrees=reach.subtrees or ())
    return ResolvedScope(
        reach, tuple(collection.id for collection in found), tuple(collection.path for collection in found)
    )


def _replaced(scope: ResolvedScope, hint: str) -> ResolvedScope:
    return ResolvedScope(scope.reach, scope.collection_ids, scope.named, hint)
