"""`SyncCollection`: a dry run answers at once, everything else is an operation that survives a restart."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from sqlalchemy import Connection

from findspot.errors import Reason, Unavailable
from findspot.model import Caller, Notice
from findspot.stores.manifest import collections, operations, requests
from findspot.stores.manifest.collections import Collection
from findspot.stores.manifest.operations import Operation
from findspot_indexing import names, rights
from findspot_indexing.directories.counting import OfOperation, Tally
from findspot_indexing.directories.sync import SyncWish, check_root, require_directory, sync
from findspot_indexing.operations.progress import Progress
from findspot_indexing.service import Indexing

KIND = "sync"
_METHOD = "SyncCollection"


@dataclass(frozen=True, slots=True)
class SyncAnswer:
    """The operation that was begun, or what a dry run counted."""

    operation_id: str = ""
    added: int = 0
    changed: int = 0
    moved: int = 0
    pruned: int = 0
    unchanged: int = 0
    refused: int = 0
    ignored: int = 0
    notices: tuple[Notice, ...] = ()


async def sync_collection(
    caller: Caller,
    indexing: Indexing,
    path: str,
    *,
    confirm_prune: bool = False,
    dry_run: bool = False,
    request_id: str = "",
) -> SyncAnswer:
    """Begin to bring a collection in line with its directory; the operation that does so already, if there is one.

    Raises NotFound COLLECTION_NOT_FOUND, FailedPrecondition SOURCE_UNREADABLE when it has no directory that can be
    read. What comes up later fails the operation.
    """
    rights.require_writer(caller)
    path, request = names.collection_path(path), names.request_id(request_id)
    rights.require_collection_in_sight(caller, path)
    collection = await indexing.manifest.read(lambda c: collections.find(c, path))
    if collection is None:
        raise rights.no_collection(path)
    require_directory(collection)
    if indexing.membership.owner:
        await asyncio.to_thread(check_root, collection)
    elif dry_run:
        raise Unavailable(
            f"Only the process that owns the text index looks at directories, {indexing.membership.place} does not. Ask "
            "that one.",
            reason=Reason.SERVICE_UNAVAILABLE,
        )
    if dry_run:
        return await _count(indexing, collection)
    identifier = await indexing.manifest.write(
        lambda c: _begin(c, collection, confirm_prune, request, indexing.clock())
    )
    indexing.wake.operations.set()
    return SyncAnswer(identifier)


async def run_sync(indexing: Indexing, operation: Operation, progress: Progress) -> None:
    """Do a `sync` operation; what a try before did is found done."""
    progress.reset()
    collection = await indexing.manifest.read(lambda c: collections.find(c, operation.scope))
    if collection is None or collection.id != operation.request["collection_id"]:
        raise rights.no_collection(operation.scope)
    require_directory(collection)
    wish = SyncWish(confirmed=operation.request["confirm_prune"], retry_failed=True)
    await sync(indexing, collection, wish, OfOperation(progress))


def _begin(
    connection: Connection, collection: Collection, confirm_prune: bool, request: str, now: int
) -> str:
    asked = requests.request_hash(collection.path, confirm_prune)
    before = requests.recall(connection, request, _METHOD, asked)
    if before is not None:
        return str(before)
    running = operations.running(connection, KIND, collection.path)
    # One that may do less than is asked for is no answer: the one asked for waits for its turn.
    if running is not None and (running.request["confirm_prune"] or not confirm_prune):
        identifier = running.id
    else:
        identifier = operations.begin(
            connection,
            KIND,
            scope=collection.path,
            within=(collection.path,),
            request={"collection_id": collection.id, "confirm_prune": confirm_prune},
            now=now,
        )
    requests.remember(connection, request, _METHOD, asked, identifier, now)
    return identifier


async def _count(indexing: Indexing, collection: Collection) -> SyncAnswer:
    tally = Tally()
    done = await sync(indexing, collection, SyncWish(dry_run=True, retry_failed=True), tally)
    plan = done.found.plan
    notices = list(tally.notices)
    if done.problem is not None:
        notices.insert(0, Notice(done.problem.reason, done.problem.message))
    return SyncAnswer(
        added=len(plan.added),
        changed=len(plan.changed),
        moved=len(plan.moved),
        pruned=len(plan.pruned),
        unchanged=len(plan.unchanged),
        refused=len(done.found.seen.refused),
        ignored=done.found.seen.ignored,
        notices=tuple(notices[:100]),
    )
