"""`SyncCollection`."""

from __future__ import annotations

from typing import Any

from findspot.rpc.interceptors.access import current_caller
from findspot.v1 import common_pb2, indexing_pb2
from findspot_indexing.directories.operation import sync_collection
from findspot_indexing.handlers.methods import Methods


class SyncMethods(Methods):
    """Messages in, one function, messages out."""

    async def SyncCollection(
        self, request: indexing_pb2.SyncCollectionRequest, context: Any
    ) -> indexing_pb2.SyncCollectionResponse:
        """Brings a collection in line with its directory."""
        answer = await sync_collection(
            current_caller(),
            self._indexing,
            request.collection,
            confirm_prune=request.confirm_prune,
            dry_run=request.dry_run,
            request_id=request.request_id,
        )
        return indexing_pb2.SyncCollectionResponse(
            operation_id=answer.operation_id,
            added_count=answer.added,
            changed_count=answer.changed,
            moved_count=answer.moved,
            pruned_count=answer.pruned,
            unchanged_count=answer.unchanged,
            refused_count=answer.refused,
            ignored_count=answer.ignored,
            notices=[
                common_pb2.Notice(code=notice.code, message=notice.message) for notice in answer.notices
            ],
        )
