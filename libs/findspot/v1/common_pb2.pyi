import datetime

from findspot.v1 import errors_pb2 as _errors_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OffsetUnit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OFFSET_UNIT_UNSPECIFIED: _ClassVar[OffsetUnit]
    OFFSET_UNIT_CODE_POINT: _ClassVar[OffsetUnit]
    OFFSET_UNIT_UTF8_BYTE: _ClassVar[OffsetUnit]
    OFFSET_UNIT_UTF16_UNIT: _ClassVar[OffsetUnit]

class ChunkKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHUNK_KIND_UNSPECIFIED: _ClassVar[ChunkKind]
    CHUNK_KIND_SECTION: _ClassVar[ChunkKind]
    CHUNK_KIND_CODE: _ClassVar[ChunkKind]
    CHUNK_KIND_TABLE: _ClassVar[ChunkKind]

class ChunkingStrategy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHUNKING_STRATEGY_UNSPECIFIED: _ClassVar[ChunkingStrategy]
    CHUNKING_STRATEGY_SEMANTIC: _ClassVar[ChunkingStrategy]
    CHUNKING_STRATEGY_SYNTACTIC: _ClassVar[ChunkingStrategy]
    CHUNKING_STRATEGY_PARAGRAPH: _ClassVar[ChunkingStrategy]
    CHUNKING_STRATEGY_SENTENCE: _ClassVar[ChunkingStrategy]
    CHUNKING_STRATEGY_SLIDING_WINDOW: _ClassVar[ChunkingStrategy]
    CHUNKING_STRATEGY_RECURSIVE: _ClassVar[ChunkingStrategy]

class Freshness(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FRESHNESS_UNSPECIFIED: _ClassVar[Freshness]
    FRESHNESS_FRESH: _ClassVar[Freshness]
    FRESHNESS_NOT_INDEXED: _ClassVar[Freshness]
    FRESHNESS_INDEX_BEHIND_ROWS: _ClassVar[Freshness]
    FRESHNESS_ROWS_BEHIND_FILE: _ClassVar[Freshness]
    FRESHNESS_UNKNOWN: _ClassVar[Freshness]
OFFSET_UNIT_UNSPECIFIED: OffsetUnit
OFFSET_UNIT_CODE_POINT: OffsetUnit
OFFSET_UNIT_UTF8_BYTE: OffsetUnit
OFFSET_UNIT_UTF16_UNIT: OffsetUnit
CHUNK_KIND_UNSPECIFIED: ChunkKind
CHUNK_KIND_SECTION: ChunkKind
CHUNK_KIND_CODE: ChunkKind
CHUNK_KIND_TABLE: ChunkKind
CHUNKING_STRATEGY_UNSPECIFIED: ChunkingStrategy
CHUNKING_STRATEGY_SEMANTIC: ChunkingStrategy
CHUNKING_STRATEGY_SYNTACTIC: ChunkingStrategy
CHUNKING_STRATEGY_PARAGRAPH: ChunkingStrategy
CHUNKING_STRATEGY_SENTENCE: ChunkingStrategy
CHUNKING_STRATEGY_SLIDING_WINDOW: ChunkingStrategy
CHUNKING_STRATEGY_RECURSIVE: ChunkingStrategy
FRESHNESS_UNSPECIFIED: Freshness
FRESHNESS_FRESH: Freshness
FRESHNESS_NOT_INDEXED: Freshness
FRESHNESS_INDEX_BEHIND_ROWS: Freshness
FRESHNESS_ROWS_BEHIND_FILE: Freshness
FRESHNESS_UNKNOWN: Freshness

class Range(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class Box(_message.Message):
    __slots__ = ("x", "y", "width", "height")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    x: float
    y: float
    width: float
    height: float
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., width: _Optional[float] = ..., height: _Optional[float] = ...) -> None: ...

class PageBox(_message.Message):
    __slots__ = ("page", "box")
    PAGE_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    page: int
    box: Box
    def __init__(self, page: _Optional[int] = ..., box: _Optional[_Union[Box, _Mapping]] = ...) -> None: ...

class ChunkingOptions(_message.Message):
    __slots__ = ("strategy", "size", "overlap", "token_cap")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    TOKEN_CAP_FIELD_NUMBER: _ClassVar[int]
    strategy: ChunkingStrategy
    size: int
    overlap: int
    token_cap: int
    def __init__(self, strategy: _Optional[_Union[ChunkingStrategy, str]] = ..., size: _Optional[int] = ..., overlap: _Optional[int] = ..., token_cap: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("code", "message", "page")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    page: int
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., page: _Optional[int] = ...) -> None: ...

class Failure(_message.Message):
    __slots__ = ("reason", "message", "name", "fixed_by")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FIXED_BY_FIELD_NUMBER: _ClassVar[int]
    reason: _errors_pb2.ErrorReason
    message: str
    name: str
    fixed_by: str
    def __init__(self, reason: _Optional[_Union[_errors_pb2.ErrorReason, str]] = ..., message: _Optional[str] = ..., name: _Optional[str] = ..., fixed_by: _Optional[str] = ...) -> None: ...

class EmbeddingIdentity(_message.Message):
    __slots__ = ("key", "display", "name", "dimension", "input_limit", "special_tokens")
    KEY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    INPUT_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SPECIAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    key: str
    display: str
    name: str
    dimension: int
    input_limit: int
    special_tokens: int
    def __init__(self, key: _Optional[str] = ..., display: _Optional[str] = ..., name: _Optional[str] = ..., dimension: _Optional[int] = ..., input_limit: _Optional[int] = ..., special_tokens: _Optional[int] = ...) -> None: ...

class FreshnessEvidence(_message.Message):
    __slots__ = ("source_hash", "row_hash", "row_fingerprint", "index_fingerprint", "diverged_time", "message")
    SOURCE_HASH_FIELD_NUMBER: _ClassVar[int]
    ROW_HASH_FIELD_NUMBER: _ClassVar[int]
    ROW_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    INDEX_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    DIVERGED_TIME_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    source_hash: str
    row_hash: str
    row_fingerprint: str
    index_fingerprint: str
    diverged_time: _timestamp_pb2.Timestamp
    message: str
    def __init__(self, source_hash: _Optional[str] = ..., row_hash: _Optional[str] = ..., row_fingerprint: _Optional[str] = ..., index_fingerprint: _Optional[str] = ..., diverged_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., message: _Optional[str] = ...) -> None: ...
