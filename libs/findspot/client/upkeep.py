"""What both clients do to keep an index right: diagnose, repair, delete, purge."""

from __future__ import annotations

from findspot.client.calls import answer, call
from findspot.client.requests import At, document_name
from findspot.v1 import indexing_pb2, indexing_pb2_grpc


def repair_request(
    subtree: str, rebuild_text: bool, rebuild_vectors: bool, dry_run: bool, request_id: str
) -> indexing_pb2.RepairRequest:
    """A subtree of collections, or (empty) everything; rebuilding is of everything."""
    return indexing_pb2.RepairRequest(
        subtree=subtree,
        rebuild_text=rebuild_text,
        rebuild_vectors=rebuild_vectors,
        dry_run=dry_run,
        request_id=request_id,
    )


class AsyncUpkeep:
    """The methods of `AsyncClient` that keep an index right."""

    indexing: indexing_pb2_grpc.IndexingServiceAsyncStub

    async def diagnose(
        self, subtree: str = "", *, thorough: bool = False, timeout: float | None = 600.0
    ) -> indexing_pb2.DiagnoseResponse:
        """Tries each part and says what is wrong with it; `thorough` compares every entry of the stores too."""
        request = indexing_pb2.DiagnoseRequest(subtree=subtree, thorough=thorough)
        return await answer(self.indexing.Diagnose(request, timeout=timeout))

    async def repair(
        self,
        subtree: str = "",
        *,
        rebuild_text: bool = False,
        rebuild_vectors: bool = False,
        dry_run: bool = False,
        request_id: str = "",
        timeout: float | None = 600.0,
    ) -> indexing_pb2.RepairResponse:
        """Mends what the stores hold otherwise than the manifest says; follow the operation to see it done.

        `dry_run` only counts. Rebuilding makes the text index or the vectors anew, without calling the model.
        """
        request = repair_request(subtree, rebuild_text, rebuild_vectors, dry_run, request_id)
        return await answer(self.indexing.Repair(request, timeout=timeout))

    async def delete(
        self, document: str | At, *, request_id: str = "", timeout: float | None = 60.0
    ) -> indexing_pb2.DeleteDocumentResponse:
        """Takes a document out of every search; its passages stay readable by id, and it can return."""
        request = indexing_pb2.DeleteDocumentRequest(name=document_name(document), request_id=request_id)
        return await answer(self.indexing.DeleteDocument(request, timeout=timeout))

    async def purge(
        self,
        document: str | At,
        *,
        scrub_now: bool = False,
        request_id: str = "",
        timeout: float | None = 120.0,
    ) -> indexing_pb2.PurgeDocumentResponse:
        """Erases a document everywhere, a deleted one too.

        The stores are written anew without its bytes within minutes, with `scrub_now` at once: follow the operation
        that the answer names.
        """
        request = indexing_pb2.PurgeDocumentRequest(
            name=document_name(document), scrub_now=scrub_now, request_id=request_id
        )
        return await answer(self.indexing.PurgeDocument(request, timeout=timeout))


class Upkeep:
    """The methods of `Client` that keep an index right."""

    indexing: indexing_pb2_grpc.IndexingServiceStub

    def diagnose(
        self, subtree: str = "", *, thorough: bool = False, timeout: float | None = 600.0
    ) -> indexing_pb2.DiagnoseResponse:
        """Tries each part and says what is wrong with it; `thorough` compares every entry of the stores too."""
        request = indexing_pb2.DiagnoseRequest(subtree=subtree, thorough=thorough)
        return call(self.indexing.Diagnose, request, timeout)

    def repair(
        self,
        subtree: str = "",
        *,
        rebuild_text: bool = False,
        rebuild_vectors: bool = False,
        dry_run: bool = False,
        request_id: str = "",
        timeout: float | None = 600.0,
    ) -> indexing_pb2.RepairResponse:
        """Mends what the stores hold otherwise than the manifest says; follow the operation to see it done.

        `dry_run` only counts. Rebuilding makes the text index or the vectors anew, without calling the model.
        """
        request = repair_request(subtree, rebuild_text, rebuild_vectors, dry_run, request_id)
        return call(self.indexing.Repair, request, timeout)

    def delete(
        self, document: str | At, *, request_id: str = "", timeout: float | None = 60.0
    ) -> indexing_pb2.DeleteDocumentResponse:
        """Takes a document out of every search; its passages stay readable by id, and it can return."""
        request = indexing_pb2.DeleteDocumentRequest(name=document_name(document), request_id=request_id)
        return call(self.indexing.DeleteDocument, request, timeout)

    def purge(
        self,
        document: str | At,
        *,
        scrub_now: bool = False,
        request_id: str = "",
        timeout: float | None = 120.0,
    ) -> indexing_pb2.PurgeDocumentResponse:
        """Erases a document everywhere, a deleted one too.

        The stores are written anew without its bytes within minutes, with `scrub_now` at once: follow the operation
        that the answer names.
        """
        request = indexing_pb2.PurgeDocumentRequest(
            name=document_name(document), scrub_now=scrub_now, request_id=request_id
        )
        return call(self.indexing.PurgeDocument, request, timeout)
