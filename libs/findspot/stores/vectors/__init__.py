"""The vector store as indexing and query use it: any server that speaks Qdrant's gRPC protocol, by its
address."""

from findspot.stores.vectors.filters import VectorFilter
from findspot.stores.vectors.model import VectorHit, VectorPoint
from findspot.stores.vectors.names import collection_name
from findspot.stores.vectors.store import VectorStore

__all__ = ["VectorFilter", "VectorHit", "VectorPoint", "VectorStore", "collection_name"]
