"""Values that several messages share, from and to protobuf."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from findspot.errors import FieldViolation, InvalidArgument, Reason
from findspot.model import DocumentState, EmbeddingIdentity
from findspot.rpc.freshness_messages import FRESHNESS, evidence_message
from findspot.v1 import common_pb2, indexing_pb2
from findspot_indexing.documents import DocumentName, DocumentView
from findspot_indexing.outages import Outage

_STATE_NAMES = {
    indexing_pb2.DocumentState.Value(f"DOCUMENT_STATE_{state.value}"): state.value for state in DocumentState
}

_NOBODY = frozenset({Reason.SEARCH_NOT_PERFORMED, Reason.NO_TEXT, Reason.CANCELLED})
_RETRY = frozenset(
    {
        Reason.SERVICE_UNAVAILABLE,
        Reason.OVERLOADED,
        Reason.DEADLINE_EXCEEDED,
        Reason.EMBEDDING_UNAVAILABLE,
        Reason.EMBEDDING_IDENTITY_NOT_LOADED,
        Reason.EMBEDDING_RESPONSE_INVALID,
        Reason.EXTRACTION_TIMEOUT,
        Reason.EXTRACTION_CRASHED,
        Reason.LEASE_LOST,
    }
)
_DEVELOPER = frozenset({Reason.EMBEDDING_REQUEST_REJECTED, Reason.EMBEDDING_INPUT_TOO_LONG, Reason.INTERNAL})


def time_message(microseconds: int) -> Timestamp | None:
    """A time; None for 0, which means that there is none."""
    if not microseconds:
        return None
    return Timestamp(seconds=microseconds // 1_000_000, nanos=microseconds % 1_000_000 * 1_000)


def microseconds(time: Timestamp, field: str) -> int:
    """A time in microseconds since 1970; InvalidArgument for one that is none."""
    if not 0 <= time.nanos < 1_000_000_000 or abs(time.seconds) > 253_402_300_799:
        raise InvalidArgument(
            f"{field} is no time between the years 1 and 9999.", fields=[FieldViolation(field, "not a time")]
        )
    return time.seconds * 1_000_000 + time.nanos // 1_000


def state_message(state: str) -> str:
    """Where a document stands, by its name on the wire; unspecified for none."""
    return f"DOCUMENT_STATE_{state or 'UNSPECIFIED'}"


def state_name(value: int) -> str:
    """The state of an enum number; InvalidArgument for one that is none."""
    if value not in _STATE_NAMES:
        raise InvalidArgument(
            f"states: {value} is no state of a document.", fields=[FieldViolation("states", "unknown state")]
        )
    return _STATE_NAMES[value]


def reason_message(reason: str) -> str:
    """A reason by its name on the wire."""
    return f"ERROR_REASON_{reason}"


def failure_message(reason: str, message: str) -> common_pb2.Failure:
    """A failure of a part, with its stable name and who can mend it."""
    return common_pb2.Failure(
        reason=reason_message(reason),
        message=message,
        name=reason.lower().replace("_", "-"),
        fixed_by=_fixed_by(Reason(reason)),
    )


def outage_message(outage: Outage | None) -> common_pb2.Failure | None:
    """Why the work stands still."""
    return failure_message(outage.reason, f"{outage.part}: {outage.message}") if outage else None


def _fixed_by(reason: Reason) -> str:
    for who, reasons in (("nobody", _NOBODY), ("retry", _RETRY), ("developer", _DEVELOPER)):
        if reason in reasons:
            return who
    return "operator"


def identity_message(identity: EmbeddingIdentity) -> common_pb2.EmbeddingIdentity:
    """An embedding identity."""
    return common_pb2.EmbeddingIdentity(
        key=identity.key,
        display=identity.display,
        name=identity.name,
        dimension=identity.dimension,
        input_limit=identity.input_limit,
        special_tokens=identity.special_tokens,
    )


def document_name(name: indexing_pb2.DocumentName) -> DocumentName:
    """How a document is named."""
    match name.WhichOneof("by"):
        case "document_id":
            return DocumentName(document_id=name.document_id)
        case "path":
            return DocumentName(collection=name.path.collection, file_path=name.path.file_path)
        case _:
            what = "name a document by document_id or path"
            raise InvalidArgument(f"name is missing: {what}.", fields=[FieldViolation("name", what)])


def document_message(view: DocumentView) -> indexing_pb2.Document:
    """A document as stored."""
    document = view.document
    return indexing_pb2.Document(
        document_id=document.id,
        collection=document.collection_path,
        file_path=document.file_path,
        state=state_message(document.state),
        title=document.title,
        summary=document.summary,
        media_type=document.media_type,
        document_type=document.document_type,
        language=document.language,
        metadata=document.metadata,
        size_bytes=document.size_bytes,
        content_hash=document.content_hash,
        observed_hash=document.observed_hash,
        generation=document.generation,
        chunk_count=document.chunk_count,
        embedded_chunk_count=view.embedded_chunks,
        section_count=document.section_count,
        page_count=document.page_count,
        failure=_failure(document.error_reason, document.error_message),
        notices=[
            common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)
            for notice in document.notices
        ],
        attempt_count=document.attempts,
        created_time=time_message(document.created_at),
        updated_time=time_message(document.updated_at),
        source_modified_time=time_message(document.source_modified_at),
        indexed_time=time_message(document.indexed_at),
        retired_time=time_message(document.deleted_at),
        extractor_stamp=document.extractor_stamp,
        chunker_stamp=document.chunker_stamp,
        freshness=FRESHNESS[view.verdict.freshness],
        stale=view.verdict.stale,
        evidence=evidence_message(view.verdict) if view.looked_at else None,
    )


def _failure(reason: str, message: str) -> common_pb2.Failure | None:
    return failure_message(reason, message) if reason else None
