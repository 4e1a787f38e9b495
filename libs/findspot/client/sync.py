"""The synchronous client: the methods of the asynchronous one, for callers without an event loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

import grpc

from findspot.client import requests
from findspot.client.calls import call as _call
from findspot.client.directories import Directories
from findspot.client.operations import Operations
from findspot.client.requests import At, Upload
from findspot.client.upkeep import Upkeep
from findspot.rpc.channel import open_sync_channel
from findspot.rpc.peers.chunking import ChunkingProfiles, profiles_from_wire
from findspot.rpc.status import from_rpc_error
from findspot.v1 import (
    chunking_pb2,
    chunking_pb2_grpc,
    collection_pb2_grpc,
    indexing_pb2,
    indexing_pb2_grpc,
    inspection_pb2_grpc,
    query_pb2,
    query_pb2_grpc,
)


class Client(Operations, Directories, Upkeep):
    """Adds, finds and reads. Addresses are `host:port`; channels given instead are used and not closed."""

    def __init__(
        self,
        *,
        query: str | grpc.Channel = "",
        indexing: str | grpc.Channel = "",
        chunking: str | grpc.Channel = "",
    ) -> None:
        self._opened: list[grpc.Channel] = []
        query_channel = self._channel("query", query)
        indexing_channel = self._channel("indexing", indexing)
        self.query = query_pb2_grpc.QueryServiceStub(query_channel)
        self.inspection = inspection_pb2_grpc.InspectionServiceStub(query_channel)
        self.indexing = indexing_pb2_grpc.IndexingServiceStub(indexing_channel)
        self.collections = collection_pb2_grpc.CollectionServiceStub(indexing_channel)
        self.chunking = chunking_pb2_grpc.ChunkingServiceStub(self._channel("chunking", chunking))

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that this client opened."""
        for channel in self._opened:
            channel.close()

    def upload(self, upload: Upload, *, timeout: float | None = 300.0) -> indexing_pb2.UploadDocumentResponse:
        """Adds one file; when this returns the file is stored durably and will be indexed."""
        return _call(self.indexing.UploadDocument, requests.upload_messages(upload), timeout)

    def check(
        self, collection: str, files: Iterable[tuple[str, str]], *, timeout: float | None = 60.0
    ) -> indexing_pb2.CheckDocumentsResponse:
        """Tells which of the (file path, SHA-256) pairs have to be uploaded."""
        return _call(self.indexing.CheckDocuments, requests.check_request(collection, files), timeout)

    def wait(
        self, document: str | At, until: str = "vector", *, timeout: float | None = 300.0
    ) -> indexing_pb2.WaitForDocumentResponse:
        """Waits until a document is searchable by `text` or by `vector`, has failed, or holds no text."""
        name = requests.document_name(document)
        request = indexing_pb2.WaitForDocumentRequest(name=name, until=requests.REACH[until])
        return _call(self.indexing.WaitForDocument, request, timeout)

    def document(self, document: str | At, *, timeout: float | None = 30.0) -> indexing_pb2.Document:
        """Shows one document."""
        request = indexing_pb2.GetDocumentRequest(name=requests.document_name(document))
        return _call(self.indexing.GetDocument, request, timeout).document

    def status(self, subtree: str = "", *, timeout: float | None = 30.0) -> indexing_pb2.GetStatusResponse:
        """Counts documents, chunks and vectors."""
        return _call(self.indexing.GetStatus, indexing_pb2.GetStatusRequest(subtree=subtree), timeout)

    def activate_identity(
        self, identity: str, *, request_id: str = "", timeout: float | None = 60.0
    ) -> indexing_pb2.ActivateIdentityResponse:
        """Has queries answered with the vectors of another model: at once when it is full, else once it is filled.

        `identity` is its key, the first 6 characters of it or more, or `name@dims`. This is the way back too.
        """
        request = indexing_pb2.ActivateIdentityRequest(identity=identity, request_id=request_id)
        return _call(self.indexing.ActivateIdentity, request, timeout)

    def drop_identity(
        self, identity: str, *, request_id: str = "", timeout: float | None = 60.0
    ) -> indexing_pb2.DropIdentityResponse:
        """Removes a model that does not serve from the index, with all its vectors."""
        request = indexing_pb2.DropIdentityRequest(identity=identity, request_id=request_id)
        return _call(self.indexing.DropIdentity, request, timeout)

    def watch(
        self, subtree: str = "", *, until_idle: bool = False
    ) -> Iterator[indexing_pb2.WatchIndexingResponse]:
        """Follows the work; with `until_idle` it ends when nothing is pending."""
        request = indexing_pb2.WatchIndexingRequest(subtree=subtree, until_idle=until_idle)
        try:
            yield from self.indexing.WatchIndexing(request)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error

    def search(self, query: str, *, timeout: float | None = 30.0, **options: Any) -> query_pb2.SearchResponse:
        """Finds documents; the options are those of `findspot.client.requests.search_request`."""
        return _call(self.query.Search, requests.search_request(query, **options), timeout)

    def search_chunks(
        self, query: str, *, timeout: float | None = 30.0, **options: Any
    ) -> query_pb2.SearchResponse:
        """Finds chunks, each for itself."""
        request = query_pb2.SearchChunksRequest(search=requests.search_request(query, **options))
        return _call(self.query.SearchChunks, request, timeout).search

    def chunk(self, chunk: str | At, *, timeout: float | None = 30.0) -> query_pb2.GetChunkResponse:
        """Reads one chunk by id or place, and tells its neighbours."""
        return _call(self.query.GetChunk, query_pb2.GetChunkRequest(name=requests.chunk_name(chunk)), timeout)

    def chunks(
        self, chunks: Iterable[str | At], *, timeout: float | None = 30.0
    ) -> query_pb2.BatchGetChunksResponse:
        """Reads several chunks; each that is not there says so for itself."""
        request = query_pb2.BatchGetChunksRequest(names=[requests.chunk_name(chunk) for chunk in chunks])
        return _call(self.query.BatchGetChunks, request, timeout)

    def text(
        self, document: str | At, *, start: int = 0, max_length: int = 0, timeout: float | None = 30.0
    ) -> query_pb2.GetDocumentTextResponse:
        """Reads a document's text from `start`, at most `max_length` code points (0: a million)."""
        return _call(self.query.GetDocumentText, requests.text_request(document, start, max_length), timeout)

    def profiles(self, *, timeout: float | None = 30.0) -> ChunkingProfiles:
        """How each type is cut unless somebody says otherwise, and the stamp of the chunker."""
        request = chunking_pb2.ListProfilesRequest()
        return profiles_from_wire(_call(self.chunking.ListProfiles, request, timeout))

    def _channel(self, service: str, given: str | grpc.Channel) -> grpc.Channel:
        if not isinstance(given, str):
            return given
        # A service without an address fails with its first call, which names it, not before.
        channel = open_sync_channel(given or f"{service}.not-given.invalid:1")
        self._opened.append(channel)
        return channel
