"""The real default model, built once and kept in pytest's cache, and a tiny BERT for tests of the build itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_bert import write_tiny_bert

from findspot_embedding.build import ensure_built
from findspot_embedding.loading import load_built
from findspot_embedding.local import LocalModel
from findspot_embedding.packaged import SourceModel


@pytest.fixture(scope="session")
def built_model(pytestconfig: pytest.Config) -> Path:
    """The folder of the built default model; the build's own lock makes parallel test processes share it."""
    return ensure_built(Path(pytestconfig.cache.mkdir("findspot-models")) / "models", lambda phase: None)


@pytest.fixture(scope="session")
def default_model(built_model: Path) -> LocalModel:
    """The default model as the service loads it, with two threads for documents."""
    return load_built(built_model, threads=2)


@pytest.fixture
def tiny(tmp_path: Path) -> SourceModel:
    """A BERT of one layer with random weights, in the layout of the packaged model."""
    return write_tiny_bert(tmp_path / "source")
