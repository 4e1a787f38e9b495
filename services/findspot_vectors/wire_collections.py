"""Qdrant's collection messages, to and from the values of this service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from findspot.errors import InvalidArgument, NotYetAvailable
from findspot.stores.qdrant import wire
from findspot_vectors.model import CollectionInfo, Distance, FieldIndex, IndexInfo, IndexKind, VectorParams

_DISTANCES = {getattr(wire.Distance, d.value): d for d in Distance}
_FIELD_TYPES = {getattr(wire.FieldType, f"FieldType{k.value.capitalize()}"): k for k in IndexKind}
_REFUSED = ("quantization_config", "sharding_method", "strict_mode_config")
_REFUSED_OF_VECTOR = ("quantization_config", "multivector_config")
_OPTIONS = {
    IndexKind.KEYWORD: ("is_tenant",),
    IndexKind.INTEGER: ("lookup", "range", "is_principal"),
    IndexKind.FLOAT: ("is_principal",),
    IndexKind.BOOL: (),
    IndexKind.DATETIME: ("is_principal",),
    IndexKind.UUID: ("is_tenant",),
    IndexKind.TEXT: ("lowercase", "min_token_len", "max_token_len", "phrase_matching", "ascii_folding"),
}
_REFUSED_OPTIONS = ("stemmer", "stopwords", "scoring", "prefix", "nested")
_REWRITE = ("collection_name", "optimizers_config", "deleted_threshold", "vacuum_min_vector_number")
"""What an update may hold: together they say that deleted points are to leave the files."""
_TOKENIZERS = {
    wire.TokenizerType.Prefix: "prefix",
    wire.TokenizerType.Whitespace: "whitespace",
    wire.TokenizerType.Word: "word",
    wire.TokenizerType.Multilingual: "multilingual",
    wire.TokenizerType.Code: "code",
}


def vectors_of(request: wire.CreateCollection) -> dict[str, VectorParams]:
    """The vectors of a new collection. Tuning (HNSW, optimizers, replicas, memory) is for a server and has
    no effect here;

    what would change answers (quantization, sparse and multi vectors, sharding, strict mode) raises
    NotYetAvailable.
    """
    _refuse(request, _REFUSED)
    if request.sparse_vectors_config.map:
        raise _not_served("sparse_vectors_config")
    if request.vectors_config.WhichOneof("config") == "params":
        return {"": _vector_params(request.vectors_config.params)}
    return {name: _vector_params(p) for name, p in request.vectors_config.params_map.map.items()}


def index_of(request: wire.CreateFieldIndexCollection) -> FieldIndex:
    """The index to build. Raises InvalidArgument without a type, NotYetAvailable for one that is not
    served."""
    if request.field_index_params.WhichOneof("index_params"):
        return _index_with_params(request.field_index_params)
    if not request.HasField("field_type"):
        raise InvalidArgument("Wrong input: the type of the field to index is missing.")
    if request.field_type not in _FIELD_TYPES:
        raise _not_served(f"field_type {wire.FieldType.Name(request.field_type)}")
    return FieldIndex(_FIELD_TYPES[request.field_type])


def require_rewrite(request: wire.UpdateCollection) -> None:
    """Raises NotYetAvailable for every change of a collection but `optimizers_config` with a `deleted_threshold`."""
    config = request.optimizers_config
    for field, _ in (*request.ListFields(), *config.ListFields()):
        if field.name not in _REWRITE:
            raise _not_served(field.name)
    if not config.HasField("deleted_threshold"):
        raise _not_served("a change without optimizers_config.deleted_threshold")


def info_message(info: CollectionInfo) -> wire.CollectionInfo:
    """What a collection is, as Qdrant tells it."""
    return wire.CollectionInfo(
        status=_status(info),
        optimizer_status=wire.OptimizerStatus(ok=not info.error, error=info.error),
        segments_count=info.segments,
        points_count=info.points,
        indexed_vectors_count=info.indexed_vectors,
        payload_schema={name: _schema(index) for name, index in info.indexes.items()},
        config=_config(info.vectors),
        created_at=Timestamp(seconds=int(info.created)),
    )


def _status(info: CollectionInfo) -> wire.CollectionStatus.ValueType:
    if info.error:
        return wire.CollectionStatus.Red
    return wire.CollectionStatus.Yellow if info.busy else wire.CollectionStatus.Green


def _vector_params(message: wire.VectorParams) -> VectorParams:
    _refuse(message, _REFUSED_OF_VECTOR)
    if message.datatype not in (wire.Datatype.Default, wire.Datatype.Float32):
        raise _not_served(f"datatype {wire.Datatype.Name(message.datatype)}")
    if message.distance not in _DISTANCES:
        raise InvalidArgument(f"Wrong input: {message.distance} is no distance; use one of {list(Distance)}.")
    return VectorParams(message.size, _DISTANCES[message.distance])


def _index_with_params(message: wire.PayloadIndexParams) -> FieldIndex:
    variant = str(message.WhichOneof("index_params"))
    name = variant.removesuffix("_index_params")
    if name not in list(IndexKind):
        raise _not_served(variant)
    kind, params = IndexKind(name), getattr(message, variant)
    for refused in _REFUSED_OPTIONS:
        if refused in params.DESCRIPTOR.fields_by_name and params.HasField(refused):
            raise _not_served(f"{variant}.{refused}")
    options = {option: getattr(params, option) for option in _OPTIONS[kind] if params.HasField(option)}
    if kind is IndexKind.TEXT and params.tokenizer in _TOKENIZERS:
        options["tokenizer"] = _TOKENIZERS[params.tokenizer]
    return FieldIndex(kind, options)


def _schema(info: IndexInfo) -> wire.PayloadSchemaInfo:
    kind, options = info.index.kind, dict(info.index.options)
    tokenizers: Mapping[Any, Any] = {name: number for number, name in _TOKENIZERS.items()}
    if "tokenizer" in options:
        options["tokenizer"] = tokenizers[options["tokenizer"]]
    variant = f"{kind.value}_index_params"
    params = None
    if options:
        params = wire.PayloadIndexParams()
        of_kind = getattr(params, variant)
        of_kind.SetInParent()
        for name, value in options.items():
            setattr(of_kind, name, value)
    return wire.PayloadSchemaInfo(
        data_type=getattr(wire.PayloadSchemaType, kind.value.capitalize()), params=params, points=info.points
    )


def _config(vectors: Mapping[str, VectorParams]) -> wire.CollectionConfig:
    messages = {
        name: wire.VectorParams(size=p.size, distance=getattr(wire.Distance, p.distance.value))
        for name, p in vectors.items()
    }
    config = (
        wire.VectorsConfig(params=messages[""])
        if list(messages) == [""]
        else wire.VectorsConfig(params_map=wire.VectorParamsMap(map=messages))
    )
    return wire.CollectionConfig(
        params=wire.CollectionParams(
            shard_number=1, replication_factor=1, on_disk_payload=True, vectors_config=config
        ),
        # No graph is built here: every search looks at every vector that passes the filter.
        hnsw_config=wire.HnswConfigDiff(m=0, ef_construct=100, full_scan_threshold=10_000),
        optimizer_config=wire.OptimizersConfigDiff(
            deleted_threshold=0.2,
            vacuum_min_vector_number=1000,
            default_segment_number=1,
            flush_interval_sec=5,
        ),
        wal_config=wire.WalConfigDiff(wal_capacity_mb=32, wal_segments_ahead=0),
    )


def _refuse(message: Any, names: tuple[str, ...]) -> None:
    for name in names:
        if message.HasField(name):
            raise _not_served(name)


def _not_served(name: str) -> NotYetAvailable:
    return NotYetAvailable(f"`{name}` is not served by this vector store; use a Qdrant server for it.")
