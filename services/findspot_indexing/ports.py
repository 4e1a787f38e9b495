"""What indexing needs of others: the peers' clients and the stores fit these without knowing them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from tantivy import Searcher

from findspot.errors import Reason
from findspot.model import (
    ChunkedDocument,
    ChunkingOptions,
    EmbeddingIdentity,
    EmbeddingModel,
    ExtractedDocument,
    InputType,
)
from findspot.stores.text.schema import TextEntry
from findspot.stores.vectors.model import StoredPoint, VectorPoint

DEFAULTS = ChunkingOptions()


class StampedType(Protocol):
    """A document type of the extraction service."""

    @property
    def name(self) -> str:
        """In the registry."""

    @property
    def extractor_stamp(self) -> str:
        """What a document of the type gets that is read now."""


class Extractor(Protocol):
    """Bytes in, text with structure out."""

    async def extract(
        self,
        data: bytes,
        *,
        file_name: str,
        media_type: str = "",
        document_type: str = "",
        language: str = "",
        timeout: float | None = None,
    ) -> ExtractedDocument:
        """Raises FindspotError with the reason why the file cannot be read. `timeout` in seconds."""

    async def document_types(self, category: str = "", timeout: float | None = None) -> Sequence[StampedType]:
        """Every type that is known, or those of a category."""


class StampedProfiles(Protocol):
    """How documents are cut now."""

    @property
    def chunker_stamp(self) -> str:
        """What a document gets that is cut now."""


class Chunker(Protocol):
    """A document in, sections and chunks out."""

    async def chunk(
        self,
        document: ExtractedDocument,
        options: ChunkingOptions = DEFAULTS,
        *,
        identity: str = "",
        also_fit: Sequence[str] = (),
        timeout: float | None = None,
    ) -> ChunkedDocument:
        """Absent options take the profile of the document's type. The chunks fit the inputs of the model with key
        `identity` (empty: the configured one) and of the models `also_fit`."""

    async def profiles(self, timeout: float | None = None) -> StampedProfiles:
        """How each type is cut, and by whom."""


class TextFailure(Protocol):
    """A text of a batch that got no vector."""

    @property
    def index(self) -> int:
        """Position in the batch, from 0."""

    @property
    def reason(self) -> Reason:
        """Why."""

    @property
    def message(self) -> str:
        """Why, for people."""


class EmbeddedBatch(Protocol):
    """The vectors of a batch of texts."""

    @property
    def identity(self) -> EmbeddingIdentity:
        """The model that made them."""

    @property
    def vectors(self) -> NDArray[np.float32]:
        """Shape (texts, dimension); zeros where a text failed."""

    @property
    def failures(self) -> Sequence[TextFailure]:
        """Texts without a vector."""


class Embedder(Protocol):
    """Texts in, vectors out."""

    async def embed(
        self,
        texts: Sequence[str],
        input_type: InputType,
        identity_key: str = "",
        timeout: float | None = None,
    ) -> EmbeddedBatch:
        """1 to 128 texts, by exactly the model of `identity_key`."""

    async def active_identity(self) -> EmbeddingIdentity:
        """FailedPrecondition SEARCH_NOT_PERFORMED without a provider."""

    async def models(self, timeout: float | None = None) -> tuple[EmbeddingModel, ...]:
        """The models that there are, the configured one first; none without a provider."""


class TextIndex(Protocol):
    """The one writer of the full-text index: blocking calls, from one thread at a time."""

    doubtful: bool
    """True after an error of the engine, until the index was compared with the manifest."""

    @property
    def complete(self) -> bool:
        """False while what serves is being filled from the manifest."""

    @property
    def rebuilding(self) -> bool:
        """True while another index is being filled beside the one that serves."""

    @property
    def directory(self) -> Path:
        """Where the files are that serve."""

    def add(self, entries: Sequence[TextEntry]) -> None:
        """Each in place of what was there under its id."""

    def delete(self, ids: Sequence[str]) -> None:
        """Ids that are not there are no error."""

    def delete_document(self, document_id: str) -> None:
        """Every chunk of a document."""

    def commit(self) -> int:
        """Durable and searchable; how many chunks there are now."""

    def rollback(self) -> None:
        """Forget everything since the last commit."""

    def count(self) -> int:
        """Chunks as of the last commit."""

    def searcher(self) -> Searcher:
        """Reads what was committed last."""

    def mark_complete(self) -> None:
        """What serves holds everything now."""

    def begin_again(self) -> None:
        """Begin an empty index beside the one that serves."""

    def fill(self, entries: Sequence[TextEntry]) -> None:
        """Put chunks into the one beside."""

    def switch(self) -> int:
        """Serve from the one beside from now on."""

    def give_up(self) -> None:
        """Give up the one beside."""

    def look(self) -> str:
        """What is wrong with what serves; one that is damaged is replaced by an empty one."""


class Vectors(Protocol):
    """Collections of vectors; every write is durable when it returns."""

    async def ensure_collection(self, name: str, dimension: int) -> None:
        """Make it with its indexes where it is missing."""

    async def upsert(self, name: str, points: Sequence[VectorPoint]) -> None:
        """Each in place of what was there under its id."""

    async def delete(self, name: str, ids: Sequence[str]) -> None:
        """Ids that are not there are no error."""

    async def delete_document(self, name: str, document_id: str) -> None:
        """Every point of a document."""

    async def count(self, name: str) -> int:
        """Points of a collection."""

    async def ping(self, within: float = 2.0) -> str:
        """The store's title and version."""

    async def collections(self) -> list[str]:
        """Every collection of the store, those of others too."""

    async def scroll(self, name: str, after: str | None, limit: int) -> list[StoredPoint]:
        """Points behind an id, in the order of ids, with what they are filtered by; fewer: that was all."""

    async def present(self, name: str, ids: Sequence[str]) -> set[str]:
        """Of these ids those that are there."""

    async def vacuum(self, name: str) -> None:
        """Have the store drop what deleted points left in its files."""

    async def busy(self, name: str) -> bool:
        """True while the store works on its files in the background."""

    async def drop_collection(self, name: str) -> None:
        """Delete a collection with all its points; none of that name is no error."""


class Transcripts(Protocol):
    """What extraction wrote down of pictures, where that lies in the same data folder."""

    def forget(self, content_hash: str) -> int:
        """Remove what was read from the file of this SHA-256; how many transcripts."""
