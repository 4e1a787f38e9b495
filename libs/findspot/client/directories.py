"""What both clients do with collections and the directories they follow: make, read, change, sync."""

from __future__ import annotations

from collections.abc import Sequence

from findspot.client.calls import answer, call
from findspot.v1 import collection_pb2, collection_pb2_grpc, indexing_pb2, indexing_pb2_grpc

_LARGEST_PAGE = 1_000


def collection_message(path: str, root: str, watch: bool, ignore: Sequence[str]) -> collection_pb2.Collection:
    """A collection that takes uploads, or with `root` follows a directory."""
    wanted = collection_pb2.Collection(path=path)
    if root:
        wanted.source.directory.CopyFrom(
            collection_pb2.DirectorySource(root=root, watch=watch, ignore=ignore)
        )
    else:
        wanted.source.uploads.SetInParent()
    return wanted


def create_request(
    path: str, root: str, watch: bool, ignore: Sequence[str], request_id: str
) -> collection_pb2.CreateCollectionRequest:
    """Makes a collection."""
    wanted = collection_message(path, root, watch, ignore)
    return collection_pb2.CreateCollectionRequest(collection=wanted, request_id=request_id)


def sync_request(
    path: str, confirm_prune: bool, dry_run: bool, request_id: str
) -> indexing_pb2.SyncCollectionRequest:
    """Brings a collection in line with its directory."""
    return indexing_pb2.SyncCollectionRequest(
        collection=path, confirm_prune=confirm_prune, dry_run=dry_run, request_id=request_id
    )


def collections_request(subtree: str, limit: int, token: str) -> collection_pb2.ListCollectionsRequest:
    """A page of at most `limit` collections."""
    size = min(max(limit, 1), _LARGEST_PAGE)
    return collection_pb2.ListCollectionsRequest(subtree=subtree, page_size=size, page_token=token)


class AsyncDirectories:
    """The methods of `AsyncClient` that are about collections."""

    indexing: indexing_pb2_grpc.IndexingServiceAsyncStub
    collections: collection_pb2_grpc.CollectionServiceAsyncStub

    async def create_collection(
        self,
        path: str,
        *,
        root: str = "",
        watch: bool = False,
        ignore: Sequence[str] = (),
        request_id: str = "",
        timeout: float | None = 30.0,
    ) -> collection_pb2.Collection:
        """Makes a collection that takes uploads.

        With `root`, an absolute path on the machine of the suite, it follows that directory instead: whenever
        `sync_collection` is called, and with `watch` as changes happen. `ignore` holds patterns of gitignore.
        """
        request = create_request(path, root, watch, ignore, request_id)
        return (await answer(self.collections.CreateCollection(request, timeout=timeout))).collection

    async def collection(self, path: str, *, timeout: float | None = 30.0) -> collection_pb2.Collection:
        """Shows one collection."""
        request = collection_pb2.GetCollectionRequest(path=path)
        return (await answer(self.collections.GetCollection(request, timeout=timeout))).collection

    async def list_collections(
        self, subtree: str = "", *, limit: int = 100, timeout: float | None = 30.0
    ) -> list[collection_pb2.Collection]:
        """The first collections by path, at most `limit`: all, or one and those below it."""
        found: list[collection_pb2.Collection] = []
        token = ""
        while len(found) < limit:
            request = collections_request(subtree, limit - len(found), token)
            page = await answer(self.collections.ListCollections(request, timeout=timeout))
            found += page.collections
            token = page.next_page_token
            if not token:
                break
        return found

    async def update_collection(
        self, collection: collection_pb2.Collection, *, timeout: float | None = 30.0
    ) -> collection_pb2.Collection:
        """Gives a collection, as it was read, the settings that were changed in it."""
        request = collection_pb2.UpdateCollectionRequest(collection=collection, etag=collection.etag)
        return (await answer(self.collections.UpdateCollection(request, timeout=timeout))).collection

    async def delete_collection(
        self, path: str, *, force: bool = False, timeout: float | None = 300.0
    ) -> collection_pb2.DeleteCollectionResponse:
        """Removes an empty collection, with `force` one with documents and all below it."""
        request = collection_pb2.DeleteCollectionRequest(path=path, force=force)
        return await answer(self.collections.DeleteCollection(request, timeout=timeout))

    async def sync_collection(
        self,
        path: str,
        *,
        confirm_prune: bool = False,
        dry_run: bool = False,
        request_id: str = "",
        timeout: float | None = 300.0,
    ) -> indexing_pb2.SyncCollectionResponse:
        """Begins to bring a collection in line with its directory; follow the operation to see it done.

        `dry_run` counts and does nothing; `confirm_prune` lets more than half of the documents go.
        """
        request = sync_request(path, confirm_prune, dry_run, request_id)
        return await answer(self.indexing.SyncCollection(request, timeout=timeout))


class Directories:
    """The methods of `Client` that are about collections."""

    indexing: indexing_pb2_grpc.IndexingServiceStub
    collections: collection_pb2_grpc.CollectionServiceStub

    def create_collection(
        self,
        path: str,
        *,
        root: str = "",
        watch: bool = False,
        ignore: Sequence[str] = (),
        request_id: str = "",
        timeout: float | None = 30.0,
    ) -> collection_pb2.Collection:
        """Makes a collection that takes uploads.

        With `root`, an absolute path on the machine of the suite, it follows that directory instead: whenever
        `sync_collection` is called, and with `watch` as changes happen. `ignore` holds patterns of gitignore.
        """
        request = create_request(path, root, watch, ignore, request_id)
        return call(self.collections.CreateCollection, request, timeout).collection

    def collection(self, path: str, *, timeout: float | None = 30.0) -> collection_pb2.Collection:
        """Shows one collection."""
        request = collection_pb2.GetCollectionRequest(path=path)
        return call(self.collections.GetCollection, request, timeout).collection

    def list_collections(
        self, subtree: str = "", *, limit: int = 100, timeout: float | None = 30.0
    ) -> list[collection_pb2.Collection]:
        """The first collections by path, at most `limit`: all, or one and those below it."""
        found: list[collection_pb2.Collection] = []
        token = ""
        while len(found) < limit:
            request = collections_request(subtree, limit - len(found), token)
            page = call(self.collections.ListCollections, request, timeout)
            found += page.collections
            token = page.next_page_token
            if not token:
                break
        return found

    def update_collection(
        self, collection: collection_pb2.Collection, *, timeout: float | None = 30.0
    ) -> collection_pb2.Collection:
        """Gives a collection, as it was read, the settings that were changed in it."""
        request = collection_pb2.UpdateCollectionRequest(collection=collection, etag=collection.etag)
        return call(self.collections.UpdateCollection, request, timeout).collection

    def delete_collection(
        self, path: str, *, force: bool = False, timeout: float | None = 300.0
    ) -> collection_pb2.DeleteCollectionResponse:
        """Removes an empty collection, with `force` one with documents and all below it."""
        request = collection_pb2.DeleteCollectionRequest(path=path, force=force)
        return call(self.collections.DeleteCollection, request, timeout)

    def sync_collection(
        self,
        path: str,
        *,
        confirm_prune: bool = False,
        dry_run: bool = False,
        request_id: str = "",
        timeout: float | None = 300.0,
    ) -> indexing_pb2.SyncCollectionResponse:
        """Begins to bring a collection in line with its directory; follow the operation to see it done.

        `dry_run` counts and does nothing; `confirm_prune` lets more than half of the documents go.
        """
        request = sync_request(path, confirm_prune, dry_run, request_id)
        return call(self.indexing.SyncCollection, request, timeout)
