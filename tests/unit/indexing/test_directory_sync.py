"""A collection follows its directory: taken in, changed, moved, pruned, and nothing embedded twice."""

from __future__ import annotations

from pathlib import Path

from directory_tree import plant
from indexing_fakes import Desk


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
