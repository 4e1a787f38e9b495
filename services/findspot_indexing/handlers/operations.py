"""`GetOperation`, `ListOperations`, `CancelOperation`."""

from __future__ import annotations

from typing import Any

from findspot.errors import FieldViolation, InvalidArgument
from findspot.rpc.interceptors.access import current_caller
from findspot.stores.manifest.operations import STATES, Operation
from findspot.v1 import common_pb2, indexing_pb2
from findspot_indexing.handlers.methods import Methods
from findspot_indexing.handlers.values import failure_message, time_message
from findspot_indexing.operations import calls

_STATE_NAMES = {indexing_pb2.OperationState.Value(f"OPERATION_STATE_{state}"): state for state in STATES}


class OperationMethods(Methods):
    """Messages in, one function, messages out."""

    async def GetOperation(
        self, request: indexing_pb2.GetOperationRequest, context: Any
    ) -> indexing_pb2.GetOperationResponse:
        """Shows one operation."""
        operation = await calls.get(current_caller(), self._indexing, request.operation_id)
        return indexing_pb2.GetOperationResponse(operation=operation_message(operation))

    async def ListOperations(
        self, request: indexing_pb2.ListOperationsRequest, context: Any
    ) -> indexing_pb2.ListOperationsResponse:
        """Lists operations, the latest first."""
        found, token = await calls.list_page(
            current_caller(),
            self._indexing,
            state=_state_name(request.state),
            size=request.page_size,
            token=request.page_token,
        )
        return indexing_pb2.ListOperationsResponse(
            operations=map(operation_message, found), next_page_token=token
        )

    async def CancelOperation(
        self, request: indexing_pb2.CancelOperationRequest, context: Any
    ) -> indexing_pb2.CancelOperationResponse:
        """Asks an operation to stop."""
        operation = await calls.cancel(current_caller(), self._indexing, request.operation_id)
        return indexing_pb2.CancelOperationResponse(operation=operation_message(operation))


def operation_message(operation: Operation) -> indexing_pb2.Operation:
    """An operation as stored."""
    standing = operation.standing
    failed = operation.error_reason
    notices = [
        common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)
        for notice in standing.notices
    ]
    if standing.notice_count > len(notices):
        more = standing.notice_count - len(notices) + 1
        notices[-1:] = [common_pb2.Notice(code="MORE_NOTICES", message=f"{more} more are not shown.")]
    return indexing_pb2.Operation(
        operation_id=operation.id,
        kind=operation.kind,
        state=f"OPERATION_STATE_{operation.state}",
        done_count=standing.done,
        total_count=standing.total,
        failed_count=standing.failed,
        failure=failure_message(failed, operation.error_message) if failed else None,
        started_time=time_message(operation.started_at or operation.created_at),
        ended_time=time_message(operation.finished_at),
        scope=operation.scope,
        counts=standing.counts,
        notices=notices,
    )


def _state_name(value: int) -> str:
    if value and value not in _STATE_NAMES:
        what = f"{value} is no state of an operation"
        raise InvalidArgument(f"state: {what}.", fields=[FieldViolation("state", what)])
    return _STATE_NAMES.get(value, "")
