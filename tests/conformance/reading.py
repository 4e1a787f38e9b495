"""One input read and cut through the services, and what came of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from findspot.errors import FindspotError, Reason
from findspot.model import ChunkedDocument, ChunkingOptions, ExtractedDocument
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.chunking import ChunkingPeer
from findspot.rpc.peers.extraction import ExtractionPeer

SECONDS = 60.0
UNTYPED = frozenset({Reason.INTERNAL, Reason.SERVICE_UNAVAILABLE, Reason.DEADLINE_EXCEEDED})
"""Reasons that no input may cause."""
DEFAULTS = ChunkingOptions()


@dataclass(frozen=True)
class Outcome:
    """What came of one input: a document and its chunks, or a failure."""

    data: bytes
    seconds: float
    """For reading and cutting."""
    document: ExtractedDocument | None = None
    cut: ChunkedDocument | None = None
    """As the default model's tokens and the size bind it."""
    cut_by_size: ChunkedDocument | None = None
    """As the size alone binds it: what fits the window by the number that the caller gave."""
    failure: FindspotError | None = None


@dataclass(frozen=True)
class Services:
    """The way of an input: through extraction, then chunking."""

    extraction: ExtractionPeer
    chunking: ChunkingPeer

    async def outcome(self, data: bytes, file_name: str, options: ChunkingOptions = DEFAULTS) -> Outcome:
        """Reads and cuts; a failure is an outcome too."""
        began = time.monotonic()
        document = cut = by_size = None
        try:
            document = await self.extraction.extract(data, file_name=file_name, timeout=SECONDS)
            cut = await self.chunking.chunk(document, options, timeout=SECONDS)
            seconds = time.monotonic() - began
            by_size = await self.chunking.chunk(document, options, characters_only=True, timeout=SECONDS)
        except FindspotError as failure:
            return Outcome(data, time.monotonic() - began, document, failure=failure)
        return Outcome(data, seconds, document, cut, by_size)


@asynccontextmanager
async def connected(addresses: Mapping[str, str]) -> AsyncIterator[Services]:
    """The way through the services at these addresses."""
    async with (
        open_channel(addresses["extraction"]) as extraction,
        open_channel(addresses["chunking"]) as chunking,
    ):
        yield Services(ExtractionPeer(extraction), ChunkingPeer(chunking))
