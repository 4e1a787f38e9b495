"""One manifest for the two services that have one, and its password never shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from findspot.config import load_settings, settings_table
from findspot.errors import InvalidArgument
from findspot.suite.settings import configured_manifest, manifest_environments
from findspot_indexing.config import IndexingSettings
from findspot_query.config import QuerySettings

KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("FINDSPOT_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+psycopg://findspot:{KEY}@db:5432/findspot",
        f"postgresql://findspot:{KEY}/with@slash@db/findspot",
        f"postgresql://db/findspot?user=findspot&password={KEY}&sslmode=require",
    ],
)
def test_no_spelling_of_a_manifest_shows_its_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FINDSPOT_MANIFEST", url)
    for cls in (IndexingSettings, QuerySettings):
        row = {row.name: row for row in settings_table(load_settings(cls))}["manifest"]
        assert KEY not in row.value
        assert row.value.startswith("postgresql")
        assert row.source == "FINDSPOT_MANIFEST"


def test_the_manifest_is_given_once_for_both_services(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("findspot.toml").write_text('manifest = "postgresql://db/a"\n[extraction]\nworkers = 1')
    assert load_settings(IndexingSettings).manifest == "postgresql://db/a"
    assert load_settings(QuerySettings).manifest == "postgresql://db/a"
    assert configured_manifest(Path("data")) == "postgresql://db/a"
    monkeypatch.setenv("FINDSPOT_QUERY_MANIFEST", f"postgresql://x:{KEY}@db/b")
    with pytest.raises(InvalidArgument, match="FINDSPOT_QUERY_MANIFEST name different manifests") as refusal:
        configured_manifest(Path("data"))
    assert KEY not in str(refusal.value)
    monkeypatch.setenv("FINDSPOT_INDEXING_MANIFEST", f"postgresql://x:{KEY}@db/b")
    assert configured_manifest(Path("data")) == f"postgresql://x:{KEY}@db/b"
    told = manifest_environments("postgresql://db/a")
    assert told["query"] == {"FINDSPOT_QUERY_MANIFEST": "postgresql://db/a"}
    assert told.keys() == {"indexing", "query"}
    assert manifest_environments("") == {}


def test_one_service_that_names_a_manifest_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert configured_manifest(Path("data")) == ""
    monkeypatch.setenv("FINDSPOT_INDEXING_MANIFEST", "postgresql://db/a")
    assert configured_manifest(Path("data")) == "postgresql://db/a"
