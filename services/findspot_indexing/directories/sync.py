"""Bringing a collection in line with its directory: one look, one comparison, one pass of changes."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.errors import FailedPrecondition, FindspotError, Reason
from findspot.model import Notice
from findspot.stores.manifest.collections import DIRECTORY, Collection
from findspot_indexing.directories.apply import Applying, apply
from findspot_indexing.directories.compare import Comparison, compare
from findspot_indexing.directories.counting import Counting
from findspot_indexing.directories.plan import prune_problem
from findspot_indexing.directories.root import require_root
from findspot_indexing.directories.scope import WHOLE, Scope
from findspot_indexing.service import Indexing


@dataclass(frozen=True, slots=True)
class SyncWish:
    """What a sync may do."""

    scope: Scope = WHOLE
    confirmed: bool = False
    """More than half of the documents may be pruned."""
    retry_failed: bool = False
    """Documents that failed for no fault of their own are tried again."""
    go_on: bool = False
    """Where nothing may be pruned, do everything else: for a directory that is watched."""
    dry_run: bool = False
    prune_only: frozenset[str] | None = None
    """Paths of documents that may be pruned; None for all."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync found."""

    found: Comparison
    problem: FailedPrecondition | None
    """Why nothing was pruned, if so."""
    spared: frozenset[str] = frozenset()
    """Paths of documents without a file that were not to be pruned yet."""


def require_directory(collection: Collection) -> None:
    """Raise FailedPrecondition unless the documents of a collection come from a directory."""
    if collection.settings.source_kind != DIRECTORY:
        raise FailedPrecondition(
            f"Collection {collection.path} takes uploads and has no directory to be brought in line with. Give it one "
            "(UpdateCollection, findspot sync PATH DIR).",
            reason=Reason.OTHER_SOURCE,
        )


async def sync(indexing: Indexing, collection: Collection, wish: SyncWish, counting: Counting) -> Synced:
    """Look at the directory and do what is to be done; one sync of a collection at a time.

    Raises FailedPrecondition SOURCE_UNREADABLE when the directory cannot be looked at or is empty, and
    PRUNE_NEEDS_CONFIRMATION when more than half of the documents are gone: then nothing at all was changed.
    """
    require_directory(collection)
    async with indexing.sources.turn(collection.id):
        try:
            found = await compare(
                indexing, collection, wish.scope, counting.save, retry_failed=wish.retry_failed
            )
        except FindspotError as failure:
            if failure.reason is Reason.SOURCE_UNREADABLE:
                indexing.sources.note(collection.id, looked_at=indexing.clock(), problem=failure)
            raise
        problem = prune_problem(found.seen, found.plan, found.live, confirmed=wish.confirmed)
        _count(found, counting)
        gone = () if problem is not None else found.plan.pruned
        prune = [file for file in gone if wish.prune_only is None or file.file_path in wish.prune_only]
        if not wish.dry_run:
            if problem is not None and not wish.go_on:
                _note(indexing, collection, found, problem)
                raise problem
            await apply(Applying(indexing, collection, found, counting, prune))
            _note(indexing, collection, found, problem)
        pruned = {file.file_path for file in prune}
        return Synced(found, problem, frozenset(file.file_path for file in gone) - pruned)


def check_root(collection: Collection) -> None:
    """Raise FailedPrecondition SOURCE_UNREADABLE at once when there is no directory to begin with. Blocking."""
    require_directory(collection)
    require_root(collection.settings.source_root)


def _count(found: Comparison, counting: Counting) -> None:
    seen = found.seen
    counting.count("unchanged", len(found.plan.unchanged))
    counting.count("refused", len(seen.refused))
    counting.count("ignored", seen.ignored)
    counting.count("unreadable", len(seen.unreadable) + len(found.unread))
    for refusal in (*seen.refused, *seen.unreadable):
        counting.note(Notice(refusal.reason, f"{refusal.file_path!a}: {refusal.message}"))
    for notice in seen.notices:
        counting.note(notice)


def _note(
    indexing: Indexing, collection: Collection, found: Comparison, problem: FailedPrecondition | None
) -> None:
    if not found.seen.scope.whole:
        # A part tells nothing of the rest, but that something cannot be pruned.
        if problem is not None:
            indexing.sources.note(collection.id, problem=problem)
        return
    indexing.sources.note(
        collection.id,
        looked_at=found.seen_at,
        problem=problem,
        waiting_to_prune=len(found.plan.pruned) if problem else 0,
        refused=len(found.seen.refused),
        unreadable=len(found.seen.unreadable) + len(found.unread),
    )
