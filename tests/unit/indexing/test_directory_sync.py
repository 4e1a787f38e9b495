"""A collection follows its directory: taken in, changed, moved, pruned, and nothing embedded twice."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from directory_tree import PATH, Scandir, Tree, plant
from indexing_fakes import QUICK, Desk, desk_over

from findspot.errors import Aborted, FailedPrecondition, InvalidArgument, PermissionDenied, Reason
from findspot.model import EVERYTHING, Caller
from findspot.stores.manifest import clock
from findspot.stores.manifest.collections import DIRECTORY, CollectionSettings
from findspot_indexing import check_documents, collections
from findspot_indexing.directories import compare, reading
from findspot_indexing.directories.scope import WHOLE, Scope
from findspot_indexing.directories.seen import Seen
from findspot_indexing.sweep.run import sweeping


async def test_files_are_taken_in_changed_and_pruned(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "deep/c.txt", "deep/d.txt"):
        tree.write(name, f"Words of {name}.")
    assert await tree.sync() == {"added": 4}
    await tree.at_rest()
    before = tree.live()
    tree.write("a.txt", "Other words.")
    (tree.root / "b.txt").unlink()
    assert await tree.sync() == {"changed": 1, "pruned": 1, "unchanged": 2}
    await tree.at_rest()
    assert tree.live() == {path: document for path, document in before.items() if path != "b.txt"}
    assert await tree.sync() == {"unchanged": 3}
    assert desk.counters_match()


async def test_a_renamed_file_keeps_its_id_and_costs_no_model_call(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "folder/c.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    await tree.at_rest()
    before, texts, read = tree.live(), list(desk.embedder.texts), list(desk.extractor.calls)
    tree.move("folder", "drawer")
    tree.move("a.txt", "z.txt")
    assert await tree.sync() == {"moved": 2, "unchanged": 1}
    await tree.at_rest()
    after = tree.live()
    assert after == {
        "z.txt": before["a.txt"], "b.txt": before["b.txt"], "drawer/c.txt": before["folder/c.txt"]
    }  # fmt: skip
    assert desk.embedder.texts == texts
    assert desk.extractor.calls == read
    paths = {point.payload["file_path"] for point in desk.vectors.all.values()}
    assert paths == {"z.txt", "b.txt", "drawer/c.txt"}


async def test_a_deleted_file_that_returns_is_revived_without_a_model_call(
    desk: Desk, tmp_path: Path
) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "c.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    await tree.at_rest()
    before, texts = tree.live(), list(desk.embedder.texts)
    (tree.root / "a.txt").rename(tmp_path / "away.txt")
    assert await tree.sync() == {"pruned": 1, "unchanged": 2}
    (tmp_path / "away.txt").rename(tree.root / "a.txt")
    assert await tree.sync() == {"added": 1, "unchanged": 2}
    await tree.at_rest()
    assert tree.live() == before
    assert desk.embedder.texts == texts


async def test_a_rename_to_where_another_document_was_deleted_keeps_both_ids(
    desk: Desk, tmp_path: Path
) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    await tree.at_rest()
    before = tree.live()
    (tree.root / "a.txt").unlink()
    await tree.sync()
    tree.move("b.txt", "a.txt")
    assert await tree.sync() == {"moved": 1, "unchanged": 2}
    await tree.at_rest()
    assert tree.live()["a.txt"] == before["b.txt"]
    retired = desk.rows("SELECT id, file_path FROM documents WHERE state = 'RETIRED'")
    assert retired == [(before["a.txt"], "b.txt")]
    assert desk.counters_match()


async def test_a_rename_to_another_kind_of_name_is_read_again(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    tree.write("a.txt", "Words.")
    tree.write("b.txt", "Other words.")
    await tree.sync()
    await tree.at_rest()
    desk.extractor.calls.clear()
    tree.move("a.txt", "a.md")
    assert await tree.sync() == {"moved": 1, "unchanged": 1}
    await tree.at_rest()
    assert desk.extractor.calls == ["a.md"]


async def test_an_edit_right_after_a_rename_leaves_no_old_path_behind(still: Desk, tmp_path: Path) -> None:
    tree = await plant(still, tmp_path / "tree")
    tree.write("a.txt", "One.\n\nTwo.")
    tree.write("b.txt", "Other words.")
    async with sweeping(still.indexing):
        await tree.sync()
        await tree.at_rest()
    tree.move("a.txt", "z.txt")
    assert await tree.sync() == {"moved": 1, "unchanged": 1}
    # Another time of modification would be reason enough to write everything again.
    then = (tree.root / "z.txt").stat().st_mtime_ns
    tree.write("z.txt", "One.\n\nThree.")
    os.utime(tree.root / "z.txt", ns=(then, then))
    assert await tree.sync() == {"changed": 1, "unchanged": 1}
    async with sweeping(still.indexing):
        await tree.at_rest()
    live = {row[0] for row in still.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}
    paths = {point.payload["file_path"] for point in still.vectors.all.values() if point.id in live}
    assert paths == {"z.txt", "b.txt"}


async def test_more_than_half_gone_changes_nothing_until_it_is_confirmed(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "c.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    for name in ("a.txt", "b.txt"):
        (tree.root / name).unlink()
    tree.write("d.txt", "New.")
    with pytest.raises(FailedPrecondition) as refused:
        await tree.sync()
    assert refused.value.reason is Reason.PRUNE_NEEDS_CONFIRMATION
    assert set(tree.live()) == {"a.txt", "b.txt", "c.txt"}
    assert await tree.sync(go_on=True) == {"added": 1, "unchanged": 1}
    assert set(tree.live()) == {"a.txt", "b.txt", "c.txt", "d.txt"}
    assert desk.indexing.sources.state(tree.collection.id).waiting_to_prune == 2
    assert await tree.sync() == {"pruned": 2, "unchanged": 2}
    assert desk.indexing.sources.state(tree.collection.id).problem is None


async def test_a_root_that_is_empty_or_gone_prunes_nothing(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    assert await tree.sync() == {}
    tree.write("a.txt", "Words.")
    await tree.sync()
    tree.root.rename(tmp_path / "away")
    for _ in range(2):
        with pytest.raises(FailedPrecondition) as refused:
            await tree.sync(confirmed=True)
        assert refused.value.reason is Reason.SOURCE_UNREADABLE
        assert set(tree.live()) == {"a.txt"}
        tree.root.mkdir(exist_ok=True)
    tree.root.rmdir()
    (tmp_path / "away").rename(tree.root)
    assert await tree.sync() == {"unchanged": 1}


async def test_what_cannot_be_looked_at_is_never_pruned(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "closed/b.txt", "closed/deep/c.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    monkeypatch.setattr(os, "scandir", Scandir("/closed"))
    done, tally = await tree.synced(confirmed=True)
    assert done.found.plan.pruned == ()
    assert {name: count for name, count in tally.counts.items() if count} == {"unchanged": 1, "unreadable": 1}
    assert [notice.code for notice in tally.notices] == [Reason.SOURCE_UNREADABLE]
    assert len(tree.live()) == 3


async def test_a_file_that_became_too_large_stays_as_it_was_and_is_named(tmp_path: Path) -> None:
    async with desk_over(tmp_path / "data", limits=replace(QUICK, max_document_bytes=20)) as desk:
        tree = await plant(desk, tmp_path / "tree")
        tree.write("a.txt", "Words.")
        tree.write("b.txt", "More words.")
        await tree.sync()
        tree.write("a.txt", "x" * 21)
        assert await tree.sync() == {"unchanged": 1, "refused": 1}
        assert set(tree.live()) == {"a.txt", "b.txt"}
        named = "SELECT file_path, error_reason FROM source_files WHERE error_reason != ''"
        assert desk.rows(named) == [("a.txt", "DOCUMENT_TOO_LARGE")]
        tree.write("a.txt", "Short.")
        assert await tree.sync() == {"changed": 1, "unchanged": 1}
        assert desk.rows(named) == []


async def test_a_file_that_never_settles_is_left_for_the_next_look(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = await plant(desk, tmp_path / "tree")
    tree.write("a.txt", "Words.")
    real = reading.facts_of
    changes = iter(range(1, 100))
    with monkeypatch.context() as patch:
        patch.setattr(reading, "facts_of", lambda found: replace(real(found), changed_ns=next(changes)))
        done, tally = await tree.synced()
    assert tree.live() == {}
    assert tally.left == ["a.txt"]
    assert [notice.code for notice in tally.notices] == ["NOT_SETTLED"]
    assert done.problem is None
    assert await tree.sync() == {"added": 1}


async def test_an_unchanged_directory_is_looked_at_without_reading_a_file(
    still: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = await plant(still, tmp_path / "tree")
    for number in range(20):
        tree.write(f"{number}.txt", f"Words of {number}.", old=False)
    # Whatever was changed a moment before it was seen is read once more: it may have changed within the same tick.
    assert await tree.sync() == {"added": 20}
    now = clock.now() + 10 * clock.SECOND
    later = replace(still.indexing, clock=lambda: now)
    tree.desk = replace(still, indexing=later)
    assert await tree.sync() == {"unchanged": 20}
    monkeypatch.setattr(compare, "read_settled", None)
    assert await tree.sync() == {"unchanged": 20}


async def test_new_rules_take_documents_out_and_give_them_back(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "c.log", "d.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    before = tree.live()
    tree.write(".gitignore", "*.log\n")
    assert await tree.sync() == {"pruned": 1, "unchanged": 3, "ignored": 2}
    (tree.root / ".gitignore").unlink()
    assert await tree.sync() == {"added": 1, "unchanged": 3}
    assert tree.live() == before


async def test_roots_may_lie_in_each_other_and_share_what_was_embedded(desk: Desk, tmp_path: Path) -> None:
    outer = await plant(desk, tmp_path / "tree")
    outer.write("a.txt", "Words of a.")
    outer.write("inner/b.txt", "Words of b.")
    await outer.sync()
    await outer.at_rest()
    texts = list(desk.embedder.texts)
    settings = CollectionSettings(DIRECTORY, str(tmp_path / "tree/inner"), {"watch": False, "ignore": []})
    view = await collections.create(EVERYTHING, desk.indexing, "acme/inner", settings)
    inner = Tree(tmp_path / "tree/inner", desk, view.collection)
    assert await inner.sync() == {"added": 1}
    await inner.at_rest()
    assert desk.embedder.texts == texts
    assert len(desk.rows("SELECT id FROM documents WHERE state = 'INDEXED'")) == 3


async def test_a_part_is_synced_without_touching_the_rest(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "f/b.txt", "f/c.txt", "f/d.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    (tree.root / "a.txt").unlink()
    (tree.root / "f/b.txt").unlink()
    tree.write("f/c.txt", "Other.")
    tree.write("new.txt", "New.")
    assert await tree.sync(scope=Scope.of(["f"])) == {"changed": 1, "pruned": 1, "unchanged": 1}
    assert set(tree.live()) == {"a.txt", "f/c.txt", "f/d.txt"}
    assert await tree.sync() == {"added": 1, "pruned": 1, "unchanged": 2}


async def test_uploads_into_a_directory_are_refused(desk: Desk, tmp_path: Path) -> None:
    await plant(desk, tmp_path / "tree")
    with pytest.raises(FailedPrecondition) as refused:
        await desk.put("a.txt", "Words.", collection=PATH)
    assert refused.value.reason is Reason.OTHER_SOURCE
    with pytest.raises(FailedPrecondition, match="Put the file into the directory"):
        await check_documents.check(EVERYTHING, desk.indexing, PATH, [("a.txt", "0" * 64)])


async def test_a_file_that_moves_while_the_directory_is_scanned_is_not_deleted(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = await plant(desk, tmp_path / "tree")
    for name in ("a.txt", "b.txt", "c.txt"):
        tree.write(name, f"Words of {name}.")
    await tree.sync()
    before, real, scans = tree.live(), compare.scan, []

    def scan(*arguments: Any) -> Seen:
        scans.append(arguments)
        if len(scans) > 1:
            return real(*arguments)
        # Seen neither where it was nor where it is then.
        (tree.root / "a.txt").rename(tmp_path / "a.txt")
        seen = real(*arguments)
        (tmp_path / "a.txt").rename(tree.root / "z.txt")
        return seen

    monkeypatch.setattr(compare, "scan", scan)
    assert await tree.sync() == {"moved": 1, "unchanged": 2}
    assert tree.live()["z.txt"] == before["a.txt"]


async def test_another_root_is_compared_by_content(desk: Desk, tmp_path: Path) -> None:
    tree = await plant(desk, tmp_path / "tree")
    tree.write("a.txt", "Words.")
    await tree.sync()
    copy = tmp_path / "copy"
    shutil.copytree(tree.root, copy)
    settings = CollectionSettings(DIRECTORY, str(copy), {"watch": False, "ignore": []})
    view = await collections.update(EVERYTHING, desk.indexing, PATH, settings)
    assert desk.rows("SELECT * FROM source_files") == []
    assert await Tree(copy, desk, view.collection).sync() == {"unchanged": 1}
    tree.write("b.txt", "For the old root.")
    with pytest.raises(Aborted) as refused:
        await tree.sync()
    assert refused.value.reason is Reason.ETAG_MISMATCH


@pytest.mark.parametrize(
    ("root", "ignore", "error", "reason"),
    [
        ("missing", (), FailedPrecondition, Reason.SOURCE_UNREADABLE),
        ("file", (), FailedPrecondition, Reason.SOURCE_UNREADABLE),
        ("data/blobs", (), InvalidArgument, Reason.INVALID_FIELD),
        ("tree", ("!",), InvalidArgument, Reason.INVALID_FIELD),
        ("tree", ("x",) * 1001, InvalidArgument, Reason.INVALID_FIELD),
    ],
)
async def test_a_directory_that_cannot_be_a_source_is_refused(
    still: Desk, tmp_path: Path, root: str, ignore: tuple[str, ...], error: type[Exception], reason: Reason
) -> None:
    for folder in ("data/blobs", "tree"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / "file").write_text("x")
    indexing = replace(still.indexing, own_data=str(tmp_path / "data"))
    settings = CollectionSettings(DIRECTORY, str(tmp_path / root), {"ignore": list(ignore)})
    with pytest.raises(error) as refused:
        await collections.create(EVERYTHING, indexing, PATH, settings)
    assert getattr(refused.value, "reason", None) is reason


async def test_a_directory_outside_the_allowed_ones_is_neither_named_nor_read(
    still: Desk, tmp_path: Path
) -> None:
    tree = await plant(still, tmp_path / "tree")
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "link").symlink_to(tree.root)
    limits = replace(still.indexing.limits, source_roots=(str(tmp_path / "open"),))
    indexing = replace(still.indexing, limits=limits)
    for root in (str(tree.root), str(tmp_path / "open" / "link"), str(tmp_path / "opened")):
        with pytest.raises(PermissionDenied, match="source_roots"):
            await collections.create(EVERYTHING, indexing, "other", CollectionSettings(DIRECTORY, root, {}))
    inner = tmp_path / "open" / "inner"
    inner.mkdir()
    await collections.create(EVERYTHING, indexing, "other", CollectionSettings(DIRECTORY, str(inner), {}))
    with pytest.raises(PermissionDenied, match="source_roots"):
        await compare.scanned(indexing, tree.collection, WHOLE)


async def test_only_admins_may_have_the_suite_read_a_directory(still: Desk, tmp_path: Path) -> None:
    settings = CollectionSettings(DIRECTORY, str(tmp_path), {})
    with pytest.raises(PermissionDenied):
        await collections.create(Caller("ann", role="writer"), still.indexing, PATH, settings)


async def test_a_source_that_stays_the_same_may_be_away_while_other_settings_change(
    still: Desk, tmp_path: Path
) -> None:
    tree = await plant(still, tmp_path / "tree", watch=True)
    tree.root.rmdir()
    settings = CollectionSettings(DIRECTORY, str(tree.root), {"watch": False, "ignore": []})
    changed = await collections.update(Caller("ann", role="writer"), still.indexing, PATH, settings)
    assert changed.collection.settings.source_options == {"watch": False, "ignore": []}
