"""Deleting retires, purging leaves no trace, and neither leaks what a caller may not see."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

import pytest
from indexing_fakes import Desk, FakeVectors, desk_over

from findspot.errors import Aborted, FailedPrecondition, NotFound, PermissionDenied, Reason, Unavailable
from findspot.ids import content_hash
from findspot.model import EVERYTHING, Caller
from findspot_indexing import collections, documents, removal
from findspot_indexing.collections import CollectionSettings
from findspot_indexing.documents import DocumentName

pytestmark = pytest.mark.both_manifests

A = DocumentName(collection="acme/notes", file_path="a.txt")


async def indexed(desk: Desk, *paths: str, text: str = "") -> None:
    for path in paths:
        await desk.put(path, text or f"Text of {path}.\n\nMore of {path}{ord(path[0]) * '!'}")
    await desk.until(lambda: {desk.state(path) for path in paths} == {"INDEXED"})


async def test_a_deleted_document_is_found_no_more_and_readable_by_id(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    view, revision = await removal.delete(EVERYTHING, desk.indexing, A)
    assert view.document.state == "RETIRED"
    assert view.document.chunk_count == 0
    assert desk.rows("SELECT value FROM revision") == [(revision,)]
    assert desk.rows("SELECT DISTINCT state FROM chunks") == [("RETIRED",)]
    assert desk.rows("SELECT kind FROM tombstones") == [("DELETED",)]
    assert desk.counters_match()
    again, same = await removal.delete(EVERYTHING, desk.indexing, A)
    assert (again.document.state, same) == ("RETIRED", revision)


async def test_a_purge_leaves_no_trace(desk: Desk) -> None:
    await indexed(desk, "a.txt", "b.txt")
    request = str(uuid.uuid4())
    purged = await removal.purge(EVERYTHING, desk.indexing, A, request_id=request)
    assert (purged.chunks, purged.vectors, purged.blobs) == (2, 2, 3)
    for table in ("chunks", "sections", "generations", "chunk_vectors", "documents"):
        column = "id" if table == "documents" else "document_id"
        rows = desk.rows(f"SELECT count(DISTINCT {column}) FROM {table}")
        assert rows == [(1,)], table
    assert desk.rows("SELECT count(*) FROM embeddings") == [(2,)]
    assert desk.text.count() == 2
    assert len(desk.vectors.all) == 2
    assert not desk.indexing.blobs.exists(content_hash(f"Text of a.txt.\n\nMore of a.txt{'!' * 97}".encode()))
    assert desk.rows("SELECT count(*) FROM blobs") == [(3,)]
    stored = [path for path in (desk.data / "blobs").rglob("*") if path.is_file()]
    assert len(stored) == 3
    assert desk.counters_match()
    with pytest.raises(NotFound):
        await documents.get(EVERYTHING, desk.indexing, A)
    assert await removal.purge(EVERYTHING, desk.indexing, A, request_id=request) == purged


async def test_a_purge_takes_nothing_that_another_document_needs(desk: Desk) -> None:
    await indexed(desk, "a.txt", "b.txt", text="The same bytes.")
    purged = await removal.purge(EVERYTHING, desk.indexing, A)
    assert (purged.chunks, purged.vectors, purged.blobs) == (1, 0, 0)
    assert desk.indexing.blobs.get(content_hash(b"The same bytes.")) == b"The same bytes."
    assert len(desk.vectors.all) == 1
    assert desk.rows("SELECT count(*) FROM embeddings") == [(1,)]


async def test_a_purge_reaches_retired_generations_too(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    await desk.put("a.txt", "Another.")
    await desk.until(lambda: desk.indexed("a.txt", 2))
    purged = await removal.purge(EVERYTHING, desk.indexing, A)
    assert (purged.chunks, purged.vectors, purged.blobs) == (3, 3, 6)
    assert desk.rows("SELECT count(*) FROM embeddings") == [(0,)]
    assert desk.text.count() == 0


async def test_a_purge_during_composing_ends_the_composing(desk: Desk) -> None:
    desk.extractor.gate = asyncio.Event()
    await desk.put("a.txt", "Never seen.")
    await desk.extractor.called.wait()
    await removal.purge(EVERYTHING, desk.indexing, A)
    assert desk.rows("SELECT count(*) FROM documents") == [(0,)]
    desk.extractor.gate.set()
    await indexed(desk, "b.txt")
    assert desk.text.count() == 2
    assert desk.counters_match()


async def test_a_purge_that_was_cut_short_is_finished_by_the_sweep(tmp_path: Path) -> None:
    vectors = FakeVectors()
    async with desk_over(tmp_path, vectors=vectors) as desk:
        await indexed(desk, "a.txt")
        vectors.down = True
        with pytest.raises(Unavailable):
            await removal.purge(EVERYTHING, desk.indexing, A)
        assert desk.state("a.txt") == "RETIRED"
        assert len(vectors.all) == 2
    vectors.down = False
    async with desk_over(tmp_path, vectors=vectors) as desk:
        await desk.until(lambda: desk.rows("SELECT count(*) FROM documents") == [(0,)])
        assert vectors.all == {}
        assert desk.counters_match()


async def test_a_generation_that_is_not_there_refuses_the_deletion(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    with pytest.raises(Aborted) as refused:
        await removal.delete(EVERYTHING, desk.indexing, A, if_generation=2)
    assert refused.value.reason is Reason.GENERATION_MISMATCH
    await removal.delete(EVERYTHING, desk.indexing, A, if_generation=1)


async def test_what_may_not_be_seen_is_missing(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    stranger = Caller("eve", ("other",))
    document_id = str(desk.rows("SELECT id FROM documents")[0][0])
    for name in (A, DocumentName(document_id=document_id)):
        with pytest.raises(NotFound):
            await documents.get(stranger, desk.indexing, name)
        with pytest.raises(NotFound):
            await removal.delete(stranger, desk.indexing, name)
        with pytest.raises(NotFound):
            await removal.purge(stranger, desk.indexing, name)
    with pytest.raises(PermissionDenied):
        await removal.purge(Caller("ann", None, "reader"), desk.indexing, A)
    assert desk.state("a.txt") == "INDEXED"


async def test_a_collection_with_documents_goes_only_with_force(desk: Desk) -> None:
    await indexed(desk, "a.txt", "b.txt")
    await collections.create(EVERYTHING, desk.indexing, "acme/notes/deep", CollectionSettings())
    with pytest.raises(FailedPrecondition) as refused:
        await collections.remove(EVERYTHING, desk.indexing, "acme/notes")
    assert refused.value.reason is Reason.COLLECTION_NOT_EMPTY
    request = str(uuid.uuid4())
    assert (
        await collections.remove(EVERYTHING, desk.indexing, "acme/notes", force=True, request_id=request) == 2
    )
    for table in ("collections", "documents", "chunks", "counters", "blobs", "embeddings"):
        assert desk.rows(f"SELECT count(*) FROM {table}") == [(0,)], table
    assert desk.text.count() == 0
    assert (
        await collections.remove(EVERYTHING, desk.indexing, "acme/notes", force=True, request_id=request) == 2
    )
