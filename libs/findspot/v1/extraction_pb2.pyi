from findspot.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BlockKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_KIND_UNSPECIFIED: _ClassVar[BlockKind]
    BLOCK_KIND_HEADING: _ClassVar[BlockKind]
    BLOCK_KIND_PARAGRAPH: _ClassVar[BlockKind]
    BLOCK_KIND_LIST_ITEM: _ClassVar[BlockKind]
    BLOCK_KIND_QUOTE: _ClassVar[BlockKind]
    BLOCK_KIND_CODE: _ClassVar[BlockKind]
    BLOCK_KIND_DEFINITION: _ClassVar[BlockKind]
    BLOCK_KIND_TABLE: _ClassVar[BlockKind]
    BLOCK_KIND_CAPTION: _ClassVar[BlockKind]
    BLOCK_KIND_FOOTNOTE: _ClassVar[BlockKind]
    BLOCK_KIND_NOTE: _ClassVar[BlockKind]

class PageKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PAGE_KIND_UNSPECIFIED: _ClassVar[PageKind]
    PAGE_KIND_PAGE: _ClassVar[PageKind]
    PAGE_KIND_SLIDE: _ClassVar[PageKind]
    PAGE_KIND_SHEET: _ClassVar[PageKind]

class TextReader(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEXT_READER_UNSPECIFIED: _ClassVar[TextReader]
    TEXT_READER_TEXT_LAYER: _ClassVar[TextReader]
    TEXT_READER_OCR: _ClassVar[TextReader]
    TEXT_READER_MODEL: _ClassVar[TextReader]

class MarginaliaKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MARGINALIA_KIND_UNSPECIFIED: _ClassVar[MarginaliaKind]
    MARGINALIA_KIND_HEADER: _ClassVar[MarginaliaKind]
    MARGINALIA_KIND_FOOTER: _ClassVar[MarginaliaKind]
    MARGINALIA_KIND_PAGE_NUMBER: _ClassVar[MarginaliaKind]
BLOCK_KIND_UNSPECIFIED: BlockKind
BLOCK_KIND_HEADING: BlockKind
BLOCK_KIND_PARAGRAPH: BlockKind
BLOCK_KIND_LIST_ITEM: BlockKind
BLOCK_KIND_QUOTE: BlockKind
BLOCK_KIND_CODE: BlockKind
BLOCK_KIND_DEFINITION: BlockKind
BLOCK_KIND_TABLE: BlockKind
BLOCK_KIND_CAPTION: BlockKind
BLOCK_KIND_FOOTNOTE: BlockKind
BLOCK_KIND_NOTE: BlockKind
PAGE_KIND_UNSPECIFIED: PageKind
PAGE_KIND_PAGE: PageKind
PAGE_KIND_SLIDE: PageKind
PAGE_KIND_SHEET: PageKind
TEXT_READER_UNSPECIFIED: TextReader
TEXT_READER_TEXT_LAYER: TextReader
TEXT_READER_OCR: TextReader
TEXT_READER_MODEL: TextReader
MARGINALIA_KIND_UNSPECIFIED: MarginaliaKind
MARGINALIA_KIND_HEADER: MarginaliaKind
MARGINALIA_KIND_FOOTER: MarginaliaKind
MARGINALIA_KIND_PAGE_NUMBER: MarginaliaKind

class ExtractHeader(_message.Message):
    __slots__ = ("file_name", "media_type", "document_type", "size_bytes", "sha256", "language", "omit_words", "password")
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    OMIT_WORDS_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    file_name: str
    media_type: str
    document_type: str
    size_bytes: int
    sha256: str
    language: str
    omit_words: bool
    password: str
    def __init__(self, file_name: _Optional[str] = ..., media_type: _Optional[str] = ..., document_type: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., language: _Optional[str] = ..., omit_words: _Optional[bool] = ..., password: _Optional[str] = ...) -> None: ...

class ExtractRequest(_message.Message):
    __slots__ = ("header", "data")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    header: ExtractHeader
    data: bytes
    def __init__(self, header: _Optional[_Union[ExtractHeader, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class Page(_message.Message):
    __slots__ = ("number", "range", "kind", "label", "width", "height", "reader", "confidence")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    READER_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    number: int
    range: _common_pb2.Range
    kind: PageKind
    label: str
    width: float
    height: float
    reader: TextReader
    confidence: float
    def __init__(self, number: _Optional[int] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., kind: _Optional[_Union[PageKind, str]] = ..., label: _Optional[str] = ..., width: _Optional[float] = ..., height: _Optional[float] = ..., reader: _Optional[_Union[TextReader, str]] = ..., confidence: _Optional[float] = ...) -> None: ...

class OutlineEntry(_message.Message):
    __slots__ = ("level", "title", "page")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    level: int
    title: str
    page: int
    def __init__(self, level: _Optional[int] = ..., title: _Optional[str] = ..., page: _Optional[int] = ...) -> None: ...

class ExtractedHeader(_message.Message):
    __slots__ = ("document_type", "media_type", "category", "title", "language", "text_length", "pages", "outline", "metadata", "extractor_stamp")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    OUTLINE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_STAMP_FIELD_NUMBER: _ClassVar[int]
    document_type: str
    media_type: str
    category: str
    title: str
    language: str
    text_length: int
    pages: _containers.RepeatedCompositeFieldContainer[Page]
    outline: _containers.RepeatedCompositeFieldContainer[OutlineEntry]
    metadata: _containers.ScalarMap[str, str]
    extractor_stamp: str
    def __init__(self, document_type: _Optional[str] = ..., media_type: _Optional[str] = ..., category: _Optional[str] = ..., title: _Optional[str] = ..., language: _Optional[str] = ..., text_length: _Optional[int] = ..., pages: _Optional[_Iterable[_Union[Page, _Mapping]]] = ..., outline: _Optional[_Iterable[_Union[OutlineEntry, _Mapping]]] = ..., metadata: _Optional[_Mapping[str, str]] = ..., extractor_stamp: _Optional[str] = ...) -> None: ...

class TableRow(_message.Message):
    __slots__ = ("range", "cells")
    RANGE_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    range: _common_pb2.Range
    cells: _containers.RepeatedCompositeFieldContainer[_common_pb2.Range]
    def __init__(self, range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., cells: _Optional[_Iterable[_Union[_common_pb2.Range, _Mapping]]] = ...) -> None: ...

class Table(_message.Message):
    __slots__ = ("columns", "rows", "header_rows", "caption", "continues", "first_row")
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    HEADER_ROWS_FIELD_NUMBER: _ClassVar[int]
    CAPTION_FIELD_NUMBER: _ClassVar[int]
    CONTINUES_FIELD_NUMBER: _ClassVar[int]
    FIRST_ROW_FIELD_NUMBER: _ClassVar[int]
    columns: _containers.RepeatedScalarFieldContainer[str]
    rows: _containers.RepeatedCompositeFieldContainer[TableRow]
    header_rows: int
    caption: str
    continues: bool
    first_row: int
    def __init__(self, columns: _Optional[_Iterable[str]] = ..., rows: _Optional[_Iterable[_Union[TableRow, _Mapping]]] = ..., header_rows: _Optional[int] = ..., caption: _Optional[str] = ..., continues: _Optional[bool] = ..., first_row: _Optional[int] = ...) -> None: ...

class Block(_message.Message):
    __slots__ = ("kind", "range", "level", "title", "language", "symbol_path", "page", "table")
    KIND_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_PATH_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    kind: BlockKind
    range: _common_pb2.Range
    level: int
    title: str
    language: str
    symbol_path: _containers.RepeatedScalarFieldContainer[str]
    page: int
    table: Table
    def __init__(self, kind: _Optional[_Union[BlockKind, str]] = ..., range: _Optional[_Union[_common_pb2.Range, _Mapping]] = ..., level: _Optional[int] = ..., title: _Optional[str] = ..., language: _Optional[str] = ..., symbol_path: _Optional[_Iterable[str]] = ..., page: _Optional[int] = ..., table: _Optional[_Union[Table, _Mapping]] = ...) -> None: ...

class WordBatch(_message.Message):
    __slots__ = ("page", "starts", "lengths", "boxes")
    PAGE_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    LENGTHS_FIELD_NUMBER: _ClassVar[int]
    BOXES_FIELD_NUMBER: _ClassVar[int]
    page: int
    starts: _containers.RepeatedScalarFieldContainer[int]
    lengths: _containers.RepeatedScalarFieldContainer[int]
    boxes: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, page: _Optional[int] = ..., starts: _Optional[_Iterable[int]] = ..., lengths: _Optional[_Iterable[int]] = ..., boxes: _Optional[_Iterable[float]] = ...) -> None: ...

class Marginalia(_message.Message):
    __slots__ = ("page", "kind", "text", "box")
    PAGE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    page: int
    kind: MarginaliaKind
    text: str
    box: _common_pb2.Box
    def __init__(self, page: _Optional[int] = ..., kind: _Optional[_Union[MarginaliaKind, str]] = ..., text: _Optional[str] = ..., box: _Optional[_Union[_common_pb2.Box, _Mapping]] = ...) -> None: ...

class TextPart(_message.Message):
    __slots__ = ("start", "text")
    START_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    start: int
    text: str
    def __init__(self, start: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class BlockBatch(_message.Message):
    __slots__ = ("blocks",)
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[Block]
    def __init__(self, blocks: _Optional[_Iterable[_Union[Block, _Mapping]]] = ...) -> None: ...

class MarginaliaBatch(_message.Message):
    __slots__ = ("pieces",)
    PIECES_FIELD_NUMBER: _ClassVar[int]
    pieces: _containers.RepeatedCompositeFieldContainer[Marginalia]
    def __init__(self, pieces: _Optional[_Iterable[_Union[Marginalia, _Mapping]]] = ...) -> None: ...

class ExtractSummary(_message.Message):
    __slots__ = ("block_count", "word_count", "notices")
    BLOCK_COUNT_FIELD_NUMBER: _ClassVar[int]
    WORD_COUNT_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    block_count: int
    word_count: int
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    def __init__(self, block_count: _Optional[int] = ..., word_count: _Optional[int] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ...) -> None: ...

class ExtractResponse(_message.Message):
    __slots__ = ("header", "text", "blocks", "words", "marginalia", "summary")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    MARGINALIA_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    header: ExtractedHeader
    text: TextPart
    blocks: BlockBatch
    words: WordBatch
    marginalia: MarginaliaBatch
    summary: ExtractSummary
    def __init__(self, header: _Optional[_Union[ExtractedHeader, _Mapping]] = ..., text: _Optional[_Union[TextPart, _Mapping]] = ..., blocks: _Optional[_Union[BlockBatch, _Mapping]] = ..., words: _Optional[_Union[WordBatch, _Mapping]] = ..., marginalia: _Optional[_Union[MarginaliaBatch, _Mapping]] = ..., summary: _Optional[_Union[ExtractSummary, _Mapping]] = ...) -> None: ...

class DetectTypeRequest(_message.Message):
    __slots__ = ("file_name", "media_type", "head")
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    file_name: str
    media_type: str
    head: bytes
    def __init__(self, file_name: _Optional[str] = ..., media_type: _Optional[str] = ..., head: _Optional[bytes] = ...) -> None: ...

class DetectTypeResponse(_message.Message):
    __slots__ = ("document_type", "media_type", "decided_by", "readable", "notices")
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    DECIDED_BY_FIELD_NUMBER: _ClassVar[int]
    READABLE_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    document_type: str
    media_type: str
    decided_by: str
    readable: bool
    notices: _containers.RepeatedCompositeFieldContainer[_common_pb2.Notice]
    def __init__(self, document_type: _Optional[str] = ..., media_type: _Optional[str] = ..., decided_by: _Optional[str] = ..., readable: _Optional[bool] = ..., notices: _Optional[_Iterable[_Union[_common_pb2.Notice, _Mapping]]] = ...) -> None: ...

class ListDocumentTypesRequest(_message.Message):
    __slots__ = ("category",)
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    category: str
    def __init__(self, category: _Optional[str] = ...) -> None: ...

class DocumentType(_message.Message):
    __slots__ = ("name", "category", "extensions", "file_names", "media_types", "strategy", "size", "overlap", "grammar", "readable", "reader", "extractor_stamp")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    EXTENSIONS_FIELD_NUMBER: _ClassVar[int]
    FILE_NAMES_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPES_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    GRAMMAR_FIELD_NUMBER: _ClassVar[int]
    READABLE_FIELD_NUMBER: _ClassVar[int]
    READER_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_STAMP_FIELD_NUMBER: _ClassVar[int]
    name: str
    category: str
    extensions: _containers.RepeatedScalarFieldContainer[str]
    file_names: _containers.RepeatedScalarFieldContainer[str]
    media_types: _containers.RepeatedScalarFieldContainer[str]
    strategy: _common_pb2.ChunkingStrategy
    size: int
    overlap: int
    grammar: str
    readable: bool
    reader: str
    extractor_stamp: str
    def __init__(self, name: _Optional[str] = ..., category: _Optional[str] = ..., extensions: _Optional[_Iterable[str]] = ..., file_names: _Optional[_Iterable[str]] = ..., media_types: _Optional[_Iterable[str]] = ..., strategy: _Optional[_Union[_common_pb2.ChunkingStrategy, str]] = ..., size: _Optional[int] = ..., overlap: _Optional[int] = ..., grammar: _Optional[str] = ..., readable: _Optional[bool] = ..., reader: _Optional[str] = ..., extractor_stamp: _Optional[str] = ...) -> None: ...

class ListDocumentTypesResponse(_message.Message):
    __slots__ = ("document_types",)
    DOCUMENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    document_types: _containers.RepeatedCompositeFieldContainer[DocumentType]
    def __init__(self, document_types: _Optional[_Iterable[_Union[DocumentType, _Mapping]]] = ...) -> None: ...

class RenderPageHeader(_message.Message):
    __slots__ = ("file", "page", "scale", "highlights")
    FILE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    HIGHLIGHTS_FIELD_NUMBER: _ClassVar[int]
    file: ExtractHeader
    page: int
    scale: float
    highlights: _containers.RepeatedCompositeFieldContainer[_common_pb2.Box]
    def __init__(self, file: _Optional[_Union[ExtractHeader, _Mapping]] = ..., page: _Optional[int] = ..., scale: _Optional[float] = ..., highlights: _Optional[_Iterable[_Union[_common_pb2.Box, _Mapping]]] = ...) -> None: ...

class RenderPageRequest(_message.Message):
    __slots__ = ("header", "data")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    header: RenderPageHeader
    data: bytes
    def __init__(self, header: _Optional[_Union[RenderPageHeader, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class RenderPageResponse(_message.Message):
    __slots__ = ("png", "width", "height")
    PNG_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    png: bytes
    width: int
    height: int
    def __init__(self, png: _Optional[bytes] = ..., width: _Optional[int] = ..., height: _Optional[int] = ...) -> None: ...
