"""Taking vectors out of every collection that may hold them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from findspot.errors import NotFound
from findspot.stores.manifest import embeddings
from findspot_indexing.service import Indexing


async def remove_document(indexing: Indexing, document_id: str) -> None:
    """Remove all vectors of a document."""
    for name in await _collections(indexing):
        # A collection that is not there holds none.
        with indexing.outages.watch("vectors"), suppress(NotFound):
            await indexing.vectors.delete_document(name, document_id)


async def remove_chunks(indexing: Indexing, ids: Sequence[str]) -> None:
    """Remove the vectors of these chunks."""
    for name in await _collections(indexing):
        with indexing.outages.watch("vectors"), suppress(NotFound):
            await indexing.vectors.delete(name, ids)


async def _collections(indexing: Indexing) -> list[str]:
    found = await indexing.manifest.read(embeddings.all_identities)
    return [row.qdrant_collection for row in found]
