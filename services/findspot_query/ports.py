"""What the service needs of others: the arms and the texts, as protocols next to their use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from findspot.model import EmbeddingIdentity
from findspot.stores.text.query import TextHit, TextQuery
from findspot.stores.vectors.filters import VectorFilter
from findspot.stores.vectors.model import VectorHit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QueryVector: TypeAlias = "NDArray[np.float32]"


class TextSearch(Protocol):
    """The text index: any number of threads may ask at once."""

    @property
    def exists(self) -> bool:
        """False until indexing has made the index."""

    def search(self, query: TextQuery, limit: int) -> Sequence[TextHit]:
        """The best chunks, best first."""


class VectorSearch(Protocol):
    """The vector store."""

    async def search(
        self, name: str, vector: QueryVector, limit: int, filter: VectorFilter, /
    ) -> Sequence[VectorHit]:
        """The nearest chunks, nearest first."""


class QueryEmbedder(Protocol):
    """The model that a query's vector comes from."""

    async def embed_query(self, text: str, identity: EmbeddingIdentity) -> QueryVector:
        """The vector of a query under exactly this identity."""


class TextBlobs(Protocol):
    """The full texts and original bytes of documents."""

    def get(self, key: str) -> bytes:
        """The bytes under a key."""

    def get_range(self, key: str, offset: int, length: int) -> bytes:
        """Some of the bytes under a key."""
