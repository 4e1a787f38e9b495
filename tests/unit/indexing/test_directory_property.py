"""Whatever is done to a directory: after a sync the documents are its files, and nothing was embedded twice."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from directory_tree import Tree, plant
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indexing_fakes import FakeEmbedder, desk_over

NAMES = st.sampled_from(["a.txt", "b.txt", "c.md", "d", "x.log"])
FOLDERS = st.sampled_from(["", "f/", "f/g/", "h/"])
PATHS = st.builds("{}{}".format, FOLDERS, NAMES)
TEXTS = st.sampled_from(["One.", "Two.", "Three.\n\nFour.", "", "Five.\n\nOne."])
EDITS = st.one_of(
    st.tuples(st.just("write"), PATHS, TEXTS),
    st.tuples(st.just("delete"), PATHS),
    st.tuples(st.just("rename"), PATHS, PATHS),
    st.tuples(st.just("rename folder"), FOLDERS, st.sampled_from(["i/", "f/i/"])),
)
ROUNDS = st.lists(st.lists(EDITS, min_size=1, max_size=5), min_size=1, max_size=4)


def edit(tree: Tree, change: tuple[str, ...]) -> None:
    """Do one thing to the directory, where it can be done."""
    kind, path = change[0], change[1]
    place = tree.root / path
    if kind == "write" and not place.is_dir() and not any(p.is_file() for p in place.parents):
        tree.write(path, change[2])
    elif kind == "delete" and place.is_file():
        place.unlink()
    elif kind in ("rename", "rename folder") and place.exists() and path:
        target = tree.root / change[2]
        if not target.exists() and place not in (target, *target.parents):
            tree.move(path, change[2])


async def rounds(folder: Path, changes: list[list[tuple[str, ...]]]) -> None:
    embedder = FakeEmbedder()
    async with desk_over(folder / "data", embedder=embedder) as desk:
        tree = await plant(desk, folder / "tree", ignore=("*.log",))
        tree.write("always.txt", "Always.")
        for edits in changes:
            before, held = tree.live(), contents(tree)
            for change in edits:
                edit(tree, change)
            await tree.sync(confirmed=True)
            files = contents(tree)
            assert set(tree.live()) == set(files)
            check_ids(before, held, tree.live(), files)
            await tree.at_rest()
            assert (await tree.sync(confirmed=True)).keys() <= {"unchanged", "ignored"}
            observed = desk.rows("SELECT file_path, size_bytes FROM documents WHERE state != 'RETIRED'")
            assert dict(observed) == {path: len(text.encode()) for path, text in files.items()}
        assert len(embedder.texts) == len(set(embedder.texts))
        assert desk.counters_match()
        await desk.at_rest()
        points = {
            (point.payload["document_id"], point.payload["file_path"]) for point in desk.vectors.all.values()
        }
        live = {(document, path) for path, document in tree.live().items()}
        assert {pair for pair in points if pair[0] in {document for document, _ in live}} <= live


def contents(tree: Tree) -> dict[str, str]:
    """The files that are to be documents, with what they hold."""
    return {
        file.relative_to(tree.root).as_posix(): file.read_text()
        for file in tree.root.rglob("*")
        if file.is_file() and file.suffix != ".log"
    }


def check_ids(
    before: dict[str, str], held: dict[str, str], after: dict[str, str], now: dict[str, str]
) -> None:
    """A document keeps its id while its path is there, and when its file is found under another path."""
    for path, document in before.items():
        if path in now:
            assert after[path] == document
    gone = [path for path in before if path not in now]
    kept = set(after.values())
    for text in {held[path] for path in gone}:
        left = [before[path] for path in gone if held[path] == text]
        new = [path for path in now if path not in before and now[path] == text]
        assert len(kept.intersection(left)) == min(len(left), len(new))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ROUNDS)
def test_after_a_sync_the_documents_are_the_files(changes: list[list[tuple[str, ...]]]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        asyncio.run(rounds(folder, changes))
    finally:
        shutil.rmtree(folder)
