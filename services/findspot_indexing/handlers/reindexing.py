"""`Reindex`."""

from __future__ import annotations

from typing import Any

from findspot.errors import FieldViolation, InvalidArgument
from findspot.rpc.interceptors.access import current_caller
from findspot.v1 import indexing_pb2
from findspot_indexing.handlers.methods import Methods
from findspot_indexing.handlers.values import document_name
from findspot_indexing.reindex.calls import Asked, reindex
from findspot_indexing.reindex.stages import Stage

_STAGES = {indexing_pb2.ReindexStage.Value(f"REINDEX_STAGE_{stage.name}"): stage for stage in Stage}


class ReindexMethods(Methods):
    """Messages in, one function, messages out."""

    async def Reindex(
        self, request: indexing_pb2.ReindexRequest, context: Any
    ) -> indexing_pb2.ReindexResponse:
        """Makes documents anew, or tells which."""
        planned = await reindex(current_caller(), self._indexing, _asked(request))
        message = indexing_pb2.ReindexResponse(
            operation_id=planned.operation_id,
            extract_count=planned.read,
            chunk_count=planned.cut,
            embed_count=planned.embed,
            fresh_count=planned.fresh,
            stored_vector_count=planned.stored,
            remedy=f"REINDEX_STAGE_{planned.remedy or 'UNSPECIFIED'}",
        )
        if planned.seconds is not None:
            message.estimated_duration.FromMilliseconds(round(planned.seconds * 1000))
        return message


def _asked(request: indexing_pb2.ReindexRequest) -> Asked:
    if request.from_stage and request.from_stage not in _STAGES:
        what = f"{request.from_stage} is no stage"
        raise InvalidArgument(f"from_stage: {what}.", fields=[FieldViolation("from_stage", what)])
    return Asked(
        subtree=request.subtree,
        name=document_name(request.name) if request.HasField("name") else None,
        stage=_STAGES.get(request.from_stage),
        force=request.force,
        dry_run=request.dry_run,
        request_id=request.request_id,
    )
