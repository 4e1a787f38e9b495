import datetime

from findspot.v1 import common_pb2 as _common_pb2
from findspot.v1 import query_pb2 as _query_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProjectionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROJECTION_STATE_UNSPECIFIED: _ClassVar[ProjectionState]
    PROJECTION_STATE_PENDING: _ClassVar[ProjectionState]
    PROJECTION_STATE_READY: _ClassVar[ProjectionState]
    PROJECTION_STATE_STALE: _ClassVar[ProjectionState]
    PROJECTION_STATE_ORPHANED: _ClassVar[ProjectionState]
    PROJECTION_STATE_MISSING: _ClassVar[ProjectionState]
    PROJECTION_STATE_FAILED: _ClassVar[ProjectionState]

class Disposition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISPOSITION_UNSPECIFIED: _ClassVar[Disposition]
    DISPOSITION_RETURNED: _ClassVar[Disposition]
    DISPOSITION_BELOW_THRESHOLD: _ClassVar[Disposition]
    DISPOSITION_NOT_IN_MANIFEST: _ClassVar[Disposition]
    DISPOSITION_PENDING: _ClassVar[Disposition]
    DISPOSITION_IDENTITY_MISMATCH: _ClassVar[Disposition]
    DISPOSITION_RETIRED: _ClassVar[Disposition]
    DISPOSITION_FILTERED_OUT: _ClassVar[Disposition]
    DISPOSITION_COLLAPSED: _ClassVar[Disposition]
    DISPOSITION_BEYOND_PAGE: _ClassVar[Disposition]
PROJECTION_STATE_UNSPECIFIED: ProjectionState
PROJECTION_STATE_PENDING: ProjectionState
PROJECTION_STATE_READY: ProjectionState
PROJECTION_STATE_STALE: ProjectionState
PROJECTION_STATE_ORPHANED: ProjectionState
PROJECTION_STATE_MISSING: ProjectionState
PROJECTION_STATE_FAILED: ProjectionState
DISPOSITION_UNSPECIFIED: Disposition
DISPOSITION_RETURNED: Disposition
DISPOSITION_BELOW_THRESHOLD: Disposition
DISPOSITION_NOT_IN_MANIFEST: Disposition
DISPOSITION_PENDING: Disposition
DISPOSITION_IDENTITY_MISMATCH: Disposition
DISPOSITION_RETIRED: Disposition
DISPOSITION_FILTERED_OUT: Disposition
DISPOSITION_COLLAPSED: Disposition
DISPOSITION_BEYOND_PAGE: Disposition

class InspectChunksRequest(_message.Message):
    __slots__ = ("document_id", "at_path", "page_size", "page_token", "offset_unit", "include_retired")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    AT_PATH_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_RETIRED_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    at_path: _query_pb2.ChunkAtPath
    page_size: int
    page_token: str
    offset_unit: _common_pb2.OffsetUnit
    include_retired: bool
    def __init__(self, document_id: _Optional[str] = ..., at_path: _Optional[_Union[_query_pb2.ChunkAtPath, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ..., include_retired: _Optional[bool] = ...) -> None: ...

class InspectedChunk(_message.Message):
    __slots__ = ("chunk", "chunk_hash", "embed_hash", "identity", "vector_collection", "text_state", "vector_state", "failure", "token_count", "identifiers", "occurrence", "extractor_stamp", "chunker_stamp", "payload_recipe", "updated_time")
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    CHUNK_HASH_FIELD_NUMBER: _ClassVar[int]
    EMBED_HASH_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    VECTOR_COLLECTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_STATE_FIELD_NUMBER: _ClassVar[int]
    VECTOR_STATE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_STAMP_FIELD_NUMBER: _ClassVar[int]
    CHUNKER_STAMP_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_RECIPE_FIELD_NUMBER: _ClassVar[int]
    UPDATED_TIME_FIELD_NUMBER: _ClassVar[int]
    chunk: _query_pb2.Chunk
    chunk_hash: str
    embed_hash: str
    identity: str
    vector_collection: str
    text_state: ProjectionState
    vector_state: ProjectionState
    failure: _common_pb2.Failure
    token_count: int
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    occurrence: int
    extractor_stamp: str
    chunker_stamp: str
    payload_recipe: str
    updated_time: _timestamp_pb2.Timestamp
    def __init__(self, chunk: _Optional[_Union[_query_pb2.Chunk, _Mapping]] = ..., chunk_hash: _Optional[str] = ..., embed_hash: _Optional[str] = ..., identity: _Optional[str] = ..., vector_collection: _Optional[str] = ..., text_state: _Optional[_Union[ProjectionState, str]] = ..., vector_state: _Optional[_Union[ProjectionState, str]] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., token_count: _Optional[int] = ..., identifiers: _Optional[_Iterable[str]] = ..., occurrence: _Optional[int] = ..., extractor_stamp: _Optional[str] = ..., chunker_stamp: _Optional[str] = ..., payload_recipe: _Optional[str] = ..., updated_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class InspectChunksResponse(_message.Message):
    __slots__ = ("chunks", "total_chunks", "freshness", "stale", "evidence", "next_page_token")
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_CHUNKS_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[InspectedChunk]
    total_chunks: int
    freshness: _common_pb2.Freshness
    stale: bool
    evidence: _common_pb2.FreshnessEvidence
    next_page_token: str
    def __init__(self, chunks: _Optional[_Iterable[_Union[InspectedChunk, _Mapping]]] = ..., total_chunks: _Optional[int] = ..., freshness: _Optional[_Union[_common_pb2.Freshness, str]] = ..., stale: _Optional[bool] = ..., evidence: _Optional[_Union[_common_pb2.FreshnessEvidence, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ExplainSearchRequest(_message.Message):
    __slots__ = ("search", "include_misses")
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_MISSES_FIELD_NUMBER: _ClassVar[int]
    search: _query_pb2.SearchRequest
    include_misses: bool
    def __init__(self, search: _Optional[_Union[_query_pb2.SearchRequest, _Mapping]] = ..., include_misses: _Optional[bool] = ...) -> None: ...

class Candidate(_message.Message):
    __slots__ = ("hit", "disposition", "normalized_text_score", "fused_rank", "fused_score", "message")
    HIT_FIELD_NUMBER: _ClassVar[int]
    DISPOSITION_FIELD_NUMBER: _ClassVar[int]
    NORMALIZED_TEXT_SCORE_FIELD_NUMBER: _ClassVar[int]
    FUSED_RANK_FIELD_NUMBER: _ClassVar[int]
    FUSED_SCORE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    hit: _query_pb2.SearchHit
    disposition: Disposition
    normalized_text_score: float
    fused_rank: int
    fused_score: float
    message: str
    def __init__(self, hit: _Optional[_Union[_query_pb2.SearchHit, _Mapping]] = ..., disposition: _Optional[_Union[Disposition, str]] = ..., normalized_text_score: _Optional[float] = ..., fused_rank: _Optional[int] = ..., fused_score: _Optional[float] = ..., message: _Optional[str] = ...) -> None: ...

class Stage(_message.Message):
    __slots__ = ("name", "in_count", "out_count", "dropped_count", "milliseconds", "settings")
    class SettingsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    IN_COUNT_FIELD_NUMBER: _ClassVar[int]
    OUT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DROPPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    in_count: int
    out_count: int
    dropped_count: int
    milliseconds: float
    settings: _containers.ScalarMap[str, str]
    def __init__(self, name: _Optional[str] = ..., in_count: _Optional[int] = ..., out_count: _Optional[int] = ..., dropped_count: _Optional[int] = ..., milliseconds: _Optional[float] = ..., settings: _Optional[_Mapping[str, str]] = ...) -> None: ...

class ExplainSearchResponse(_message.Message):
    __slots__ = ("search", "stages", "candidates", "fusion_version", "window", "vector_collection")
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    FUSION_VERSION_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    VECTOR_COLLECTION_FIELD_NUMBER: _ClassVar[int]
    search: _query_pb2.SearchResponse
    stages: _containers.RepeatedCompositeFieldContainer[Stage]
    candidates: _containers.RepeatedCompositeFieldContainer[Candidate]
    fusion_version: str
    window: int
    vector_collection: str
    def __init__(self, search: _Optional[_Union[_query_pb2.SearchResponse, _Mapping]] = ..., stages: _Optional[_Iterable[_Union[Stage, _Mapping]]] = ..., candidates: _Optional[_Iterable[_Union[Candidate, _Mapping]]] = ..., fusion_version: _Optional[str] = ..., window: _Optional[int] = ..., vector_collection: _Optional[str] = ...) -> None: ...

class FindNeighborsRequest(_message.Message):
    __slots__ = ("name", "page_size", "reembed", "scope", "offset_unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    REEMBED_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    name: _query_pb2.ChunkName
    page_size: int
    reembed: bool
    scope: _query_pb2.Scope
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, name: _Optional[_Union[_query_pb2.ChunkName, _Mapping]] = ..., page_size: _Optional[int] = ..., reembed: _Optional[bool] = ..., scope: _Optional[_Union[_query_pb2.Scope, _Mapping]] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class FindNeighborsResponse(_message.Message):
    __slots__ = ("hits", "vector_source", "identity")
    HITS_FIELD_NUMBER: _ClassVar[int]
    VECTOR_SOURCE_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[_query_pb2.SearchHit]
    vector_source: str
    identity: _common_pb2.EmbeddingIdentity
    def __init__(self, hits: _Optional[_Iterable[_Union[_query_pb2.SearchHit, _Mapping]]] = ..., vector_source: _Optional[str] = ..., identity: _Optional[_Union[_common_pb2.EmbeddingIdentity, _Mapping]] = ...) -> None: ...
