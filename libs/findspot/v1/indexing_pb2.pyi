import datetime

from findspot.v1 import common_pb2 as _common_pb2
from findspot.v1 import errors_pb2 as _errors_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DocumentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DOCUMENT_STATE_UNSPECIFIED: _ClassVar[DocumentState]
    DOCUMENT_STATE_PENDING: _ClassVar[DocumentState]
    DOCUMENT_STATE_EXTRACTING: _ClassVar[DocumentState]
    DOCUMENT_STATE_CHUNKED: _ClassVar[DocumentState]
    DOCUMENT_STATE_INDEXED: _ClassVar[DocumentState]
    DOCUMENT_STATE_EMPTY: _ClassVar[DocumentState]
    DOCUMENT_STATE_FAILED: _ClassVar[DocumentState]
    DOCUMENT_STATE_RETIRED: _ClassVar[DocumentState]

class Searchable(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCHABLE_UNSPECIFIED: _ClassVar[Searchable]
    SEARCHABLE_TEXT: _ClassVar[Searchable]
    SEARCHABLE_VECTOR: _ClassVar[Searchable]

class ReindexStage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REINDEX_STAGE_UNSPECIFIED: _ClassVar[ReindexStage]
    REINDEX_STAGE_EXTRACT: _ClassVar[ReindexStage]
    REINDEX_STAGE_CHUNK: _ClassVar[ReindexStage]
    REINDEX_STAGE_EMBED: _ClassVar[ReindexStage]

class UploadNeed(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UPLOAD_NEED_UNSPECIFIED: _ClassVar[UploadNeed]
    UPLOAD_NEED_UNCHANGED: _ClassVar[UploadNeed]
    UPLOAD_NEED_NEW: _ClassVar[UploadNeed]
    UPLOAD_NEED_CHANGED: _ClassVar[UploadNeed]
    UPLOAD_NEED_REFUSED: _ClassVar[UploadNeed]

class OperationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPERATION_STATE_UNSPECIFIED: _ClassVar[OperationState]
    OPERATION_STATE_RUNNING: _ClassVar[OperationState]
    OPERATION_STATE_SUCCEEDED: _ClassVar[OperationState]
    OPERATION_STATE_FAILED: _ClassVar[OperationState]
    OPERATION_STATE_CANCELLED: _ClassVar[OperationState]

class IdentityState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDENTITY_STATE_UNSPECIFIED: _ClassVar[IdentityState]
    IDENTITY_STATE_FILLING: _ClassVar[IdentityState]
    IDENTITY_STATE_ACTIVE: _ClassVar[IdentityState]
    IDENTITY_STATE_RETIRED: _ClassVar[IdentityState]

class CheckOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHECK_OUTCOME_UNSPECIFIED: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_OK: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_WARNING: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_FAILED: _ClassVar[CheckOutcome]
DOCUMENT_STATE_UNSPECIFIED: DocumentState
DOCUMENT_STATE_PENDING: DocumentState
DOCUMENT_STATE_EXTRACTING: DocumentState
DOCUMENT_STATE_CHUNKED: DocumentState
DOCUMENT_STATE_INDEXED: DocumentState
DOCUMENT_STATE_EMPTY: DocumentState
DOCUMENT_STATE_FAILED: DocumentState
DOCUMENT_STATE_RETIRED: DocumentState
SEARCHABLE_UNSPECIFIED: Searchable
SEARCHABLE_TEXT: Searchable
SEARCHABLE_VECTOR: Searchable
REINDEX_STAGE_UNSPECIFIED: ReindexStage
REINDEX_STAGE_EXTRACT: ReindexStage
REINDEX_STAGE_CHUNK: ReindexStage
REINDEX_STAGE_EMBED: ReindexStage
UPLOAD_NEED_UNSPECIFIED: UploadNeed
UPLOAD_NEED_UNCHANGED: UploadNeed
UPLOAD_NEED_NEW: UploadNeed
UPLOAD_NEED_CHANGED: UploadNeed
UPLOAD_NEED_REFUSED: UploadNeed
OPERATION_STATE_UNSPECIFIED: OperationState
OPERATION_STATE_RUNNING: OperationState
OPERATION_STATE_SUCCEEDED: OperationState
OPERATION_STATE_FAILED: OperationState
OPERATION_STATE_CANCELLED: OperationState
IDENTITY_STATE_UNSPECIFIED: IdentityState
IDENTITY_STATE_FILLING: IdentityState
IDENTITY_STATE_ACTIVE: IdentityState
IDENTITY_STATE_RETIRED: IdentityState
CHECK_OUTCOME_UNSPECIFIED: CheckOutcome
CHECK_OUTCOME_OK: CheckOutcome
CHECK_OUTCOME_WARNING: CheckOutcome
CHECK_OUTCOME_FAILED: CheckOutcome

class DocumentName(_message.Message):
    __slots__ = ("document_id", "path")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    path: DocumentPath
    def __init__(self, document_id: _Optional[str] = ..., path: _Optional[_Union[DocumentPath, _Mapping]] = ...) -> None: ...

class DocumentPath(_message.Message):
    __slots__ = ("collection", "file_path")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    collection: str
    file_path: str
    def __init__(self, collection: _Optional[str] = ..., file_path: _Optional[str] = ...) -> None: ...

class UploadHeader(_message.Message):
    __slots__ = ("collection", "file_path", "size_bytes", "sha256", "media_type", "document_type", "title", "language", "source_modified_time", "metadata", "force", "if_generation", "request_id", "require_collection")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_MODIFIED_TIME_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    IF_GENERATION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_COLLECTION_FIELD_NUMBER: _ClassVar[int]
    collection: str
    file_path: str
    size_bytes: int
    sha256: str
    media_type: str
    document_type: str
    title: str
    language: str
    source_modified_time: _timestamp_pb2.Timestamp
    metadata: _containers.ScalarMap[str, str]
    force: bool
    if_generation: int
    request_id: str
    require_collection: bool
    def __init__(self, collection: _Optional[str] = ..., file_path: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., media_type: _Optional[str] = ..., document_type: _Optional[str] = ..., title: _Optional[str] = ..., language: _Optional[str] = ..., source_modified_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., metadata: _Optional[_Mapping[str, str]] = ..., force: _Optional[bool] = ..., if_generation: _Optional[int] = ..., request_id: _Optional[str] = ..., require_collection: _Optional[bool] = ...) -> None: ...

class UploadDocumentRequest(_message.Message):
    __slots__ = ("header", "data")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    header: UploadHeader
    data: bytes
    def __init__(self, header: _Optional[_Union[UploadHeader, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class UploadDocumentResponse(_message.Message):
    __slots__ = ("document", "unchanged", "revision")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    document: Document
    unchanged: bool
    revision: int
    def __init__(self, document: _Optional[_Union[Document, _Mapping]] = ..., unchanged: _Optional[bool] = ..., revision: _Optional[int] = ...) -> None: ...

class FileHash(_message.Message):
    __slots__ = ("file_path", "sha256")
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    file_path: str
    sha256: str
    def __init__(self, file_path: _Optional[str] = ..., sha256: _Optional[str] = ...) -> None: ...

class CheckDocumentsRequest(_message.Message):
    __slots__ = ("collection", "files")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    collection: str
    files: _containers.RepeatedCompositeFieldContainer[FileHash]
    def __init__(self, collection: _Optional[str] = ..., files: _Optional[_Iterable[_Union[FileHash, _Mapping]]] = ...) -> None: ...

class FileCheck(_message.Message):
    __slots__ = ("file_path", "need", "failure", "state")
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    NEED_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    file_path: str
    need: UploadNeed
    failure: _common_pb2.Failure
    state: DocumentState
    def __init__(self, file_path: _Optional[str] = ..., need: _Optional[_Union[UploadNeed, str]] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., state: _Optional[_Union[DocumentState, str]] = ...) -> None: ...

class CheckDocumentsResponse(_message.Message):
    __slots__ = ("files",)
    FILES_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[FileCheck]
    def __init__(self, files: _Optional[_Iterable[_Union[FileCheck, _Mapping]]] = ...) -> None: ...

class SyncCollectionRequest(_message.Message):
    __slots__ = ("collection", "confirm_prune", "dry_run", "request_id")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_PRUNE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    collection: str
    confirm_prune: bool
    dry_run: bool
    request_id: str
    def __init__(self, collection: _Optional[str] = ..., confirm_prune: _Optional[bool] = ..., dry_run: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class SyncCollectionResponse(_message.Message):
    __slots__ = ("operation_id", "added_count", "changed_count", "moved_count", "pruned_count", "unchanged_count", "refused_count", "ignored_count", "notices")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    ADDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    MOVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    PRUNED_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    REFUSED_COUNT_FIELD_NUMBER: _ClassVar[int]
    IGNORED_COUNT_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    added_count: int
    changed_count: int
    moved_count: int
    pruned_count: int
    unchanged_count: int
    refused_count: int
    ignored_count: int
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    def __init__(self, operation_id: _Optional[str] = ..., added_count: _Optional[int] = ..., changed_count: _Optional[int] = ..., moved_count: _Optional[int] = ..., pruned_count: _Optional[int] = ..., unchanged_count: _Optional[int] = ..., refused_count: _Optional[int] = ..., ignored_count: _Optional[int] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ...) -> None: ...

class Document(_message.Message):
    __slots__ = ("document_id", "collection", "file_path", "state", "title", "summary", "media_type", "document_type", "language", "metadata", "size_bytes", "content_hash", "observed_hash", "generation", "chunk_count", "embedded_chunk_count", "section_count", "page_count", "failure", "notices", "attempt_count", "created_time", "updated_time", "source_modified_time", "indexed_time", "retired_time", "extractor_stamp", "chunker_stamp", "freshness", "stale", "evidence")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_HASH_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    SECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    PAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATED_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATED_TIME_FIELD_NUMBER: _ClassVar[int]
    SOURCE_MODIFIED_TIME_FIELD_NUMBER: _ClassVar[int]
    INDEXED_TIME_FIELD_NUMBER: _ClassVar[int]
    RETIRED_TIME_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_STAMP_FIELD_NUMBER: _ClassVar[int]
    CHUNKER_STAMP_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    collection: str
    file_path: str
    state: DocumentState
    title: str
    summary: str
    media_type: str
    document_type: str
    language: str
    metadata: _containers.ScalarMap[str, str]
    size_bytes: int
    content_hash: str
    observed_hash: str
    generation: int
    chunk_count: int
    embedded_chunk_count: int
    section_count: int
    page_count: int
    failure: _common_pb2.Failure
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    attempt_count: int
    created_time: _timestamp_pb2.Timestamp
    updated_time: _timestamp_pb2.Timestamp
    source_modified_time: _timestamp_pb2.Timestamp
    indexed_time: _timestamp_pb2.Timestamp
    retired_time: _timestamp_pb2.Timestamp
    extractor_stamp: str
    chunker_stamp: str
    freshness: _common_pb2.Freshness
    stale: bool
    evidence: _common_pb2.FreshnessEvidence
    def __init__(self, document_id: _Optional[str] = ..., collection: _Optional[str] = ..., file_path: _Optional[str] = ..., state: _Optional[_Union[DocumentState, str]] = ..., title: _Optional[str] = ..., summary: _Optional[str] = ..., media_type: _Optional[str] = ..., document_type: _Optional[str] = ..., language: _Optional[str] = ..., metadata: _Optional[_Mapping[str, str]] = ..., size_bytes: _Optional[int] = ..., content_hash: _Optional[str] = ..., observed_hash: _Optional[str] = ..., generation: _Optional[int] = ..., chunk_count: _Optional[int] = ..., embedded_chunk_count: _Optional[int] = ..., section_count: _Optional[int] = ..., page_count: _Optional[int] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ..., attempt_count: _Optional[int] = ..., created_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., source_modified_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., indexed_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., retired_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., extractor_stamp: _Optional[str] = ..., chunker_stamp: _Optional[str] = ..., freshness: _Optional[_Union[_common_pb2.Freshness, str]] = ..., stale: _Optional[bool] = ..., evidence: _Optional[_Union[_common_pb2.FreshnessEvidence, _Mapping]] = ...) -> None: ...

class GetDocumentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: DocumentName
    def __init__(self, name: _Optional[_Union[DocumentName, _Mapping]] = ...) -> None: ...

class GetDocumentResponse(_message.Message):
    __slots__ = ("document",)
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    document: Document
    def __init__(self, document: _Optional[_Union[Document, _Mapping]] = ...) -> None: ...

class ListDocumentsRequest(_message.Message):
    __slots__ = ("subtree", "states", "page_size", "page_token")
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    states: _containers.RepeatedScalarFieldContainer[DocumentState]
    page_size: int
    page_token: str
    def __init__(self, subtree: _Optional[str] = ..., states: _Optional[_Iterable[_Union[DocumentState, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDocumentsResponse(_message.Message):
    __slots__ = ("documents", "next_page_token")
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    documents: _containers.RepeatedCompositeFieldContainer[Document]
    next_page_token: str
    def __init__(self, documents: _Optional[_Iterable[_Union[Document, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteDocumentRequest(_message.Message):
    __slots__ = ("name", "if_generation", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    IF_GENERATION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: DocumentName
    if_generation: int
    request_id: str
    def __init__(self, name: _Optional[_Union[DocumentName, _Mapping]] = ..., if_generation: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteDocumentResponse(_message.Message):
    __slots__ = ("document", "revision")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    document: Document
    revision: int
    def __init__(self, document: _Optional[_Union[Document, _Mapping]] = ..., revision: _Optional[int] = ...) -> None: ...

class PurgeDocumentRequest(_message.Message):
    __slots__ = ("name", "request_id", "scrub_now")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SCRUB_NOW_FIELD_NUMBER: _ClassVar[int]
    name: DocumentName
    request_id: str
    scrub_now: bool
    def __init__(self, name: _Optional[_Union[DocumentName, _Mapping]] = ..., request_id: _Optional[str] = ..., scrub_now: _Optional[bool] = ...) -> None: ...

class PurgeDocumentResponse(_message.Message):
    __slots__ = ("chunk_count", "vector_count", "blob_count", "revision", "scrub_operation_id")
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_COUNT_FIELD_NUMBER: _ClassVar[int]
    BLOB_COUNT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SCRUB_OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    chunk_count: int
    vector_count: int
    blob_count: int
    revision: int
    scrub_operation_id: str
    def __init__(self, chunk_count: _Optional[int] = ..., vector_count: _Optional[int] = ..., blob_count: _Optional[int] = ..., revision: _Optional[int] = ..., scrub_operation_id: _Optional[str] = ...) -> None: ...

class ReindexRequest(_message.Message):
    __slots__ = ("subtree", "name", "from_stage", "force", "dry_run", "request_id")
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FROM_STAGE_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    name: DocumentName
    from_stage: ReindexStage
    force: bool
    dry_run: bool
    request_id: str
    def __init__(self, subtree: _Optional[str] = ..., name: _Optional[_Union[DocumentName, _Mapping]] = ..., from_stage: _Optional[_Union[ReindexStage, str]] = ..., force: _Optional[bool] = ..., dry_run: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReindexResponse(_message.Message):
    __slots__ = ("operation_id", "extract_count", "chunk_count", "embed_count", "fresh_count", "estimated_duration", "stored_vector_count", "remedy")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    EMBED_COUNT_FIELD_NUMBER: _ClassVar[int]
    FRESH_COUNT_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_DURATION_FIELD_NUMBER: _ClassVar[int]
    STORED_VECTOR_COUNT_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    extract_count: int
    chunk_count: int
    embed_count: int
    fresh_count: int
    estimated_duration: _duration_pb2.Duration
    stored_vector_count: int
    remedy: ReindexStage
    def __init__(self, operation_id: _Optional[str] = ..., extract_count: _Optional[int] = ..., chunk_count: _Optional[int] = ..., embed_count: _Optional[int] = ..., fresh_count: _Optional[int] = ..., estimated_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., stored_vector_count: _Optional[int] = ..., remedy: _Optional[_Union[ReindexStage, str]] = ...) -> None: ...

class WaitForDocumentRequest(_message.Message):
    __slots__ = ("name", "until")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    name: DocumentName
    until: Searchable
    def __init__(self, name: _Optional[_Union[DocumentName, _Mapping]] = ..., until: _Optional[_Union[Searchable, str]] = ...) -> None: ...

class WaitForDocumentResponse(_message.Message):
    __slots__ = ("document", "reached", "revision")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    REACHED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    document: Document
    reached: bool
    revision: int
    def __init__(self, document: _Optional[_Union[Document, _Mapping]] = ..., reached: _Optional[bool] = ..., revision: _Optional[int] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ("operation_id", "kind", "state", "done_count", "total_count", "failed_count", "failure", "started_time", "ended_time", "scope", "counts", "notices")
    class CountsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    DONE_COUNT_FIELD_NUMBER: _ClassVar[int]
    TOTAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    STARTED_TIME_FIELD_NUMBER: _ClassVar[int]
    ENDED_TIME_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    kind: str
    state: OperationState
    done_count: int
    total_count: int
    failed_count: int
    failure: _common_pb2.Failure
    started_time: _timestamp_pb2.Timestamp
    ended_time: _timestamp_pb2.Timestamp
    scope: str
    counts: _containers.ScalarMap[str, int]
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    def __init__(self, operation_id: _Optional[str] = ..., kind: _Optional[str] = ..., state: _Optional[_Union[OperationState, str]] = ..., done_count: _Optional[int] = ..., total_count: _Optional[int] = ..., failed_count: _Optional[int] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., started_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., scope: _Optional[str] = ..., counts: _Optional[_Mapping[str, int]] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ...) -> None: ...

class GetOperationRequest(_message.Message):
    __slots__ = ("operation_id",)
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    def __init__(self, operation_id: _Optional[str] = ...) -> None: ...

class GetOperationResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: Operation
    def __init__(self, operation: _Optional[_Union[Operation, _Mapping]] = ...) -> None: ...

class ListOperationsRequest(_message.Message):
    __slots__ = ("state", "page_size", "page_token")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    state: OperationState
    page_size: int
    page_token: str
    def __init__(self, state: _Optional[_Union[OperationState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListOperationsResponse(_message.Message):
    __slots__ = ("operations", "next_page_token")
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    next_page_token: str
    def __init__(self, operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CancelOperationRequest(_message.Message):
    __slots__ = ("operation_id",)
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    def __init__(self, operation_id: _Optional[str] = ...) -> None: ...

class CancelOperationResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: Operation
    def __init__(self, operation: _Optional[_Union[Operation, _Mapping]] = ...) -> None: ...

class WatchIndexingRequest(_message.Message):
    __slots__ = ("subtree", "until_idle")
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_IDLE_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    until_idle: bool
    def __init__(self, subtree: _Optional[str] = ..., until_idle: _Optional[bool] = ...) -> None: ...

class FailureCount(_message.Message):
    __slots__ = ("reason", "document_count", "example_file_path", "example_message")
    REASON_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: _errors_pb2.ErrorReason
    document_count: int
    example_file_path: str
    example_message: str
    def __init__(self, reason: _Optional[_Union[_errors_pb2.ErrorReason, str]] = ..., document_count: _Optional[int] = ..., example_file_path: _Optional[str] = ..., example_message: _Optional[str] = ...) -> None: ...

class WatchIndexingResponse(_message.Message):
    __slots__ = ("document_count", "pending_document_count", "failed_document_count", "chunk_count", "embedded_chunk_count", "chunks_per_second", "revision", "idle", "blocked_by")
    DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    PENDING_DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    IDLE_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_BY_FIELD_NUMBER: _ClassVar[int]
    document_count: int
    pending_document_count: int
    failed_document_count: int
    chunk_count: int
    embedded_chunk_count: int
    chunks_per_second: float
    revision: int
    idle: bool
    blocked_by: _common_pb2.Failure
    def __init__(self, document_count: _Optional[int] = ..., pending_document_count: _Optional[int] = ..., failed_document_count: _Optional[int] = ..., chunk_count: _Optional[int] = ..., embedded_chunk_count: _Optional[int] = ..., chunks_per_second: _Optional[float] = ..., revision: _Optional[int] = ..., idle: _Optional[bool] = ..., blocked_by: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ...) -> None: ...

class GetStatusRequest(_message.Message):
    __slots__ = ("subtree",)
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    def __init__(self, subtree: _Optional[str] = ...) -> None: ...

class StateCount(_message.Message):
    __slots__ = ("state", "document_count")
    STATE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    state: DocumentState
    document_count: int
    def __init__(self, state: _Optional[_Union[DocumentState, str]] = ..., document_count: _Optional[int] = ...) -> None: ...

class IdentityStatus(_message.Message):
    __slots__ = ("identity", "state", "embedded_chunk_count", "pending_chunk_count", "failed_chunk_count", "loaded")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    PENDING_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    LOADED_FIELD_NUMBER: _ClassVar[int]
    identity: _common_pb2.EmbeddingIdentity
    state: IdentityState
    embedded_chunk_count: int
    pending_chunk_count: int
    failed_chunk_count: int
    loaded: bool
    def __init__(self, identity: _Optional[_Union[_common_pb2.EmbeddingIdentity, _Mapping]] = ..., state: _Optional[_Union[IdentityState, str]] = ..., embedded_chunk_count: _Optional[int] = ..., pending_chunk_count: _Optional[int] = ..., failed_chunk_count: _Optional[int] = ..., loaded: _Optional[bool] = ...) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("states", "chunk_count", "identities", "failures", "oldest_pending_time", "chunks_per_second", "revision", "collection_count", "blocked_by", "source_problems")
    STATES_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    IDENTITIES_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    OLDEST_PENDING_TIME_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_BY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedCompositeFieldContainer[StateCount]
    chunk_count: int
    identities: _containers.RepeatedCompositeFieldContainer[IdentityStatus]
    failures: _containers.RepeatedCompositeFieldContainer[FailureCount]
    oldest_pending_time: _timestamp_pb2.Timestamp
    chunks_per_second: float
    revision: int
    collection_count: int
    blocked_by: _common_pb2.Failure
    source_problems: _containers.RepeatedCompositeFieldContainer[SourceProblem]
    def __init__(self, states: _Optional[_Iterable[_Union[StateCount, _Mapping]]] = ..., chunk_count: _Optional[int] = ..., identities: _Optional[_Iterable[_Union[IdentityStatus, _Mapping]]] = ..., failures: _Optional[_Iterable[_Union[FailureCount, _Mapping]]] = ..., oldest_pending_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., chunks_per_second: _Optional[float] = ..., revision: _Optional[int] = ..., collection_count: _Optional[int] = ..., blocked_by: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., source_problems: _Optional[_Iterable[_Union[SourceProblem, _Mapping]]] = ...) -> None: ...

class SourceProblem(_message.Message):
    __slots__ = ("collection", "failure", "looked_time")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    LOOKED_TIME_FIELD_NUMBER: _ClassVar[int]
    collection: str
    failure: _common_pb2.Failure
    looked_time: _timestamp_pb2.Timestamp
    def __init__(self, collection: _Optional[str] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., looked_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DiagnoseRequest(_message.Message):
    __slots__ = ("subtree", "thorough")
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    THOROUGH_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    thorough: bool
    def __init__(self, subtree: _Optional[str] = ..., thorough: _Optional[bool] = ...) -> None: ...

class Check(_message.Message):
    __slots__ = ("name", "outcome", "message")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    name: str
    outcome: CheckOutcome
    message: str
    def __init__(self, name: _Optional[str] = ..., outcome: _Optional[_Union[CheckOutcome, str]] = ..., message: _Optional[str] = ...) -> None: ...

class DiagnoseResponse(_message.Message):
    __slots__ = ("checks", "outcome")
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    checks: _containers.RepeatedCompositeFieldContainer[Check]
    outcome: CheckOutcome
    def __init__(self, checks: _Optional[_Iterable[_Union[Check, _Mapping]]] = ..., outcome: _Optional[_Union[CheckOutcome, str]] = ...) -> None: ...

class RepairRequest(_message.Message):
    __slots__ = ("subtree", "rebuild_text", "rebuild_vectors", "dry_run", "request_id")
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    REBUILD_TEXT_FIELD_NUMBER: _ClassVar[int]
    REBUILD_VECTORS_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    rebuild_text: bool
    rebuild_vectors: bool
    dry_run: bool
    request_id: str
    def __init__(self, subtree: _Optional[str] = ..., rebuild_text: _Optional[bool] = ..., rebuild_vectors: _Optional[bool] = ..., dry_run: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class RepairResponse(_message.Message):
    __slots__ = ("operation_id", "missing_count", "orphaned_count", "duplicated_count", "counts", "notices")
    class CountsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    MISSING_COUNT_FIELD_NUMBER: _ClassVar[int]
    ORPHANED_COUNT_FIELD_NUMBER: _ClassVar[int]
    DUPLICATED_COUNT_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    missing_count: int
    orphaned_count: int
    duplicated_count: int
    counts: _containers.ScalarMap[str, int]
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    def __init__(self, operation_id: _Optional[str] = ..., missing_count: _Optional[int] = ..., orphaned_count: _Optional[int] = ..., duplicated_count: _Optional[int] = ..., counts: _Optional[_Mapping[str, int]] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ...) -> None: ...

class ActivateIdentityRequest(_message.Message):
    __slots__ = ("identity", "request_id")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    identity: str
    request_id: str
    def __init__(self, identity: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ActivateIdentityResponse(_message.Message):
    __slots__ = ("identity", "switched", "revision")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    SWITCHED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    identity: IdentityStatus
    switched: bool
    revision: int
    def __init__(self, identity: _Optional[_Union[IdentityStatus, _Mapping]] = ..., switched: _Optional[bool] = ..., revision: _Optional[int] = ...) -> None: ...

class DropIdentityRequest(_message.Message):
    __slots__ = ("identity", "request_id")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    identity: str
    request_id: str
    def __init__(self, identity: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DropIdentityResponse(_message.Message):
    __slots__ = ("vector_count",)
    VECTOR_COUNT_FIELD_NUMBER: _ClassVar[int]
    vector_count: int
    def __init__(self, vector_count: _Optional[int] = ...) -> None: ...
