"""A library for tests of the query service: a real manifest, text index and blobs; vectors by exact arithmetic."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from findspot.errors import FindspotError
from findspot.ids import ancestor_paths, chunk_id, section_id, text_hash, uuid7
from findspot.model import EmbeddingIdentity
from findspot.payload import PAYLOAD_RECIPE
from findspot.stores.blobs import BlobStore
from findspot.stores.manifest import collections, counters, embeddings, tables
from findspot.stores.manifest.engine import MANIFEST_FILE, open_engine, write
from findspot.stores.manifest.revisions import raise_revision
from findspot.stores.manifest.schema import upgrade
from findspot.stores.text.reader import TextIndexReader
from findspot.stores.text.schema import TextEntry, index_directory, metadata_term
from findspot.stores.text.writer import TextIndexWriter
from findspot.stores.vectors.filters import VectorFilter
from findspot.stores.vectors.model import VectorHit
from findspot_query.arms import Arms
from findspot_query.page_tokens import PageTokens
from findspot_query.ranking import WindowLimits
from findspot_query.reading import ReadSources
from findspot_query.search import SearchSources
from findspot_query.texts import DocumentTexts
from findspot_query.windows import RecentWindows

IDENTITY = EmbeddingIdentity("key-1", "bag-of-words@64", "bag-of-words", 64, 512)
SAME_MEANING = {"car": "automobile", "cars": "automobile", "vehicle": "automobile"}


def embed(text: str) -> NDArray[np.float32]:
    """A bag of words whose synonyms are one: enough for a vector arm that finds what the text arm does not."""
    vector = np.zeros(IDENTITY.dimension, dtype=np.float32)
    for word in text.lower().split():
        word = SAME_MEANING.get(word.strip(".,:;"), word.strip(".,:;"))
        digest = hashlib.sha256(word.encode()).digest()
        vector[digest[0] % IDENTITY.dimension] += 1.0 if digest[1] % 2 else -1.0
        vector[digest[2] % IDENTITY.dimension] += 1.0
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


@cache
def _empty_manifest() -> bytes:
    """A manifest as the migrations leave it: made once, since they take longer than a test."""
    with TemporaryDirectory() as folder:
        engine = open_engine(Path(folder), synchronous="NORMAL")
        upgrade(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()
        return (Path(folder) / MANIFEST_FILE).read_bytes()


@dataclass
class Embedder:
    """The embedding port: counts its calls, and fails when told to."""

    calls: int = 0
    error: BaseException | None = None
    hold: asyncio.Event | None = None
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def embed_query(self, text: str, identity: EmbeddingIdentity) -> NDArray[np.float32]:
        self.calls += 1
        self.asked.set()
        if self.hold is not None:
            await self.hold.wait()
        if self.error is not None:
            raise self.error
        return embed(text)


@dataclass
class Vectors:
    """The vector port: exact cosine over what was put in, with the filter applied to the payloads."""

    points: dict[str, tuple[NDArray[np.float32], dict[str, Any]]] = field(default_factory=dict)
    error: FindspotError | None = None
    asked: list[int] = field(default_factory=list)

    async def search(
        self, name: str, vector: NDArray[np.float32], limit: int, filter: VectorFilter, /
    ) -> list[VectorHit]:
        self.asked.append(limit)
        if self.error is not None:
            raise self.error
        if filter.matches_nothing:
            return []
        hits = [
            VectorHit(identifier, float(stored @ vector))
            for identifier, (stored, payload) in self.points.items()
            if _passes(payload, filter)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def _passes(payload: dict[str, Any], wanted: VectorFilter) -> bool:
    listed = (
        (wanted.ancestors_any, payload["ancestors"]),
        (wanted.collections_any, [payload["collection"]]),
        (wanted.document_ids, [payload["document_id"]]),
        (wanted.kinds or None, [payload["kind"]]),
        (wanted.languages or None, [payload["language"]]),
        (wanted.document_types or None, [payload["document_type"]]),
    )
    return (
        all(allowed is None or set(allowed) & set(values) for allowed, values in listed)
        and set(wanted.metadata) <= set(payload["metadata"])
        and (wanted.contains_code is None or payload["contains_code"] == wanted.contains_code)
        and (wanted.modified_from is None or payload["modified"] >= wanted.modified_from)
        and (wanted.modified_to is None or payload["modified"] <= wanted.modified_to)
    )


@dataclass
class Piece:
    """A chunk to be: its text, and what differs from a plain one."""

    text: str
    kind: str = "section"
    section: int = 0
    overlap: int = 0
    language: str = ""
    context: str = ""
    identifiers: tuple[str, ...] = ()
    contains_code: bool = False
    page: int = 0


class Library:
    """Everything the query service reads, written the way indexing writes it."""

    def __init__(self, data: Path, manifest: str = "") -> None:
        """`manifest` is the URL of an empty one; without it one is made in the folder."""
        self.data = data
        if not manifest:
            (data / MANIFEST_FILE).write_bytes(_empty_manifest())
        self.engine = open_engine(manifest or data, synchronous="NORMAL")
        self.writer = TextIndexWriter(index_directory(data))
        self.writer.commit()
        self.blobs = BlobStore(data / "blobs", durable=False)
        self.embedder = Embedder()
        self.vectors = Vectors()
        self.collections: dict[str, str] = {}
        self.threads = ThreadPoolExecutor(2)
        self.committed = True
        with write(self.engine) as connection:
            embeddings.register(connection, IDENTITY, "findspot-test", "ACTIVE", 1)
            embeddings.activate(connection, IDENTITY.key, 1)

    def close(self) -> None:
        self.writer.close()
        self.threads.shutdown()
        self.engine.dispose()

    def commit(self) -> None:
        """Makes what was added searchable by text: one commit for many documents, each costs a disk flush."""
        if not self.committed:
            self.writer.commit()
            self.committed = True

    def searching(self, **limits: int) -> SearchSources:
        self.commit()
        return SearchSources(
            engine=self.engine,
            arms=Arms(TextIndexReader(index_directory(self.data)), self.vectors, self.embedder, self.threads),
            texts=DocumentTexts(self.blobs, 1_000_000),
            tokens=PageTokens(b"key"),
            windows=RecentWindows(16),
            limits=WindowLimits(**limits),
            slots=asyncio.Semaphore(4),
        )

    def reading(self) -> ReadSources:
        return ReadSources(self.engine, DocumentTexts(self.blobs, 1_000_000), self.blobs)

    def collection(self, path: str) -> str:
        if path not in self.collections:
            with write(self.engine) as connection:
                settings = collections.CollectionSettings()
                self.collections[path] = collections.create(connection, path, settings, 1).id
                raise_revision(connection)
        return self.collections[path]

    def add(self, collection: str, file_path: str, *pieces: str | Piece, **values: Any) -> str:
        """A document of these chunks, live in the manifest, the text index and the vectors; its id."""
        made = [piece if isinstance(piece, Piece) else Piece(piece) for piece in pieces]
        collection_id = self.collection(collection)
        document_id = values.pop("document_id", None) or uuid7()
        vectors = values.pop("vectors", True)
        generation = values.pop("generation", 1)
        text, spans = _joined(made)
        document = {
            "id": document_id,
            "collection_id": collection_id,
            "collection_path": collection,
            "file_path": file_path,
            "state": "INDEXED",
            "generation": generation,
            "next_generation": generation + 1,
            "title": file_path.rpartition("/")[2],
            "media_type": "text/plain",
            "document_type": "text",
            "metadata": {},
            "content_hash": hashlib.sha256(text.encode()).hexdigest(),
            "observed_hash": hashlib.sha256(text.encode()).hexdigest(),
            "options": {},
            **values,
        }
        blob = self.blobs.put(text.encode())
        stored = {
            "document_id": document_id,
            "generation": generation,
            "state": "PUBLISHED",
            "content_hash": document["content_hash"],
            "blob_key": blob,
            "text_key": self.blobs.put(text.encode(), compress=True),
            "text_length": len(text),
            "section_count": max(piece.section for piece in made) + 1,
            "chunk_count": len(made),
            "warnings": [],
        }
        rows = _chunk_rows(document, made, spans, generation)
        sections = _section_rows(document_id, made, spans, generation)
        with write(self.engine) as connection:
            connection.execute(tables.documents.insert(), document)
            connection.execute(tables.generations.insert(), stored)
            connection.execute(tables.sections.insert(), sections)
            connection.execute(tables.chunks.insert(), rows)
            connection.execute(
                tables.chunk_vectors.insert(),
                [
                    {
                        "identity": IDENTITY.key,
                        "chunk_id": row["id"],
                        "document_id": document_id,
                        "collection_id": collection_id,
                        "embed_hash": row["chunk_hash"],
                        "state": "READY" if vectors else "PENDING",
                    }
                    for row in rows
                ],
            )
            counters.add(
                connection,
                {
                    (collection_id, "", counters.CHUNKS_LIVE): len(rows),
                    (collection_id, IDENTITY.key, counters.vectors_in("READY")): len(rows) if vectors else 0,
                    (collection_id, "", counters.documents_in("INDEXED")): 1,
                },
            )
            raise_revision(connection)
        self._project(document, rows, vectors=vectors)
        return str(document_id)

    def _project(self, document: dict[str, Any], rows: Sequence[dict[str, Any]], *, vectors: bool) -> None:
        ancestors = ancestor_paths(document["collection_path"])
        terms = tuple(metadata_term(key, value) for key, value in document["metadata"].items())
        modified = document.get("source_modified_at", 0) // 1_000_000
        entries = [
            TextEntry(
                id=row["id"],
                document_id=row["document_id"],
                collection_path=document["collection_path"],
                ancestors=ancestors,
                file_path=document["file_path"],
                text=row["text"],
                document_type=document["document_type"],
                kind=row["kind"],
                language=row["language"],
                title=document["title"],
                context=row["context"],
                identifiers=tuple(row["identifiers"]),
                contains_code=row["contains_code"],
                metadata_terms=terms,
                modified=modified,
            )
            for row in rows
        ]
        self.writer.add(entries)
        self.committed = False
        for row in rows if vectors else ():
            payload = {
                "ancestors": ancestors,
                "collection": document["collection_path"],
                "metadata": terms,
                "modified": modified,
                "document_type": document["document_type"],
                **{name: row[name] for name in ("document_id", "kind", "language", "contains_code")},
            }
            self.vectors.points[row["id"]] = (embed(f"{row['context']} {row['text']}"), payload)

    def retire(self, *chunk_ids: str) -> None:
        """Retires chunks in the manifest; the projections still hold them, as until the next sweep."""
        with write(self.engine) as connection:
            connection.execute(
                tables.chunks.update()
                .where(tables.chunks.c.id.in_(chunk_ids))
                .values(state="RETIRED", retired_at=int(time.time() * 1_000_000))
            )
            raise_revision(connection)

    def chunk_ids(self, document_id: str) -> list[str]:
        with self.engine.connect() as connection:
            c = tables.chunks.c
            found = connection.execute(
                tables.chunks.select().where(c.document_id == document_id).order_by(c.chunk_index)
            )
            return [row.id for row in found]


def _joined(pieces: Sequence[Piece]) -> tuple[str, list[tuple[int, int]]]:
    """The full text of some chunks: a blank line between them, or the overlap that a chunk repeats."""
    text, spans = "", []
    for piece in pieces:
        if piece.overlap:
            start = len(text) - piece.overlap
            text += piece.text[piece.overlap :]
        else:
            text += "\n\n" if text else ""
            start = len(text)
            text += piece.text
        assert text[start:] == piece.text
        spans.append((start, len(text)))
    return text, spans


def _chunk_rows(
    document: dict[str, Any], pieces: Sequence[Piece], spans: Sequence[tuple[int, int]], generation: int
) -> list[dict[str, Any]]:
    rows = []
    for index, (piece, (start, end)) in enumerate(zip(pieces, spans, strict=True)):
        digest = text_hash(piece.context, piece.text)
        rows.append(
            {
                "id": chunk_id(document["id"], piece.kind, digest, index),
                "document_id": document["id"],
                "state": "LIVE",
                "text_state": "READY",
                "chunk_index": index,
                "section_id": section_id(document["id"], generation, piece.section),
                "generation": generation,
                "kind": piece.kind,
                "language": piece.language,
                "start": start,
                "end": end,
                "overlap": piece.overlap,
                "page": piece.page,
                "contains_code": piece.contains_code,
                "chunk_hash": digest,
                "payload_recipe": PAYLOAD_RECIPE,
                "occurrence": index,
                "locator": f"part {index + 1}",
                "heading_path": ["Chapter", f"Section {piece.section}"],
                "identifiers": list(piece.identifiers),
                "boxes": [[piece.page, 0.1, 0.2, 0.3, 0.4]] if piece.page else [],
                "context": piece.context,
                "text": piece.text,
            }
        )
    return rows


def _section_rows(
    document_id: str, pieces: Sequence[Piece], spans: Sequence[tuple[int, int]], generation: int
) -> list[dict[str, Any]]:
    rows = []
    for number in sorted({piece.section for piece in pieces}):
        inside = [span for piece, span in zip(pieces, spans, strict=True) if piece.section == number]
        rows.append(
            {
                "id": section_id(document_id, generation, number),
                "document_id": document_id,
                "generation": generation,
                "section_index": number,
                "kind": "section",
                "start": inside[0][0],
                "end": inside[-1][1],
                "heading_path": ["Chapter", f"Section {number}"],
                "locator": f"section {number}",
            }
        )
    return rows
