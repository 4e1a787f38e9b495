"""Mends what a comparison found: each document is held and looked at again, so that nothing newer is written over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from sqlalchemy import Connection

from findspot.stores.manifest import claims, comparing, embeddings, repairing, vectors
from findspot.stores.manifest.embeddings import Vector
from findspot.stores.vectors.model import VectorPoint
from findspot_indexing.embed.recipe import payload
from findspot_indexing.repair.findings import Found
from findspot_indexing.repair.text_entries import entry_of
from findspot_indexing.service import Indexing
from findspot_indexing.text_commits import TextChange

_TOGETHER = 500


async def text(indexing: Indexing, found: Found) -> None:
    """Write missing, doubled and stale entries from the manifest, and take orphans out."""

    async def write(ids: Sequence[str]) -> None:
        for batch in _batches(ids):
            await _write_entries(indexing, batch)

    await _while_held(indexing, found.rewritten, write)
    if found.orphaned:
        await _drop_entries(indexing, found.orphaned)


async def _while_held(
    indexing: Indexing, chunks: Mapping[str, str], act: Callable[[Sequence[str]], Awaitable[None]]
) -> None:
    """Act on chunks (with the document of each) while nobody else is at work on their documents.

    All at once, for a commit costs more than what is in it; then those that somebody was at work on, one by one.
    """
    by_document = _by_document(chunks)
    free = [document_id for document_id in by_document if not indexing.holding.held(document_id)]
    if free:
        async with AsyncExitStack() as holding:
            for document_id in free:
                await holding.enter_async_context(indexing.holding.hold(document_id))
            await act([chunk_id for document_id in free for chunk_id in by_document[document_id]])
    for document_id in by_document.keys() - set(free):
        async with indexing.holding.hold(document_id):
            await act(by_document[document_id])


async def _write_entries(indexing: Indexing, ids: Sequence[str]) -> None:
    rows = await indexing.manifest.read(lambda c: comparing.entry_rows(c, ids))
    if rows:
        entries = await indexing.in_thread(lambda: [entry_of(row) for row in rows])
        with indexing.outages.watch("text index"):
            await indexing.text.apply(TextChange(add=entries))


async def _drop_entries(indexing: Indexing, ids: Sequence[str]) -> None:
    now = await indexing.manifest.read(lambda c: comparing.standings_of(c, ids))
    doomed = [key for key in ids if key not in now or not (now[key].live or now[key].staged)]
    with indexing.outages.watch("text index"):
        await indexing.text.apply(TextChange(delete=doomed, if_idle=True))
    # One whose text came back meanwhile is written again: its document was not known, so it could not be held.
    back = await indexing.manifest.read(lambda c: comparing.standings_of(c, doomed))
    returned = {key: item.document_id for key, item in back.items() if item.live}
    await _while_held(indexing, returned, lambda again: _write_entries(indexing, again))


async def points(indexing: Indexing, identity: str, collection: str, found: Found) -> tuple[int, int]:
    """Write missing and stale points from the stored vectors, and take orphans out.

    Returns how many were written, and how many have no stored vector and are wanted of the model again.
    """
    written = wanted = 0

    async def write(ids: Sequence[str]) -> None:
        nonlocal written, wanted
        for batch in _batches(ids):
            counts = await write_points(indexing, identity, collection, batch)
            written, wanted = written + counts[0], wanted + counts[1]

    await _while_held(indexing, found.rewritten, write)
    if found.orphaned:
        await _drop_points(indexing, identity, collection, found.orphaned)
    return written, wanted


async def write_points(
    indexing: Indexing, identity: str, collection: str, ids: Sequence[str]
) -> tuple[int, int]:
    """Write the points of chunks of a held document from the stored vectors; see `points`."""
    now = indexing.clock()
    free = [key for key in ids if key not in indexing.being_embedded]
    rows = await indexing.manifest.read(lambda c: comparing.point_rows(c, identity, free))
    hashes = [row.embed_hash for row in rows]
    stored = await indexing.manifest.read(lambda c: repairing.stored_vectors(c, identity, hashes))
    ready = [row for row in rows if row.embed_hash in stored]
    if ready:
        with indexing.outages.watch("vectors"):
            await indexing.vectors.upsert(collection, [_point(row, stored[row.embed_hash]) for row in ready])
    lost = [row for row in rows if row.embed_hash not in stored]
    if lost:
        await indexing.manifest.write(lambda c: _want_again(c, identity, lost, now))
        indexing.wake.embed.set()
    return len(ready), len(lost)


async def _drop_points(indexing: Indexing, identity: str, collection: str, ids: Sequence[str]) -> None:
    doomed = [key for key in ids if key not in indexing.being_embedded]
    with indexing.outages.watch("vectors"):
        await indexing.vectors.delete(collection, doomed)
    back = await indexing.manifest.read(lambda c: comparing.point_rows(c, identity, doomed))

    async def write(ids: Sequence[str]) -> None:
        await write_points(indexing, identity, collection, ids)

    await _while_held(indexing, {row.chunk_id: row.document_id for row in back}, write)


def _want_again(connection: Connection, identity: str, rows: Sequence[Any], now: int) -> None:
    by_document: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        key = (row.document_id, row.collection_id)
        by_document.setdefault(key, []).append((row.chunk_id, row.embed_hash))
    for (document_id, collection_id), hashes in by_document.items():
        vectors.want(connection, identity, document_id, collection_id, hashes, now)
    active = embeddings.active(connection)
    if active is not None and active.key == identity:
        claims.demote(connection, [document_id for document_id, _ in by_document])


def _point(row: Any, vector: Vector) -> VectorPoint:
    return VectorPoint(
        row.chunk_id,
        vector,
        payload(
            document_id=row.document_id,
            collection_path=row.collection_path,
            file_path=row.file_path,
            document_type=row.document_type,
            metadata=row.metadata,
            source_modified_at=row.source_modified_at,
            kind=row.kind,
            language=row.language,
            contains_code=row.contains_code,
        ),
    )


def _by_document(documents: Mapping[str, str]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for chunk_id, document_id in documents.items():
        grouped.setdefault(document_id, []).append(chunk_id)
    return grouped


def _batches(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + _TOGETHER] for start in range(0, len(ids), _TOGETHER)]
