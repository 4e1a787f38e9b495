"""Repair finds every difference between the projections and the manifest, and mends it without the model."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexing_fakes import IDENTITY, Desk, FakeEmbedder, FakeVectors, desk_over

from findspot.errors import InvalidArgument, NotFound, PermissionDenied, Unavailable
from findspot.ids import ancestor_paths, content_hash
from findspot.model import EVERYTHING, Caller
from findspot.stores.manifest import blob_rows, comparing, counters, operations, repairing
from findspot.stores.text.owned import OwnedTextIndex
from findspot.stores.text.query import TextQuery
from findspot.stores.text.reader import TextIndexReader
from findspot.stores.text.schema import TextEntry, build_schema, index_directory, to_document
from findspot.stores.text.serving import serving_directory
from findspot_indexing import removal
from findspot_indexing.documents import DocumentName
from findspot_indexing.repair import rebuild_text
from findspot_indexing.repair.calls import Asked, Planned, repair
from findspot_indexing.repair.findings import Report, Steps, parts
from findspot_indexing.repair.run import Wish, look_through
from findspot_indexing.repair.text_entries import entry_of
from findspot_indexing.sweep import healing

NAMES = ("a.txt", "b.txt", "c.txt")


async def fill(desk: Desk) -> None:
    for name in NAMES:
        collection = "acme/other" if name == "c.txt" else "acme/notes"
        await desk.put(
            name, f"Alpha of {name}.\n\nBeta of {name}.\n\nGamma of {name}.", collection=collection
        )
    await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in NAMES))
    await desk.at_rest()


def ids(desk: Desk, state: str = "LIVE") -> list[str]:
    return [str(row[0]) for row in desk.rows(f"SELECT id FROM chunks WHERE state = '{state}' ORDER BY id")]


def whole(desk: Desk) -> None:
    """Both projections hold exactly the live chunks, with the right payload, and the counters agree."""
    assert list(desk.text.ids()) == ids(desk)
    assert sorted(desk.vectors.all) == ids(desk)
    wanted = {
        str(row[0]): (row[1], row[2])
        for row in desk.rows(
            "SELECT c.id, d.collection_path, d.file_path FROM chunks c JOIN documents d ON d.id = c.document_id "
            "WHERE c.state = 'LIVE'"
        )
    }
    held = {key: (p.payload["collection"], p.payload["file_path"]) for key, p in desk.vectors.all.items()}
    assert held == wanted
    assert desk.counters_match()


async def compared(desk: Desk, within: str = "") -> dict[str, int]:
    report = Report()
    await look_through(desk.indexing, Wish((within,) if within else None), report, Steps(), mending=False)
    return report.counts


async def ended(desk: Desk, planned: Planned) -> operations.Operation:
    def state() -> Any:
        return desk.rows(f"SELECT state FROM operations WHERE id = '{planned.operation_id}'")[0][0]

    await desk.until(lambda: state() != "RUNNING")
    found = await desk.indexing.manifest.read(lambda c: operations.get(c, planned.operation_id))
    assert found is not None
    return found


async def mended(desk: Desk, **asked: Any) -> dict[str, int]:
    operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked(**asked)))
    assert operation.state == "SUCCEEDED", operation.error_message
    return dict(operation.standing.counts or {})


def stray_entry(identifier: str, **values: Any) -> TextEntry:
    given = {"collection_path": "acme/notes", "file_path": "x.txt", "text": "stray", **values}
    return TextEntry(
        id=identifier,
        document_id=str(given.pop("document_id", "gone")),
        ancestors=ancestor_paths(str(given["collection_path"])),
        **given,
    )


def lose_text(desk: Desk) -> None:
    desk.text.delete([ids(desk)[0], ids(desk)[4]])
    desk.text.commit()


def lose_points(desk: Desk) -> None:
    (points,) = desk.vectors.points.values()
    del points[ids(desk)[1]], points[ids(desk)[2]]


def orphan_text(desk: Desk) -> None:
    desk.text.add([stray_entry(str(uuid.uuid4())) for _ in range(3)])
    desk.text.commit()


def orphan_points(desk: Desk) -> None:
    (points,) = desk.vectors.points.values()
    stranger = replace(points[ids(desk)[0]], id=str(uuid.uuid4()))
    points[stranger.id] = stranger


def double_text(desk: Desk) -> None:
    victim = ids(desk)[3]
    where = "SELECT d.collection_path, d.file_path FROM documents d JOIN chunks c ON c.document_id = d.id"
    collection, file_path = desk.rows(f"{where} WHERE c.id = '{victim}'")[0]
    twin = stray_entry(
        victim,
        document_id=document_of(desk, victim),
        collection_path=str(collection),
        file_path=str(file_path),
        document_type="text",
    )
    engine = desk.text._require_writer()._require_writer()
    engine.add_document(to_document(twin, build_schema()))
    engine.commit()


def stale_text(desk: Desk) -> None:
    victim = ids(desk)[5]
    desk.text.add([stray_entry(victim, document_id=document_of(desk, victim), collection_path="acme/before")])
    desk.text.commit()


def stale_points(desk: Desk) -> None:
    (points,) = desk.vectors.points.values()
    victim = ids(desk)[6]
    points[victim] = replace(points[victim], payload={**points[victim].payload, "file_path": "before.txt"})


def document_of(desk: Desk, chunk: str) -> str:
    return str(desk.rows(f"SELECT document_id FROM chunks WHERE id = '{chunk}'")[0][0])


HARMS: dict[str, tuple[Callable[[Desk], None], dict[str, int]]] = {
    "lose_text": (lose_text, {"text_missing": 2}),
    "lose_points": (lose_points, {"vectors_missing": 2}),
    "orphan_text": (orphan_text, {"text_orphaned": 3}),
    "orphan_points": (orphan_points, {"vectors_orphaned": 1}),
    "double_text": (double_text, {"text_duplicated": 1}),
    "stale_text": (stale_text, {"text_stale": 1}),
    "stale_points": (stale_points, {"vectors_stale": 1}),
}


@pytest.mark.both_manifests
async def test_an_entry_made_from_the_manifest_is_the_one_that_composing_made(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed: dict[str, TextEntry] = {}
    add = OwnedTextIndex.add

    def noted(index: OwnedTextIndex, entries: Sequence[TextEntry]) -> None:
        composed.update({entry.id: entry for entry in entries})
        add(index, entries)

    monkeypatch.setattr(OwnedTextIndex, "add", noted)
    facts = {"title": "Bees", "language": "de", "metadata": {"team": "garden", "year": "2026"}}
    await desk.put("a/b.txt", "Alpha.\n\nBeta.", source_modified_at=5_000_000, **facts)
    await desk.put("plain.txt", "Gamma.")
    await desk.until(lambda: len(composed) == 3 and desk.state("plain.txt") == "INDEXED")
    rows = await desk.indexing.manifest.read(lambda c: comparing.entry_rows(c, list(composed)))
    assert {row.id: entry_of(row) for row in rows} == composed


async def test_an_index_in_order_needs_nothing(desk: Desk) -> None:
    await fill(desk)
    assert await compared(desk) == {}
    assert await mended(desk) == {}


@pytest.mark.parametrize("harm", HARMS)
async def test_each_harm_is_counted_once_and_mended_without_the_model(desk: Desk, harm: str) -> None:
    await fill(desk)
    calls = desk.embedder.calls
    inflict, counts = HARMS[harm]
    inflict(desk)
    desk.embedder.down = True
    planned = await repair(EVERYTHING, desk.indexing, Asked(dry_run=True))
    assert (planned.counts, planned.operation_id) == (counts, "")
    assert await compared(desk) == counts
    assert await mended(desk) == counts
    assert await compared(desk) == {}
    whole(desk)
    assert desk.embedder.calls == calls


@settings(max_examples=4, deadline=None)
@given(st.lists(st.sampled_from(sorted(HARMS)), unique=True, min_size=2), st.booleans())
def test_any_harms_together_are_mended(harms: list[str], rebuild: bool) -> None:
    async def check() -> None:
        async with throwaway_desk() as desk:
            await fill(desk)
            for harm in harms:
                HARMS[harm][0](desk)
            await mended(desk, rebuild_text=rebuild, rebuild_vectors=rebuild)
            assert await compared(desk) == {}
            whole(desk)

    asyncio.run(check())


@asynccontextmanager
async def throwaway_desk() -> AsyncIterator[Desk]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        async with desk_over(Path(folder)) as desk:
            yield desk


@pytest.mark.both_manifests
async def test_a_subtree_is_repaired_and_the_rest_left_alone(desk: Desk) -> None:
    await fill(desk)
    desk.text.delete(ids(desk))
    desk.text.commit()
    (points,) = desk.vectors.points.values()
    points.clear()
    assert await compared(desk, "acme/other") == {"text_missing": 3, "vectors_missing": 3}
    await mended(desk, subtree="acme/other")
    other = {str(r[0]) for r in desk.rows("SELECT id FROM documents WHERE collection_path = 'acme/other'")}
    assert {document_of(desk, key) for key in desk.text.ids()} == other
    assert {document_of(desk, key) for key in points} == other
    await mended(desk)
    whole(desk)


async def test_a_vector_that_is_stored_nowhere_is_made_anew(desk: Desk) -> None:
    await fill(desk)
    made = len(desk.embedder.texts)
    lose_points(desk)

    def forget(connection: Any) -> None:
        connection.exec_driver_sql("DELETE FROM embeddings")

    await desk.indexing.manifest.write(forget)
    counts = await mended(desk)
    assert counts == {"vectors_missing": 2, "vectors_wanted_of_the_model": 2}
    await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in NAMES))
    whole(desk)
    assert len(desk.embedder.texts) == made + 2


async def test_lately_retired_chunks_are_no_orphans(tmp_path: Path) -> None:
    async with desk_over(tmp_path) as desk:
        await fill(desk)
        await removal.delete(
            EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="a.txt")
        )
        assert (desk.text.count(), len(ids(desk))) == (9, 6)
        assert await compared(desk) == {}


async def test_a_lost_collection_of_vectors_is_filled_again_and_says_so_meanwhile(desk: Desk) -> None:
    await fill(desk)
    calls = desk.embedder.calls
    (name,) = desk.vectors.points
    desk.vectors.unreadable.add(name)
    assert (await compared(desk))["collections_lost"] == 1
    operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked()))
    assert [notice.code for notice in operation.standing.notices] == ["VECTORS_BEGUN_ANEW"]
    await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in NAMES))
    whole(desk)
    assert desk.embedder.calls == calls


@pytest.mark.both_manifests
async def test_vectors_that_are_all_to_come_again_are_counted_so(tmp_path: Path, manifest_kind: str) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors, sweep=False) as desk:
        key, now = IDENTITY.key, desk.indexing.clock()
        assert await desk.indexing.manifest.write(lambda c: repairing.want_all_again(c, key, now)) == 9
        assert desk.counters_match()
        assert desk.rows("SELECT DISTINCT state FROM documents") == [("CHUNKED",)]
        assert desk.rows("SELECT DISTINCT state FROM chunk_vectors") == [("PENDING",)]


async def test_rebuilding_both_changes_nothing_that_was_right(desk: Desk) -> None:
    await fill(desk)
    before = serving_directory(index_directory(desk.data))
    counts = await mended(desk, rebuild_text=True, rebuild_vectors=True)
    assert counts == {"text_written": 9, "vectors_written": 9}
    whole(desk)
    assert serving_directory(index_directory(desk.data)) != before
    assert not before.exists()


async def test_changes_during_a_rebuild_are_in_the_new_index(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(desk)
    real, begun, go_on = rebuild_text._put_documents, asyncio.Event(), asyncio.Event()

    async def slowly(indexing: Any, documents: list[str], put: Any) -> None:
        await real(indexing, documents, put)
        begun.set()
        await go_on.wait()

    monkeypatch.setattr(rebuild_text, "_put_documents", slowly)
    planned = await repair(EVERYTHING, desk.indexing, Asked(rebuild_text=True))
    await begun.wait()
    assert desk.indexing.text.index.rebuilding
    await desk.put("new.txt", "Delta of new.")
    await desk.until(lambda: desk.state("new.txt") == "INDEXED")
    edit = asyncio.create_task(desk.put("a.txt", "Alpha of a.txt.\n\nChanged altogether."))
    await edit
    go_on.set()
    assert (await ended(desk, planned)).state == "SUCCEEDED"
    await desk.until(lambda: desk.indexed("a.txt", 2))
    reader = TextIndexReader(index_directory(desk.data))
    assert len(reader.search(TextQuery(words="delta"), 10)) == 1
    assert len(reader.search(TextQuery(words="altogether"), 10)) == 1
    assert await compared(desk) == {}


async def test_a_rebuild_that_fails_leaves_the_old_index_serving(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(desk)

    def fail(_: Any) -> None:
        raise ValueError("the disk is full")

    monkeypatch.setattr(desk.text, "fill", fail)
    operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked(rebuild_text=True)))
    assert operation.state == "FAILED"
    assert not desk.indexing.text.index.rebuilding
    whole(desk)


@pytest.mark.parametrize("harm", ["removed", "cut", "gone"])
async def test_a_damaged_text_index_is_filled_again_by_itself(tmp_path: Path, harm: str) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
    home = index_directory(tmp_path)
    serving = serving_directory(home)
    if harm == "removed":
        next(serving.glob("*.store")).unlink()
    elif harm == "cut":
        os.truncate(serving / "meta.json", 30)
    else:
        for path in (*serving.iterdir(), home / "serving.json"):
            path.unlink()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors, sweep=False) as desk:
        with pytest.raises(Unavailable, match="being filled"):
            TextIndexReader(home).search(TextQuery(words="alpha"), 10)
    calls = embedder.calls
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await until_complete(desk)
        assert len(TextIndexReader(home).search(TextQuery(words="alpha"), 10)) == 3
        whole(desk)
    assert embedder.calls == calls


async def until_complete(desk: Desk) -> None:
    async with asyncio.timeout(10):
        while not desk.text.complete:
            await asyncio.to_thread(desk.text.count)


async def test_an_error_of_the_engine_heals_from_the_manifest_not_from_memory(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch that failed is done again by those whose it was; what an earlier one lost, by comparing."""
    await fill(desk)
    writer = desk.text._require_writer()
    lost = ids(desk)[:2]
    engine = writer._require_writer()
    for key in lost:
        engine.delete_documents_by_term("id", key)
    engine.commit()
    real, failures = writer.commit, [Unavailable("the worker is poisoned")]

    def commit() -> int:
        if failures:
            raise failures.pop()
        return real()

    monkeypatch.setattr(writer, "commit", commit)
    await desk.put("d.txt", "Alpha of d.")
    await desk.until(lambda: desk.state("d.txt") == "INDEXED")
    await until_lacking_nothing(desk, lost)
    whole(desk)


async def until_lacking_nothing(desk: Desk, lost: list[str]) -> None:
    """The sweep heals it: each commit is a look at what is there."""
    async with asyncio.timeout(10):
        while set(lost) - set(await asyncio.to_thread(lambda: list(desk.text.ids()))):
            await asyncio.to_thread(desk.text.count)


async def test_the_healing_of_a_healthy_index_costs_a_look(desk: Desk) -> None:
    await fill(desk)
    before = desk.indexing.text.commits
    assert await healing.heal(desk.indexing) == 0
    assert desk.indexing.text.commits == before


async def test_counters_blobs_and_collections_are_put_in_order(desk: Desk) -> None:
    await fill(desk)
    leftover = desk.indexing.blobs.put(b"nobody refers to this")
    young = desk.indexing.blobs.put(b"somebody may be about to refer to this")
    path = desk.indexing.blobs._path(leftover)
    os.utime(path, (1, 1))
    unknown = "findspot-" + "0" * 32
    desk.vectors.points[unknown] = {}
    desk.vectors.points["of-somebody-else"] = {}
    collection = str(desk.rows("SELECT collection_id FROM documents WHERE file_path = 'a.txt'")[0][0])
    key = (collection, "", counters.CHUNKS_LIVE)
    await desk.indexing.manifest.write(
        lambda c: counters.add(c, {key: 7, (collection, "", "documents.EMPTY"): 2})
    )
    gone = content_hash(b"Alpha of b.txt.\n\nBeta of b.txt.\n\nGamma of b.txt.")
    desk.indexing.blobs.delete(gone)

    counts = {"counters_wrong": 2, "blobs_leftover": 1, "blobs_missing": 1, "collections_unknown": 1}
    assert await compared(desk) == counts
    operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked()))
    assert dict(operation.standing.counts or {}) == counts
    assert ["b.txt" in notice.message for notice in operation.standing.notices] == [True]
    assert not desk.indexing.blobs.exists(leftover)
    assert desk.indexing.blobs.exists(young)
    assert sorted(desk.vectors.points)[1:] == ["of-somebody-else"]
    assert desk.counters_match()
    assert await compared(desk) == {"blobs_missing": 1}


async def test_a_row_whose_file_went_away_with_its_last_document_is_missed_by_nobody(desk: Desk) -> None:
    await fill(desk)
    blob = content_hash(b"of a document that was purged while the process was killed")
    await desk.indexing.manifest.write(lambda c: blob_rows.record(c, blob, 3, blob_rows.ORIGINAL, 1))
    assert not desk.indexing.blobs.exists(blob)
    assert await compared(desk) == {}


async def test_a_stored_file_that_is_gone_is_missed_until_its_document_is_made_again(desk: Desk) -> None:
    await fill(desk)
    await desk.put("d.txt", "Its extraction is like no other.", collection="acme/notes")
    await desk.until(lambda: desk.state("d.txt") == "INDEXED")
    of_d = (
        "SELECT extraction_key FROM generations JOIN documents ON id = document_id WHERE file_path = 'd.txt'"
    )
    extraction = str(desk.rows(of_d)[0][0])
    desk.indexing.blobs.delete(extraction)
    operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked()))
    assert ["d.txt" in notice.message for notice in operation.standing.notices] == [True]
    # A generation that is made anew and read otherwise leaves the one before to nobody.
    await desk.put("d.txt", "Delta of d.txt.", collection="acme/notes")
    state = f"SELECT state FROM generations WHERE extraction_key = '{extraction}'"
    await desk.until(lambda: desk.rows(state) == [("RETIRED",)])
    await desk.at_rest()
    assert await compared(desk) == {}


async def test_the_newest_content_is_missed_where_it_could_not_be_read_and_of_no_deleted_document(
    desk: Desk,
) -> None:
    await fill(desk)
    await desk.put("blank.txt", "  ", collection="acme/notes")
    await desk.until(lambda: desk.state("blank.txt") == "EMPTY")
    await desk.at_rest()
    serving = b"Alpha of c.txt.\n\nBeta of c.txt.\n\nGamma of c.txt."
    for collection, name, text in (("acme/notes", "blank.txt", b"  "), ("acme/other", "c.txt", serving)):
        desk.indexing.blobs.delete(content_hash(text))
        operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked()))
        assert [name in notice.message for notice in operation.standing.notices] == [True]
        document = DocumentName(collection=collection, file_path=name)
        await removal.delete(EVERYTHING, desk.indexing, document)
        await desk.at_rest()
        assert await compared(desk) == {}


async def test_on_somebody_elses_server_unknown_collections_are_named_and_stay(desk: Desk) -> None:
    await fill(desk)
    desk.vectors.title = "qdrant - vector search engine"
    unknown = "findspot-" + "0" * 32
    desk.vectors.points[unknown] = {}
    operation = await ended(desk, await repair(EVERYTHING, desk.indexing, Asked()))
    assert [unknown in notice.message for notice in operation.standing.notices] == [True]
    assert unknown in desk.vectors.points


@pytest.mark.both_manifests
async def test_what_cannot_be_repaired_is_refused(desk: Desk) -> None:
    await fill(desk)
    reader = Caller("r", ("acme",), "reader")
    outsider = Caller("o", ("other",), "writer")
    part = Caller("p", ("acme/notes",), "writer")
    with pytest.raises(PermissionDenied):
        await repair(reader, desk.indexing, Asked())
    with pytest.raises(NotFound):
        await repair(outsider, desk.indexing, Asked(subtree="acme/notes"))
    with pytest.raises(NotFound):
        await repair(EVERYTHING, desk.indexing, Asked(subtree="nowhere"))
    with pytest.raises(InvalidArgument, match="rebuild_text"):
        await repair(EVERYTHING, desk.indexing, Asked(subtree="acme", rebuild_text=True))
    with pytest.raises(PermissionDenied):
        await repair(part, desk.indexing, Asked(rebuild_vectors=True))
    desk.text.delete(ids(desk))
    desk.text.commit()
    seen = await repair(part, desk.indexing, Asked(dry_run=True))
    everything = await repair(EVERYTHING, desk.indexing, Asked(dry_run=True))
    assert (seen.missing, everything.missing) == (6, 9)
    request = str(uuid.uuid4())
    first = await repair(part, desk.indexing, Asked(request_id=request))
    assert await repair(part, desk.indexing, Asked(request_id=request)) == first


async def test_a_repair_waits_for_a_vector_store_that_is_away(desk: Desk) -> None:
    await fill(desk)
    lose_points(desk)
    desk.vectors.down = True
    planned = await repair(EVERYTHING, desk.indexing, Asked())
    await desk.until(lambda: desk.indexing.outages.any_away("vectors"))
    desk.vectors.down = False
    desk.indexing.wake.operations.set()
    assert (await ended(desk, planned)).state == "SUCCEEDED"
    whole(desk)


async def test_a_repair_while_documents_change_leaves_the_index_right(desk: Desk) -> None:
    await fill(desk)
    lose_text(desk)
    orphan_points(desk)

    async def edit() -> None:
        for turn in range(6):
            await desk.put("a.txt", f"Alpha of a.txt.\n\nTurn {turn}.")
            await desk.put("b.txt", f"Beta of b.txt.\n\nTurn {turn}.", metadata={"turn": str(turn)})

    await asyncio.gather(edit(), mended(desk), mended(desk, rebuild_text=True))
    await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in NAMES))
    await desk.at_rest()
    assert await compared(desk) == {}


@pytest.mark.parametrize("entries", [0, 1, 500, 501, 8_001, 200_000, 3_000_000])
def test_parts_cover_every_id_once_and_stay_small(entries: int) -> None:
    found = list(parts(entries))
    assert found[0].ids.low.strip("0") == ""
    assert [part.ids.high for part in found][:-1] == [part.ids.low for part in found][1:]
    assert found[-1].ids.high == ""
    assert entries / len(found) <= 500
    for name in ("0" * 8, "7a3f" * 2, "f" * 8):
        holding = [p for p in found if name >= p.ids.low and (not p.ids.high or name < p.ids.high)]
        assert [part.prefix for part in holding] == [name[: len(holding[0].prefix)]]
