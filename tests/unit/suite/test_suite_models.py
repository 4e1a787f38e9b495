"""A starting suite loads the models that its index needs, beside the configured one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from findspot.model import EmbeddingIdentity
from findspot.stores.manifest import identities, schema
from findspot.stores.manifest.engine import open_engine, write
from findspot.stores.manifest.identities import Offer
from findspot.suite.models import ALSO_LOAD, model_environment


def offer(name: str, source: str) -> Offer:
    return Offer(EmbeddingIdentity(name * 8, f"{name}@8", name, 8, 256), f"findspot-{name}", source)


A, B = offer("a", "/models/a"), offer("b", "/models/b")


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("MODEL", "ALSO_LOAD", "PROVIDER"):
        monkeypatch.delenv(f"FINDSPOT_EMBEDDING_{name}", raising=False)


@pytest.fixture
def filling(tmp_path: Path) -> Path:
    """A folder whose index serves a, and fills b because the settings named it."""
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    with write(engine) as connection:
        identities.take_up(connection, A, 1)
        identities.heed(connection, B, 2)
    engine.dispose()
    return tmp_path


def also(data: Path) -> list[str]:
    told = model_environment(data)
    return list(json.loads(told[ALSO_LOAD])) if told else []


def test_a_new_folder_and_one_without_a_model_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filling: Path
) -> None:
    assert also(tmp_path / "new") == []
    monkeypatch.setenv("FINDSPOT_EMBEDDING_PROVIDER", "none")
    assert also(filling) == []


def test_the_model_that_serves_is_loaded_whatever_is_configured(
    filling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINDSPOT_EMBEDDING_MODEL", "/models/b")
    assert also(filling) == ["/models/a", "/models/b"], "the service loads a model once that is named twice"
    monkeypatch.setenv("FINDSPOT_EMBEDDING_MODEL", "/models/c")
    assert also(filling) == ["/models/a"], "b is set aside when c is configured"


def test_what_is_configured_stays_and_a_wish_keeps_its_model(
    filling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(filling)
    with write(engine) as connection:
        identities.heed(connection, A, 3)  # configured with a again: b is set aside
        identities.begin_filling(connection, B.identity.key)  # and a person wants it
    engine.dispose()
    monkeypatch.setenv("FINDSPOT_EMBEDDING_MODEL", "/models/a")
    monkeypatch.setenv("FINDSPOT_EMBEDDING_ALSO_LOAD", "/models/z")
    assert also(filling) == ["/models/z", "/models/a", "/models/b"]


def test_a_manifest_that_cannot_be_read_yet_needs_none(tmp_path: Path) -> None:
    (tmp_path / "manifest.sqlite").touch()
    assert also(tmp_path) == []
