"""The payload fields of a chunk's point that can be filtered by, each with an index: without one a filter
reads all."""

from __future__ import annotations

from findspot.errors import FailedPrecondition, Reason
from findspot.stores.qdrant import wire

_KEYWORD = wire.FieldType.FieldTypeKeyword

INDEXES: dict[str, wire.FieldType.ValueType] = {
    "document_id": _KEYWORD,
    "collection": _KEYWORD,
    # Every ancestor path of the collection and itself: a whole subtree is one term.
    "ancestors": _KEYWORD,
    "kind": _KEYWORD,
    "language": _KEYWORD,
    "document_type": _KEYWORD,
    "file_path": _KEYWORD,
    # The caller's metadata as terms `key=value`.
    "metadata": _KEYWORD,
    # Unix seconds.
    "modified": wire.FieldType.FieldTypeInteger,
    "contains_code": wire.FieldType.FieldTypeBool,
}


def check_vectors(name: str, config: wire.VectorsConfig, dimension: int) -> None:
    """Raises FailedPrecondition unless the collection has one unnamed vector of this dimension and cosine
    distance."""
    params = config.params
    if params.size == dimension and params.distance == wire.Distance.Cosine:
        return
    distance = wire.Distance.Name(params.distance)
    have = f"{params.size} numbers and distance {distance}" if params.size else "several names"
    raise FailedPrecondition(
        f"The collection {name} of the vector store takes vectors of {have}, "
        f"not of {dimension} numbers and distance Cosine. "
        "Drop it to have it rebuilt, or point to another vector store.",
        reason=Reason.SCHEMA_VERSION_MISMATCH,
    )
