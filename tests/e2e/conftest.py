"""One suite for all tests that leave it as it was, and a way to start others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from tests.e2e.suite_process import LIBRARY, Suite, environment, running


@pytest.fixture(scope="session")
def models(request: pytest.FixtureRequest) -> Path:
    """Where the embedding graph is built once and kept between runs."""
    cache: pytest.Cache = request.config.cache
    return Path(cache.mkdir("findspot-models")) / "models"


@pytest.fixture(scope="session")
def new_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], dict[str, str]]:
    """Makes the environment of another user."""
    return lambda: environment(tmp_path_factory.mktemp("home"))


@pytest.fixture
def new_suite(
    new_environment: Callable[[], dict[str, str]], tmp_path: Path, models: Path
) -> Callable[[], AbstractContextManager[Suite]]:
    """Starts a suite of the test's own."""
    return lambda: running(tmp_path / "data", new_environment(), models)


@pytest.fixture(scope="session")
def suite(
    new_environment: Callable[[], dict[str, str]], tmp_path_factory: pytest.TempPathFactory, models: Path
) -> Iterator[Suite]:
    """A suite that holds the sample library in `demo/library`."""
    with running(tmp_path_factory.mktemp("suite"), new_environment(), models) as started:
        added = started.run("add", str(LIBRARY), "--collection", "demo/library", "--json")
        assert added.code == 0, added.err
        yield started
