"""Names that are refused, what the refusal says, and names that are taken."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import InvalidArgument, Reason, ResourceExhausted
from findspot_indexing import names
from findspot_indexing.upload import UploadHeader, check_header

BAD_PATHS = [
    ("", "empty"),
    ("/etc/passwd", "absolute"),
    ("../up.txt", "`..`"),
    ("a/../../b", "`..`"),
    ("a//b", "empty segment"),
    ("a/./b", "empty segment or `.`"),
    ("a/", "empty segment"),
    ("a\\b", "backslash"),
    ("C:\\x", "backslash"),
    ("nul\0byte", "control character"),
    ("two\nlines", "control character"),
    ("tab\there", "control character"),
    ("line\u2028separator", "control character"),
    ("delete\x7f", "control character"),
    ("x" * 256, "256 bytes; the limit is 255"),
    ("é" * 128, "256 bytes"),
    ("/".join(["x" * 200] * 6), "1205 bytes; the limit is 1024"),
]


@pytest.mark.parametrize(("path", "says"), BAD_PATHS)
def test_dangerous_file_paths_are_refused_with_what_to_do(path: str, says: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        names.file_path(path)
    assert refusal.value.reason is Reason.FILE_PATH_INVALID
    assert says in refusal.value.message
    assert refusal.value.message.isprintable()
    assert refusal.value.fields[0].field == "file_path"


@pytest.mark.parametrize(
    "path", ["a.txt", "a/b c/d.md", "..a/b..", ".hidden", "日本語/文書.txt", "-x", "a" * 255]
)
def test_ordinary_file_paths_are_taken_as_they_are(path: str) -> None:
    assert names.file_path(path) == path


@given(st.text(max_size=60))
def test_what_is_taken_is_normal_and_cannot_climb(path: str) -> None:
    try:
        taken = names.file_path(path)
    except InvalidArgument:
        return
    assert unicodedata.is_normalized("NFC", taken)
    assert names.file_path(taken) == taken
    assert not taken.startswith("/")
    assert not {"", ".", ".."} & set(taken.split("/"))


def test_two_spellings_of_one_name_are_one() -> None:
    assert names.file_path("caf\u0065\u0301.txt") == names.file_path("caf\u00e9.txt")


@pytest.mark.parametrize("path", ["acme", "acme/reports", "A1/b.c_d-e", "0/1/2"])
def test_collection_paths_that_are_taken(path: str) -> None:
    assert names.collection_path(path) == path


@pytest.mark.parametrize(
    "path", ["", "/a", "a/", "a//b", ".a", "-a", "a/..", "a b", "é", "a/b?", "a" * 513, "a\n"]
)
def test_collection_paths_that_are_refused(path: str) -> None:
    with pytest.raises(InvalidArgument, match="no path of a collection"):
        names.collection_path(path)


def header(**changes: object) -> UploadHeader:
    values = {"collection": "a", "file_path": "b", "size_bytes": 1, "sha256": "0" * 64, **changes}
    return UploadHeader(**values)  # type: ignore[arg-type]


def test_everything_wrong_with_a_header_is_told_at_once() -> None:
    bad = header(
        collection="a b", sha256="XY", language="no tag", request_id="7",
        metadata={"a=b": "x", "long": "y" * 1025}, title="two\nlines",
    )  # fmt: skip
    with pytest.raises(InvalidArgument) as refusal:
        check_header(bad, 100)
    fields = {violation.field for violation in refusal.value.fields}
    assert fields == {
        "collection",
        "sha256",
        "language",
        "request_id",
        "metadata",
        "metadata['long']",
        "title",
    }


def test_files_over_the_limit_are_refused_at_the_header() -> None:
    with pytest.raises(ResourceExhausted, match="101 bytes; the limit is 100") as refusal:
        check_header(header(size_bytes=101), 100)
    assert refusal.value.reason is Reason.DOCUMENT_TOO_LARGE


def test_65_facts_are_one_too_many() -> None:
    assert check_header(header(metadata={str(n): "" for n in range(64)}), 1)
    with pytest.raises(InvalidArgument, match="at most 64 pairs, not 65"):
        check_header(header(metadata={str(n): "" for n in range(65)}), 1)
