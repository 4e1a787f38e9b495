"""A service over fakes for each test that wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import indexing_fakes
import pytest
from indexing_fakes import Desk, desk_over
from tests.postgres import PostgresServer


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "both_manifests: run with the manifest in SQLite and in PostgreSQL")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("both_manifests"):
        metafunc.parametrize("manifest_kind", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def manifest_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Which database the manifests of a test are in: `--manifest`, but for tests that are run with both."""
    kind = getattr(request, "param", request.config.getoption("--manifest"))
    databases: dict[Path, str] = {}
    if kind == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres_server")
        template: str = request.getfixturevalue("postgres_template")

        def of(data: Path) -> str:
            data.mkdir(exist_ok=True)
            if data not in databases:
                databases[data] = server.create(template)
            return databases[data]

        monkeypatch.setattr(indexing_fakes, "manifest_of", of)
    yield kind
    for url in databases.values():
        server.drop(url)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """Swept."""
    async with desk_over(tmp_path) as made:
        yield made


@pytest.fixture
async def still(tmp_path: Path) -> AsyncIterator[Desk]:
    """Not swept: what is uploaded stays PENDING."""
    async with desk_over(tmp_path, sweep=False) as made:
        yield made
