"""Looking at a directory: what is taken, what is refused, and what is never mistaken for deleted."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from directory_tree import Scandir

from findspot.errors import Aborted, Cancelled, FailedPrecondition, Reason
from findspot_indexing.directories import reading
from findspot_indexing.directories.reading import read_settled
from findspot_indexing.directories.scan import LinkInScope, scan
from findspot_indexing.directories.scope import WHOLE, Scope
from findspot_indexing.directories.seen import Seen, Wish


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "tree"
    made.mkdir()
    return made


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def look(root: Path, scope: Scope = WHOLE, **wish: object) -> Seen:
    return scan(Wish(str(root), **wish), scope)  # type: ignore[arg-type]


def test_links_inside_are_followed_once_and_loops_end(root: Path) -> None:
    put(root, "a/x.txt", "a/b/y.txt", ".hidden/z.txt")
    (root / "a/b/up").symlink_to(root / "a")
    (root / "again").symlink_to("a")
    (root / "shown").symlink_to(".hidden")
    (root / "shown-too").symlink_to(".hidden")
    (root / "alias.txt").symlink_to("a/x.txt")
    (root / "self").symlink_to("self")
    seen = look(root)
    assert set(seen.files) == {"a/x.txt", "a/b/y.txt", "shown/z.txt", "alias.txt"}
    assert {notice.message.split()[0] for notice in seen.notices} == {"a/b/up", "again", "shown-too", "self"}
    assert {notice.code for notice in seen.notices} == {"LINK_NOT_FOLLOWED"}


def test_links_that_lead_outside_are_reported_and_not_followed(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.txt")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "file.txt").symlink_to(tmp_path / "outside/secret.txt")
    (root / "broken.txt").symlink_to("nowhere")
    seen = look(root)
    assert not seen.files
    assert sorted(notice.message for notice in seen.notices) == [
        "broken.txt is a link that leads nowhere.",
        "file.txt is a link that leads out of the directory.",
        "folder is a link that leads out of the directory.",
    ]


def test_a_root_that_is_a_link_is_looked_into(root: Path, tmp_path: Path) -> None:
    put(root, "a.txt")
    (tmp_path / "link").symlink_to(root)
    assert set(look(tmp_path / "link").files) == {"a.txt"}


def test_special_files_are_passed_over(root: Path) -> None:
    put(root, "a.txt")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "s"))
        seen = look(root)
    assert set(seen.files) == {"a.txt"}
    assert [notice.code for notice in seen.notices] == ["NOT_A_FILE", "NOT_A_FILE"]


def test_names_that_no_document_can_have_are_refused_with_the_reason(root: Path) -> None:
    put(root, "line\nbreak.txt", "back\\slash.txt", "caf\u00e9.txt", "cafe\u0301.txt")
    Path(os.fsdecode(os.fsencode(root) + b"/latin-\xe9.txt")).write_text("x")
    Path(os.fsdecode(os.fsencode(root) + b"/folder-\xe9")).mkdir()
    seen = look(root)
    assert set(seen.files) == {"caf\u00e9.txt"}
    refused = {refusal.file_path: refusal for refusal in seen.refused}
    assert {refusal.reason for refusal in seen.refused} == {Reason.FILE_PATH_INVALID}
    assert refused.keys() == {
        "line\nbreak.txt",
        "back\\slash.txt",
        "caf\u00e9.txt",
        "latin-\\xe9.txt",
        "folder-\\xe9",
    }
    assert "Rename" in refused["latin-\\xe9.txt"].message


def test_files_that_are_too_large_are_refused_and_too_many_files_are_no_directory(root: Path) -> None:
    put(root, "a.txt", "b.txt")
    (root / "large.txt").write_bytes(b"x" * 11)
    seen = look(root, most_bytes=10)
    assert set(seen.files) == {"a.txt", "b.txt"}
    assert [(refusal.file_path, refusal.reason) for refusal in seen.refused] == [
        ("large.txt", Reason.DOCUMENT_TOO_LARGE)
    ]
    with pytest.raises(FailedPrecondition) as refused:
        look(root, most_files=2)
    assert refused.value.reason is Reason.SOURCE_UNREADABLE
    assert "more than 2 files" in refused.value.message


@pytest.mark.parametrize("what", ["missing", "file"])
def test_a_root_that_is_none_is_said_to_be_unreadable(root: Path, what: str) -> None:
    put(root, "file")
    with pytest.raises(FailedPrecondition) as refused:
        look(root / what)
    assert refused.value.reason is Reason.SOURCE_UNREADABLE


def test_a_folder_that_cannot_be_read_is_not_a_folder_without_files(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a.txt", "closed/b.txt")
    monkeypatch.setattr(os, "scandir", Scandir("/closed"))
    seen = look(root)
    assert set(seen.files) == {"a.txt"}
    assert [(refusal.file_path, refusal.reason) for refusal in seen.unreadable] == [
        ("closed", Reason.SOURCE_UNREADABLE)
    ]
    monkeypatch.setattr(os, "scandir", Scandir("/tree"))
    with pytest.raises(FailedPrecondition):
        look(root)


def test_a_root_that_is_another_one_at_the_end_is_not_a_root_without_files(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a.txt", "deep/b.txt")
    real = os.scandir

    def unmount(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("/deep"):
            root.rename(tmp_path / "away")
            put(root, "other.txt")
        return real(path)

    monkeypatch.setattr(os, "scandir", unmount)
    with pytest.raises(FailedPrecondition) as refused:
        look(root)
    assert "was replaced" in refused.value.message


def test_a_folder_whose_rules_cannot_be_read_is_not_looked_into(root: Path, tmp_path: Path) -> None:
    put(root, "a.txt", "private/b.txt")
    put(tmp_path, "rules")
    (root / "private/.gitignore").symlink_to(tmp_path / "rules")
    seen = look(root)
    assert set(seen.files) == {"a.txt"}
    assert [refusal.file_path for refusal in seen.unreadable] == ["private"]
    assert ".gitignore" in seen.unreadable[0].message


def test_the_suite_s_own_data_is_never_looked_into(root: Path) -> None:
    put(root, "a.txt", "data/blobs/x.txt")
    (root / "link").symlink_to("data")
    assert set(look(root, besides=str(root / "data")).files) == {"a.txt"}


def test_a_part_is_looked_at_by_itself_with_the_rules_that_hold_there(root: Path) -> None:
    put(root, "a/b/c.txt", "a/b/d.log", "a/e.txt", "f/g.txt", "left/h.txt")
    (root / "a/.gitignore").write_text("*.log\n")
    (root / ".gitignore").write_text("left/\n")
    assert set(look(root, Scope.of(["a/b", "f/g.txt", "left/h.txt", "gone"])).files) == {
        "a/b/c.txt",
        "f/g.txt",
    }
    assert set(look(root, Scope.of(["a"])).files) == {"a/b/c.txt", "a/e.txt"}
    (root / "a/b/link").symlink_to(root / "f")
    with pytest.raises(LinkInScope):
        look(root, Scope.of(["a/b"]))


def test_a_scan_that_nobody_waits_for_ends(root: Path) -> None:
    put(root, "a.txt")
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        scan(Wish(str(root)), WHOLE, stop)


def test_a_very_deep_tree_is_looked_into(root: Path) -> None:
    deep = root
    for _ in range(400):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "x.txt").write_text("x")
    assert len(look(root).files) == 1


def test_a_file_that_changes_while_it_is_read_is_read_again_and_then_left(root: Path) -> None:
    put(root, "a.txt")
    stop, wrote = threading.Event(), threading.Event()

    def keep_writing() -> None:
        with (root / "a.txt").open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"x" * 4096)
                wrote.set()

    def read_often() -> None:
        # The writer need not come in between each time; three times in a row it does soon.
        for _ in range(200):
            read_settled(str(root), "a.txt", 1 << 30)

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        assert wrote.wait(10)
        with pytest.raises(Aborted):
            read_often()
    finally:
        stop.set()
        writer.join()
    read = read_settled(str(root), "a.txt", 1 << 30)
    assert read.facts.size == len(read.data) == (root / "a.txt").stat().st_size


def test_a_file_that_settles_in_time_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.txt")
    real, left = os.fstat, [3]

    def restless(descriptor: int) -> os.stat_result:
        if left[0]:
            left[0] -= 1
            with (root / "a.txt").open("a") as file:
                file.write("more")
        return real(descriptor)

    monkeypatch.setattr(reading.os, "fstat", restless)
    assert read_settled(str(root), "a.txt", 1000).data == b"a.txt" + b"more" * 3


def test_a_link_put_in_place_of_a_file_or_its_folder_leads_nowhere(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a/x.txt")
    put(tmp_path, "outside/x.txt")
    (root / "a/x.txt").unlink()
    (root / "a/x.txt").symlink_to(tmp_path / "outside/x.txt")
    with pytest.raises(OSError, match="leads out"):
        read_settled(str(root), "a/x.txt", 1000)
    # As if the links were put there between the look at where the path leads and the opening.
    monkeypatch.setattr(os.path, "realpath", lambda path, strict=False: str(path))
    with pytest.raises(OSError, match="symbolic links"):
        read_settled(str(root), "a/x.txt", 1000)
    (root / "b").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        read_settled(str(root), "b/x.txt", 1000)
    os.mkfifo(root / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        read_settled(str(root), "pipe", 1000)
