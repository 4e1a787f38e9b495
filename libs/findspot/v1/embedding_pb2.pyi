from findspot.v1 import common_pb2 as _common_pb2
from findspot.v1 import errors_pb2 as _errors_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InputType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INPUT_TYPE_UNSPECIFIED: _ClassVar[InputType]
    INPUT_TYPE_DOCUMENT: _ClassVar[InputType]
    INPUT_TYPE_QUERY: _ClassVar[InputType]

class ModelState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MODEL_STATE_UNSPECIFIED: _ClassVar[ModelState]
    MODEL_STATE_LOADING: _ClassVar[ModelState]
    MODEL_STATE_READY: _ClassVar[ModelState]
    MODEL_STATE_FAILED: _ClassVar[ModelState]
INPUT_TYPE_UNSPECIFIED: InputType
INPUT_TYPE_DOCUMENT: InputType
INPUT_TYPE_QUERY: InputType
MODEL_STATE_UNSPECIFIED: ModelState
MODEL_STATE_LOADING: ModelState
MODEL_STATE_READY: ModelState
MODEL_STATE_FAILED: ModelState

class EmbedRequest(_message.Message):
    __slots__ = ("texts", "input_type", "identity")
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TYPE_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    texts: _containers.RepeatedScalarFieldContainer[str]
    input_type: InputType
    identity: str
    def __init__(self, texts: _Optional[_Iterable[str]] = ..., input_type: _Optional[_Union[InputType, str]] = ..., identity: _Optional[str] = ...) -> None: ...

class EmbedItemFailure(_message.Message):
    __slots__ = ("index", "reason", "message")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    index: int
    reason: _errors_pb2.ErrorReason
    message: str
    def __init__(self, index: _Optional[int] = ..., reason: _Optional[_Union[_errors_pb2.ErrorReason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class EmbedResponse(_message.Message):
    __slots__ = ("identity", "dimension", "values", "failures")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    identity: _common_pb2.EmbeddingIdentity
    dimension: int
    values: _containers.RepeatedScalarFieldContainer[float]
    failures: _containers.RepeatedCompositeFieldContainer[EmbedItemFailure]
    def __init__(self, identity: _Optional[_Union[_common_pb2.EmbeddingIdentity, _Mapping]] = ..., dimension: _Optional[int] = ..., values: _Optional[_Iterable[float]] = ..., failures: _Optional[_Iterable[_Union[EmbedItemFailure, _Mapping]]] = ...) -> None: ...

class ListModelsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EmbeddingModel(_message.Message):
    __slots__ = ("identity", "state", "active", "provider", "message", "source")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    identity: _common_pb2.EmbeddingIdentity
    state: ModelState
    active: bool
    provider: str
    message: str
    source: str
    def __init__(self, identity: _Optional[_Union[_common_pb2.EmbeddingIdentity, _Mapping]] = ..., state: _Optional[_Union[ModelState, str]] = ..., active: _Optional[bool] = ..., provider: _Optional[str] = ..., message: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...

class ListModelsResponse(_message.Message):
    __slots__ = ("models",)
    MODELS_FIELD_NUMBER: _ClassVar[int]
    models: _containers.RepeatedCompositeFieldContainer[EmbeddingModel]
    def __init__(self, models: _Optional[_Iterable[_Union[EmbeddingModel, _Mapping]]] = ...) -> None: ...

class TokenizeRequest(_message.Message):
    __slots__ = ("texts", "identity")
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    texts: _containers.RepeatedScalarFieldContainer[str]
    identity: str
    def __init__(self, texts: _Optional[_Iterable[str]] = ..., identity: _Optional[str] = ...) -> None: ...

class TokenStarts(_message.Message):
    __slots__ = ("starts",)
    STARTS_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, starts: _Optional[_Iterable[int]] = ...) -> None: ...

class TokenizeResponse(_message.Message):
    __slots__ = ("identity", "texts")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    identity: _common_pb2.EmbeddingIdentity
    texts: _containers.RepeatedCompositeFieldContainer[TokenStarts]
    def __init__(self, identity: _Optional[_Union[_common_pb2.EmbeddingIdentity, _Mapping]] = ..., texts: _Optional[_Iterable[_Union[TokenStarts, _Mapping]]] = ...) -> None: ...

class RerankRequest(_message.Message):
    __slots__ = ("query", "texts", "model")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    query: str
    texts: _containers.RepeatedScalarFieldContainer[str]
    model: str
    def __init__(self, query: _Optional[str] = ..., texts: _Optional[_Iterable[str]] = ..., model: _Optional[str] = ...) -> None: ...

class RerankResponse(_message.Message):
    __slots__ = ("model", "scores")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    model: str
    scores: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, model: _Optional[str] = ..., scores: _Optional[_Iterable[float]] = ...) -> None: ...
