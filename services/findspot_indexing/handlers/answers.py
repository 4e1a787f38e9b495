"""Requests and answers of the indexing service, from and to protobuf."""

from __future__ import annotations

from collections.abc import Sequence

from findspot.v1 import indexing_pb2
from findspot_indexing.check_documents import FileCheck
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.handlers.values import (
    failure_message,
    identity_message,
    microseconds,
    outage_message,
    reason_message,
    state_message,
    time_message,
)
from findspot_indexing.status import IdentityStatus, Progress, Status
from findspot_indexing.upload import UploadHeader

_OUTCOMES = {
    Outcome.OK: indexing_pb2.CHECK_OUTCOME_OK,
    Outcome.WARNING: indexing_pb2.CHECK_OUTCOME_WARNING,
    Outcome.FAILED: indexing_pb2.CHECK_OUTCOME_FAILED,
}


def upload_header(message: indexing_pb2.UploadHeader) -> UploadHeader:
    """What a file is, before its bytes."""
    given = message.HasField("source_modified_time")
    return UploadHeader(
        collection=message.collection,
        file_path=message.file_path,
        size_bytes=message.size_bytes,
        sha256=message.sha256,
        media_type=message.media_type,
        document_type=message.document_type,
        title=message.title,
        language=message.language,
        source_modified_at=microseconds(message.source_modified_time, "source_modified_time") if given else 0,
        metadata=dict(message.metadata),
        force=message.force,
        if_generation=message.if_generation if message.HasField("if_generation") else None,
        request_id=message.request_id,
        require_collection=message.require_collection,
    )


def check_message(check: FileCheck) -> indexing_pb2.FileCheck:
    """What to do with one file."""
    refusal = check.refusal
    return indexing_pb2.FileCheck(
        file_path=check.file_path,
        need=f"UPLOAD_NEED_{check.need}",
        failure=failure_message(refusal.reason, refusal.message) if refusal else None,
        state=state_message(check.state),
    )


def progress_message(progress: Progress) -> indexing_pb2.WatchIndexingResponse:
    """How far the work is."""
    return indexing_pb2.WatchIndexingResponse(
        document_count=progress.documents,
        pending_document_count=progress.pending,
        failed_document_count=progress.failed,
        chunk_count=progress.chunks,
        embedded_chunk_count=progress.embedded,
        chunks_per_second=progress.chunks_per_second,
        revision=progress.revision,
        idle=progress.idle,
        blocked_by=outage_message(progress.blocked_by),
    )


def status_message(status: Status) -> indexing_pb2.GetStatusResponse:
    """How full and how fresh the index is."""
    return indexing_pb2.GetStatusResponse(
        states=[
            indexing_pb2.StateCount(state=state_message(state), document_count=count)
            for state, count in status.states.items()
        ],
        chunk_count=status.chunks,
        identities=map(identity_status_message, status.identities),
        failures=[
            indexing_pb2.FailureCount(
                reason=reason_message(failure.reason),
                document_count=failure.count,
                example_file_path=failure.file_path,
                example_message=failure.message,
            )
            for failure in status.failures
        ],
        oldest_pending_time=time_message(status.oldest_pending_at),
        chunks_per_second=status.chunks_per_second,
        revision=status.revision,
        collection_count=status.collections,
        blocked_by=outage_message(status.blocked_by),
        source_problems=[
            indexing_pb2.SourceProblem(
                collection=problem.collection,
                failure=failure_message(problem.reason, problem.message),
                looked_time=time_message(problem.seen_at),
            )
            for problem in status.source_problems
        ],
    )


def identity_status_message(status: IdentityStatus) -> indexing_pb2.IdentityStatus:
    """How full an identity is."""
    return indexing_pb2.IdentityStatus(
        identity=identity_message(status.identity),
        state=f"IDENTITY_STATE_{status.state}",
        embedded_chunk_count=status.embedded,
        pending_chunk_count=status.pending,
        failed_chunk_count=status.failed,
        loaded=status.loaded,
    )


def diagnosis_message(checks: Sequence[Check]) -> indexing_pb2.DiagnoseResponse:
    """All checks, and the worst outcome."""
    return indexing_pb2.DiagnoseResponse(
        checks=[
            indexing_pb2.Check(name=check.name, outcome=_OUTCOMES[check.outcome], message=check.message)
            for check in checks
        ],
        outcome=_OUTCOMES[max(check.outcome for check in checks)],
    )
