"""Reindexing: only what is stale, from the cheapest stage, without a hole in what is found, to the end after a crash."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

import pytest
from indexing_fakes import QUICK, Desk, FakeEmbedder, FakeVectors, desk_over, replace

from findspot.errors import InvalidArgument, NotFound, PermissionDenied, Reason, Unavailable
from findspot.model import EVERYTHING, Caller
from findspot.stores.manifest.operations import Operation
from findspot_indexing import collections, removal
from findspot_indexing.collections import CollectionSettings
from findspot_indexing.documents import DocumentName
from findspot_indexing.operations import calls as operations
from findspot_indexing.reindex.calls import Asked, Planned, reindex
from findspot_indexing.reindex.stages import Stage

TEXTS = {"a.txt": "One.\n\nTwo.", "b.txt": "Two.\n\nThree."}
RECIPES = ("findspot_indexing.compose.plan.PAYLOAD_RECIPE", "findspot_indexing.reindex.survey.PAYLOAD_RECIPE")


async def filled(desk: Desk) -> None:
    for path, text in TEXTS.items():
        await desk.put(path, text)
        await desk.until(lambda path=path: desk.indexed(path, 1))
    desk.embedder.texts.clear()
    desk.extractor.calls.clear()
    desk.chunker.options.clear()


async def ask(desk: Desk, *, caller: Caller = EVERYTHING, **asked: Any) -> Planned:
    return await reindex(caller, desk.indexing, Asked(**asked))


async def done(desk: Desk, **asked: Any) -> Operation:
    """Reindex, and wait until the operation has ended."""
    planned = await ask(desk, **asked)
    await desk.until(
        lambda: (
            not desk.rows(
                f"SELECT 1 FROM operations WHERE id = '{planned.operation_id}' AND state = 'RUNNING'"
            )
        )
    )
    return await operations.get(EVERYTHING, desk.indexing, planned.operation_id)


def generations(desk: Desk) -> list[Any]:
    return [row[0] for row in desk.rows("SELECT generation FROM documents ORDER BY file_path")]


def change_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    for where in RECIPES:
        monkeypatch.setattr(where, 99)


async def test_where_nothing_is_stale_nothing_is_done(desk: Desk) -> None:
    await filled(desk)
    planned = await ask(desk, dry_run=True)
    assert planned == Planned("", 0, 0, 0, 2, 0, "", planned.seconds)
    for stage in (None, *Stage):
        operation = await done(desk, stage=stage)
        assert (operation.state, operation.standing.total) == ("SUCCEEDED", 0)
    assert generations(desk) == [1, 1]
    assert desk.extractor.calls == desk.chunker.options == desk.embedder.texts == []


async def test_another_extractor_has_files_read_again(desk: Desk) -> None:
    await filled(desk)
    desk.extractor.stamp = "fake/2"
    planned = await ask(desk, dry_run=True)
    assert (planned.read, planned.cut, planned.fresh, planned.remedy) == (2, 2, 0, "EXTRACT")
    # How they will be cut then is not known before: no stored vector is promised.
    assert (planned.embed, planned.stored) == (4, 0)
    assert generations(desk) == [1, 1]
    operation = await done(desk)
    standing = operation.standing
    assert (operation.state, standing.done, standing.total, standing.failed) == ("SUCCEEDED", 2, 2, 0)
    assert standing.counts == {"read": 2}
    assert generations(desk) == [2, 2]
    assert desk.embedder.texts == []
    assert desk.rows("SELECT * FROM operation_items") == []
    assert (await ask(desk, dry_run=True)).fresh == 2


async def test_another_chunker_has_stored_text_cut_again_and_no_file_read(desk: Desk) -> None:
    await filled(desk)
    desk.chunker.stamp = "fake/2"
    planned = await ask(desk, dry_run=True)
    assert (planned.read, planned.cut, planned.remedy) == (0, 2, "CHUNK")
    # Embedding alone would not help, and is not done.
    assert (await done(desk, stage=Stage.EMBED)).standing.total == 0
    assert (await done(desk)).standing.counts == {"cut": 2}
    assert (desk.extractor.calls, desk.embedder.texts) == ([], [])
    assert generations(desk) == [2, 2]


async def test_changed_overrides_are_found_by_their_stamp_in_their_collection_only(desk: Desk) -> None:
    await filled(desk)
    await desk.put("c.txt", "Four.", collection="acme/other")
    await desk.until(lambda: desk.indexed("c.txt", 1))
    settings = CollectionSettings(profile_overrides={"text": {"size": 500}})
    await collections.update(EVERYTHING, desk.indexing, "acme/notes", settings)
    assert generations(desk) == [1, 1, 1]
    planned = await ask(desk, subtree="acme", dry_run=True)
    assert (planned.cut, planned.fresh, planned.remedy) == (2, 1, "CHUNK")
    assert (await done(desk, subtree="acme")).standing.done == 2
    assert generations(desk) == [2, 2, 1]
    assert [options.size for options in desk.chunker.options[-2:]] == [500, 500]


async def test_another_recipe_embeds_again_from_stored_vectors_and_leaves_no_hole(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(desk)
    before = dict(desk.vectors.all)
    change_recipe(monkeypatch)
    planned = await ask(desk, dry_run=True)
    assert (planned.read, planned.cut, planned.embed, planned.stored, planned.remedy) == (0, 0, 4, 4, "EMBED")
    desk.vectors.down = True
    await ask(desk)
    await desk.until(lambda: desk.rows("SELECT 1 FROM chunk_vectors WHERE state = 'PENDING'"))
    # The old ones serve, and that they are behind is said.
    assert desk.vectors.all == before
    assert {desk.state(path) for path in TEXTS} == {"CHUNKED"}
    assert desk.counters_match()
    desk.vectors.down = False
    desk.indexing.wake.embed.set()
    await desk.until(lambda: all(desk.indexed(path, 1) for path in TEXTS))
    await desk.until(lambda: desk.rows("SELECT state FROM operations") == [("SUCCEEDED",)])
    assert desk.embedder.texts == []
    assert set(desk.vectors.all) == set(before)
    assert (await ask(desk, dry_run=True)).fresh == 2


async def test_force_writes_everything_anew_without_calling_the_model(desk: Desk) -> None:
    await filled(desk)
    desk.vectors.points[next(iter(desk.vectors.points))].clear()
    planned = await ask(desk, force=True, dry_run=True)
    assert (planned.read, planned.cut, planned.embed, planned.stored) == (2, 2, 4, 4)
    assert (await done(desk, force=True)).standing.counts == {"read": 2}
    assert (generations(desk), desk.embedder.texts, len(desk.vectors.all)) == ([2, 2], [], 4)
    assert (await done(desk, force=True, stage=Stage.CHUNK)).standing.counts == {"cut": 2}
    assert (generations(desk), desk.embedder.texts) == ([3, 3], [])
    assert len(desk.extractor.calls) == 2


@pytest.mark.both_manifests
async def test_force_from_embed_on_asks_the_model_once_for_each_text(desk: Desk) -> None:
    await filled(desk)
    planned = await ask(desk, force=True, stage=Stage.EMBED, dry_run=True)
    assert (planned.cut, planned.embed, planned.stored) == (0, 4, 0)
    operation = await done(desk, force=True, stage=Stage.EMBED)
    assert (operation.state, operation.standing.counts) == ("SUCCEEDED", {"embedded": 2})
    assert sorted(desk.embedder.texts) == ["One.", "Three.", "Two."]
    assert generations(desk) == [1, 1]
    assert desk.counters_match()


async def test_a_failed_document_is_tried_again_when_that_may_help(desk: Desk) -> None:
    desk.extractor.always["a.txt"] = InvalidArgument("torn", reason=Reason.DOCUMENT_CORRUPT)
    await desk.put("a.txt", "One.")
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    assert (await done(desk)).standing.total == 0
    for stage in (Stage.CHUNK, Stage.EMBED):
        assert (await done(desk, force=True, stage=stage)).standing.total == 0
    operation = await done(desk, force=True)
    assert (operation.state, operation.standing.failed, operation.standing.done) == ("SUCCEEDED", 1, 0)
    (notice,) = operation.standing.notices
    assert (notice.code, notice.message) == ("DOCUMENT_CORRUPT", "acme/notes/a.txt: torn")
    del desk.extractor.always["a.txt"]
    assert (await done(desk, force=True)).standing.done == 1
    assert desk.state("a.txt") == "INDEXED"


async def test_a_failed_reindex_leaves_what_serves(desk: Desk) -> None:
    await filled(desk)
    desk.extractor.stamp = "fake/2"
    desk.extractor.always["a.txt"] = InvalidArgument("torn", reason=Reason.DOCUMENT_CORRUPT)
    standing = (await done(desk)).standing
    assert (standing.done, standing.failed, standing.total) == (1, 1, 2)
    assert generations(desk) == [1, 2]
    assert (desk.text.count(), len(desk.vectors.all)) == (4, 4)


async def test_one_document_by_its_name(desk: Desk) -> None:
    await filled(desk)
    desk.chunker.stamp = "fake/2"
    operation = await done(desk, name=DocumentName(collection="acme/notes", file_path="b.txt"))
    assert (operation.scope, operation.standing.done) == ("acme/notes/b.txt", 1)
    assert generations(desk) == [1, 2]


async def test_a_document_that_is_being_made_is_looked_at_when_it_is_done(desk: Desk) -> None:
    await filled(desk)
    desk.extractor.gate = asyncio.Event()
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "EXTRACTING")
    settings = CollectionSettings(profile_overrides={"text": {"size": 500}})
    await collections.update(EVERYTHING, desk.indexing, "acme/notes", settings)
    planned = await ask(desk)
    assert planned.cut == 1
    desk.extractor.gate.set()
    await desk.until(lambda: desk.rows("SELECT state FROM operations") == [("SUCCEEDED",)])
    assert {options.size for options in desk.chunker.options[-1:]} == {500}
    assert (await ask(desk, dry_run=True)).fresh == 2


async def test_newer_bytes_and_deletion_meanwhile_end_their_items(desk: Desk) -> None:
    await filled(desk)
    desk.extractor.stamp = "fake/2"
    desk.extractor.gate = asyncio.Event()
    planned = await ask(desk)
    await desk.until(lambda: {desk.state(path) for path in TEXTS} == {"EXTRACTING"})
    await desk.put("a.txt", "New.")
    await removal.delete(EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="b.txt"))
    desk.extractor.gate.set()
    await desk.until(lambda: desk.rows("SELECT state FROM operations") == [("SUCCEEDED",)])
    standing = (await operations.get(EVERYTHING, desk.indexing, planned.operation_id)).standing
    assert (standing.done, standing.counts) == (2, {"read": 2, "gone": 1})
    assert desk.rows("SELECT text FROM chunks WHERE state = 'LIVE'") == [("New.",)]


async def test_cancelling_leaves_the_rest_as_it_was(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(desk)
    monkeypatch.setattr("findspot_indexing.reindex.turn.WINDOW", 1)
    desk.extractor.stamp = "fake/2"
    desk.extractor.gate = asyncio.Event()
    desk.extractor.called.clear()
    planned = await ask(desk)
    await desk.extractor.called.wait()
    await operations.cancel(EVERYTHING, desk.indexing, planned.operation_id)
    await desk.until(lambda: desk.rows("SELECT state FROM operations") == [("CANCELLED",)])
    desk.extractor.gate.set()
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert generations(desk) == [2, 1]


async def test_after_a_crash_it_goes_on_and_does_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("findspot_indexing.reindex.turn.WINDOW", 1)
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await filled(desk)
        await desk.put("c.txt", "Five.")
        await desk.until(lambda: desk.indexed("c.txt", 1))
        planned = await ask(desk, force=True, stage=Stage.CHUNK)
        await desk.until(lambda: desk.indexed("a.txt", 2))
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: desk.rows("SELECT state FROM operations") == [("SUCCEEDED",)])
        standing = (await operations.get(EVERYTHING, desk.indexing, planned.operation_id)).standing
        assert (standing.done, standing.total, standing.counts) == (3, 3, {"cut": 3})
        assert generations(desk) == [2, 2, 2]


async def test_without_a_model_it_ends_when_all_is_found_by_words(tmp_path: Path) -> None:
    embedder = FakeEmbedder(identity=None)
    async with desk_over(tmp_path, embedder=embedder, limits=replace(QUICK, sweep_seconds=0.2)) as desk:
        await desk.put("a.txt", "One.")
        await desk.until(lambda: desk.state("a.txt") == "CHUNKED")
        assert (await ask(desk, dry_run=True)).fresh == 1
        assert (await done(desk, force=True)).standing.done == 1
        assert generations(desk) == [2]


async def test_chunks_without_a_vector_are_tried_again_unless_that_is_hopeless(desk: Desk) -> None:
    desk.embedder.refused = {
        "One.": Reason.EMBEDDING_RESPONSE_INVALID,
        "Two.": Reason.EMBEDDING_INPUT_TOO_LONG,
    }
    await desk.put("a.txt", "One.\n\nTwo.")
    await desk.until(lambda: desk.rows("SELECT count(*) FROM chunk_vectors WHERE state = 'FAILED'") == [(2,)])
    assert (await ask(desk, dry_run=True)).embed == 1
    desk.embedder.refused = {"Two.": Reason.EMBEDDING_INPUT_TOO_LONG}
    operation = await done(desk)
    # The document still lacks a vector, and that is told.
    assert (operation.standing.failed, operation.standing.notices[0].code) == (1, "EMBEDDING_INPUT_TOO_LONG")
    assert desk.rows("SELECT count(*) FROM chunk_vectors WHERE state = 'READY'") == [(1,)]


async def test_asking_twice_with_one_request_id_begins_one_operation(desk: Desk) -> None:
    await filled(desk)
    desk.chunker.stamp = "fake/2"
    request = str(uuid.uuid4())
    first = await ask(desk, request_id=request)
    assert await ask(desk, request_id=request) == first
    with pytest.raises(InvalidArgument) as reused:
        await ask(desk, request_id=request, force=True)
    assert reused.value.reason is Reason.REQUEST_ID_REUSED
    assert len(desk.rows("SELECT 1 FROM operations")) == 1


async def test_callers_reindex_what_is_theirs(desk: Desk) -> None:
    await filled(desk)
    await desk.put("c.txt", "Four.", collection="other")
    await desk.until(lambda: desk.indexed("c.txt", 1))
    desk.chunker.stamp = "fake/2"
    writer = Caller("writer", ("acme",), "writer")
    assert (await ask(desk, caller=writer, dry_run=True)).cut == 2
    for missing in ("other", "acme/none"):
        with pytest.raises(NotFound) as hidden:
            await ask(desk, caller=writer, subtree=missing)
        assert hidden.value.reason is Reason.COLLECTION_NOT_FOUND
    with pytest.raises(NotFound):
        await ask(desk, caller=writer, name=DocumentName(collection="other", file_path="c.txt"))
    with pytest.raises(PermissionDenied):
        await ask(desk, caller=Caller("reader", None, "reader"))


async def test_while_extraction_is_away_the_caller_is_told(desk: Desk) -> None:
    await filled(desk)
    desk.extractor.down = True
    with pytest.raises(Unavailable):
        await ask(desk)
    assert desk.rows("SELECT 1 FROM operations") == []
