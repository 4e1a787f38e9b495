"""Every failure Findspot reports, as one tree; `findspot.rpc.status` maps each branch to one gRPC status code.

    FindspotError
    ├── InvalidArgument        the request is wrong; the caller changes it        INVALID_ARGUMENT
    ├── Unauthenticated        no or bad credentials                              UNAUTHENTICATED
    ├── PermissionDenied       the caller may not do this                         PERMISSION_DENIED
    ├── NotFound               no such thing, or not for this caller              NOT_FOUND
    ├── AlreadyExists          the name is taken                                  ALREADY_EXISTS
    ├── FailedPrecondition     the system is not in the state the call needs      FAILED_PRECONDITION
    ├── Aborted                somebody else was faster (etag, lease); read again ABORTED
    ├── ResourceExhausted      a limit or a full queue; smaller, or later         RESOURCE_EXHAUSTED
    ├── Unavailable            a part is not there now; the same call later       UNAVAILABLE
    ├── DeadlineExceeded       the time the caller gave ran out                   DEADLINE_EXCEEDED
    ├── Cancelled              the caller went away                               CANCELLED
    ├── NotYetAvailable        the API names it, this version does not do it      UNIMPLEMENTED
    ├── DataLoss               stored bytes are not what was written              DATA_LOSS
    └── Internal               a fault of Findspot itself                         INTERNAL

A message says what failed, the value, the limit and what to do. `Reason` is what programs switch on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a call or a document failed. The names are those of `ErrorReason` in errors.proto; a test compares them."""

    # requests
    INVALID_FIELD = "INVALID_FIELD"
    QUERY_BLANK = "QUERY_BLANK"
    QUERY_TOO_LONG = "QUERY_TOO_LONG"
    PAGE_TOKEN_INVALID = "PAGE_TOKEN_INVALID"
    FILE_PATH_INVALID = "FILE_PATH_INVALID"
    UPLOAD_SIZE_MISMATCH = "UPLOAD_SIZE_MISMATCH"
    UPLOAD_HASH_MISMATCH = "UPLOAD_HASH_MISMATCH"
    UPLOAD_HEADER_MISSING = "UPLOAD_HEADER_MISSING"
    OVERLAP_NOT_BELOW_SIZE = "OVERLAP_NOT_BELOW_SIZE"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    # things that are not there, or there already
    COLLECTION_NOT_FOUND = "COLLECTION_NOT_FOUND"
    COLLECTION_EXISTS = "COLLECTION_EXISTS"
    COLLECTION_NOT_EMPTY = "COLLECTION_NOT_EMPTY"
    DOCUMENT_NOT_FOUND = "DOCUMENT_NOT_FOUND"
    CHUNK_NOT_FOUND = "CHUNK_NOT_FOUND"
    SECTION_NOT_FOUND = "SECTION_NOT_FOUND"
    OPERATION_NOT_FOUND = "OPERATION_NOT_FOUND"
    # state
    ETAG_MISMATCH = "ETAG_MISMATCH"
    GENERATION_MISMATCH = "GENERATION_MISMATCH"
    LEASE_LOST = "LEASE_LOST"
    REVISION_NOT_VISIBLE = "REVISION_NOT_VISIBLE"
    SCHEMA_VERSION_MISMATCH = "SCHEMA_VERSION_MISMATCH"
    STORE_LOCKED = "STORE_LOCKED"
    SOURCE_UNREADABLE = "SOURCE_UNREADABLE"
    PRUNE_NEEDS_CONFIRMATION = "PRUNE_NEEDS_CONFIRMATION"
    NOT_YET_AVAILABLE = "NOT_YET_AVAILABLE"
    OTHER_SOURCE = "OTHER_SOURCE"
    # documents
    UNSUPPORTED_TYPE = "UNSUPPORTED_TYPE"
    DOCUMENT_TOO_LARGE = "DOCUMENT_TOO_LARGE"
    DOCUMENT_CORRUPT = "DOCUMENT_CORRUPT"
    DOCUMENT_ENCRYPTED = "DOCUMENT_ENCRYPTED"
    EXTRACTION_TIMEOUT = "EXTRACTION_TIMEOUT"
    EXTRACTION_CRASHED = "EXTRACTION_CRASHED"
    NO_TEXT = "NO_TEXT"
    # embedding
    EMBEDDING_CREDENTIAL_REJECTED = "EMBEDDING_CREDENTIAL_REJECTED"
    EMBEDDING_REQUEST_REJECTED = "EMBEDDING_REQUEST_REJECTED"
    EMBEDDING_UNAVAILABLE = "EMBEDDING_UNAVAILABLE"
    EMBEDDING_RESPONSE_INVALID = "EMBEDDING_RESPONSE_INVALID"
    EMBEDDING_IDENTITY_NOT_LOADED = "EMBEDDING_IDENTITY_NOT_LOADED"
    EMBEDDING_INPUT_TOO_LONG = "EMBEDDING_INPUT_TOO_LONG"
    SEARCH_NOT_PERFORMED = "SEARCH_NOT_PERFORMED"
    TEXT_INDEX_UNAVAILABLE = "TEXT_INDEX_UNAVAILABLE"
    VECTOR_STORE_UNAVAILABLE = "VECTOR_STORE_UNAVAILABLE"
    RERANKER_UNAVAILABLE = "RERANKER_UNAVAILABLE"
    EMBEDDING_IDENTITY_NOT_FOUND = "EMBEDDING_IDENTITY_NOT_FOUND"
    EMBEDDING_IDENTITY_ACTIVE = "EMBEDDING_IDENTITY_ACTIVE"
    # serving
    UNAUTHENTICATED = "UNAUTHENTICATED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    OVERLOADED = "OVERLOADED"
    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    CANCELLED = "CANCELLED"
    DATA_LOSS = "DATA_LOSS"
    INTERNAL = "INTERNAL"


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field of a request that is wrong: its path in the message, and a sentence with the value and the limit."""

    field: str
    description: str


class FindspotError(Exception):
    """A failure with a reason that a program can switch on and a sentence that a person can act on."""

    default_reason: Reason = Reason.INTERNAL

    def __init__(
        self,
        message: str,
        *,
        reason: Reason | None = None,
        metadata: Mapping[str, str] | None = None,
        fields: Sequence[FieldViolation] = (),
        retry_after: float | None = None,
    ) -> None:
        """`retry_after` is in seconds; None means that trying the same call again does not help by itself."""
        super().__init__(message)
        self.message = message
        self.reason = reason or self.default_reason
        self.metadata = dict(metadata or {})
        self.fields = tuple(fields)
        self.retry_after = retry_after


class InvalidArgument(FindspotError):
    """The request is wrong whatever the state of the system: the caller has to change it."""

    default_reason = Reason.INVALID_FIELD


class Unauthenticated(FindspotError):
    """No credentials, or credentials that are not valid."""

    default_reason = Reason.UNAUTHENTICATED


class PermissionDenied(FindspotError):
    """The caller is known and may not do this."""

    default_reason = Reason.PERMISSION_DENIED


class NotFound(FindspotError):
    """There is no such thing, or the caller may not see it: the two are not told apart on purpose."""

    default_reason = Reason.DOCUMENT_NOT_FOUND


class AlreadyExists(FindspotError):
    """The name is taken."""

    default_reason = Reason.COLLECTION_EXISTS


class FailedPrecondition(FindspotError):
    """The request is right, the system is not in the state it needs; somebody has to change that first."""

    default_reason = Reason.SOURCE_UNREADABLE


class Aborted(FindspotError):
    """Somebody else was faster: read again, then decide again."""

    default_reason = Reason.ETAG_MISMATCH


class ResourceExhausted(FindspotError):
    """A limit or a full queue: send less, or later."""

    default_reason = Reason.OVERLOADED


class Unavailable(FindspotError):
    """A part that is needed is not there now: the same call may work later."""

    default_reason = Reason.SERVICE_UNAVAILABLE


class DeadlineExceeded(FindspotError):
    """The time that the caller gave ran out."""

    default_reason = Reason.DEADLINE_EXCEEDED


class Cancelled(FindspotError):
    """The caller went away before the answer."""

    default_reason = Reason.CANCELLED


class NotYetAvailable(FindspotError):
    """The API names it, this version does not do it yet."""

    default_reason = Reason.NOT_YET_AVAILABLE


class DataLoss(FindspotError):
    """Stored bytes are not the bytes that were written."""

    default_reason = Reason.DATA_LOSS


class Internal(FindspotError):
    """A fault of Findspot itself; the log has the details."""

    default_reason = Reason.INTERNAL
