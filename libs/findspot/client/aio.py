"""The asynchronous client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Any

import grpc

from findspot.client import requests
from findspot.client.calls import answer as _answer
from findspot.client.directories import AsyncDirectories
from findspot.client.operations import AsyncOperations
from findspot.client.requests import At, Upload
from findspot.client.upkeep import AsyncUpkeep
from findspot.model import ChunkedDocument, ChunkingOptions, ExtractedDocument
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.chunking import ChunkingPeer, ChunkingProfiles
from findspot.rpc.peers.extraction import DocumentTypeRow, ExtractionPeer
from findspot.rpc.status import from_rpc_error
from findspot.v1 import (
    chunking_pb2_grpc,
    collection_pb2_grpc,
    embedding_pb2_grpc,
    extraction_pb2_grpc,
    indexing_pb2,
    indexing_pb2_grpc,
    inspection_pb2_grpc,
    query_pb2,
    query_pb2_grpc,
)

PROFILE = ChunkingOptions()
"""As the document's type is cut unless somebody says otherwise."""


class AsyncClient(AsyncOperations, AsyncDirectories, AsyncUpkeep):
    """Adds, finds and reads over asyncio. Addresses are `host:port`; give those of the services that you use.

    For what has no method here, the stubs of all services are attributes: `client.query.ListChunks(...)`.
    """

    def __init__(
        self,
        *,
        query: str = "",
        indexing: str = "",
        extraction: str = "",
        chunking: str = "",
        embedding: str = "",
    ) -> None:
        self._channels: dict[str, grpc.aio.Channel] = {}
        self.query = query_pb2_grpc.QueryServiceStub(self._channel("query", query))
        self.inspection = inspection_pb2_grpc.InspectionServiceStub(self._channel("query", query))
        self.indexing = indexing_pb2_grpc.IndexingServiceStub(self._channel("indexing", indexing))
        self.collections = collection_pb2_grpc.CollectionServiceStub(self._channel("indexing", indexing))
        self.extraction = extraction_pb2_grpc.ExtractionServiceStub(self._channel("extraction", extraction))
        self.chunking = chunking_pb2_grpc.ChunkingServiceStub(self._channel("chunking", chunking))
        self.embedding = embedding_pb2_grpc.EmbeddingServiceStub(self._channel("embedding", embedding))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        for channel in self._channels.values():
            await channel.close()

    async def upload(
        self, upload: Upload, *, timeout: float | None = 300.0
    ) -> indexing_pb2.UploadDocumentResponse:
        """Adds one file; when this returns the file is stored durably and will be indexed."""
        messages = requests.upload_messages(upload)
        return await _answer(self.indexing.UploadDocument(messages, timeout=timeout))

    async def check(
        self, collection: str, files: Iterable[tuple[str, str]], *, timeout: float | None = 60.0
    ) -> indexing_pb2.CheckDocumentsResponse:
        """Tells which of the (file path, SHA-256) pairs have to be uploaded."""
        request = requests.check_request(collection, files)
        return await _answer(self.indexing.CheckDocuments(request, timeout=timeout))

    async def wait(
        self, document: str | At, until: str = "vector", *, timeout: float | None = 300.0
    ) -> indexing_pb2.WaitForDocumentResponse:
        """Waits until a document is searchable by `text` or by `vector`, has failed, or holds no text."""
        name = requests.document_name(document)
        request = indexing_pb2.WaitForDocumentRequest(name=name, until=requests.REACH[until])
        return await _answer(self.indexing.WaitForDocument(request, timeout=timeout))

    async def document(self, document: str | At, *, timeout: float | None = 30.0) -> indexing_pb2.Document:
        """Shows one document."""
        request = indexing_pb2.GetDocumentRequest(name=requests.document_name(document))
        return (await _answer(self.indexing.GetDocument(request, timeout=timeout))).document

    async def status(
        self, subtree: str = "", *, timeout: float | None = 30.0
    ) -> indexing_pb2.GetStatusResponse:
        """Counts documents, chunks and vectors."""
        request = indexing_pb2.GetStatusRequest(subtree=subtree)
        return await _answer(self.indexing.GetStatus(request, timeout=timeout))

    async def activate_identity(
        self, identity: str, *, request_id: str = "", timeout: float | None = 60.0
    ) -> indexing_pb2.ActivateIdentityResponse:
        """Has queries answered with the vectors of another model: at once when it is full, else once it is filled.

        `identity` is its key, the first 6 characters of it or more, or `name@dims`. This is the way back too.
        """
        request = indexing_pb2.ActivateIdentityRequest(identity=identity, request_id=request_id)
        return await _answer(self.indexing.ActivateIdentity(request, timeout=timeout))

    async def drop_identity(
        self, identity: str, *, request_id: str = "", timeout: float | None = 60.0
    ) -> indexing_pb2.DropIdentityResponse:
        """Removes a model that does not serve from the index, with all its vectors."""
        request = indexing_pb2.DropIdentityRequest(identity=identity, request_id=request_id)
        return await _answer(self.indexing.DropIdentity(request, timeout=timeout))

    async def watch(
        self, subtree: str = "", *, until_idle: bool = False
    ) -> AsyncIterator[indexing_pb2.WatchIndexingResponse]:
        """Follows the work; with `until_idle` it ends when nothing is pending."""
        request = indexing_pb2.WatchIndexingRequest(subtree=subtree, until_idle=until_idle)
        try:
            async for event in self.indexing.WatchIndexing(request):
                yield event
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error

    async def failed_documents(self, subtree: str = "") -> list[indexing_pb2.Document]:
        """Every document that could not be indexed, with its failure."""
        request = indexing_pb2.ListDocumentsRequest(
            subtree=subtree, states=[indexing_pb2.DOCUMENT_STATE_FAILED], page_size=1000
        )
        found: list[indexing_pb2.Document] = []
        while True:
            answer = await _answer(self.indexing.ListDocuments(request, timeout=60.0))
            found.extend(answer.documents)
            if not answer.next_page_token:
                return found
            request.page_token = answer.next_page_token

    async def search(
        self, query: str, *, timeout: float | None = 30.0, **options: Any
    ) -> query_pb2.SearchResponse:
        """Finds documents; the options are those of `findspot.client.requests.search_request`."""
        request = requests.search_request(query, **options)
        return await _answer(self.query.Search(request, timeout=timeout))

    async def search_chunks(
        self, query: str, *, timeout: float | None = 30.0, **options: Any
    ) -> query_pb2.SearchResponse:
        """Finds chunks, each for itself."""
        request = query_pb2.SearchChunksRequest(search=requests.search_request(query, **options))
        return (await _answer(self.query.SearchChunks(request, timeout=timeout))).search

    async def chunk(self, chunk: str | At, *, timeout: float | None = 30.0) -> query_pb2.GetChunkResponse:
        """Reads one chunk by id or place, and tells its neighbours."""
        request = query_pb2.GetChunkRequest(name=requests.chunk_name(chunk))
        return await _answer(self.query.GetChunk(request, timeout=timeout))

    async def text(
        self, document: str | At, *, start: int = 0, max_length: int = 0, timeout: float | None = 30.0
    ) -> query_pb2.GetDocumentTextResponse:
        """Reads a document's text from `start`, at most `max_length` code points (0: a million)."""
        request = requests.text_request(document, start, max_length)
        return await _answer(self.query.GetDocumentText(request, timeout=timeout))

    async def extract(
        self,
        data: bytes,
        file_name: str,
        *,
        document_type: str = "",
        omit_words: bool = False,
        password: str = "",
        timeout: float | None = 300.0,
    ) -> ExtractedDocument:
        """Reads one file and stores nothing: its text, its structure, and its words with their places.

        `document_type` is a name of the registry that overrides detection; `omit_words` leaves the words out.
        """
        return await ExtractionPeer(self._channels["extraction"]).extract(
            data,
            file_name=file_name,
            document_type=document_type,
            omit_words=omit_words,
            password=password,
            timeout=timeout,
        )

    async def document_types(self, *, timeout: float | None = 30.0) -> tuple[DocumentTypeRow, ...]:
        """Every type of file that is known, with the way it is cut unless somebody says otherwise."""
        return await ExtractionPeer(self._channels["extraction"]).document_types(timeout=timeout)

    async def profiles(self, *, timeout: float | None = 30.0) -> ChunkingProfiles:
        """How each type is cut unless somebody says otherwise, and the stamp of the chunker."""
        return await ChunkingPeer(self._channels["chunking"]).profiles(timeout=timeout)

    async def chunk_document(
        self,
        document: ExtractedDocument,
        options: ChunkingOptions = PROFILE,
        *,
        identity: str = "",
        characters_only: bool = False,
        timeout: float | None = 300.0,
    ) -> ChunkedDocument:
        """Cuts a document that was read, in any way, and stores nothing: its sections and chunks.

        `identity` names the model whose tokens count, empty takes the active one; `characters_only` counts none.
        """
        return await ChunkingPeer(self._channels["chunking"]).chunk(
            document, options, identity=identity, characters_only=characters_only, timeout=timeout
        )

    def _channel(self, service: str, address: str) -> grpc.aio.Channel:
        if service not in self._channels:
            # A service without an address fails with its first call, which names it, not before.
            self._channels[service] = open_channel(address or f"{service}.not-given.invalid:1")
        return self._channels[service]
