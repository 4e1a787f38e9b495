"""What `findspot add` takes from a disk, and how it names it."""

import hashlib
import os
from pathlib import Path

import pytest

from findspot.client.files import collection_of, scan, sha256_of
from findspot.errors import InvalidArgument


def test_a_folder_is_walked_in_order_and_hidden_names_are_counted(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", "deep/er/c.md", ".git/config", "deep/.hidden"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    found = scan([tmp_path])
    assert [file.file_path for file in found.files] == ["a.md", "b.md", "deep/er/c.md"]
    assert found.hidden == 2
    assert not found.problems


def test_a_single_file_is_named_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "a b.md"
    file.write_text("x")
    assert [item.file_path for item in scan([file]).files] == ["a b.md"]


def test_a_broken_link_is_a_problem_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "here.md").write_text("x")
    found = scan([tmp_path])
    assert [file.file_path for file in found.files] == ["here.md"]
    assert [(problem.reason, problem.message) for problem in found.problems] == [
        ("SOURCE_UNREADABLE", "it is a link that leads nowhere")
    ]


def test_a_link_to_the_folder_above_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert [file.file_path for file in scan([tmp_path]).files] == ["a.md"]


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"nothing\.md"):
        scan([tmp_path / "nothing.md"])


@pytest.mark.parametrize(
    ("folder", "name"), [("rust-book", "rust-book"), ("my notes!", "my-notes"), ("---", "files")]
)
def test_the_collection_is_named_after_the_folder(tmp_path: Path, folder: str, name: str) -> None:
    (tmp_path / folder).mkdir()
    assert collection_of([tmp_path / folder]) == name


def test_files_from_several_places_share_one_collection(tmp_path: Path) -> None:
    assert collection_of([tmp_path, tmp_path]) == "files"


def test_hashes_are_of_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * 3_000_000)
    assert sha256_of(file) == hashlib.sha256(b"x" * 3_000_000).hexdigest()


def test_a_name_that_is_no_utf_8_is_a_problem_that_can_be_shown(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("x")
    (tmp_path / "here.md").write_text("x")
    found = scan([tmp_path])
    assert [file.file_path for file in found.files] == ["here.md"]
    assert [(problem.file_path, problem.reason) for problem in found.problems] == [
        ("caf\\xe9.md", "FILE_PATH_INVALID")
    ]


def test_two_files_that_would_be_one_document_are_said(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "readme.md").write_text(folder)
    found = scan([tmp_path / "one", tmp_path / "two"])
    assert [file.source.parent.name for file in found.files] == ["one"]
    assert [problem.file_path for problem in found.problems] == [str(tmp_path / "two" / "readme.md")]


def test_composed_and_decomposed_names_would_be_one_document(tmp_path: Path) -> None:
    (tmp_path / "caf\u00e9.md").write_text("composed")
    (tmp_path / "cafe\u0301.md").write_text("decomposed")
    found = scan([tmp_path])
    assert len(found.files) == 1
    assert [problem.reason for problem in found.problems] == ["FILE_PATH_INVALID"]


def test_the_same_file_given_twice_is_taken_once(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("x")
    found = scan([file, tmp_path, file])
    assert [item.file_path for item in found.files] == ["a.md"]
    assert not found.problems
