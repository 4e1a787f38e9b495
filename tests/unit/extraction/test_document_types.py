"""The registry and the profiles behind it: consistent tables, found by name, extension and media type."""

from __future__ import annotations

import pickle
from importlib.util import find_spec

import pytest

from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.errors import InvalidArgument
from findspot.model import Strategy
from findspot.profiles import CATEGORIES, PROFILES, profile_for
from findspot_extraction.readers.code_grammars import GRAMMARS
from findspot_extraction.registry import Registry

REGISTRY = Registry()


def test_no_extension_name_or_media_type_means_two_types() -> None:
    for values in (
        [extension for row in DOCUMENT_TYPES for extension in row.extensions],
        [name for row in DOCUMENT_TYPES for name in row.file_names],
        [media_type for row in DOCUMENT_TYPES for media_type in row.media_types],
        [row.name for row in DOCUMENT_TYPES],
    ):
        assert len(values) == len(set(values)), [value for value in values if values.count(value) > 1]
        assert all(value == value.lower() for value in values)


@pytest.mark.parametrize("row", [row for row in DOCUMENT_TYPES if row.readable], ids=lambda row: row.name)
def test_every_readable_type_has_its_reader_and_its_own_profile(row: DocumentType) -> None:
    assert find_spec(row.reader) is not None
    assert row.name in PROFILES
    assert row.profile.category in CATEGORIES
    assert row.profile.grammar == "" or row.profile.grammar in GRAMMARS
    assert row.reader.endswith(".code") == bool(row.profile.grammar)


@pytest.mark.parametrize(
    ("name", "strategy", "size", "overlap"),
    [
        ("markdown", Strategy.SEMANTIC, 1000, 100),
        ("html", Strategy.SEMANTIC, 1000, 100),
        ("python", Strategy.SYNTACTIC, 800, 0),
        ("pdf", Strategy.SEMANTIC, 1200, 150),
        ("text", Strategy.PARAGRAPH, 1200, 150),
        ("log", Strategy.SLIDING_WINDOW, 1000, 150),
        ("csv", Strategy.SEMANTIC, 1200, 0),
    ],
)
def test_profiles(name: str, strategy: Strategy, size: int, overlap: int) -> None:
    profile = profile_for(name)
    assert (profile.strategy, profile.size, profile.overlap) == (strategy, size, overlap)


def test_profiles_are_within_bounds_and_unknown_types_are_cut_as_text() -> None:
    for profile in PROFILES.values():
        assert 50 <= profile.size <= 20_000
        assert 0 <= profile.overlap < profile.size
    assert profile_for("novel").strategy is Strategy.PARAGRAPH
    assert profile_for("novel").document_type == "novel"


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("a/b/Read.ME.MD", "markdown"),
        ("README", "text"),
        ("Makefile", "makefile"),
        ("Dockerfile.dev", "dockerfile"),
        ("archive.tar.gz", "archive"),
        ("C:\\x\\main.RS", "rust"),
        (".gitignore", "properties"),
        ("table.tsx", "tsx"),
        ("CMakeLists.txt", "source"),
        ("report.docx", "docx"),
    ],
)
def test_by_file_name(file_name: str, name: str) -> None:
    row = REGISTRY.by_file_name(file_name)
    assert row is not None
    assert row.name == name


def test_unknown_names() -> None:
    assert REGISTRY.by_file_name("") is None
    assert REGISTRY.by_file_name("x.unknown") is None
    assert REGISTRY.by_media_type("") is None
    with pytest.raises(InvalidArgument, match="'novel'"):
        REGISTRY.named("novel")


def test_media_types_are_compared_without_parameters() -> None:
    row = REGISTRY.by_media_type("Text/HTML; charset=utf-8")
    assert row is not None
    assert row.name == "html"


def test_rows_travel_to_workers() -> None:
    assert pickle.loads(pickle.dumps(DOCUMENT_TYPES)) == DOCUMENT_TYPES


def test_two_rows_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        Registry((DocumentType("a", "A"), DocumentType("a", "B")))
