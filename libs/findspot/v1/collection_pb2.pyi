import datetime

from findspot.v1 import common_pb2 as _common_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DirectorySource(_message.Message):
    __slots__ = ("root", "watch", "ignore")
    ROOT_FIELD_NUMBER: _ClassVar[int]
    WATCH_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FIELD_NUMBER: _ClassVar[int]
    root: str
    watch: bool
    ignore: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, root: _Optional[str] = ..., watch: _Optional[bool] = ..., ignore: _Optional[_Iterable[str]] = ...) -> None: ...

class UploadSource(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CollectionSource(_message.Message):
    __slots__ = ("uploads", "directory")
    UPLOADS_FIELD_NUMBER: _ClassVar[int]
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    uploads: UploadSource
    directory: DirectorySource
    def __init__(self, uploads: _Optional[_Union[UploadSource, _Mapping]] = ..., directory: _Optional[_Union[DirectorySource, _Mapping]] = ...) -> None: ...

class ProfileOverride(_message.Message):
    __slots__ = ("document_type", "options")
    DOCUMENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    document_type: str
    options: _common_pb2.ChunkingOptions
    def __init__(self, document_type: _Optional[str] = ..., options: _Optional[_Union[_common_pb2.ChunkingOptions, _Mapping]] = ...) -> None: ...

class Collection(_message.Message):
    __slots__ = ("path", "source", "profile_overrides", "etag", "created_time", "updated_time", "document_count", "chunk_count")
    PATH_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    PROFILE_OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    CREATED_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATED_TIME_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    path: str
    source: CollectionSource
    profile_overrides: _containers.RepeatedCompositeFieldContainer[ProfileOverride]
    etag: str
    created_time: _timestamp_pb2.Timestamp
    updated_time: _timestamp_pb2.Timestamp
    document_count: int
    chunk_count: int
    def __init__(self, path: _Optional[str] = ..., source: _Optional[_Union[CollectionSource, _Mapping]] = ..., profile_overrides: _Optional[_Iterable[_Union[ProfileOverride, _Mapping]]] = ..., etag: _Optional[str] = ..., created_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., document_count: _Optional[int] = ..., chunk_count: _Optional[int] = ...) -> None: ...

class CreateCollectionRequest(_message.Message):
    __slots__ = ("collection", "request_id")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    collection: Collection
    request_id: str
    def __init__(self, collection: _Optional[_Union[Collection, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateCollectionResponse(_message.Message):
    __slots__ = ("collection",)
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    collection: Collection
    def __init__(self, collection: _Optional[_Union[Collection, _Mapping]] = ...) -> None: ...

class GetCollectionRequest(_message.Message):
    __slots__ = ("path",)
    PATH_FIELD_NUMBER: _ClassVar[int]
    path: str
    def __init__(self, path: _Optional[str] = ...) -> None: ...

class GetCollectionResponse(_message.Message):
    __slots__ = ("collection",)
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    collection: Collection
    def __init__(self, collection: _Optional[_Union[Collection, _Mapping]] = ...) -> None: ...

class ListCollectionsRequest(_message.Message):
    __slots__ = ("subtree", "page_size", "page_token")
    SUBTREE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    subtree: str
    page_size: int
    page_token: str
    def __init__(self, subtree: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCollectionsResponse(_message.Message):
    __slots__ = ("collections", "next_page_token")
    COLLECTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    collections: _containers.RepeatedCompositeFieldContainer[Collection]
    next_page_token: str
    def __init__(self, collections: _Optional[_Iterable[_Union[Collection, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateCollectionRequest(_message.Message):
    __slots__ = ("collection", "etag", "request_id")
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    collection: Collection
    etag: str
    request_id: str
    def __init__(self, collection: _Optional[_Union[Collection, _Mapping]] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UpdateCollectionResponse(_message.Message):
    __slots__ = ("collection",)
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    collection: Collection
    def __init__(self, collection: _Optional[_Union[Collection, _Mapping]] = ...) -> None: ...

class DeleteCollectionRequest(_message.Message):
    __slots__ = ("path", "etag", "force", "request_id")
    PATH_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    path: str
    etag: str
    force: bool
    request_id: str
    def __init__(self, path: _Optional[str] = ..., etag: _Optional[str] = ..., force: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteCollectionResponse(_message.Message):
    __slots__ = ("purged_document_count",)
    PURGED_DOCUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    purged_document_count: int
    def __init__(self, purged_document_count: _Optional[int] = ...) -> None: ...
