"""Making a document anew: from its file, or from what was read of it; what serves goes on serving until the switch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from indexing_fakes import Desk
from sqlalchemy import Connection

from findspot.errors import InvalidArgument, Reason
from findspot.model import EVERYTHING
from findspot.stores.manifest import documents, remaking
from findspot_indexing import collections
from findspot_indexing.collections import CollectionSettings

TWO = "First paragraph.\n\nSecond paragraph."


async def again(desk: Desk, path: str, stage: str, *, everything: bool = False) -> None:
    """Have a document made again."""

    def write(connection: Connection) -> None:
        document = documents.find(connection, "acme/notes", path)
        assert document is not None
        remaking.make_again(
            connection, document.id, document.collection_id, document.state, stage,
            desk.indexing.clock(), everything=everything,
        )  # fmt: skip

    await desk.indexing.manifest.write(write)
    desk.indexing.wake.compose.set()


def live(desk: Desk) -> list[tuple[object, ...]]:
    return desk.rows("SELECT id, text, chunk_index FROM chunks WHERE state = 'LIVE' ORDER BY document_id, 3")


async def test_from_chunk_on_the_file_is_not_read_again_and_nothing_is_embedded(desk: Desk) -> None:
    await desk.put("a.txt", TWO, title="Stated")
    await desk.until(lambda: desk.indexed("a.txt", 1))
    before, sent = live(desk), list(desk.embedder.texts)
    desk.chunker.stamp = "fake/2"
    await again(desk, "a.txt", remaking.CHUNK)
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert desk.extractor.calls == ["a.txt"]
    assert len(desk.chunker.options) == 2
    assert live(desk) == before
    assert desk.embedder.texts == sent
    assert desk.rows("SELECT DISTINCT chunker_stamp, generation FROM chunks") == [("fake/2", 2)]
    assert desk.rows("SELECT title, stage FROM documents") == [("Stated", "")]
    assert desk.counters_match()


async def test_from_extract_on_the_file_is_read_again(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.indexed("a.txt", 1))
    desk.extractor.stamp = "fake/2"
    await again(desk, "a.txt", remaking.EXTRACT)
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert desk.extractor.calls == ["a.txt", "a.txt"]
    assert desk.rows("SELECT DISTINCT extractor_stamp FROM chunks") == [("fake/2",)]
    assert len(desk.embedder.texts) == 2


async def test_everything_is_written_anew_when_asked_and_no_model_is_called(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.indexed("a.txt", 1))
    (name,) = desk.vectors.points
    desk.vectors.points[name].clear()
    desk.text.delete([str(row[0]) for row in live(desk)])
    desk.text.commit()
    await again(desk, "a.txt", remaking.CHUNK, everything=True)
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert (desk.text.count(), len(desk.vectors.all)) == (2, 2)
    assert len(desk.embedder.texts) == 2


async def test_an_upload_begins_with_the_file_again(still: Desk) -> None:
    await still.put("a.txt", TWO)
    await again(still, "a.txt", remaking.CHUNK)
    assert still.rows("SELECT stage, next_generation FROM documents") == [("CHUNK", 2)]
    await still.put("a.txt", "Newer.")
    assert still.rows("SELECT stage, next_generation FROM documents") == [("", 3)]


async def test_an_extraction_that_cannot_be_read_is_made_again(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.indexed("a.txt", 1))
    ((key,),) = desk.rows("SELECT extraction_key FROM generations")
    desk.indexing.blobs.delete(str(key))
    await again(desk, "a.txt", remaking.CHUNK)
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert desk.extractor.calls == ["a.txt", "a.txt"]
    assert desk.indexing.blobs.exists(str(key))


async def test_one_that_cannot_be_made_again_serves_as_it_was(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.indexed("a.txt", 1))
    before = live(desk)
    desk.extractor.always["a.txt"] = InvalidArgument("torn", reason=Reason.DOCUMENT_CORRUPT)
    await again(desk, "a.txt", remaking.EXTRACT)
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    assert live(desk) == before
    assert (desk.text.count(), len(desk.vectors.all)) == (2, 2)
    assert desk.rows("SELECT generation FROM documents") == [(1,)]


async def test_a_changed_recipe_has_kept_chunks_written_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.indexed("a.txt", 1))
    monkeypatch.setattr("findspot_indexing.compose.plan.PAYLOAD_RECIPE", 99)
    (name,) = desk.vectors.points
    ids = [str(row[0]) for row in live(desk)]
    stale = {key: replace(point, payload={}) for key, point in desk.vectors.points[name].items()}
    desk.vectors.points[name].update(stale)
    await again(desk, "a.txt", remaking.CHUNK)
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert all(desk.vectors.points[name][key].payload for key in ids)
    assert desk.rows("SELECT DISTINCT payload_recipe FROM chunks") == [(99,)]
    assert len(desk.embedder.texts) == 2


async def test_overrides_that_changed_are_used(desk: Desk) -> None:
    await desk.put("a.txt", TWO)
    await desk.until(lambda: desk.indexed("a.txt", 1))
    stamped = desk.rows("SELECT options_stamp FROM generations")
    settings = CollectionSettings(profile_overrides={"text": {"size": 500}})
    await collections.update(EVERYTHING, desk.indexing, "acme/notes", settings)
    await again(desk, "a.txt", remaking.CHUNK)
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert [options.size for options in desk.chunker.options] == [None, 500]
    assert stamped != desk.rows("SELECT options_stamp FROM generations WHERE generation = 2")
