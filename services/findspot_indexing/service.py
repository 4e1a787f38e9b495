"""The parts of the service, put together once and handed to every use case."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from findspot.profiles import PROFILES
from findspot.stores.blobs import BlobStore
from findspot_indexing.access import Manifest
from findspot_indexing.changes import Changes
from findspot_indexing.directories.sources import Sources
from findspot_indexing.holding import Holding
from findspot_indexing.membership import ALONE, Membership
from findspot_indexing.outages import Outages
from findspot_indexing.pins import Pins
from findspot_indexing.ports import Chunker, Embedder, Extractor, Transcripts, Vectors
from findspot_indexing.rates import Rate
from findspot_indexing.remote_text import RemoteText
from findspot_indexing.stamps import KnownStamps
from findspot_indexing.text_commits import TextCommits

_T = TypeVar("_T")

TextChanges = TextCommits | RemoteText
"""The text index of this process, or that of the owner."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the service bounds, and how it retries."""

    max_document_bytes: int = 50 * 1024 * 1024
    max_attempts: int = 5
    """Tries of a document, or of a chunk's vector, before it is given up."""
    lease_seconds: float = 600.0
    documents_in_flight: int = 16
    """Documents between their claim and their switch: most of them wait for a commit."""
    extractions: int = 4
    """Documents that are being extracted and chunked at the same time."""
    embed_batch: int = 64
    embed_batches_in_flight: int = 3
    """So that the next batch is there when the model ends one, while the one before is being stored."""
    sweep_seconds: float = 30.0
    scrub_seconds: float = 60.0
    """How long after a purge its traces are taken out of the files of the stores, so that many purges share it."""
    retired_seconds: float = 60.0
    """How long a retired chunk stays in the projections: searches that began before still meet it."""
    extraction_timeout_seconds: float = 600.0
    chunking_timeout_seconds: float = 300.0
    embedding_timeout_seconds: float = 120.0
    retry_first_seconds: float = 1.0
    retry_longest_seconds: float = 300.0
    source_roots: tuple[str, ...] = ()
    """Directories in which those of collections have to lie; empty allows every one."""
    max_source_files: int = 1_000_000
    """Files of one directory; a directory that holds more is not taken at all."""
    rescan_seconds: float = 900.0
    """Between two looks at the whole of a directory that is watched: changes that nobody told are found then."""
    source_check_seconds: float = 5.0
    """Between two checks whether the roots of watched directories are there, and are the same."""


class NoTranscripts:
    """Where extraction keeps its transcripts elsewhere, or makes none."""

    def forget(self, content_hash: str) -> int:
        """There is nothing to forget."""
        return 0


class Wake:
    """Says that there may be work. Setting it twice is the same as once."""

    def __init__(self) -> None:
        self.compose = asyncio.Event()
        self.embed = asyncio.Event()
        self.models = asyncio.Event()
        """Somebody chose another identity: stage two asks again what to embed with."""
        self.upkeep = asyncio.Event()
        self.operations = asyncio.Event()
        self.sources = asyncio.Event()

    def work(self) -> None:
        """There may be work of any kind that is claimed."""
        for event in (self.compose, self.embed, self.operations):
            event.set()


@dataclass(frozen=True)
class Indexing:
    """Everything a use case of indexing works with."""

    instance: str
    """Owner of the leases of this process."""
    manifest: Manifest
    blobs: BlobStore
    text: TextChanges
    vectors: Vectors
    extractor: Extractor
    chunker: Chunker
    embedder: Embedder
    limits: Limits
    clock: Callable[[], int]
    """Microseconds since 1970."""
    changes: Changes
    outages: Outages
    rate: Rate
    files: ThreadPoolExecutor
    """Threads for blobs and for work that would hold up the event loop."""
    document_types: frozenset[str] = frozenset(PROFILES)
    """Types for which a collection may say how they are cut."""
    membership: Membership = ALONE
    own_data: str = ""
    """The data folder as a real path: no directory collection ever takes what lies in it."""
    sources: Sources = field(default_factory=Sources)
    wake: Wake = field(default_factory=Wake)
    holding: Holding = field(default_factory=Holding)
    pins: Pins = field(default_factory=Pins)
    stamps: KnownStamps = field(default_factory=KnownStamps)
    transcripts: Transcripts = field(default_factory=NoTranscripts)
    rebuilding: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whoever builds the text index anew: there is one place for it beside the one that serves."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the service begins to stop: calls that wait end by themselves."""
    being_embedded: Counter[str] = field(default_factory=Counter)
    """Chunks of the batches in flight, each with how many hold it: one of every identity may."""
    batch_ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever `being_embedded` has become less."""
    loaded: set[str] = field(default_factory=set)
    """Keys of the identities whose models the embedding service had when it was last asked."""

    async def in_thread(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """Run blocking work beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.files, work, *arguments)
