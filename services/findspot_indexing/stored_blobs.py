"""Blobs and the rows that say who needs them, kept in step: none is removed that somebody is about to refer to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from findspot.ids import content_hash
from findspot.stores.manifest import blob_rows
from findspot_indexing.service import Indexing


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """A blob that is durable and, until its block ends, safe from being removed."""

    key: str
    size: int
    kind: str
    store: Callable[[], object]
    """Stores it, if it is not there."""

    def record(self, connection: Connection, now: int) -> None:
        """Note it in the transaction that refers to it."""
        # Another process may have removed it since: only in a writing transaction can nobody do so.
        self.store()
        blob_rows.record(connection, self.key, self.size, self.kind, now)


@asynccontextmanager
async def stored(indexing: Indexing, data: bytes, kind: str) -> AsyncIterator[StoredBlob]:
    """Store bytes durably; inside the block the manifest has to be made to refer to them."""
    key = await indexing.in_thread(content_hash, data)
    compress = kind == blob_rows.TEXT
    pinned = f"{key}.zst" if compress else key
    store = partial(indexing.blobs.put, data, compress=compress)
    indexing.pins.pin(pinned)
    try:
        await indexing.in_thread(store)
        yield StoredBlob(pinned, len(data), kind, store)
    finally:
        indexing.pins.unpin(pinned)


async def release(indexing: Indexing, keys: Sequence[str]) -> int:
    """Remove blobs that nobody refers to any more; returns how many."""
    if not keys:
        return 0

    def remove(connection: Connection) -> int:
        # In the writing thread: nobody can come to refer to a blob between the look and the removal.
        free = blob_rows.release(connection, keys)
        return sum(indexing.pins.remove_unless_pinned(key, indexing.blobs.delete) for key in free)

    return await indexing.manifest.write(remove)
