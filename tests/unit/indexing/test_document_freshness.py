"""How fresh a document is: by what is stored when documents are listed, by looking when one is asked for."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import pytest
from directory_tree import plant
from indexing_fakes import Desk

from findspot.errors import InvalidArgument, Reason
from findspot.freshness import Source, Verdict
from findspot.ids import content_hash
from findspot.model import EVERYTHING, Freshness
from findspot.stores.manifest import tables
from findspot.stores.text.schema import TextEntry
from findspot_indexing import documents, removal
from findspot_indexing.documents import DocumentName
from findspot_indexing.seen_file import look_at
from findspot_indexing.text_commits import TextChange

CORRUPT = InvalidArgument("broken", reason=Reason.DOCUMENT_CORRUPT)


async def asked(desk: Desk, path: str, collection: str = "acme/notes") -> Verdict:
    """The verdict when one document is asked for."""
    name = DocumentName(collection=collection, file_path=path)
    return (await documents.get(EVERYTHING, desk.indexing, name)).verdict


async def listed(desk: Desk, path: str) -> Verdict:
    """The verdict when documents are listed."""
    views, _ = await documents.list_page(
        EVERYTHING, desk.indexing, subtree="", states=("INDEXED", "FAILED"), size=0, token=""
    )
    return next(view.verdict for view in views if view.document.file_path == path)


async def indexed(desk: Desk, path: str, text: str = "One.\n\nTwo.") -> None:
    await desk.put(path, text)
    await desk.until(lambda: desk.state(path) == "INDEXED")
    await desk.at_rest()


async def test_a_document_that_was_just_indexed_is_fresh(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    verdict = await asked(desk, "a.txt")
    assert (verdict.freshness, verdict.stale, verdict.source_hash) == (
        Freshness.FRESH,
        False,
        content_hash(b"One.\n\nTwo."),
    )
    assert verdict.evidence.row_fingerprint == verdict.evidence.index_fingerprint != ""
    cheap = await listed(desk, "a.txt")
    assert (cheap.freshness, cheap.evidence.row_fingerprint) == (Freshness.FRESH, "")


async def test_a_failed_edit_is_told_with_both_hashes_and_its_time(desk: Desk) -> None:
    await indexed(desk, "a.txt", "Old.")
    desk.extractor.always["a.txt"] = CORRUPT
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    [(since,)] = desk.rows("SELECT diverged_at FROM documents")
    for verdict in (await asked(desk, "a.txt"), await listed(desk, "a.txt")):
        assert (verdict.freshness, verdict.stale) == (Freshness.ROWS_BEHIND_FILE, True)
        assert verdict.source_hash == content_hash(b"New.")
        assert verdict.evidence.row_hash == content_hash(b"Old.")
        assert verdict.diverged_at == since != 0
    del desk.extractor.always["a.txt"]
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert (await asked(desk, "a.txt")).freshness is Freshness.FRESH
    assert desk.rows("SELECT diverged_at FROM documents") == [(0,)]


async def test_what_was_never_published_or_was_deleted_is_not_indexed(desk: Desk) -> None:
    desk.extractor.always["a.txt"] = CORRUPT
    await desk.put("a.txt", "x")
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    await indexed(desk, "b.txt")
    await removal.delete(EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="b.txt"))
    for path in ("a.txt", "b.txt"):
        verdict = await asked(desk, path)
        assert (verdict.freshness, verdict.stale) == (Freshness.NOT_INDEXED, False)


async def test_lost_entries_of_either_projection_are_seen(desk: Desk) -> None:
    for path in ("text.txt", "vectors.txt"):
        await indexed(desk, path)
    [(lost,)] = desk.rows(
        "SELECT min(c.id) FROM chunks c JOIN documents d ON d.id = c.document_id WHERE d.file_path = 'text.txt'"
    )
    await desk.indexing.text.apply(TextChange(delete=[str(lost)]))
    [(point,)] = desk.rows(
        "SELECT min(c.id) FROM chunks c JOIN documents d ON d.id = c.document_id"
        " WHERE d.file_path = 'vectors.txt'"
    )
    for points in desk.vectors.points.values():
        points.pop(str(point), None)
    for path in ("text.txt", "vectors.txt"):
        verdict = await asked(desk, path)
        assert (verdict.freshness, verdict.stale) == (Freshness.INDEX_BEHIND_ROWS, True)
        assert verdict.evidence.row_fingerprint != verdict.evidence.index_fingerprint
        # What is stored does not tell: that is why `GetDocument` looks.
        assert (await listed(desk, path)).freshness is Freshness.FRESH


async def test_an_entry_that_no_row_has_is_seen(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    [(document_id,)] = desk.rows("SELECT id FROM documents")
    stray = TextEntry(
        str(uuid.uuid4()), str(document_id), "acme/notes", ("acme", "acme/notes"), "a.txt", "Stray"
    )
    await desk.indexing.text.apply(TextChange(add=[stray]))
    verdict = await asked(desk, "a.txt")
    assert (verdict.freshness, verdict.stale) == (Freshness.INDEX_BEHIND_ROWS, True)


async def test_retired_entries_are_no_difference_until_they_are_swept(desk: Desk) -> None:
    await indexed(desk, "a.txt", "One.\n\nTwo.")
    await desk.put("a.txt", "One.\n\nThree.")
    await desk.until(lambda: desk.indexed("a.txt", 2))
    assert desk.rows("SELECT count(*) FROM chunks WHERE state = 'RETIRED' AND text_state = 'READY'") == [(1,)]
    assert (await asked(desk, "a.txt")).freshness is Freshness.FRESH


async def test_vectors_that_nobody_has_asked_for_yet_are_counted(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    await desk.indexing.manifest.write(
        lambda c: c.execute(tables.chunk_vectors.delete().where(tables.chunk_vectors.c.chunk_id != ""))
    )
    verdict = await asked(desk, "a.txt")
    assert (verdict.freshness, verdict.message) == (
        Freshness.INDEX_BEHIND_ROWS,
        "2 chunks have no vector yet.",
    )


async def test_entries_of_an_older_recipe_are_counted(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    await desk.indexing.manifest.write(lambda c: c.execute(tables.chunks.update().values(payload_recipe=1)))
    verdict = await asked(desk, "a.txt")
    assert (verdict.freshness, verdict.stale) == (Freshness.INDEX_BEHIND_ROWS, True)
    assert verdict.message == "2 chunks have entries of an older recipe in the index."


async def test_a_store_that_is_away_hides_no_document(desk: Desk) -> None:
    await indexed(desk, "a.txt")
    desk.vectors.down = True
    verdict = await asked(desk, "a.txt")
    assert (verdict.freshness, verdict.evidence.index_fingerprint) == (Freshness.FRESH, "")


async def test_the_file_of_a_directory_is_looked_at(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("same.txt", "edited.txt", "gone.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    await tree.at_rest()
    tree.write("edited.txt", "Other words.")
    changed = int((tree.root / "edited.txt").stat().st_mtime_ns // 1000)
    (tree.root / "gone.txt").unlink()
    collection = tree.collection.path
    same, edited, gone = [await asked(desk, f"{name}.txt", collection) for name in ("same", "edited", "gone")]
    assert (same.freshness, same.stale) == (Freshness.FRESH, False)
    assert (edited.freshness, edited.stale) == (Freshness.ROWS_BEHIND_FILE, True)
    assert (edited.source_hash, edited.diverged_at) == (content_hash(b"Other words."), changed)
    assert (gone.freshness, gone.stale, gone.source_hash) == (Freshness.ROWS_BEHIND_FILE, True, "")
    # The last scan saw them all as they are stored.
    assert (await listed(desk, "edited.txt")).freshness is Freshness.FRESH
    (tree.root / "same.txt").unlink()
    (tree.root / "edited.txt").unlink()
    away = await asked(desk, "same.txt", collection)
    assert (away.freshness, away.stale) == (Freshness.UNKNOWN, False)
    assert "empty" in away.message
    for points in desk.vectors.points.values():
        points.clear()
    away = await asked(desk, "same.txt", collection)
    assert (away.freshness, away.stale) == (Freshness.UNKNOWN, True)


@pytest.mark.parametrize(
    ("path", "most", "source", "why"),
    [
        ("a.txt", 9, Source.SEEN, ""),
        ("a.txt", 4, Source.UNREADABLE, "It has 5 bytes; at most 4 are read."),
        ("b.txt", 9, Source.GONE, ""),
        ("a.txt/b", 9, Source.GONE, ""),
        ("folder", 9_000, Source.UNREADABLE, "It cannot be read ("),
        ("out.txt", 9, Source.UNREADABLE, "It cannot be read (It leads out of the directory)"),
        ("gré.txt", 9, Source.UNREADABLE, "It is not there under the spelling that is stored."),
        ("café.txt", 9, Source.SEEN, ""),
    ],
)
def test_a_file_is_read_below_its_root_or_the_reason_is_told(
    tmp_path: Path, path: str, most: int, source: Source, why: str
) -> None:
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "a.txt").write_text("Words")
    (root / "cafe\N{COMBINING ACUTE ACCENT}.txt").write_text("Words")
    (tmp_path / "secret").write_text("Words")
    (root / "out.txt").symlink_to(tmp_path / "secret")
    found = look_at(str(root), path, most)
    assert found.source is source
    assert found.why.startswith(why)
    assert bool(found.why) == bool(why)
    assert found.content_hash == (content_hash(b"Words") if source is Source.SEEN else "")


def test_a_root_that_is_not_there_tells_nothing_of_its_files(tmp_path: Path) -> None:
    assert look_at(str(tmp_path / "root"), "a.txt", 9).source is Source.UNREADABLE
    os.mkdir(tmp_path / "root")
    assert look_at(str(tmp_path / "root"), "a.txt", 9).why == "Its directory is empty."
