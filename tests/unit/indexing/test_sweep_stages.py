"""From an upload to a document that is found by words and by meaning, and back out again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from indexing_fakes import IDENTITY, QUICK, Desk, FakeEmbedder, FakeVectors, desk_over, replace, vector_of

from findspot.model import EVERYTHING
from findspot.payload import embedded_text
from findspot.stores.manifest import clock
from findspot_indexing import collections
from findspot_indexing.collections import CollectionSettings
from findspot_indexing.embed.recipe import embed_hash
from findspot_indexing.sweep.upkeep import sweep_retired

pytestmark = pytest.mark.both_manifests

TWO = "First paragraph.\n\nSecond paragraph."


async def test_an_upload_becomes_indexed(desk: Desk) -> None:
    await desk.put("a.txt", TWO, metadata={"team": "blue"}, source_modified_at=7_000_000)
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.text.count() == 2
    payloads = [point.payload for point in desk.vectors.all.values()]
    assert len(payloads) == 2
    for payload in payloads:
        assert payload["ancestors"] == ["acme", "acme/notes"]
        assert payload["metadata"] == ["team=blue"]
        assert payload["modified"] == 7
        assert payload["file_path"] == "a.txt"
    assert desk.rows("SELECT identity_key FROM active_identity") == [(IDENTITY.key,)]
    assert desk.counters_match()


async def test_the_vector_stored_is_that_of_context_and_text(desk: Desk) -> None:
    await desk.put("a.txt", "Only paragraph.", title="Stated")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    sent = embedded_text("Stated", "Only paragraph.")
    assert sent == "Stated\n\nOnly paragraph."
    assert desk.embedder.texts == [sent]
    assert desk.rows("SELECT embed_hash FROM embeddings") == [(embed_hash(IDENTITY.key, sent),)]
    (point,) = desk.vectors.all.values()
    assert list(point.vector) == list(vector_of(sent, 8))


async def test_an_edit_embeds_only_what_it_touched(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    before = dict(desk.vectors.all)
    desk.embedder.texts.clear()
    await desk.put("a.txt", "New opening.\n\nSecond paragraph.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED" and len(desk.embedder.texts) == 1)
    assert desk.embedder.texts == ["New opening."]
    live = desk.rows("SELECT id, text, chunk_index, generation FROM chunks WHERE state = 'LIVE' ORDER BY 3")
    assert [row[1:] for row in live] == [("New opening.", 0, 2), ("Second paragraph.", 1, 2)]
    assert live[1][0] in before
    assert desk.counters_match()


async def test_the_same_text_is_embedded_once_whoever_holds_it(desk: Desk) -> None:
    await desk.put("a.txt", "Shared paragraph.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    await desk.put("b.txt", "Shared paragraph.\n\nShared paragraph.")
    await desk.until(lambda: desk.state("b.txt") == "INDEXED")
    assert desk.embedder.texts == ["Shared paragraph."]
    assert len(desk.vectors.all) == 3


async def test_force_writes_everything_again_and_calls_no_model(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    for points in desk.vectors.points.values():
        points.clear()
    commits = desk.indexing.text.commits
    await desk.put("a.txt", TWO, force=True)
    await desk.until(lambda: desk.state("a.txt") == "INDEXED" and len(desk.vectors.all) == 2)
    assert len(desk.embedder.texts) == 2
    assert desk.indexing.text.commits > commits


async def test_a_file_without_text_is_empty_and_takes_the_old_text_away(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    await desk.put("a.txt", " \n ")
    await desk.until(lambda: desk.state("a.txt") == "EMPTY")
    assert desk.rows("SELECT error_reason, generation FROM documents") == [("NO_TEXT", 2)]
    assert desk.rows("SELECT count(*) FROM chunks WHERE state = 'LIVE'") == [(0,)]
    assert desk.counters_match()


async def test_many_documents_share_commits_of_the_text_index(tmp_path: Path) -> None:
    async with desk_over(tmp_path, commit_interval=0.2) as desk:
        await asyncio.gather(*(desk.put(f"{n}.txt", f"Number {n}.") for n in range(20)))
        await desk.until(
            lambda: desk.rows("SELECT count(*) FROM documents WHERE state = 'INDEXED'") == [(20,)]
        )
        assert desk.indexing.text.commits < 10
        assert desk.text.count() == 20


async def test_retired_chunks_leave_the_projections_after_their_time(tmp_path: Path) -> None:
    ahead = 0

    def now() -> int:
        return clock.now() + ahead

    async with desk_over(tmp_path, now=now, limits=replace(QUICK, sweep_seconds=600.0)) as desk:
        await desk.put("a.txt", TWO)
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        await desk.put("a.txt", "First paragraph.")
        await desk.until(
            lambda: (
                desk.state("a.txt") == "INDEXED" and desk.rows("SELECT generation FROM documents") == [(2,)]
            )
        )
        await desk.at_rest()
        assert await sweep_retired(desk.indexing) == 0
        assert (desk.text.count(), len(desk.vectors.all)) == (2, 2)
        ahead = 61 * clock.SECOND
        assert await sweep_retired(desk.indexing) == 1
        assert (desk.text.count(), len(desk.vectors.all)) == (1, 1)
        assert desk.rows("SELECT text, text_state FROM chunks WHERE state = 'RETIRED'") == [
            ("Second paragraph.", "REMOVED")
        ]
        assert await sweep_retired(desk.indexing) == 0


@pytest.mark.parametrize("swept", [False, True])
async def test_text_that_returns_is_live_again_under_its_id(tmp_path: Path, swept: bool) -> None:
    limits = replace(QUICK, retired_seconds=0.0, sweep_seconds=600.0)
    async with desk_over(tmp_path, limits=limits) as desk:
        await desk.put("a.txt", TWO)
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        first = desk.rows("SELECT id FROM chunks ORDER BY id")
        await desk.put("a.txt", "First paragraph.")
        await desk.until(
            lambda: (
                desk.state("a.txt") == "INDEXED" and desk.rows("SELECT generation FROM documents") == [(2,)]
            )
        )
        await desk.at_rest()
        if swept:
            assert await sweep_retired(desk.indexing) == 1
        await desk.put("a.txt", TWO)
        await desk.until(
            lambda: (
                desk.state("a.txt") == "INDEXED" and desk.rows("SELECT generation FROM documents") == [(3,)]
            )
        )
        assert desk.rows("SELECT id FROM chunks WHERE state = 'LIVE' ORDER BY id") == first
        assert desk.rows("SELECT DISTINCT retired_at, text_state FROM chunks") == [(0, "READY")]
        assert desk.text.count() == 2
        assert len(desk.vectors.all) == 2
        assert len(desk.embedder.texts) == 2
        assert desk.counters_match()


async def test_newer_bytes_overtake_older_ones(desk: Desk) -> None:
    desk.extractor.gate = asyncio.Event()
    await desk.put("a.txt", "Old.")
    await desk.extractor.called.wait()
    await desk.put("a.txt", "New.")
    desk.extractor.gate.set()
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.rows("SELECT text, generation FROM chunks WHERE state = 'LIVE'") == [("New.", 2)]
    assert desk.embedder.texts == ["New."]
    assert desk.counters_match()


async def test_a_collection_decides_how_its_types_are_cut(desk: Desk) -> None:
    settings = CollectionSettings(profile_overrides={"text": {"size": 300, "strategy": "sentence"}})
    await collections.create(EVERYTHING, desk.indexing, "acme/notes", settings)
    await desk.put("a.txt", "x")
    await desk.put("b.md", "x", document_type="markdown")
    await desk.until(lambda: {desk.state("a.txt"), desk.state("b.md")} == {"INDEXED"})
    assert sorted((o.size or 0, o.strategy or "") for o in desk.chunker.options) == [
        (0, ""),
        (300, "sentence"),
    ]


async def test_without_a_model_documents_are_found_by_words_and_wait_for_one(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(identity=None), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("a.txt", TWO)
        await desk.until(lambda: desk.state("a.txt") == "CHUNKED")
        assert desk.text.count() == 2
        assert desk.rows("SELECT count(*) FROM chunk_vectors") == [(0,)]
    embedder.identity = IDENTITY
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        assert len(vectors.all) == 2
        assert desk.counters_match()


async def test_another_model_is_noted_and_never_mixed(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("a.txt", "One.")
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    embedder.identity = other = replace(IDENTITY, key="o" * 64, display="other@16", dimension=16)
    embedder.gates[other.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("b.txt", "Two.")
        await desk.until(
            lambda: desk.state("b.txt") == "CHUNKED" and len(desk.rows("SELECT key FROM identities")) == 2
        )
        states = dict(desk.rows("SELECT display, state FROM identities"))
        assert states == {"fake@8": "ACTIVE", "other@16": "FILLING"}
        assert embedder.texts == ["One."]
        assert [len(points) for points in vectors.points.values()] == [1, 0]
    embedder.identity = IDENTITY
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: desk.state("b.txt") == "INDEXED")
        assert embedder.texts == ["One.", "Two."]
