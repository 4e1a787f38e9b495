"""Document types of the configuration: merged into those that are known, all faults at once, from each source."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.config import ServiceSettings, load_settings, settings_table
from findspot.configured_types import ConfiguredTypes, configured_types, read_types
from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.errors import InvalidArgument
from findspot.model import Strategy
from findspot.profiles import PROFILES
from findspot.settings.document_types import DocumentTypeSettings


class CuttingSettings(DocumentTypeSettings):
    """A service that knows document types."""

    section: ClassVar[str] = "chunking"


class QuerySettings(ServiceSettings):
    """A service that knows none."""

    section: ClassVar[str] = "query"


@pytest.fixture(autouse=True)
def nothing_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder and no variable that decides."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "DOCUMENT_TYPES"):
        monkeypatch.delenv(f"FINDSPOT_{name}", raising=False)


def row(types: ConfiguredTypes, name: str) -> DocumentType:
    return next(row for row in types.rows if row.name == name)


def faults(tables: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InvalidArgument) as caught:
        configured_types(tables, "here")
    assert all(fault.description in caught.value.message for fault in caught.value.fields)
    assert all("(here)" in fault.description for fault in caught.value.fields)
    return {fault.field: fault.description for fault in caught.value.fields}


def test_without_tables_nothing_changes() -> None:
    assert configured_types({}).rows == DOCUMENT_TYPES
    assert configured_types({}).profiles == PROFILES


def test_a_new_type_is_read_and_cut_like_another() -> None:
    types = configured_types({"notes": {"extensions": [".Notes"], "like": "markdown", "size": 600}})
    notes, profile = row(types, "notes"), types.profiles["notes"]
    assert (notes.extensions, notes.reader) == ((".notes",), row(types, "markdown").reader)
    assert notes.media_type == "text/markdown"
    assert notes.profile == profile
    assert (profile.document_type, profile.strategy, profile.size, profile.overlap) == (
        "notes",
        Strategy.SEMANTIC,
        600,
        100,
    )
    assert types.rows[:-1] == DOCUMENT_TYPES
    assert pickle.loads(pickle.dumps(types)) == types


def test_a_new_type_without_like_is_plain_text() -> None:
    types = configured_types({"minutes": {"file_names": ["minutes"]}})
    assert row(types, "minutes").read_like == "text"
    assert types.profiles["minutes"].strategy is Strategy.PARAGRAPH


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("strategy", "sentence", Strategy.SENTENCE),
        ("size", 900, 900),
        ("overlap", 20, 20),
        ("category", "data", "data"),
    ],
)
def test_a_known_type_changes_in_the_field_given_alone(field: str, value: object, found: object) -> None:
    types = configured_types({"pdf": {field: value}})
    before, after = PROFILES["pdf"], types.profiles["pdf"]
    assert getattr(after, field) == found
    names = {"strategy", "size", "overlap", "category", "grammar", "document_type"} - {field}
    assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]
    assert [one.name for one in types.rows if one not in DOCUMENT_TYPES] == ["pdf"]


def test_what_files_a_known_type_has_can_change_and_how_it_is_read() -> None:
    types = configured_types({"log": {"extensions": [".log", ".trace"]}, "rst": {"like": "markdown"}})
    log, rst = row(types, "log"), row(types, "rst")
    assert (log.extensions, log.media_types, log.configured) == ((".log", ".trace"), ("text/x-log",), None)
    assert (rst.read_like, rst.profile) == ("markdown", PROFILES["rst"])


def test_a_language_brings_its_grammar() -> None:
    types = configured_types(
        {
            "cython": {"extensions": [".pyx"], "like": "python"},
            "kotlin": {"like": "java"},
            "python": {"like": "text"},
        }
    )
    grammars = [types.profiles[name].grammar for name in ("cython", "kotlin", "python")]
    assert grammars == ["python", "java", ""]
    assert "grammar" in str(faults({"text": {"grammar": "python"}}))


def test_an_extension_moves_when_its_owner_gives_it_up() -> None:
    types = configured_types({"latex": {"extensions": [".tex"]}, "styles": {"extensions": [".sty"]}})
    assert row(types, "styles").extensions == (".sty",)


def test_everything_wrong_is_told_at_once() -> None:
    found = faults(
        {
            "notes": {"extensions": ["notes"], "like": "novel", "sise": 3},
            "Bad name": {},
            "minutes": 7,
            "pdf": {"strategy": "clever", "size": 49, "overlap": True},
            "html": {"overlap": 1000},
            "docx": {"size": 100},
            "other": {"extensions": [".md"], "media_types": ["text"], "category": "poem", "grammar": "cobol"},
            "csv": {"file_names": ["a/b"]},
        }
    )
    assert set(found) == {
        f"document_types.{key}"
        for key in (
            *(
                "notes.extensions",
                "notes.like",
                "notes.sise",
                "Bad name",
                "minutes",
                "pdf.strategy",
                "pdf.size",
            ),
            *("pdf.overlap", "html.overlap", "docx.size", "other.extensions", "other.media_types"),
            *("other.category", "other.grammar", "csv.file_names"),
        )
    }
    assert "'novel'" in found["document_types.notes.like"]
    assert "markdown" in found["document_types.notes.like"]
    assert "semantic" in found["document_types.pdf.strategy"]
    assert "50 to 20,000" in found["document_types.pdf.size"]
    assert "150 and 100" in found["document_types.docx.size"]
    assert "markdown has it" in found["document_types.other.extensions"]


def test_two_new_types_cannot_share_an_extension() -> None:
    found = faults({"a": {"extensions": [".x1"]}, "b": {"extensions": [".x1"]}})
    assert list(found) == ["document_types.b.extensions"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
FIELDS = st.sampled_from(
    ("extensions", "file_names", "like", "category", "strategy", "size", "overlap", "grammar")
)


@given(st.dictionaries(st.sampled_from(("notes", "pdf", "python", "Ü")), st.dictionaries(FIELDS, VALUES)))
def test_whatever_is_configured_is_refused_or_sound(tables: dict[str, Any]) -> None:
    types, faults = read_types(tables, "here")
    assert all(fault.field.startswith("document_types.") for fault in faults)
    for one in types.rows if not faults else ():
        assert 0 <= one.profile.overlap < one.profile.size <= 20_000
        assert bool(one.profile.grammar) == one.reader.endswith(".code")


def test_tables_of_the_file_and_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    def origin() -> tuple[list[str], str]:
        settings = load_settings(CuttingSettings)
        found = next(line for line in settings_table(settings) if line.name == "document_types")
        return sorted(set(settings.types().profiles) - set(PROFILES)), found.source

    Path("findspot.toml").write_text('[document_types.notes]\nextensions = [".notes"]\n')
    assert origin() == (["notes"], "findspot.toml document_types")
    load_settings(QuerySettings)
    monkeypatch.setenv("FINDSPOT_DOCUMENT_TYPES", json.dumps({"minutes": {}}))
    assert origin() == (["minutes"], "FINDSPOT_DOCUMENT_TYPES")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[document_types.notes]\nsize = 1\n[chunking]\nhots = "x"\n', ["document_types.notes.size", "hots"]),
        ("document_types = 3\n", ["document_types has to be a table"]),
        ("[chunking.document_types.notes]\nsize = 100\n", ["[chunking] document_types is not a setting"]),
        ("[document_typs.notes]\nsize = 100\n", ["did you mean document_types"]),
    ],
)
def test_faults_of_the_file_are_told_with_all_others(content: str, told: list[str]) -> None:
    Path("findspot.toml").write_text(content)
    with pytest.raises(InvalidArgument) as caught:
        load_settings(CuttingSettings)
    assert all(words in caught.value.message for words in told)
    assert len(caught.value.fields) == len(told)


def test_a_variable_that_is_no_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_DOCUMENT_TYPES", "[1]")
    with pytest.raises(InvalidArgument, match=r"FINDSPOT_DOCUMENT_TYPES.*a table"):
        load_settings(CuttingSettings)


def test_the_example_of_the_readme() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    [example] = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    Path("findspot.toml").write_text(example)
    profile = load_settings(CuttingSettings).types().profiles["notes"]
    assert (profile.strategy, profile.size, profile.overlap) == (Strategy.SEMANTIC, 600, 60)
