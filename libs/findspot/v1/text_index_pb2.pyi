from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ApplyRequest(_message.Message):
    __slots__ = ("claim", "add", "delete_chunk_id", "delete_document_id")
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    DELETE_CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    DELETE_DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    claim: DocumentClaim
    add: TextIndexEntry
    delete_chunk_id: str
    delete_document_id: str
    def __init__(self, claim: _Optional[_Union[DocumentClaim, _Mapping]] = ..., add: _Optional[_Union[TextIndexEntry, _Mapping]] = ..., delete_chunk_id: _Optional[str] = ..., delete_document_id: _Optional[str] = ...) -> None: ...

class DocumentClaim(_message.Message):
    __slots__ = ("document_id", "owner", "generation")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    owner: str
    generation: int
    def __init__(self, document_id: _Optional[str] = ..., owner: _Optional[str] = ..., generation: _Optional[int] = ...) -> None: ...

class TextIndexEntry(_message.Message):
    __slots__ = ("id", "document_id", "collection", "ancestors", "file_path", "text", "document_type", "kind", "language", "title", "heading_path", "context", "identifiers", "contains_code", "metadata_terms", "modified")
    ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    ANCESTORS_FIELD_NUMBER: _ClassVar[int]
    FILE_PATH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    HEADING_PATH_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    CONTAINS_CODE_FIELD_NUMBER: _ClassVar[int]
    METADATA_TERMS_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_FIELD_NUMBER: _ClassVar[int]
    id: str
    document_id: str
    collection: str
    ancestors: _containers.RepeatedScalarFieldContainer[str]
    file_path: str
    text: str
    document_type: str
    kind: str
    language: str
    title: str
    heading_path: _containers.RepeatedScalarFieldContainer[str]
    context: str
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    contains_code: bool
    metadata_terms: _containers.RepeatedScalarFieldContainer[str]
    modified: int
    def __init__(self, id: _Optional[str] = ..., document_id: _Optional[str] = ..., collection: _Optional[str] = ..., ancestors: _Optional[_Iterable[str]] = ..., file_path: _Optional[str] = ..., text: _Optional[str] = ..., document_type: _Optional[str] = ..., kind: _Optional[str] = ..., language: _Optional[str] = ..., title: _Optional[str] = ..., heading_path: _Optional[_Iterable[str]] = ..., context: _Optional[str] = ..., identifiers: _Optional[_Iterable[str]] = ..., contains_code: _Optional[bool] = ..., metadata_terms: _Optional[_Iterable[str]] = ..., modified: _Optional[int] = ...) -> None: ...

class ApplyResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CountRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CountResponse(_message.Message):
    __slots__ = ("chunk_count",)
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    chunk_count: int
    def __init__(self, chunk_count: _Optional[int] = ...) -> None: ...
