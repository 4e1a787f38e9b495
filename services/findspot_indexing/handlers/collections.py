"""`CollectionService` over the use cases of `findspot_indexing.collections`."""

from __future__ import annotations

from typing import Any

from findspot.errors import FieldViolation, InvalidArgument
from findspot.model import Strategy
from findspot.rpc.interceptors.access import current_caller
from findspot.stores.manifest.collections import DIRECTORY, UPLOADS, CollectionSettings
from findspot.v1 import collection_pb2, collection_pb2_grpc, common_pb2
from findspot_indexing import collections
from findspot_indexing.collections import CollectionView
from findspot_indexing.handlers.values import time_message
from findspot_indexing.service import Indexing

SERVICE = "findspot.v1.CollectionService"
_PREFIX = "CHUNKING_STRATEGY_"


class CollectionHandler(collection_pb2_grpc.CollectionServiceServicer):
    """Messages in, one function, messages out."""

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing

    async def CreateCollection(
        self, request: collection_pb2.CreateCollectionRequest, context: Any
    ) -> collection_pb2.CreateCollectionResponse:
        """Makes a collection."""
        wanted = request.collection
        view = await collections.create(
            current_caller(), self._indexing, wanted.path, _settings(wanted), request.request_id
        )
        return collection_pb2.CreateCollectionResponse(collection=_message(view))

    async def GetCollection(
        self, request: collection_pb2.GetCollectionRequest, context: Any
    ) -> collection_pb2.GetCollectionResponse:
        """Shows one collection."""
        view = await collections.get(current_caller(), self._indexing, request.path)
        return collection_pb2.GetCollectionResponse(collection=_message(view))

    async def ListCollections(
        self, request: collection_pb2.ListCollectionsRequest, context: Any
    ) -> collection_pb2.ListCollectionsResponse:
        """Lists collections, by path."""
        views, token = await collections.list_page(
            current_caller(),
            self._indexing,
            subtree=request.subtree,
            size=request.page_size,
            token=request.page_token,
        )
        return collection_pb2.ListCollectionsResponse(collections=map(_message, views), next_page_token=token)

    async def UpdateCollection(
        self, request: collection_pb2.UpdateCollectionRequest, context: Any
    ) -> collection_pb2.UpdateCollectionResponse:
        """Changes the source or the profile overrides of a collection."""
        wanted = request.collection
        view = await collections.update(
            current_caller(), self._indexing, wanted.path, _settings(wanted), request.etag, request.request_id
        )
        return collection_pb2.UpdateCollectionResponse(collection=_message(view))

    async def DeleteCollection(
        self, request: collection_pb2.DeleteCollectionRequest, context: Any
    ) -> collection_pb2.DeleteCollectionResponse:
        """Removes a collection."""
        purged = await collections.remove(
            current_caller(),
            self._indexing,
            request.path,
            etag=request.etag,
            force=request.force,
            request_id=request.request_id,
        )
        return collection_pb2.DeleteCollectionResponse(purged_document_count=purged)


def _settings(message: collection_pb2.Collection) -> CollectionSettings:
    overrides = {override.document_type: _options(override.options) for override in message.profile_overrides}
    if message.source.WhichOneof("kind") != "directory":
        return CollectionSettings(UPLOADS, profile_overrides=overrides)
    directory = message.source.directory
    options = {"watch": directory.watch, "ignore": list(directory.ignore)}
    return CollectionSettings(DIRECTORY, directory.root, options, overrides)


def _options(message: common_pb2.ChunkingOptions) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        name: getattr(message, name) for name in ("size", "overlap", "token_cap") if message.HasField(name)
    }
    if message.strategy:
        chosen["strategy"] = _strategy(message.strategy)
    return chosen


def _strategy(value: common_pb2.ChunkingStrategy) -> str:
    known = common_pb2.ChunkingStrategy.DESCRIPTOR.values_by_number.get(value)
    if known is None:
        what = f"{value} is no value that this version knows"
        raise InvalidArgument(f"strategy: {what}.", fields=[FieldViolation("strategy", what)])
    return Strategy[known.name.removeprefix(_PREFIX)].value


def _message(view: CollectionView) -> collection_pb2.Collection:
    stored = view.collection
    return collection_pb2.Collection(
        path=stored.path,
        source=_source(stored.settings),
        profile_overrides=[
            collection_pb2.ProfileOverride(document_type=name, options=_options_message(dict(options)))
            for name, options in sorted((stored.settings.profile_overrides or {}).items())
        ],
        etag=stored.etag,
        created_time=time_message(stored.created_at),
        updated_time=time_message(stored.updated_at),
        document_count=view.documents,
        chunk_count=view.chunks,
    )


def _source(settings: CollectionSettings) -> collection_pb2.CollectionSource:
    if settings.source_kind != DIRECTORY:
        return collection_pb2.CollectionSource(uploads=collection_pb2.UploadSource())
    options = settings.source_options or {}
    return collection_pb2.CollectionSource(
        directory=collection_pb2.DirectorySource(
            root=settings.source_root,
            watch=bool(options.get("watch", False)),
            ignore=options.get("ignore", []),
        )
    )


def _options_message(options: dict[str, Any]) -> common_pb2.ChunkingOptions:
    strategy = options.pop("strategy", "")
    name = f"{_PREFIX}{Strategy(strategy).name}" if strategy else f"{_PREFIX}UNSPECIFIED"
    return common_pb2.ChunkingOptions(strategy=name, **options)
