from findspot.v1 import common_pb2 as _common_pb2
from findspot.v1 import extraction_pb2 as _extraction_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EffectiveLimit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EFFECTIVE_LIMIT_UNSPECIFIED: _ClassVar[EffectiveLimit]
    EFFECTIVE_LIMIT_CHARS: _ClassVar[EffectiveLimit]
    EFFECTIVE_LIMIT_TOKENS: _ClassVar[EffectiveLimit]
EFFECTIVE_LIMIT_UNSPECIFIED: EffectiveLimit
EFFECTIVE_LIMIT_CHARS: EffectiveLimit
EFFECTIVE_LIMIT_TOKENS: EffectiveLimit

class ListProfilesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChunkingProfile(_message.Message):
    __slots__ = ("document_type", "options")
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    document_type: str
    options: _common_pb2.ChunkingOptions
    def __init__(self, document_type: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ChunkingOptions, _Mapping]] = ...) -> None: ...

class ListProfilesResponse(_message.Message):
    __slots__ = ("profiles", "chunker_stamp")
    PROFILES_FIELD_NUMBER: _ClassVar[int]
    CHUNKER_STAMP_FIELD_NUMBER: _ClassVar[int]
    profiles: _containers.RepeatedCompositeFieldContainer[ChunkingProfile]
    chunker_stamp: str
    def __init__(self, profiles: _Optional[_Iterable[_Union[ChunkingProfile, _Mapping]]] = ..., chunker_stamp: _Optional[str] = ...) -> None: ...

class ChunkHeader(_message.Message):
    __slots__ = ("document_type", "title", "language", "pages", "options", "identity", "category", "characters_only", "also_fit")
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    CHARACTERS_ONLY_FIELD_NUMBER: _ClassVar[int]
    ALSO_FIT_FIELD_NUMBER: _ClassVar[int]
    document_type: str
    title: str
    language: str
    pages: _containers.RepeatedCompositeFieldContainer[_extraction_pb2.Page]
    options: _common_pb2.ChunkingOptions
    identity: str
    category: str
    characters_only: bool
    also_fit: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, document_type: _Optional[str] = ..., title: _Optional[str] = ..., language: _Optional[str] = ..., pages: _Optional[_Iterable[_Union[_extraction_pb2.Page, _Mapping]]] = ..., options: _Optional[_Union[_common_pb2.ChunkingOptions, _Mapping]] = ..., identity: _Optional[str] = ..., category: _Optional[str] = ..., characters_only: _Optional[bool] = ..., also_fit: _Optional[_Iterable[str]] = ...) -> None: ...

class ChunkRequest(_message.Message):
    __slots__ = ("header", "text", "blocks")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    header: ChunkHeader
    text: _extraction_pb2.TextPart
    blocks: _extraction_pb2.BlockBatch
    def __init__(self, header: _Optional[_Union[ChunkHeader, _Mapping]] = ..., text: _Optional[_Union[_extraction_pb2.TextPart, _Mapping]] = ..., blocks: _Optional[_Union[_extraction_pb2.BlockBatch, _Mapping]] = ...) -> None: ...

class ChunkedSection(_message.Message):
    __slots__ = ("index", "range", "kind", "heading_path", "locator", "page_start", "page_end")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    HEADING_PATH_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    PAGE_START_FIELD_NUMBER: _ClassVar[int]
    PAGE_END_FIELD_NUMBER: _ClassVar[int]
    index: int
    range: _common_pb2.Range
    kind: _common_pb2.ChunkKind
    heading_path: _containers.RepeatedScalarFieldContainer[str]
    locator: str
    page_start: int
    page_end: int
    def __init__(self, index: _Optional[int] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., kind: _Optional[_Union[_common_pb2.ChunkKind, str]] = ..., heading_path: _Optional[_Iterable[str]] = ..., locator: _Optional[str] = ..., page_start: _Optional[int] = ..., page_end: _Optional[int] = ...) -> None: ...

class ChunkedPassage(_message.Message):
    __slots__ = ("index", "section_index", "range", "text", "context", "kind", "language", "heading_path", "locator", "page", "overlap", "identifiers", "contains_code", "chunk_hash", "occurrence", "token_count")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    SECTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    HEADING_PATH_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    CONTAINS_CODE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_HASH_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    index: int
    section_index: int
    range: _common_pb2.Range
    text: str
    context: str
    kind: _common_pb2.ChunkKind
    language: str
    heading_path: _containers.RepeatedScalarFieldContainer[str]
    locator: str
    page: int
    overlap: int
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    contains_code: bool
    chunk_hash: str
    occurrence: int
    token_count: int
    def __init__(self, index: _Optional[int] = ..., section_index: _Optional[int] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., text: _Optional[str] = ..., context: _Optional[str] = ..., kind: _Optional[_Union[_common_pb2.ChunkKind, str]] = ..., language: _Optional[str] = ..., heading_path: _Optional[_Iterable[str]] = ..., locator: _Optional[str] = ..., page: _Optional[int] = ..., overlap: _Optional[int] = ..., identifiers: _Optional[_Iterable[str]] = ..., contains_code: _Optional[bool] = ..., chunk_hash: _Optional[str] = ..., occurrence: _Optional[int] = ..., token_count: _Optional[int] = ...) -> None: ...

class SectionBatch(_message.Message):
    __slots__ = ("sections",)
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    sections: _containers.RepeatedCompositeFieldContainer[ChunkedSection]
    def __init__(self, sections: _Optional[_Iterable[_Union[ChunkedSection, _Mapping]]] = ...) -> None: ...

class PassageBatch(_message.Message):
    __slots__ = ("passages",)
    PASSAGES_FIELD_NUMBER: _ClassVar[int]
    passages: _containers.RepeatedCompositeFieldContainer[ChunkedPassage]
    def __init__(self, passages: _Optional[_Iterable[_Union[ChunkedPassage, _Mapping]]] = ...) -> None: ...

class ChunkSummary(_message.Message):
    __slots__ = ("strategy", "size", "overlap", "token_cap", "effective_limit", "section_count", "chunk_count", "notices", "chunker_stamp")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    TOKEN_CAP_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    CHUNKER_STAMP_FIELD_NUMBER: _ClassVar[int]
    strategy: _common_pb2.ChunkingStrategy
    size: int
    overlap: int
    token_cap: int
    effective_limit: EffectiveLimit
    section_count: int
    chunk_count: int
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    chunker_stamp: str
    def __init__(self, strategy: _Optional[_Union[_common_pb2.ChunkingStrategy, str]] = ..., size: _Optional[int] = ..., overlap: _Optional[int] = ..., token_cap: _Optional[int] = ..., effective_limit: _Optional[_Union[EffectiveLimit, str]] = ..., section_count: _Optional[int] = ..., chunk_count: _Optional[int] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ..., chunker_stamp: _Optional[str] = ...) -> None: ...

class ChunkResponse(_message.Message):
    __slots__ = ("sections", "passages", "summary")
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    PASSAGES_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    sections: SectionBatch
    passages: PassageBatch
    summary: ChunkSummary
    def __init__(self, sections: _Optional[_Union[SectionBatch, _Mapping]] = ..., passages: _Optional[_Union[PassageBatch, _Mapping]] = ..., summary: _Optional[_Union[ChunkSummary, _Mapping]] = ...) -> None: ...
