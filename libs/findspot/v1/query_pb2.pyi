import datetime

from findspot.v1 import common_pb2 as _common_pb2
from findspot.v1 import extraction_pb2 as _extraction_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SearchMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCH_MODE_UNSPECIFIED: _ClassVar[SearchMode]
    SEARCH_MODE_HYBRID: _ClassVar[SearchMode]
    SEARCH_MODE_TEXT: _ClassVar[SearchMode]
    SEARCH_MODE_SEMANTIC: _ClassVar[SearchMode]

class GroupBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_BY_UNSPECIFIED: _ClassVar[GroupBy]
    GROUP_BY_NONE: _ClassVar[GroupBy]
    GROUP_BY_SECTION: _ClassVar[GroupBy]
    GROUP_BY_DOCUMENT: _ClassVar[GroupBy]

class FusionFormula(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FUSION_FORMULA_UNSPECIFIED: _ClassVar[FusionFormula]
    FUSION_FORMULA_RRF: _ClassVar[FusionFormula]
    FUSION_FORMULA_WEIGHTED_RRF: _ClassVar[FusionFormula]
    FUSION_FORMULA_RELATIVE_SCORE: _ClassVar[FusionFormula]
    FUSION_FORMULA_MAX_BONUS: _ClassVar[FusionFormula]

class ResultView(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESULT_VIEW_UNSPECIFIED: _ClassVar[ResultView]
    RESULT_VIEW_SNIPPET: _ClassVar[ResultView]
    RESULT_VIEW_TEXT: _ClassVar[ResultView]
    RESULT_VIEW_SECTION: _ClassVar[ResultView]

class ScopeQualifier(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCOPE_QUALIFIER_UNSPECIFIED: _ClassVar[ScopeQualifier]
    SCOPE_QUALIFIER_SUBTREE: _ClassVar[ScopeQualifier]
    SCOPE_QUALIFIER_EXACT: _ClassVar[ScopeQualifier]
    SCOPE_QUALIFIER_ANCESTORS: _ClassVar[ScopeQualifier]

class Strength(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STRENGTH_UNSPECIFIED: _ClassVar[Strength]
    STRENGTH_STRONG: _ClassVar[Strength]
    STRENGTH_WEAK: _ClassVar[Strength]
    STRENGTH_NONE: _ClassVar[Strength]
SEARCH_MODE_UNSPECIFIED: SearchMode
SEARCH_MODE_HYBRID: SearchMode
SEARCH_MODE_TEXT: SearchMode
SEARCH_MODE_SEMANTIC: SearchMode
GROUP_BY_UNSPECIFIED: GroupBy
GROUP_BY_NONE: GroupBy
GROUP_BY_SECTION: GroupBy
GROUP_BY_DOCUMENT: GroupBy
FUSION_FORMULA_UNSPECIFIED: FusionFormula
FUSION_FORMULA_RRF: FusionFormula
FUSION_FORMULA_WEIGHTED_RRF: FusionFormula
FUSION_FORMULA_RELATIVE_SCORE: FusionFormula
FUSION_FORMULA_MAX_BONUS: FusionFormula
RESULT_VIEW_UNSPECIFIED: ResultView
RESULT_VIEW_SNIPPET: ResultView
RESULT_VIEW_TEXT: ResultView
RESULT_VIEW_SECTION: ResultView
SCOPE_QUALIFIER_UNSPECIFIED: ScopeQualifier
SCOPE_QUALIFIER_SUBTREE: ScopeQualifier
SCOPE_QUALIFIER_EXACT: ScopeQualifier
SCOPE_QUALIFIER_ANCESTORS: ScopeQualifier
STRENGTH_UNSPECIFIED: Strength
STRENGTH_STRONG: Strength
STRENGTH_WEAK: Strength
STRENGTH_NONE: Strength

class TargetScope(_message.Message):
    __slots__ = ("path", "qualifier")
    PATH_FIELD_NUMBER: _ClassVar[int]
    QUALIFIER_FIELD_NUMBER: _ClassVar[int]
    path: str
    qualifier: ScopeQualifier
    def __init__(self, path: _Optional[str] = ..., qualifier: _Optional[_Union[ScopeQualifier, str]] = ...) -> None: ...

class Scope(_message.Message):
    __slots__ = ("anchor", "target")
    ANCHOR_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    anchor: str
    target: TargetScope
    def __init__(self, anchor: _Optional[str] = ..., target: _Optional[_Union[TargetScope, _Mapping]] = ...) -> None: ...

class SearchFilters(_message.Message):
    __slots__ = ("kinds", "languages", "path_globs", "exclude_paths", "document_ids", "metadata", "modified_after", "modified_before", "document_types")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    KINDS_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    PATH_GLOBS_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_PATHS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_IDS_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_AFTER_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[_common_pb2.ChunkKind]
    languages: _containers.RepeatedScalarFieldContainer[str]
    path_globs: _containers.RepeatedScalarFieldContainer[str]
    exclude_paths: _containers.RepeatedScalarFieldContainer[str]
    document_ids: _containers.RepeatedScalarFieldContainer[str]
    metadata: _containers.ScalarMap[str, str]
    modified_after: _timestamp_pb2.Timestamp
    modified_before: _timestamp_pb2.Timestamp
    document_types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kinds: _Optional[_Iterable[_Union[_common_pb2.ChunkKind, str]]] = ..., languages: _Optional[_Iterable[str]] = ..., path_globs: _Optional[_Iterable[str]] = ..., exclude_paths: _Optional[_Iterable[str]] = ..., document_ids: _Optional[_Iterable[str]] = ..., metadata: _Optional[_Mapping[str, str]] = ..., modified_after: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., modified_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., document_types: _Optional[_Iterable[str]] = ...) -> None: ...

class Fusion(_message.Message):
    __slots__ = ("formula", "k", "text_weight", "vector_weight")
    FORMULA_FIELD_NUMBER: _ClassVar[int]
    K_FIELD_NUMBER: _ClassVar[int]
    TEXT_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    formula: FusionFormula
    k: int
    text_weight: float
    vector_weight: float
    def __init__(self, formula: _Optional[_Union[FusionFormula, str]] = ..., k: _Optional[int] = ..., text_weight: _Optional[float] = ..., vector_weight: _Optional[float] = ...) -> None: ...

class SearchRequest(_message.Message):
    __slots__ = ("query", "mode", "scope", "filters", "fusion", "min_similarity", "min_text_score", "group_by", "max_per_group", "expand", "rerank", "page_size", "page_token", "min_revision", "view", "neighbors", "offset_unit")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    FUSION_FIELD_NUMBER: _ClassVar[int]
    MIN_SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    MIN_TEXT_SCORE_FIELD_NUMBER: _ClassVar[int]
    GROUP_BY_FIELD_NUMBER: _ClassVar[int]
    MAX_PER_GROUP_FIELD_NUMBER: _ClassVar[int]
    EXPAND_FIELD_NUMBER: _ClassVar[int]
    RERANK_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    MIN_REVISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    NEIGHBORS_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    query: str
    mode: SearchMode
    scope: Scope
    filters: SearchFilters
    fusion: Fusion
    min_similarity: float
    min_text_score: float
    group_by: GroupBy
    max_per_group: int
    expand: bool
    rerank: bool
    page_size: int
    page_token: str
    min_revision: int
    view: ResultView
    neighbors: int
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, query: _Optional[str] = ..., mode: _Optional[_Union[SearchMode, str]] = ..., scope: _Optional[_Union[Scope, _Mapping]] = ..., filters: _Optional[_Union[SearchFilters, _Mapping]] = ..., fusion: _Optional[_Union[Fusion, _Mapping]] = ..., min_similarity: _Optional[float] = ..., min_text_score: _Optional[float] = ..., group_by: _Optional[_Union[GroupBy, str]] = ..., max_per_group: _Optional[int] = ..., expand: _Optional[bool] = ..., rerank: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., min_revision: _Optional[int] = ..., view: _Optional[_Union[ResultView, str]] = ..., neighbors: _Optional[int] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class SearchChunksRequest(_message.Message):
    __slots__ = ("search",)
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    search: SearchRequest
    def __init__(self, search: _Optional[_Union[SearchRequest, _Mapping]] = ...) -> None: ...

class UnderstoodQuery(_message.Message):
    __slots__ = ("terms", "phrases", "exclusions", "qualifiers", "semantic_text", "collections", "notices")
    TERMS_FIELD_NUMBER: _ClassVar[int]
    PHRASES_FIELD_NUMBER: _ClassVar[int]
    EXCLUSIONS_FIELD_NUMBER: _ClassVar[int]
    QUALIFIERS_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_TEXT_FIELD_NUMBER: _ClassVar[int]
    COLLECTIONS_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    terms: _containers.RepeatedScalarFieldContainer[str]
    phrases: _containers.RepeatedScalarFieldContainer[str]
    exclusions: _containers.RepeatedScalarFieldContainer[str]
    qualifiers: _containers.RepeatedScalarFieldContainer[str]
    semantic_text: str
    collections: _containers.RepeatedScalarFieldContainer[str]
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    def __init__(self, terms: _Optional[_Iterable[str]] = ..., phrases: _Optional[_Iterable[str]] = ..., exclusions: _Optional[_Iterable[str]] = ..., qualifiers: _Optional[_Iterable[str]] = ..., semantic_text: _Optional[str] = ..., collections: _Optional[_Iterable[str]] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ...) -> None: ...

class Degradation(_message.Message):
    __slots__ = ("arm", "failure", "effective_mode")
    ARM_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_MODE_FIELD_NUMBER: _ClassVar[int]
    arm: str
    failure: _common_pb2.Failure
    effective_mode: SearchMode
    def __init__(self, arm: _Optional[str] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., effective_mode: _Optional[_Union[SearchMode, str]] = ...) -> None: ...

class Coverage(_message.Message):
    __slots__ = ("total_chunk_count", "embedded_chunk_count")
    TOTAL_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    total_chunk_count: int
    embedded_chunk_count: int
    def __init__(self, total_chunk_count: _Optional[int] = ..., embedded_chunk_count: _Optional[int] = ...) -> None: ...

class ChainInfo(_message.Message):
    __slots__ = ("chain_id", "original_title", "chunks_matched", "best_chunk_sequence", "total_chunks", "matched_chunk_indices", "chunks_matched_is_lower_bound")
    CHAIN_ID_FIELD_NUMBER: _ClassVar[int]
    ORIGINAL_TITLE_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_MATCHED_FIELD_NUMBER: _ClassVar[int]
    BEST_CHUNK_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_CHUNKS_FIELD_NUMBER: _ClassVar[int]
    MATCHED_CHUNK_INDICES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_MATCHED_IS_LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    chain_id: str
    original_title: str
    chunks_matched: int
    best_chunk_sequence: int
    total_chunks: int
    matched_chunk_indices: _containers.RepeatedScalarFieldContainer[int]
    chunks_matched_is_lower_bound: bool
    def __init__(self, chain_id: _Optional[str] = ..., original_title: _Optional[str] = ..., chunks_matched: _Optional[int] = ..., best_chunk_sequence: _Optional[int] = ..., total_chunks: _Optional[int] = ..., matched_chunk_indices: _Optional[_Iterable[int]] = ..., chunks_matched_is_lower_bound: _Optional[bool] = ...) -> None: ...

class SearchHit(_message.Message):
    __slots__ = ("rank", "score", "text_rank", "vector_rank", "similarity", "text_score", "identifier_match", "rerank_score", "rerank_rank", "collection", "file_path", "document_id", "document_path", "title", "document_type", "chunk_id", "chunk_index", "section_id", "kind", "language", "heading_path", "locator", "range", "snippet", "highlights", "page", "boxes", "text", "section_text", "section_text_cut", "freshness", "before", "after", "contains_code", "stale", "evidence")
    RANK_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    TEXT_RANK_FIELD_NUMBER: _ClassVar[int]
    VECTOR_RANK_FIELD_NUMBER: _ClassVar[int]
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    TEXT_SCORE_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_MATCH_FIELD_NUMBER: _ClassVar[int]
    RERANK_SCORE_FIELD_NUMBER: _ClassVar[int]
    RERANK_RANK_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_PATH_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_INDEX_FIELD_NUMBER: _ClassVar[int]
    SECTION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    HEADING_PATH_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    SNIPPET_FIELD_NUMBER: _ClassVar[int]
    HIGHLIGHTS_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    BOXES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SECTION_TEXT_FIELD_NUMBER: _ClassVar[int]
    SECTION_TEXT_CUT_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    CONTAINS_CODE_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    rank: int
    score: float
    text_rank: int
    vector_rank: int
    similarity: float
    text_score: float
    identifier_match: bool
    rerank_score: float
    rerank_rank: int
    collection: str
    file_path: str
    document_id: str
    document_path: str
    title: str
    document_type: str
    chunk_id: str
    chunk_index: int
    section_id: str
    kind: _common_pb2.ChunkKind
    language: str
    heading_path: _containers.RepeatedScalarFieldContainer[str]
    locator: str
    range: _common_pb2.Range
    snippet: str
    highlights: _containers.RepeatedCompositeFieldContainer[_common_pb2.Range]
    page: int
    boxes: _containers.RepeatedCompositeFieldContainer[_common_pb2.PageBox]
    text: str
    section_text: str
    section_text_cut: bool
    freshness: _common_pb2.Freshness
    before: _containers.RepeatedCompositeFieldContainer[ChunkText]
    after: _containers.RepeatedCompositeFieldContainer[ChunkText]
    contains_code: bool
    stale: bool
    evidence: _common_pb2.FreshnessEvidence
    def __init__(self, rank: _Optional[int] = ..., score: _Optional[float] = ..., text_rank: _Optional[int] = ..., vector_rank: _Optional[int] = ..., similarity: _Optional[float] = ..., text_score: _Optional[float] = ..., identifier_match: _Optional[bool] = ..., rerank_score: _Optional[float] = ..., rerank_rank: _Optional[int] = ..., collection: _Optional[str] = ..., file_path: _Optional[str] = ..., document_id: _Optional[str] = ..., document_path: _Optional[str] = ..., title: _Optional[str] = ..., document_type: _Optional[str] = ..., chunk_id: _Optional[str] = ..., chunk_index: _Optional[int] = ..., section_id: _Optional[str] = ..., kind: _Optional[_Union[_common_pb2.ChunkKind, str]] = ..., language: _Optional[str] = ..., heading_path: _Optional[_Iterable[str]] = ..., locator: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., snippet: _Optional[str] = ..., highlights: _Optional[_Iterable[_Union[_common_pb2.Range, _Mapping]]] = ..., page: _Optional[int] = ..., boxes: _Optional[_Iterable[_Union[_common_pb2.PageBox, _Mapping]]] = ..., text: _Optional[str] = ..., section_text: _Optional[str] = ..., section_text_cut: _Optional[bool] = ..., freshness: _Optional[_Union[_common_pb2.Freshness, str]] = ..., before: _Optional[_Iterable[_Union[ChunkText, _Mapping]]] = ..., after: _Optional[_Iterable[_Union[ChunkText, _Mapping]]] = ..., contains_code: _Optional[bool] = ..., stale: _Optional[bool] = ..., evidence: _Optional[_Union[_common_pb2.FreshnessEvidence, _Mapping]] = ...) -> None: ...

class ChunkText(_message.Message):
    __slots__ = ("chunk_id", "chunk_index", "text", "range")
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_INDEX_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    chunk_id: str
    chunk_index: int
    text: str
    range: _common_pb2.Range
    def __init__(self, chunk_id: _Optional[str] = ..., chunk_index: _Optional[int] = ..., text: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ...) -> None: ...

class SearchResult(_message.Message):
    __slots__ = ("hit", "more", "chain_info")
    HIT_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    CHAIN_INFO_FIELD_NUMBER: _ClassVar[int]
    hit: SearchHit
    more: _containers.RepeatedCompositeFieldContainer[SearchHit]
    chain_info: ChainInfo
    def __init__(self, hit: _Optional[_Union[SearchHit, _Mapping]] = ..., more: _Optional[_Iterable[_Union[SearchHit, _Mapping]]] = ..., chain_info: _Optional[_Union[ChainInfo, _Mapping]] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("searched", "count", "count_is_lower_bound", "results", "failure", "degradations", "coverage", "pending_document_count", "strength", "understood", "next_page_token", "revision", "filtered_out_count", "not_live_count", "below_threshold_count", "identity", "hint")
    SEARCHED_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    COUNT_IS_LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    DEGRADATIONS_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    PENDING_DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    UNDERSTOOD_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    FILTERED_OUT_COUNT_FIELD_NUMBER: _ClassVar[int]
    NOT_LIVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    BELOW_THRESHOLD_COUNT_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    searched: bool
    count: int
    count_is_lower_bound: bool
    results: _containers.RepeatedCompositeFieldContainer[SearchResult]
    failure: _common_pb2.Failure
    degradations: _containers.RepeatedCompositeFieldContainer[Degradation]
    coverage: Coverage
    pending_document_count: int
    strength: Strength
    understood: UnderstoodQuery
    next_page_token: str
    revision: int
    filtered_out_count: int
    not_live_count: int
    below_threshold_count: int
    identity: _common_pb2.EmbeddingIdentity
    hint: str
    def __init__(self, searched: _Optional[bool] = ..., count: _Optional[int] = ..., count_is_lower_bound: _Optional[bool] = ..., results: _Optional[_Iterable[_Union[SearchResult, _Mapping]]] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ..., degradations: _Optional[_Iterable[_Union[Degradation, _Mapping]]] = ..., coverage: _Optional[_Union[Coverage, _Mapping]] = ..., pending_document_count: _Optional[int] = ..., strength: _Optional[_Union[Strength, str]] = ..., understood: _Optional[_Union[UnderstoodQuery, _Mapping]] = ..., next_page_token: _Optional[str] = ..., revision: _Optional[int] = ..., filtered_out_count: _Optional[int] = ..., not_live_count: _Optional[int] = ..., below_threshold_count: _Optional[int] = ..., identity: _Optional[_Union[_common_pb2.EmbeddingIdentity, _Mapping]] = ..., hint: _Optional[str] = ...) -> None: ...

class SearchChunksResponse(_message.Message):
    __slots__ = ("search",)
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    search: SearchResponse
    def __init__(self, search: _Optional[_Union[SearchResponse, _Mapping]] = ...) -> None: ...

class BatchSearchRequest(_message.Message):
    __slots__ = ("searches",)
    SEARCHES_FIELD_NUMBER: _ClassVar[int]
    searches: _containers.RepeatedCompositeFieldContainer[SearchRequest]
    def __init__(self, searches: _Optional[_Iterable[_Union[SearchRequest, _Mapping]]] = ...) -> None: ...

class BatchSearchItem(_message.Message):
    __slots__ = ("search", "failure")
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    search: SearchResponse
    failure: _common_pb2.Failure
    def __init__(self, search: _Optional[_Union[SearchResponse, _Mapping]] = ..., failure: _Optional[_Union[_common_pb2.Failure, _Mapping]] = ...) -> None: ...

class BatchSearchResponse(_message.Message):
    __slots__ = ("items", "repeated_count")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    REPEATED_COUNT_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[BatchSearchItem]
    repeated_count: int
    def __init__(self, items: _Optional[_Iterable[_Union[BatchSearchItem, _Mapping]]] = ..., repeated_count: _Optional[int] = ...) -> None: ...

class ChunkAtPath(_message.Message):
    __slots__ = ("collection", "file_path", "index")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    collection: str
    file_path: str
    index: int
    def __init__(self, collection: _Optional[str] = ..., file_path: _Optional[str] = ..., index: _Optional[int] = ...) -> None: ...

class ChunkInDocument(_message.Message):
    __slots__ = ("document_id", "index")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    index: int
    def __init__(self, document_id: _Optional[str] = ..., index: _Optional[int] = ...) -> None: ...

class ChunkName(_message.Message):
    __slots__ = ("chunk_id", "at_path", "in_document")
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    AT_PATH_FIELD_NUMBER: _ClassVar[int]
    IN_DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    chunk_id: str
    at_path: ChunkAtPath
    in_document: ChunkInDocument
    def __init__(self, chunk_id: _Optional[str] = ..., at_path: _Optional[_Union[ChunkAtPath, _Mapping]] = ..., in_document: _Optional[_Union[ChunkInDocument, _Mapping]] = ...) -> None: ...

class Chunk(_message.Message):
    __slots__ = ("chunk_id", "document_id", "collection", "file_path", "title", "chunk_index", "section_id", "kind", "language", "text", "context", "range", "overlap", "heading_path", "locator", "page", "boxes", "contains_code", "retired_time", "generation", "document_type", "freshness", "stale", "evidence")
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_INDEX_FIELD_NUMBER: _ClassVar[int]
    SECTION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    HEADING_PATH_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    BOXES_FIELD_NUMBER: _ClassVar[int]
    CONTAINS_CODE_FIELD_NUMBER: _ClassVar[int]
    RETIRED_TIME_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    chunk_id: str
    document_id: str
    collection: str
    file_path: str
    title: str
    chunk_index: int
    section_id: str
    kind: _common_pb2.ChunkKind
    language: str
    text: str
    context: str
    range: _common_pb2.Range
    overlap: int
    heading_path: _containers.RepeatedScalarFieldContainer[str]
    locator: str
    page: int
    boxes: _containers.RepeatedCompositeFieldContainer[_common_pb2.PageBox]
    contains_code: bool
    retired_time: _timestamp_pb2.Timestamp
    generation: int
    document_type: str
    freshness: _common_pb2.Freshness
    stale: bool
    evidence: _common_pb2.FreshnessEvidence
    def __init__(self, chunk_id: _Optional[str] = ..., document_id: _Optional[str] = ..., collection: _Optional[str] = ..., file_path: _Optional[str] = ..., title: _Optional[str] = ..., chunk_index: _Optional[int] = ..., section_id: _Optional[str] = ..., kind: _Optional[_Union[_common_pb2.ChunkKind, str]] = ..., language: _Optional[str] = ..., text: _Optional[str] = ..., context: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., overlap: _Optional[int] = ..., heading_path: _Optional[_Iterable[str]] = ..., locator: _Optional[str] = ..., page: _Optional[int] = ..., boxes: _Optional[_Iterable[_Union[_common_pb2.PageBox, _Mapping]]] = ..., contains_code: _Optional[bool] = ..., retired_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., generation: _Optional[int] = ..., document_type: _Optional[str] = ..., freshness: _Optional[_Union[_common_pb2.Freshness, str]] = ..., stale: _Optional[bool] = ..., evidence: _Optional[_Union[_common_pb2.FreshnessEvidence, _Mapping]] = ...) -> None: ...

class GetChunkRequest(_message.Message):
    __slots__ = ("name", "offset_unit", "min_revision")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    MIN_REVISION_FIELD_NUMBER: _ClassVar[int]
    name: ChunkName
    offset_unit: _common_pb2.OffsetUnit
    min_revision: int
    def __init__(self, name: _Optional[_Union[ChunkName, _Mapping]] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ..., min_revision: _Optional[int] = ...) -> None: ...

class GetChunkResponse(_message.Message):
    __slots__ = ("found", "chunk", "prev_index", "next_index", "total_chunks", "message")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    PREV_INDEX_FIELD_NUMBER: _ClassVar[int]
    NEXT_INDEX_FIELD_NUMBER: _ClassVar[int]
    TOTAL_CHUNKS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    found: bool
    chunk: Chunk
    prev_index: int
    next_index: int
    total_chunks: int
    message: str
    def __init__(self, found: _Optional[bool] = ..., chunk: _Optional[_Union[Chunk, _Mapping]] = ..., prev_index: _Optional[int] = ..., next_index: _Optional[int] = ..., total_chunks: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class BatchGetChunksRequest(_message.Message):
    __slots__ = ("names", "offset_unit")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedCompositeFieldContainer[ChunkName]
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, names: _Optional[_Iterable[_Union[ChunkName, _Mapping]]] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class BatchGetChunksResponse(_message.Message):
    __slots__ = ("chunks",)
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[GetChunkResponse]
    def __init__(self, chunks: _Optional[_Iterable[_Union[GetChunkResponse, _Mapping]]] = ...) -> None: ...

class GetChunkRangeRequest(_message.Message):
    __slots__ = ("name", "before", "after", "within_section", "offset_unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    WITHIN_SECTION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    name: ChunkName
    before: int
    after: int
    within_section: bool
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, name: _Optional[_Union[ChunkName, _Mapping]] = ..., before: _Optional[int] = ..., after: _Optional[int] = ..., within_section: _Optional[bool] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class GetChunkRangeResponse(_message.Message):
    __slots__ = ("found", "text", "range", "chunks", "total_chunks", "message")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_CHUNKS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    found: bool
    text: str
    range: _common_pb2.Range
    chunks: _containers.RepeatedCompositeFieldContainer[Chunk]
    total_chunks: int
    message: str
    def __init__(self, found: _Optional[bool] = ..., text: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., chunks: _Optional[_Iterable[_Union[Chunk, _Mapping]]] = ..., total_chunks: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class ListChunksRequest(_message.Message):
    __slots__ = ("document_id", "at_path", "page_size", "page_token", "offset_unit")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    AT_PATH_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    at_path: ChunkAtPath
    page_size: int
    page_token: str
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, document_id: _Optional[str] = ..., at_path: _Optional[_Union[ChunkAtPath, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class ListChunksResponse(_message.Message):
    __slots__ = ("chain_id", "title", "total_chunks", "chunks", "next_page_token")
    CHAIN_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_CHUNKS_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    chain_id: str
    title: str
    total_chunks: int
    chunks: _containers.RepeatedCompositeFieldContainer[Chunk]
    next_page_token: str
    def __init__(self, chain_id: _Optional[str] = ..., title: _Optional[str] = ..., total_chunks: _Optional[int] = ..., chunks: _Optional[_Iterable[_Union[Chunk, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetSectionRequest(_message.Message):
    __slots__ = ("section_id", "chunk", "offset_unit")
    SECTION_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    section_id: str
    chunk: ChunkName
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, section_id: _Optional[str] = ..., chunk: _Optional[_Union[ChunkName, _Mapping]] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class Section(_message.Message):
    __slots__ = ("section_id", "document_id", "collection", "file_path", "title", "section_index", "kind", "heading_path", "locator", "range", "text", "page_start", "page_end", "first_chunk_index", "last_chunk_index", "retired_time")
    SECTION_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SECTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    HEADING_PATH_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PAGE_START_FIELD_NUMBER: _ClassVar[int]
    PAGE_END_FIELD_NUMBER: _ClassVar[int]
    FIRST_CHUNK_INDEX_FIELD_NUMBER: _ClassVar[int]
    LAST_CHUNK_INDEX_FIELD_NUMBER: _ClassVar[int]
    RETIRED_TIME_FIELD_NUMBER: _ClassVar[int]
    section_id: str
    document_id: str
    collection: str
    file_path: str
    title: str
    section_index: int
    kind: _common_pb2.ChunkKind
    heading_path: _containers.RepeatedScalarFieldContainer[str]
    locator: str
    range: _common_pb2.Range
    text: str
    page_start: int
    page_end: int
    first_chunk_index: int
    last_chunk_index: int
    retired_time: _timestamp_pb2.Timestamp
    def __init__(self, section_id: _Optional[str] = ..., document_id: _Optional[str] = ..., collection: _Optional[str] = ..., file_path: _Optional[str] = ..., title: _Optional[str] = ..., section_index: _Optional[int] = ..., kind: _Optional[_Union[_common_pb2.ChunkKind, str]] = ..., heading_path: _Optional[_Iterable[str]] = ..., locator: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., text: _Optional[str] = ..., page_start: _Optional[int] = ..., page_end: _Optional[int] = ..., first_chunk_index: _Optional[int] = ..., last_chunk_index: _Optional[int] = ..., retired_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetSectionResponse(_message.Message):
    __slots__ = ("section",)
    SECTION_FIELD_NUMBER: _ClassVar[int]
    section: Section
    def __init__(self, section: _Optional[_Union[Section, _Mapping]] = ...) -> None: ...

class GetDocumentTextRequest(_message.Message):
    __slots__ = ("document_id", "at_path", "start", "max_length", "offset_unit")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    AT_PATH_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    MAX_LENGTH_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    at_path: ChunkAtPath
    start: int
    max_length: int
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, document_id: _Optional[str] = ..., at_path: _Optional[_Union[ChunkAtPath, _Mapping]] = ..., start: _Optional[int] = ..., max_length: _Optional[int] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class GetDocumentTextResponse(_message.Message):
    __slots__ = ("document_id", "collection", "file_path", "title", "text", "range", "total_length", "next_start", "generation", "pages")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_LENGTH_FIELD_NUMBER: _ClassVar[int]
    NEXT_START_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    collection: str
    file_path: str
    title: str
    text: str
    range: _common_pb2.Range
    total_length: int
    next_start: int
    generation: int
    pages: _containers.RepeatedCompositeFieldContainer[_extraction_pb2.Page]
    def __init__(self, document_id: _Optional[str] = ..., collection: _Optional[str] = ..., file_path: _Optional[str] = ..., title: _Optional[str] = ..., text: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., total_length: _Optional[int] = ..., next_start: _Optional[int] = ..., generation: _Optional[int] = ..., pages: _Optional[_Iterable[_Union[_extraction_pb2.Page, _Mapping]]] = ...) -> None: ...

class DownloadDocumentRequest(_message.Message):
    __slots__ = ("document_id", "at_path")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    AT_PATH_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    at_path: ChunkAtPath
    def __init__(self, document_id: _Optional[str] = ..., at_path: _Optional[_Union[ChunkAtPath, _Mapping]] = ...) -> None: ...

class DownloadHeader(_message.Message):
    __slots__ = ("file_name", "media_type", "size_bytes", "sha256")
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    file_name: str
    media_type: str
    size_bytes: int
    sha256: str
    def __init__(self, file_name: _Optional[str] = ..., media_type: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ...) -> None: ...

class DownloadDocumentResponse(_message.Message):
    __slots__ = ("header", "data")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    header: DownloadHeader
    data: bytes
    def __init__(self, header: _Optional[_Union[DownloadHeader, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class SuggestDocumentsRequest(_message.Message):
    __slots__ = ("prefix", "scope", "page_size")
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    prefix: str
    scope: Scope
    page_size: int
    def __init__(self, prefix: _Optional[str] = ..., scope: _Optional[_Union[Scope, _Mapping]] = ..., page_size: _Optional[int] = ...) -> None: ...

class DocumentSuggestion(_message.Message):
    __slots__ = ("document_id", "collection", "file_path", "title")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    collection: str
    file_path: str
    title: str
    def __init__(self, document_id: _Optional[str] = ..., collection: _Optional[str] = ..., file_path: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class SuggestDocumentsResponse(_message.Message):
    __slots__ = ("suggestions",)
    SUGGESTIONS_FIELD_NUMBER: _ClassVar[int]
    suggestions: _containers.RepeatedCompositeFieldContainer[DocumentSuggestion]
    def __init__(self, suggestions: _Optional[_Iterable[_Union[DocumentSuggestion, _Mapping]]] = ...) -> None: ...

class LocateChunkRequest(_message.Message):
    __slots__ = ("name", "offset_unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    name: ChunkName
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, name: _Optional[_Union[ChunkName, _Mapping]] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class Placement(_message.Message):
    __slots__ = ("piece", "section_range", "chunk_range", "boxes")
    PIECE_FIELD_NUMBER: _ClassVar[int]
    SECTION_RANGE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_RANGE_FIELD_NUMBER: _ClassVar[int]
    BOXES_FIELD_NUMBER: _ClassVar[int]
    piece: _extraction_pb2.Page
    section_range: _common_pb2.Range
    chunk_range: _common_pb2.Range
    boxes: _containers.RepeatedCompositeFieldContainer[_common_pb2.Box]
    def __init__(self, piece: _Optional[_Union[_extraction_pb2.Page, _Mapping]] = ..., section_range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., chunk_range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., boxes: _Optional[_Iterable[_Union[_common_pb2.Box, _Mapping]]] = ...) -> None: ...

class LocateChunkResponse(_message.Message):
    __slots__ = ("placements",)
    PLACEMENTS_FIELD_NUMBER: _ClassVar[int]
    placements: _containers.RepeatedCompositeFieldContainer[Placement]
    def __init__(self, placements: _Optional[_Iterable[_Union[Placement, _Mapping]]] = ...) -> None: ...

class AssembleContextRequest(_message.Message):
    __slots__ = ("searches", "budget_characters", "offset_unit")
    SEARCHES_FIELD_NUMBER: _ClassVar[int]
    BUDGET_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    OFFSET_UNIT_FIELD_NUMBER: _ClassVar[int]
    searches: _containers.RepeatedCompositeFieldContainer[SearchRequest]
    budget_characters: int
    offset_unit: _common_pb2.OffsetUnit
    def __init__(self, searches: _Optional[_Iterable[_Union[SearchRequest, _Mapping]]] = ..., budget_characters: _Optional[int] = ..., offset_unit: _Optional[_Union[_common_pb2.OffsetUnit, str]] = ...) -> None: ...

class Citation(_message.Message):
    __slots__ = ("chunk_id", "quote", "range", "quote_hash", "verified", "locator", "boxes")
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    QUOTE_HASH_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    BOXES_FIELD_NUMBER: _ClassVar[int]
    chunk_id: str
    quote: str
    range: _common_pb2.Range
    quote_hash: str
    verified: bool
    locator: str
    boxes: _containers.RepeatedCompositeFieldContainer[_common_pb2.PageBox]
    def __init__(self, chunk_id: _Optional[str] = ..., quote: _Optional[str] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., quote_hash: _Optional[str] = ..., verified: _Optional[bool] = ..., locator: _Optional[str] = ..., boxes: _Optional[_Iterable[_Union[_common_pb2.PageBox, _Mapping]]] = ...) -> None: ...

class ContextSection(_message.Message):
    __slots__ = ("section", "cut", "charged_characters", "citations", "search_indices")
    SECTION_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    CHARGED_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    CITATIONS_FIELD_NUMBER: _ClassVar[int]
    SEARCH_INDICES_FIELD_NUMBER: _ClassVar[int]
    section: Section
    cut: bool
    charged_characters: int
    citations: _containers.RepeatedCompositeFieldContainer[Citation]
    search_indices: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, section: _Optional[_Union[Section, _Mapping]] = ..., cut: _Optional[bool] = ..., charged_characters: _Optional[int] = ..., citations: _Optional[_Iterable[_Union[Citation, _Mapping]]] = ..., search_indices: _Optional[_Iterable[int]] = ...) -> None: ...

class AssembleContextResponse(_message.Message):
    __slots__ = ("sections", "used_characters", "left_out_count", "degradations", "failures")
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    USED_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEGRADATIONS_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    sections: _containers.RepeatedCompositeFieldContainer[ContextSection]
    used_characters: int
    left_out_count: int
    degradations: _containers.RepeatedCompositeFieldContainer[Degradation]
    failures: _containers.RepeatedCompositeFieldContainer[_common_pb2.Failure]
    def __init__(self, sections: _Optional[_Iterable[_Union[ContextSection, _Mapping]]] = ..., used_characters: _Optional[int] = ..., left_out_count: _Optional[int] = ..., degradations: _Optional[_Iterable[_Union[Degradation, _Mapping]]] = ..., failures: _Optional[_Iterable[_Union[_common_pb2.Failure, _Mapping]]] = ...) -> None: ...
