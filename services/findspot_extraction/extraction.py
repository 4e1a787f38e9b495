"""What the service does: takes a whole upload within bounds, and has it read in a worker process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from findspot.model import ExtractedDocument
from findspot.rpc.upload import join

from .detect import HEAD_BYTES, Detection
from .document_types import DocumentType
from .reading import Upload
from .registry import Registry
from .workers import WorkerPool


@dataclass(frozen=True, slots=True)
class Announced:
    """What the header of an upload says of the bytes that follow; `sha256` may be empty."""

    size: int
    sha256: str = ""


class Extraction:
    """One registry and one pool of workers, for all calls."""

    def __init__(self, registry: Registry, pool: WorkerPool, *, max_bytes: int) -> None:
        self.registry = registry
        self._pool = pool
        self._max_bytes = max_bytes
        # Uploads that are held in memory at a time; the others wait in the network, by flow control.
        self._uploads = asyncio.Semaphore(2 * pool.options.workers)
        self._waiting = 0

    async def extract(
        self, upload: Upload, announced: Announced, frames: AsyncIterator[bytes]
    ) -> ExtractedDocument:
        """Receive a file and read it.

        Raises DOCUMENT_TOO_LARGE as soon as too much is announced or arrives, UPLOAD_SIZE_MISMATCH,
        UPLOAD_HASH_MISMATCH, OVERLOADED, and what `WorkerPool.read` raises.
        """
        if upload.document_type:
            self.registry.named(upload.document_type)
        self._pool.admit(self._waiting)
        self._waiting += 1
        try:
            await self._uploads.acquire()
        finally:
            self._waiting -= 1
        try:
            data = await join(frames, size=announced.size, sha256=announced.sha256, max_bytes=self._max_bytes)
            return await self._pool.read(data, upload)
        finally:
            self._uploads.release()

    async def detect(self, head: bytes, upload: Upload) -> Detection:
        """Tell the type of a file by its first bytes; what is over `HEAD_BYTES` is not looked at."""
        return await self._pool.detect(head[:HEAD_BYTES], upload)

    def document_types(self, category: str = "") -> tuple[DocumentType, ...]:
        """The registry by name: all types, or those of one category."""
        rows = sorted(self.registry.rows, key=lambda row: row.name)
        return tuple(row for row in rows if not category or row.profile.category == category)
