"""Collections as callers see them: made, read, changed, removed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from findspot.errors import Aborted, AlreadyExists, FailedPrecondition, NotFound, Reason
from findspot.model import Caller, DocumentState
from findspot.paging import page_size, page_token, read_page_token
from findspot.stores.manifest import collections, counters, documents, requests, source_files
from findspot.stores.manifest.collections import Collection, CollectionSettings
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing import names, removal, rights
from findspot_indexing.collection_settings import check_settings
from findspot_indexing.directories.source import check_source, is_same_source
from findspot_indexing.documents import DocumentName
from findspot_indexing.service import Indexing

MOST_COLLECTIONS = 1000
USUAL_COLLECTIONS = 100
_PURGED_TOGETHER = 32
_ALL_STATES = tuple(state.value for state in DocumentState)


@dataclass(frozen=True, slots=True)
class CollectionView:
    """A collection, its documents without the retired ones, and its live chunks."""

    collection: Collection
    documents: int
    chunks: int


async def create(
    caller: Caller, indexing: Indexing, path: str, settings: CollectionSettings, request_id: str = ""
) -> CollectionView:
    """Make a collection. AlreadyExists COLLECTION_EXISTS when there is one of this path."""
    rights.require_writer(caller)
    path, request = names.collection_path(path), names.request_id(request_id)
    rights.require_collection_in_sight(caller, path)
    check_settings(settings, indexing.document_types)
    await check_source(caller, indexing, settings, None)
    asked = requests.request_hash(path, _plain(settings))

    def write(connection: Connection) -> CollectionView:
        if requests.recall(connection, request, "CreateCollection", asked) is None:
            if collections.find(connection, path) is not None:
                raise AlreadyExists(
                    f"There is a collection {path} already. Update it, or choose another path.",
                    reason=Reason.COLLECTION_EXISTS,
                )
            collections.create(connection, path, settings, indexing.clock())
            requests.remember(connection, request, "CreateCollection", asked, path, indexing.clock())
        return _view(connection, _require(connection, path))

    made = await indexing.manifest.write(write)
    indexing.wake.sources.set()
    return made


async def get(caller: Caller, indexing: Indexing, path: str) -> CollectionView:
    """The collection of a path. NotFound COLLECTION_NOT_FOUND, also for one the caller may not see."""
    path = names.collection_path(path)
    rights.require_collection_in_sight(caller, path)
    return await indexing.manifest.read(lambda c: _view(c, _require(c, path)))


async def list_page(
    caller: Caller, indexing: Indexing, *, subtree: str, size: int, token: str
) -> tuple[list[CollectionView], str]:
    """A page of collections by path, and the token of the next (empty at the end)."""
    within = names.subtree(subtree)
    limit = page_size(size, usual=USUAL_COLLECTIONS, most=MOST_COLLECTIONS)
    bound = ("ListCollections", within, caller.readable)
    position = read_page_token(token, bound, 1)

    def read(connection: Connection) -> list[CollectionView]:
        found = collections.page(
            connection,
            subtrees=caller.readable,
            within=within,
            after=position[0] if position else "",
            limit=limit + 1,
        )
        return _views(connection, found)

    rows = await indexing.manifest.read(read)
    page = rows[:limit]
    return page, "" if len(rows) <= limit else page_token((page[-1].collection.path,), bound)


async def update(
    caller: Caller,
    indexing: Indexing,
    path: str,
    settings: CollectionSettings,
    etag: str = "",
    request_id: str = "",
) -> CollectionView:
    """Give a collection other settings. Aborted ETAG_MISMATCH when it is not the one that was read."""
    rights.require_writer(caller)
    path, request = names.collection_path(path), names.request_id(request_id)
    rights.require_collection_in_sight(caller, path)
    check_settings(settings, indexing.document_types)
    before = await indexing.manifest.read(lambda c: _require(c, path))
    await check_source(caller, indexing, settings, before.settings)
    asked = requests.request_hash(path, _plain(settings), etag)

    def write(connection: Connection) -> CollectionView:
        found = _require(connection, path)
        if requests.recall(connection, request, "UpdateCollection", asked) is None:
            _check_etag(found, etag)
            if not is_same_source(found.settings, settings):
                source_files.forget(connection, found.id)
            collections.change(connection, path, settings, indexing.clock())
            requests.remember(connection, request, "UpdateCollection", asked, path, indexing.clock())
        return _view(connection, _require(connection, path))

    changed = await indexing.manifest.write(write)
    indexing.wake.sources.set()
    return changed


async def remove(
    caller: Caller,
    indexing: Indexing,
    path: str,
    *,
    etag: str = "",
    force: bool = False,
    request_id: str = "",
) -> int:
    """Remove a collection; with `force` its documents and all collections below it too. Returns documents purged.

    FailedPrecondition COLLECTION_NOT_EMPTY when it holds documents and `force` is not given.
    """
    rights.require_writer(caller)
    path, request = names.collection_path(path), names.request_id(request_id)
    rights.require_collection_in_sight(caller, path)
    asked = requests.request_hash(path, etag, force)
    before = await indexing.manifest.read(lambda c: requests.recall(c, request, "DeleteCollection", asked))
    if before is not None:
        return int(before)
    await indexing.manifest.read(lambda c: _check_removal(c, path, etag, force))
    purged = await _purge_all(caller, indexing, path) if force else 0

    def write(connection: Connection) -> int:
        # The same request may have come a second time meanwhile.
        raced = requests.recall(connection, request, "DeleteCollection", asked)
        if raced is not None:
            return int(raced)
        doomed = collections.page(connection, subtrees=None, within=path, limit=100_000)
        for collection in doomed if force else [_require(connection, path)]:
            if _documents(connection, collection.path, 1):
                raise _not_empty(collection.path)
            collections.remove(connection, collection.id)
        requests.remember(connection, request, "DeleteCollection", asked, purged, indexing.clock())
        return purged

    answer = await indexing.manifest.write(write)
    indexing.wake.sources.set()
    return answer


def _check_removal(connection: Connection, path: str, etag: str, force: bool) -> None:
    _check_etag(_require(connection, path), etag)
    if not force and _documents(connection, path, 1):
        raise _not_empty(path)


async def _purge_all(caller: Caller, indexing: Indexing, path: str) -> int:
    slots = asyncio.Semaphore(_PURGED_TOGETHER)

    async def purge(document: StoredDocument) -> None:
        # Where somebody else purged it meanwhile there is nothing to do.
        async with slots:
            with suppress(NotFound):
                await removal.purge(caller, indexing, DocumentName(document_id=document.id))

    purged = 0
    while batch := await indexing.manifest.read(lambda c: _documents(c, path, 500, below=True)):
        async with asyncio.TaskGroup() as group:
            for document in batch:
                group.create_task(purge(document))
        purged += len(batch)
    return purged


def _documents(connection: Connection, path: str, limit: int, *, below: bool = False) -> list[StoredDocument]:
    found = documents.page(connection, subtrees=None, within=path, states=_ALL_STATES, limit=limit)
    return found if below else [document for document in found if document.collection_path == path]


def _require(connection: Connection, path: str) -> Collection:
    found = collections.find(connection, path)
    if found is None:
        raise rights.no_collection(path)
    return found


def _check_etag(collection: Collection, etag: str) -> None:
    if etag and etag != collection.etag:
        raise Aborted(
            f"Collection {collection.path} was changed since it was read. Read it again and decide again.",
            reason=Reason.ETAG_MISMATCH,
            metadata={"etag": collection.etag},
        )


def _not_empty(path: str) -> FailedPrecondition:
    return FailedPrecondition(
        f"Collection {path} still holds documents, deleted ones that were not purged counted. "
        "Purge them, or remove it with force.",
        reason=Reason.COLLECTION_NOT_EMPTY,
    )


def _view(connection: Connection, collection: Collection) -> CollectionView:
    return _views(connection, [collection])[0]


def _views(connection: Connection, found: list[Collection]) -> list[CollectionView]:
    counted = counters.by_collection(connection, [collection.id for collection in found])
    return [
        CollectionView(
            collection,
            sum(
                count
                for name, count in counted[collection.id].items()
                if name.startswith("documents.") and name != counters.documents_in(DocumentState.RETIRED)
            ),
            counted[collection.id].get(counters.CHUNKS_LIVE, 0),
        )
        for collection in found
    ]


def _plain(settings: CollectionSettings) -> list[Any]:
    return [
        settings.source_kind,
        settings.source_root,
        settings.source_options,
        settings.profile_overrides,
    ]
