"""What the service does: takes a whole upload within bounds, and has it read, or drawn, in a worker process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from findspot.document_types import DocumentType
from findspot.ids import content_hash
from findspot.rpc.document_packing import PackedDocument
from findspot.rpc.upload import join
from findspot.stores.transcripts import read_from

from .detect import HEAD_BYTES, Detection
from .pictures import PictureReader
from .readers.images_values import Drawing, PagePicture
from .readers.stamps import reader_stamp
from .reading import Upload
from .registry import Registry
from .workers import WorkerPool


@dataclass(frozen=True, slots=True)
class Announced:
    """What the header of an upload says of the bytes that follow; `sha256` may be empty."""

    size: int
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """What one call may bring and take."""

    max_bytes: int
    """Of a file."""
    max_render_pixels: int = 40_000_000
    max_render_bytes: int = 15 * 1024 * 1024
    """Of a picture as PNG: it has to fit into one message."""


@dataclass(frozen=True, slots=True)
class StampedType:
    """A type, and the `extractor_stamp` of a document of it that is read now."""

    row: DocumentType
    stamp: str


class Extraction:
    """One registry and one pool of workers, for all calls."""

    def __init__(
        self, registry: Registry, pool: WorkerPool, pictures: PictureReader, limits: ExtractionLimits
    ) -> None:
        self.registry = registry
        self._pool = pool
        self._pictures = pictures
        self._limits = limits
        # Uploads that are held in memory at a time; the others wait in the network, by flow control.
        self._uploads = asyncio.Semaphore(2 * pool.options.workers)
        self._waiting = 0

    async def extract(
        self, upload: Upload, announced: Announced, frames: AsyncIterator[bytes]
    ) -> PackedDocument:
        """Receive a file and read it.

        Raises DOCUMENT_TOO_LARGE as soon as too much is announced or arrives, UPLOAD_SIZE_MISMATCH,
        UPLOAD_HASH_MISMATCH, OVERLOADED, and what `WorkerPool.read` raises.
        """
        async with self._received(upload, announced, frames) as data:
            document = await self._pool.read(data, upload)
            with read_from(await asyncio.to_thread(content_hash, data)):
                return await self._pictures.complete(data, upload, document)

    async def draw(
        self, upload: Upload, announced: Announced, frames: AsyncIterator[bytes], drawing: Drawing
    ) -> PagePicture:
        """Receive a file and draw one page of it; raises as `extract` does, and INVALID_FIELD for a page, scale or
        highlight that cannot be."""
        async with self._received(upload, announced, frames) as data:
            most = self._limits.max_render_pixels, self._limits.max_render_bytes
            bounded = replace(drawing, most_pixels=most[0], most_bytes=most[1])
            return await self._pool.draw(data, upload, bounded)

    @asynccontextmanager
    async def _received(
        self, upload: Upload, announced: Announced, frames: AsyncIterator[bytes]
    ) -> AsyncIterator[bytes]:
        """The whole file, for which there is room in memory as long as it is used."""
        if upload.document_type:
            self.registry.named(upload.document_type)
        self._pool.admit(self._waiting)
        self._waiting += 1
        try:
            await self._uploads.acquire()
        finally:
            self._waiting -= 1
        try:
            yield await join(
                frames, size=announced.size, sha256=announced.sha256, max_bytes=self._limits.max_bytes
            )
        finally:
            self._uploads.release()

    async def detect(self, head: bytes, upload: Upload) -> Detection:
        """Tell the type of a file by its first bytes; what is over `HEAD_BYTES` is not looked at."""
        return await self._pool.detect(head[:HEAD_BYTES], upload)

    def document_types(self, category: str = "") -> tuple[StampedType, ...]:
        """The registry by name: all types, or those of one category; each with the stamp that its files get now."""
        rows = sorted(self.registry.rows, key=lambda row: row.name)
        return tuple(
            StampedType(row, self._pictures.stamp(reader_stamp(row.reader)))
            for row in rows
            if not category or row.profile.category == category
        )
