"""The three stores side by side, read past the services: chunks of the manifest, entries of the text index, points."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from findspot.stores.text.reader import TextIndexReader
from findspot.stores.text.schema import index_directory
from findspot.stores.vectors.names import collection_name
from findspot.stores.vectors.store import VectorStore
from tests.crash.world import World


@dataclass(frozen=True)
class Rows:
    """What the manifest says."""

    live: frozenset[str]
    """Chunks that can be found."""
    identity: str
    """Key of the identity that serves."""
    ready: frozenset[str]
    """Chunks with a vector of it."""
    collections: frozenset[str]
    """Of the vector store: those that an identity has."""
    halves: int
    """Rows that only stand between two steps: staged chunks and generations."""


def rows(manifest: Path) -> Rows:
    """Reads them from the file, in one transaction."""
    with closing(sqlite3.connect(f"file:{manifest}?mode=ro", uri=True)) as connection:
        connection.execute("BEGIN")

        def ids(query: str, *values: str) -> frozenset[str]:
            return frozenset(row[0] for row in connection.execute(query, values))

        live = ids("SELECT id FROM chunks WHERE state = 'LIVE'")
        (identity,) = ids("SELECT identity_key FROM active_identity") or {""}
        ready = ids("SELECT chunk_id FROM chunk_vectors WHERE identity = ? AND state = 'READY'", identity)
        collections = ids("SELECT qdrant_collection FROM identities")
        (halves,) = connection.execute(
            "SELECT (SELECT count(*) FROM chunks WHERE state = 'STAGED')"
            " + (SELECT count(*) FROM generations WHERE state = 'STAGED')"
        ).fetchone()
        return Rows(live, identity, ready, collections, halves)


async def compare(world: World) -> list[str]:
    """What the stores do not agree on."""
    data = world.suite.data
    told = await asyncio.to_thread(rows, data / "manifest.sqlite")
    wrong = []
    if told.live != told.ready:
        wrong.append(f"{len(told.live)} live chunks, {len(told.ready)} with a ready vector")
    if told.halves:
        wrong.append(f"{told.halves} rows are staged although nothing is being done")
    words = TextIndexReader(index_directory(data))
    held = await asyncio.to_thread(words.count)
    missing = [chunk for chunk in sorted(told.live) if not words.contains(chunk)]
    if missing or held != len(told.live):
        wrong.append(
            f"the text index holds {held} entries for {len(told.live)} live chunks, {len(missing)} are missing"
        )
    store = VectorStore("http://" + world.suite.addresses["vectors"])
    try:
        unknown = set(await store.collections()) - told.collections
        if unknown:
            wrong.append(f"nobody knows the collections {sorted(unknown)} of the vector store")
        points = await _points(store, collection_name(told.identity))
    finally:
        await store.close()
    if sorted(points) != sorted(told.live):
        lost, extra = told.live - set(points), set(points) - told.live
        wrong.append(
            f"{len(points)} points: {len(lost)} missing, {len(extra)} orphaned, e.g. {sorted(lost | extra)[:2]}"
        )
    return wrong


async def _points(store: VectorStore, collection: str) -> list[str]:
    found: list[str] = []
    while page := await store.scroll_ids(collection, found[-1] if found else None, 1000):
        found += page
    return found
