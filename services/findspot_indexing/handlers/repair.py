"""`Repair`."""

from __future__ import annotations

from typing import Any

from findspot.rpc.interceptors.access import current_caller
from findspot.v1 import common_pb2, indexing_pb2
from findspot_indexing.handlers.methods import Methods
from findspot_indexing.repair.calls import Asked, repair


class RepairMethods(Methods):
    """Messages in, one function, messages out."""

    async def Repair(self, request: indexing_pb2.RepairRequest, context: Any) -> indexing_pb2.RepairResponse:
        """Begins a repair, or tells what it would mend."""
        asked = Asked(
            subtree=request.subtree,
            rebuild_text=request.rebuild_text,
            rebuild_vectors=request.rebuild_vectors,
            dry_run=request.dry_run,
            request_id=request.request_id,
        )
        planned = await repair(current_caller(), self._indexing, asked)
        return indexing_pb2.RepairResponse(
            operation_id=planned.operation_id,
            missing_count=planned.missing,
            orphaned_count=planned.orphaned,
            duplicated_count=planned.duplicated,
            counts=planned.counts,
            notices=[
                common_pb2.Notice(code=notice.code, message=notice.message) for notice in planned.notices
            ],
        )
