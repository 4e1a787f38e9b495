"""Where settings come from, that all faults are told at once, and that secrets are never shown."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, SecretStr, ValidationError, model_validator

from findspot.config import ServiceSettings, default_data, load_settings, settings_table, suite_registry
from findspot.errors import InvalidArgument
from findspot.settings.sources import decode

KEY = "sk-very-secret"


class QuerySettings(ServiceSettings):
    """A service's settings, as the tests need them."""

    section: ClassVar[str] = "query"

    text_index: str = Field(
        default="tantivy", pattern="^(tantivy|qdrant)$", description="Where full text is."
    )
    weights: tuple[float, ...] = (1.0, 1.0)
    """Weight of each arm."""
    limits: dict[str, int] = Field(default_factory=dict, description="Limits by method.")
    api_key: SecretStr = SecretStr("")
    """Key of the embedding endpoint."""
    manifest: str = ""
    """URL of the manifest."""
    size: int = Field(default=10, ge=1, le=100)
    """Size, which overlap has to stay below."""
    overlap: int = 0
    """Overlap."""

    @model_validator(mode="after")
    def overlap_below_size(self) -> QuerySettings:
        """A rule over two settings."""
        if self.overlap >= self.size:
            raise ValueError(f"overlap ({self.overlap}) has to be below size ({self.size})")
        return self


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine that runs the tests: an empty folder, home and environment."""
    for name in list(os.environ):
        if name.startswith("FINDSPOT_"):
            monkeypatch.delenv(name)
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def source(settings: ServiceSettings, name: str) -> str:
    return next(row.source for row in settings_table(settings) if row.name == name)


def faults(**overrides: object) -> dict[str, str]:
    with pytest.raises(InvalidArgument) as caught:
        load_settings(QuerySettings, **overrides)
    assert all(fault.description in caught.value.message for fault in caught.value.fields)
    return {fault.field: fault.description for fault in caught.value.fields}


def test_defaults(tmp_path: Path) -> None:
    settings = load_settings(QuerySettings)
    assert (settings.host, settings.port, settings.log_level) == ("127.0.0.1", 0, "INFO")
    assert settings.data == tmp_path / "home/.local/share/findspot"
    assert source(settings, "port") == "default"


def test_each_source_wins_over_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def level() -> tuple[str, str]:
        settings = load_settings(QuerySettings)
        return settings.log_level, source(settings, "log_level")

    file = write(Path("findspot.toml"), 'log_level = "ERROR"')
    assert level() == ("ERROR", "findspot.toml log_level")
    write(file, 'log_level = "ERROR"\n[query]\nlog_level = "WARNING"\n[embedding]\nlog_level = "INFO"')
    assert level() == ("WARNING", "findspot.toml [query] log_level")
    monkeypatch.setenv("FINDSPOT_LOG_LEVEL", "info")
    assert level() == ("INFO", "FINDSPOT_LOG_LEVEL")
    monkeypatch.setenv("FINDSPOT_QUERY_LOG_LEVEL", "DEBUG")
    assert level() == ("DEBUG", "FINDSPOT_QUERY_LOG_LEVEL")
    settings = load_settings(QuerySettings, log_level="ERROR")
    assert (settings.log_level, source(settings, "log_level")) == ("ERROR", "argument")


def test_an_empty_variable_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_PORT", "")
    assert load_settings(QuerySettings).port == 0


def test_the_port_and_own_settings_are_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_PORT", "7000")
    monkeypatch.setenv("FINDSPOT_SIZE", "7")
    settings = load_settings(QuerySettings)
    assert (settings.port, settings.size) == (0, 10)
    write(Path("findspot.toml"), "port = 7000")
    assert "did you mean" in faults()["port"] or "known are" in faults()["port"]


def test_the_file_is_found_by_name_here_and_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "data/findspot.toml", "[query]\nsize = 1")
    monkeypatch.setenv("FINDSPOT_DATA", str(tmp_path / "data"))
    assert load_settings(QuerySettings).size == 1
    assert load_settings(QuerySettings, data=tmp_path / "other").size == 10
    write(Path("findspot.toml"), "[query]\nsize = 2")
    assert load_settings(QuerySettings).size == 2
    monkeypatch.setenv("FINDSPOT_CONFIG", str(write(tmp_path / "named.toml", "[query]\nsize = 3")))
    assert load_settings(QuerySettings).size == 3


@pytest.mark.parametrize("content", [None, "size =", "\xff"])
def test_a_named_file_has_to_be_there_and_be_toml(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "named.toml"
    if content is not None:
        path.write_bytes(content.encode("latin-1"))
    monkeypatch.setenv("FINDSPOT_CONFIG", str(path))
    with pytest.raises(InvalidArgument, match=r"named\.toml cannot be read \(FINDSPOT_CONFIG names it\)"):
        load_settings(QuerySettings)


def test_all_faults_are_told_at_once_with_source_and_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_PORT", "66000")
    monkeypatch.setenv("FINDSPOT_LOG_FORMAT", "xml")
    write(Path("findspot.toml"), '[query]\nsize = "many"\nprot = 7\n[qurey]\nport = 1')
    found = faults(grace_seconds=-1, text_index="lucene", colour="red")
    assert set(found) == {
        "port",
        "log_format",
        "size",
        "query.prot",
        "qurey",
        "grace_seconds",
        "text_index",
        "colour",
    }
    assert "'66000' (FINDSPOT_QUERY_PORT)" in found["port"]
    assert "Allowed: a whole number, at least 0 and at most 65,535." in found["port"]
    assert "(FINDSPOT_LOG_FORMAT)" in found["log_format"]
    assert "Allowed: one of text, json." in found["log_format"]
    assert "'many' (findspot.toml [query] size)" in found["size"]
    assert found["query.prot"].endswith("[query] prot is not a setting; did you mean port?")
    assert found["qurey"].endswith("[qurey] is not a section; did you mean query?")
    assert "(argument)" in found["grace_seconds"]
    assert "Allowed: text of the form ^(tantivy|qdrant)$." in found["text_index"]
    assert "colour (argument) is not a setting" in found["colour"]


def test_a_rule_over_two_settings_is_told_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_OVERLAP", "20")
    assert faults() == {"": "overlap (20) has to be below size (10)"}


def test_a_section_that_is_no_table_is_told() -> None:
    write(Path("findspot.toml"), "query = 3")
    assert "has to be a table" in faults()["query"]


def test_a_variable_set_by_kubernetes_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_PORT", "tcp://10.0.0.7:7415")
    assert "enableServiceLinks: false" in faults()["port"]


def test_several_values_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_WEIGHTS", "0.5, 2")
    monkeypatch.setenv("FINDSPOT_QUERY_LIMITS", '{"Search": 4}')
    settings = load_settings(QuerySettings)
    assert settings.weights == (0.5, 2.0)
    assert settings.limits == {"Search": 4}
    monkeypatch.setenv("FINDSPOT_QUERY_WEIGHTS", "[3, 4]")
    monkeypatch.setenv("FINDSPOT_QUERY_LIMITS", "Search=4")
    assert "a table, in the environment as JSON" in faults()["limits"]


@given(st.lists(st.text(st.characters(exclude_characters=",", codec="utf-8"), min_size=1), min_size=1))
def test_lists_are_read_from_json_and_from_commas(items: list[str]) -> None:
    assert decode(json.dumps(items), list[str]) == items
    written = ",".join(items)
    try:
        json.loads(written)
    except ValueError:
        assert decode(written, list[str] | None) == [item.strip() for item in items if item.strip()]
    assert decode(written, str) == written


def test_secrets_are_masked_in_tables_and_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_API_KEY", KEY)
    monkeypatch.setenv("FINDSPOT_QUERY_MANIFEST", f"postgresql://findspot:{KEY}@db/findspot")
    settings = load_settings(QuerySettings)
    assert settings.api_key.get_secret_value() == KEY
    rows = {row.name: row for row in settings_table(settings)}
    assert rows["api_key"].value == "**********"
    assert rows["manifest"].value == "postgresql://findspot:***@db/findspot"
    assert KEY not in repr(rows)
    write(Path("findspot.toml"), f'[query]\nport = -1\napi_key = ["{KEY}"]')
    monkeypatch.delenv("FINDSPOT_QUERY_API_KEY")
    found = faults()
    assert set(found) == {"port", "api_key"}
    assert KEY not in repr(found)


def test_the_table_has_a_row_and_a_sentence_for_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_PORT", "7415")
    rows = settings_table(QuerySettings)
    assert [row.name for row in rows] == list(QuerySettings.model_fields)
    assert all(row.sentence.endswith(".") and "\n" not in row.sentence for row in rows)
    shown = {row.name: row.value for row in rows}
    assert (shown["port"], shown["insecure"], shown["weights"]) == ("7415", "false", "[1.0, 1.0]")
    assert {row.name: row.source for row in rows}["port"] == "FINDSPOT_QUERY_PORT"
    assert rows[0]._asdict().keys() == {"name", "value", "source", "sentence"}


def test_made_directly_settings_are_defaults_and_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDSPOT_QUERY_PORT", "7415")
    settings = QuerySettings(size=5)
    assert (settings.port, settings.size) == (0, 5)
    with pytest.raises(ValidationError):
        settings.port = 1


@pytest.mark.parametrize(
    ("value", "good"),
    [("off", True), ("console", True), ("http://c:4317", True), ("https://c", True), ("c:4317", False)],
)
def test_tracing_is_off_console_or_an_endpoint(value: str, good: bool) -> None:
    if good:
        assert load_settings(QuerySettings, tracing=value).tracing == value
    else:
        assert "tracing" in faults(tracing=value)


def test_where_the_data_and_the_registry_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_data() == tmp_path / "home/.local/share/findspot"
    assert suite_registry() == tmp_path / "home/.local/state/findspot/suites"
    write(Path("findspot.toml"), 'data = "~/kept"\n[suite]\nregistry = "~/registry"')
    assert default_data() == tmp_path / "home/kept"
    assert suite_registry() == tmp_path / "home/registry"
    monkeypatch.setenv("FINDSPOT_SUITE_REGISTRY", "/srv/registry")
    assert suite_registry() == Path("/srv/registry")


def test_levels_are_those_of_logging() -> None:
    for level in ("DEBUG", "INFO", "WARNING", "ERROR"):
        assert load_settings(ServiceSettings, log_level=level.lower()).log_level == logging.getLevelName(
            getattr(logging, level)
        )
