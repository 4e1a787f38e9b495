"""What both clients do with long operations: begin them, list them, follow and stop them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

from findspot.client.calls import answer, call
from findspot.client.requests import At, document_name, named
from findspot.v1 import indexing_pb2, indexing_pb2_grpc

STAGES = {
    "": indexing_pb2.REINDEX_STAGE_UNSPECIFIED,
    "extract": indexing_pb2.REINDEX_STAGE_EXTRACT,
    "chunk": indexing_pb2.REINDEX_STAGE_CHUNK,
    "embed": indexing_pb2.REINDEX_STAGE_EMBED,
}
STATES = {
    "": indexing_pb2.OPERATION_STATE_UNSPECIFIED,
    "running": indexing_pb2.OPERATION_STATE_RUNNING,
    "succeeded": indexing_pb2.OPERATION_STATE_SUCCEEDED,
    "failed": indexing_pb2.OPERATION_STATE_FAILED,
    "cancelled": indexing_pb2.OPERATION_STATE_CANCELLED,
}
_PAGE = 1000
_LOOK_SECONDS = 0.25


def reindex_request(
    subtree: str, document: str | At | None, stage: str, force: bool, dry_run: bool, request_id: str
) -> indexing_pb2.ReindexRequest:
    """A document if one is given, else a subtree of collections, else (empty) everything."""
    request = indexing_pb2.ReindexRequest(
        from_stage=named(STAGES, stage, "stage"), force=force, dry_run=dry_run, request_id=request_id
    )
    if document is not None:
        request.name.CopyFrom(document_name(document))
    elif subtree:
        request.subtree = subtree
    return request


def list_request(state: str, limit: int, token: str) -> indexing_pb2.ListOperationsRequest:
    """One page of at most `limit` operations."""
    return indexing_pb2.ListOperationsRequest(
        state=named(STATES, state, "state"), page_size=min(limit, _PAGE), page_token=token
    )


def has_ended(operation: indexing_pb2.Operation) -> bool:
    """True when nothing more will happen to it."""
    return operation.state != indexing_pb2.OPERATION_STATE_RUNNING


class AsyncOperations:
    """The methods of `AsyncClient` that are about operations."""

    indexing: indexing_pb2_grpc.IndexingServiceAsyncStub

    async def reindex(
        self,
        subtree: str = "",
        *,
        document: str | At | None = None,
        stage: str = "",
        force: bool = False,
        dry_run: bool = False,
        request_id: str = "",
        timeout: float | None = 300.0,
    ) -> indexing_pb2.ReindexResponse:
        """Makes documents anew that were made with what is not current any more, with `force` all of the scope.

        `stage` is extract, chunk or embed, empty for the cheapest that heals; `dry_run` only counts. Follow the
        operation to see it done.
        """
        request = reindex_request(subtree, document, stage, force, dry_run, request_id)
        return await answer(self.indexing.Reindex(request, timeout=timeout))

    async def operation(self, operation_id: str, *, timeout: float | None = 30.0) -> indexing_pb2.Operation:
        """Shows one operation."""
        request = indexing_pb2.GetOperationRequest(operation_id=operation_id)
        return (await answer(self.indexing.GetOperation(request, timeout=timeout))).operation

    async def operations(
        self, state: str = "", *, limit: int = 100, timeout: float | None = 30.0
    ) -> list[indexing_pb2.Operation]:
        """Up to `limit` operations, the latest first; `state` is running, succeeded, failed, cancelled or all."""
        found: list[indexing_pb2.Operation] = []
        token = ""
        while len(found) < limit:
            page = await answer(
                self.indexing.ListOperations(list_request(state, limit - len(found), token), timeout=timeout)
            )
            found.extend(page.operations)
            token = page.next_page_token
            if not token:
                break
        return found

    async def cancel(self, operation_id: str, *, timeout: float | None = 30.0) -> indexing_pb2.Operation:
        """Asks an operation to stop at its next safe point."""
        request = indexing_pb2.CancelOperationRequest(operation_id=operation_id)
        return (await answer(self.indexing.CancelOperation(request, timeout=timeout))).operation

    async def follow(self, operation_id: str) -> AsyncIterator[indexing_pb2.Operation]:
        """An operation at once, then whenever it came further, until it has ended."""
        last: indexing_pb2.Operation | None = None
        while last is None or not has_ended(last):
            now = await self.operation(operation_id)
            if now != last:
                yield now
            last = now
            if not has_ended(now):
                await asyncio.sleep(_LOOK_SECONDS)


class Operations:
    """The methods of `Client` that are about operations."""

    indexing: indexing_pb2_grpc.IndexingServiceStub

    def reindex(
        self,
        subtree: str = "",
        *,
        document: str | At | None = None,
        stage: str = "",
        force: bool = False,
        dry_run: bool = False,
        request_id: str = "",
        timeout: float | None = 300.0,
    ) -> indexing_pb2.ReindexResponse:
        """Makes documents anew that were made with what is not current any more, with `force` all of the scope.

        `stage` is extract, chunk or embed, empty for the cheapest that heals; `dry_run` only counts. Follow the
        operation to see it done.
        """
        request = reindex_request(subtree, document, stage, force, dry_run, request_id)
        return call(self.indexing.Reindex, request, timeout)

    def operation(self, operation_id: str, *, timeout: float | None = 30.0) -> indexing_pb2.Operation:
        """Shows one operation."""
        request = indexing_pb2.GetOperationRequest(operation_id=operation_id)
        return call(self.indexing.GetOperation, request, timeout).operation

    def operations(
        self, state: str = "", *, limit: int = 100, timeout: float | None = 30.0
    ) -> list[indexing_pb2.Operation]:
        """Up to `limit` operations, the latest first; `state` is running, succeeded, failed, cancelled or all."""
        found: list[indexing_pb2.Operation] = []
        token = ""
        while len(found) < limit:
            request = list_request(state, limit - len(found), token)
            page = call(self.indexing.ListOperations, request, timeout)
            found.extend(page.operations)
            token = page.next_page_token
            if not token:
                break
        return found

    def cancel(self, operation_id: str, *, timeout: float | None = 30.0) -> indexing_pb2.Operation:
        """Asks an operation to stop at its next safe point."""
        request = indexing_pb2.CancelOperationRequest(operation_id=operation_id)
        return call(self.indexing.CancelOperation, request, timeout).operation

    def follow(self, operation_id: str) -> Iterator[indexing_pb2.Operation]:
        """An operation at once, then whenever it came further, until it has ended."""
        last: indexing_pb2.Operation | None = None
        while last is None or not has_ended(last):
            now = self.operation(operation_id)
            if now != last:
                yield now
            last = now
            if not has_ended(now):
                time.sleep(_LOOK_SECONDS)
