"""`IndexingService` over the use cases of the service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from findspot.rpc.interceptors.access import current_caller
from findspot.rpc.upload import join, open_upload
from findspot.v1 import indexing_pb2
from findspot_indexing import check_documents, diagnose, documents, removal, status, upload, waiting
from findspot_indexing.handlers.answers import (
    check_message,
    diagnosis_message,
    progress_message,
    status_message,
    upload_header,
)
from findspot_indexing.handlers.identities import IdentityMethods
from findspot_indexing.handlers.operations import OperationMethods
from findspot_indexing.handlers.reindexing import ReindexMethods
from findspot_indexing.handlers.repair import RepairMethods
from findspot_indexing.handlers.syncing import SyncMethods
from findspot_indexing.handlers.values import document_message, document_name, state_name

SERVICE = "findspot.v1.IndexingService"


class IndexingHandler(RepairMethods, ReindexMethods, SyncMethods, OperationMethods, IdentityMethods):
    """Messages in, one function, messages out."""

    async def UploadDocument(
        self, request_iterator: AsyncIterator[indexing_pb2.UploadDocumentRequest], context: Any
    ) -> indexing_pb2.UploadDocumentResponse:
        """Takes one file: its header, then its bytes."""
        message, frames = await open_upload(request_iterator)
        header = upload_header(message)

        async def content(most: int) -> bytes:
            return await join(frames, size=header.size_bytes, sha256=header.sha256, max_bytes=most)

        taken = await upload.upload(current_caller(), self._indexing, header, content)
        return indexing_pb2.UploadDocumentResponse(
            document=document_message(taken.view), unchanged=taken.unchanged, revision=taken.revision
        )

    async def CheckDocuments(
        self, request: indexing_pb2.CheckDocumentsRequest, context: Any
    ) -> indexing_pb2.CheckDocumentsResponse:
        """Tells which files have to be uploaded."""
        files = [(file.file_path, file.sha256) for file in request.files]
        checks = await check_documents.check(current_caller(), self._indexing, request.collection, files)
        return indexing_pb2.CheckDocumentsResponse(files=map(check_message, checks))

    async def GetDocument(
        self, request: indexing_pb2.GetDocumentRequest, context: Any
    ) -> indexing_pb2.GetDocumentResponse:
        """Shows one document."""
        view = await documents.get(current_caller(), self._indexing, document_name(request.name))
        return indexing_pb2.GetDocumentResponse(document=document_message(view))

    async def ListDocuments(
        self, request: indexing_pb2.ListDocumentsRequest, context: Any
    ) -> indexing_pb2.ListDocumentsResponse:
        """Lists documents, by collection and file path."""
        views, token = await documents.list_page(
            current_caller(),
            self._indexing,
            subtree=request.subtree,
            states=[state_name(state) for state in request.states],
            size=request.page_size,
            token=request.page_token,
        )
        return indexing_pb2.ListDocumentsResponse(
            documents=map(document_message, views), next_page_token=token
        )

    async def DeleteDocument(
        self, request: indexing_pb2.DeleteDocumentRequest, context: Any
    ) -> indexing_pb2.DeleteDocumentResponse:
        """Retires a document."""
        view, revision = await removal.delete(
            current_caller(),
            self._indexing,
            document_name(request.name),
            if_generation=request.if_generation if request.HasField("if_generation") else None,
            request_id=request.request_id,
        )
        return indexing_pb2.DeleteDocumentResponse(document=document_message(view), revision=revision)

    async def PurgeDocument(
        self, request: indexing_pb2.PurgeDocumentRequest, context: Any
    ) -> indexing_pb2.PurgeDocumentResponse:
        """Erases a document everywhere."""
        purged = await removal.purge(
            current_caller(),
            self._indexing,
            document_name(request.name),
            scrub_now=request.scrub_now,
            request_id=request.request_id,
        )
        return indexing_pb2.PurgeDocumentResponse(
            chunk_count=purged.chunks,
            vector_count=purged.vectors,
            blob_count=purged.blobs,
            revision=purged.revision,
            scrub_operation_id=purged.scrub_id,
        )

    async def WaitForDocument(
        self, request: indexing_pb2.WaitForDocumentRequest, context: Any
    ) -> indexing_pb2.WaitForDocumentResponse:
        """Waits until a document can be found."""
        waited = await waiting.wait_for_document(
            current_caller(),
            self._indexing,
            document_name(request.name),
            vector=request.until == indexing_pb2.SEARCHABLE_VECTOR,
        )
        return indexing_pb2.WaitForDocumentResponse(
            document=document_message(waited.view), reached=waited.reached, revision=waited.revision
        )

    async def WatchIndexing(
        self, request: indexing_pb2.WatchIndexingRequest, context: Any
    ) -> AsyncIterator[indexing_pb2.WatchIndexingResponse]:
        """Follows the work."""
        events = waiting.watch(
            current_caller(), self._indexing, request.subtree, until_idle=request.until_idle
        )
        async for event in events:
            yield progress_message(event)

    async def GetStatus(
        self, request: indexing_pb2.GetStatusRequest, context: Any
    ) -> indexing_pb2.GetStatusResponse:
        """Counts documents, chunks and vectors."""
        return status_message(await status.status(current_caller(), self._indexing, request.subtree))

    async def Diagnose(
        self, request: indexing_pb2.DiagnoseRequest, context: Any
    ) -> indexing_pb2.DiagnoseResponse:
        """Tries each part and says what is wrong with it."""
        checks = await diagnose.diagnose(
            current_caller(), self._indexing, request.subtree, thorough=request.thorough
        )
        return diagnosis_message(checks)
