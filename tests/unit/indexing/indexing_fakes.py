"""Parts of indexing in memory, for tests of the sweep: they fit the ports, count their calls, and fail when told to."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine

from findspot.errors import (
    DataLoss,
    FailedPrecondition,
    FindspotError,
    InvalidArgument,
    NotFound,
    Reason,
    Unavailable,
)
from findspot.ids import content_hash
from findspot.model import (
    EVERYTHING,
    Block,
    BlockKind,
    Chunk,
    ChunkedDocument,
    ChunkingOptions,
    EmbeddingIdentity,
    EmbeddingModel,
    ExtractedDocument,
    InputType,
    Section,
    Strategy,
)
from findspot.profiles import PROFILES
from findspot.stores.blobs import BlobStore
from findspot.stores.manifest import clock, counters, schema
from findspot.stores.manifest.engine import MANIFEST_FILE, open_engine, read_snapshot
from findspot.stores.text.owned import OwnedTextIndex
from findspot.stores.text.schema import index_directory
from findspot.stores.vectors.model import StoredPoint, VectorPoint
from findspot_indexing import upload as uploading
from findspot_indexing.access import Manifest
from findspot_indexing.changes import Changes
from findspot_indexing.outages import Outages
from findspot_indexing.rates import Rate
from findspot_indexing.service import Indexing, Limits
from findspot_indexing.sweep.run import sweeping
from findspot_indexing.text_checks import still_allowed
from findspot_indexing.text_commits import TextCommits

IDENTITY = EmbeddingIdentity("k" * 64, "fake@8", "fake", 8, 256)
OTHER = EmbeddingIdentity("o" * 64, "other@12", "other", 12, 128)
THIRD = EmbeddingIdentity("t" * 64, "third@4", "third", 4, 512)


def away(part: str) -> Unavailable:
    """What a client raises when a service does not answer."""
    return Unavailable(f"{part} does not answer.")


@dataclass(frozen=True)
class FakeType:
    name: str
    extractor_stamp: str


@dataclass(frozen=True)
class FakeProfiles:
    chunker_stamp: str


@dataclass
class FakeExtractor:
    """The bytes as UTF-8; a paragraph a block. `failures` are raised, one a call."""

    failures: list[FindspotError] = field(default_factory=list)
    always: dict[str, FindspotError] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event | None = None
    stamp: str = "fake/1"
    """Of every type."""
    asked: int = 0
    """Times that the types were asked for."""
    down: bool = False

    async def document_types(self, category: str = "", timeout: float | None = None) -> list[FakeType]:
        self.asked += 1
        if self.down:
            raise away("extraction")
        return [FakeType(name, self.stamp) for name in PROFILES]

    async def extract(
        self, data: bytes, *, file_name: str, document_type: str = "", **_: object
    ) -> ExtractedDocument:
        self.calls.append(file_name)
        self.called.set()
        if self.gate is not None:
            await self.gate.wait()
        if file_name in self.always:
            raise self.always[file_name]
        if self.failures:
            raise self.failures.pop(0)
        text = data.decode()
        blocks, at = [], 0
        for paragraph in text.split("\n\n"):
            if paragraph.strip():
                blocks.append(Block(BlockKind.PARAGRAPH, at, at + len(paragraph)))
            at += len(paragraph) + 2
        return ExtractedDocument(
            text, document_type or "text", "text/plain", "prose",
            blocks=tuple(blocks), extractor_stamp=self.stamp,
        )  # fmt: skip


@dataclass
class FakeChunker:
    """A paragraph a chunk, all in one section."""

    failures: list[FindspotError] = field(default_factory=list)
    options: list[ChunkingOptions] = field(default_factory=list)
    stamp: str = "fake/1"
    longest: dict[str, int] = field(default_factory=dict)
    """Characters of a chunk that fits an identity; longer paragraphs are parted."""
    gate: asyncio.Event | None = None
    fits: list[tuple[str, ...]] = field(default_factory=list)
    """By call: keys of the identities that the chunks had to fit, "" for the configured one."""

    async def profiles(self, timeout: float | None = None) -> FakeProfiles:
        return FakeProfiles(self.stamp)

    async def chunk(
        self,
        document: ExtractedDocument,
        options: ChunkingOptions | None = None,
        *,
        identity: str = "",
        also_fit: Sequence[str] = (),
        **_: object,
    ) -> ChunkedDocument:
        self.options.append(options or ChunkingOptions())
        self.fits.append((identity, *also_fit))
        if self.gate is not None:
            await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)
        most = min([1_000_000, *(self.longest[key] for key in self.fits[-1] if key in self.longest)])
        parts = [
            (start, min(start + most, block.end))
            for block in document.blocks
            for start in range(block.start, block.end, most)
        ]
        chunks = tuple(
            Chunk(index, 0, start, end, document.text[start:end], document.title)
            for index, (start, end) in enumerate(parts)
        )
        sections = (Section(0, 0, len(document.text)),) if chunks else ()
        return ChunkedDocument(
            sections, chunks, Strategy.PARAGRAPH, 1000, 0, token_cap=most, chunker_stamp=self.stamp
        )


@dataclass(frozen=True)
class FakeFailure:
    index: int
    reason: Reason
    message: str


@dataclass(frozen=True)
class FakeBatch:
    identity: EmbeddingIdentity
    vectors: NDArray[np.float32]
    failures: Sequence[FakeFailure]


@dataclass
class FakeEmbedder:
    """A vector from the hash of the text. `refused` texts fail alone, `poison` fails the whole call."""

    identity: EmbeddingIdentity | None = IDENTITY
    texts: list[str] = field(default_factory=list)
    calls: int = 0
    down: bool = False
    refused: dict[str, Reason] = field(default_factory=dict)
    refused_once: dict[str, Reason] = field(default_factory=dict)
    zeros: set[str] = field(default_factory=set)
    poison: str = ""
    also: tuple[EmbeddingIdentity, ...] = ()
    """Loaded beside the configured one."""
    broken: str = ""
    """The source of a model that cannot be loaded."""
    longest: dict[str, int] = field(default_factory=dict)
    """Characters that an identity takes; longer texts are refused."""
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    """By identity: texts are embedded once it is set."""
    by: list[tuple[str, str]] = field(default_factory=list)
    """(identity, text) of all that was embedded, in order."""

    async def active_identity(self) -> EmbeddingIdentity:
        if self.down:
            raise away("embedding")
        if self.identity is None:
            raise FailedPrecondition("No provider.", reason=Reason.SEARCH_NOT_PERFORMED)
        return self.identity

    async def models(self, timeout: float | None = None) -> tuple[EmbeddingModel, ...]:
        if self.down:
            raise away("embedding")
        if self.identity is None:
            return ()
        ready = [
            EmbeddingModel(one, "READY", one is self.identity, f"/models/{one.name}")
            for one in (self.identity, *self.also)
        ]
        broken = [EmbeddingModel(None, "FAILED", False, self.broken, "not there")] if self.broken else []
        return (*ready, *broken)

    async def embed(
        self, texts: Sequence[str], input_type: InputType, identity_key: str = "", **_: object
    ) -> FakeBatch:
        configured = await self.active_identity()
        assert input_type is InputType.DOCUMENT
        identity = next((one for one in (configured, *self.also) if one.key == identity_key), None)
        if identity is None:
            raise FailedPrecondition("Not loaded.", reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED)
        assert 1 <= len(texts) <= 128
        if identity_key in self.gates:
            await self.gates[identity_key].wait()
        self.calls += 1
        if self.poison and any(self.poison in text for text in texts):
            raise InvalidArgument("A text cannot be taken.")
        self.texts.extend(texts)
        self.by.extend((identity_key, text) for text in texts)
        refused = self.refused | self.refused_once
        most = self.longest.get(identity_key, 1_000_000)
        refused |= {text: Reason.EMBEDDING_INPUT_TOO_LONG for text in texts if len(text) > most}
        self.refused_once = {}
        failures = [
            FakeFailure(index, refused[text], "refused")
            for index, text in enumerate(texts)
            if text in refused
        ]
        vectors = np.stack([vector_of(text, identity.dimension) for text in texts])
        vectors[[index for index, text in enumerate(texts) if text in refused or text in self.zeros]] = 0
        return FakeBatch(identity, vectors, failures)


def vector_of(text: str, dimension: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    return vector / np.linalg.norm(vector)


@dataclass
class FakeVectors:
    """Points by collection and id."""

    points: dict[str, dict[str, VectorPoint]] = field(default_factory=dict)
    down: bool = False
    title: str = "findspot_vectors in memory"
    unreadable: set[str] = field(default_factory=set)
    vacuumed: list[str] = field(default_factory=list)

    def _require(self) -> None:
        if self.down:
            raise Unavailable("vectors do not answer.", reason=Reason.VECTOR_STORE_UNAVAILABLE)

    async def ensure_collection(self, name: str, dimension: int) -> None:
        self._require()
        self.points.setdefault(name, {})

    async def upsert(self, name: str, points: Sequence[VectorPoint]) -> None:
        self._require()
        self.points[name].update({point.id: point for point in points})

    async def delete(self, name: str, ids: Sequence[str]) -> None:
        self._require()
        if name not in self.points:
            raise NotFound(f"There is no collection {name}.", reason=Reason.COLLECTION_NOT_FOUND)
        for identifier in ids:
            self.points[name].pop(identifier, None)

    async def delete_document(self, name: str, document_id: str) -> None:
        await self.delete(name, [])
        doomed = [p.id for p in self.points[name].values() if p.payload["document_id"] == document_id]
        await self.delete(name, doomed)

    async def count(self, name: str) -> int:
        self._require()
        if name in self.unreadable:
            raise DataLoss(f"Collection {name} cannot be opened.")
        if name not in self.points:
            raise NotFound(f"There is no collection {name}.", reason=Reason.COLLECTION_NOT_FOUND)
        return len(self.points[name])

    async def drop_collection(self, name: str) -> None:
        self._require()
        self.points.pop(name, None)
        self.unreadable.discard(name)

    async def ping(self, within: float = 2.0) -> str:
        self._require()
        return self.title

    async def collections(self) -> list[str]:
        self._require()
        return sorted(self.points)

    async def scroll(self, name: str, after: str | None, limit: int) -> list[StoredPoint]:
        await self.count(name)
        keys = sorted(key for key in self.points[name] if after is None or key > after)[:limit]
        fields = ("document_id", "collection", "file_path", "kind")
        return [
            StoredPoint(key, *(str(self.points[name][key].payload[field]) for field in fields))
            for key in keys
        ]

    async def present(self, name: str, ids: Sequence[str]) -> set[str]:
        self._require()
        if name not in self.points:
            raise NotFound(f"There is no collection {name}.", reason=Reason.COLLECTION_NOT_FOUND)
        return set(ids) & self.points[name].keys()

    async def vacuum(self, name: str) -> None:
        self._require()
        self.vacuumed.append(name)

    async def busy(self, name: str) -> bool:
        self._require()
        return False

    @property
    def all(self) -> dict[str, VectorPoint]:
        return {key: point for points in self.points.values() for key, point in points.items()}


@dataclass
class Desk:
    """An indexing service over fakes, with a real manifest, real blobs and a real text index."""

    data: Path
    indexing: Indexing
    extractor: FakeExtractor
    chunker: FakeChunker
    embedder: FakeEmbedder
    vectors: FakeVectors
    text: OwnedTextIndex
    reader: Engine
    closed: bool = False

    async def put(self, path: str, text: str, **header: object) -> uploading.Uploaded:
        """Upload a text."""
        return await self.put_bytes(path, text.encode(), **header)

    async def put_bytes(self, path: str, data: bytes, **header: object) -> uploading.Uploaded:
        values = {"collection": "acme/notes", "file_path": path, **header}
        head = uploading.UploadHeader(size_bytes=len(data), sha256=content_hash(data), **values)  # type: ignore[arg-type]

        async def content(_: int) -> bytes:
            return data

        return await uploading.upload(EVERYTHING, self.indexing, head, content)

    async def until(self, condition: Callable[[], object], seconds: float = 10.0) -> None:
        """Wait until a condition over the stored state holds; looked at after every change."""
        async with asyncio.timeout(seconds):
            while True:
                seen = self.indexing.changes.count
                if condition():
                    return
                await self.indexing.changes.after(seen)

    async def at_rest(self) -> None:
        """No document is held any more by a task that has already made it live, or given it up."""
        await asyncio.gather(*self.indexing.holding.composing().values(), return_exceptions=True)

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """Read the manifest directly."""
        with self.reader.connect() as connection:
            found = [tuple(row) for row in connection.exec_driver_sql(sql)]
        if self.closed:
            self.reader.dispose()
        return found

    def state(self, path: str) -> str:
        rows = self.rows(f"SELECT state FROM documents WHERE file_path = '{path}'")
        return str(rows[0][0]) if rows else ""

    def indexed(self, path: str, generation: int) -> bool:
        """True when this generation of a document is found by words and by meaning."""
        wanted = f"SELECT state, generation FROM documents WHERE file_path = '{path}'"
        return self.rows(wanted) == [("INDEXED", generation)]

    def counters_match(self) -> bool:
        """The counters are what counting every row gives."""
        with read_snapshot(self.reader) as snapshot:
            counted = counters.recount(snapshot.connection)
            kept = {
                (row[0], row[1], row[2]): row[3]
                for row in snapshot.connection.exec_driver_sql(
                    "SELECT collection_id, identity, name, value FROM counters WHERE value != 0"
                )
            }
        assert kept == {key: value for key, value in counted.items() if value}
        return True


@cache
def empty_manifest() -> bytes:
    """A migrated manifest, made once: migrating takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(Path(folder))
        schema.upgrade(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()
        return (Path(folder) / MANIFEST_FILE).read_bytes()


def lay_out(data: Path) -> None:
    """A data directory with an empty manifest, unless it has one."""
    data.mkdir(exist_ok=True)
    if not (data / MANIFEST_FILE).exists():
        (data / MANIFEST_FILE).write_bytes(empty_manifest())


Place = Callable[[Path], str | Path]


def in_the_folder(data: Path) -> str | Path:
    """The manifest of a data directory: in it, and an empty one made when there is none."""
    lay_out(data)
    return data


manifest_of: Place = in_the_folder
"""Where the manifest of a data directory is; tests put it elsewhere."""


QUICK = Limits(retry_first_seconds=0.01, retry_longest_seconds=0.02, sweep_seconds=5.0)


@asynccontextmanager
async def desk_over(
    data: Path, *, limits: Limits = QUICK, sweep: bool = True, embedder: FakeEmbedder | None = None,
    vectors: FakeVectors | None = None, commit_interval: float = 0.0, now: Callable[[], int] = clock.now,
) -> AsyncIterator[Desk]:  # fmt: skip
    """A service over a data directory, swept unless told otherwise, closed at the end."""
    place = manifest_of(data)
    engine = open_engine(place, synchronous="NORMAL")
    reader = open_engine(place, read_only=True, pool_size=2)
    changes = Changes(asyncio.get_running_loop())
    text = OwnedTextIndex(index_directory(data))
    files = ThreadPoolExecutor(2)
    extractor, chunker = FakeExtractor(), FakeChunker()
    embedder, vectors = embedder or FakeEmbedder(), vectors or FakeVectors()
    manifest = Manifest(engine, on_commit=changes.announce)
    indexing = Indexing(
        instance="test",
        manifest=manifest,
        blobs=BlobStore(data / "blobs", durable=False),
        text=TextCommits(text, commit_interval, time.monotonic, manifest.look, still_allowed),
        vectors=vectors,
        extractor=extractor,
        chunker=chunker,
        embedder=embedder,
        limits=limits,
        clock=now,
        changes=changes,
        outages=Outages(time.monotonic, first=0.01, longest=0.02),
        rate=Rate(time.monotonic),
        files=files,
    )
    desk = Desk(data, indexing, extractor, chunker, embedder, vectors, text, reader)
    try:
        if sweep:
            async with sweeping(indexing):
                yield desk
        else:
            yield desk
    finally:
        indexing.manifest.close()
        desk.closed = True
        reader.dispose()
        indexing.text.close()
        files.shutdown()
        text.close()


__all__ = [
    "IDENTITY",
    "OTHER",
    "QUICK",
    "THIRD",
    "Desk",
    "FakeEmbedder",
    "FakeVectors",
    "away",
    "desk_over",
    "replace",
    "vector_of",
]
