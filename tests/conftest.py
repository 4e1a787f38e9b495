"""What tests of every kind share.

A real PostgreSQL where it is installed, and real files that readers are tried on: from `--real-files DIR`, else from
the `shared` folder beside the checkout.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import (
    empty_place,
    empty_postgres,
    manifest_place,
    postgres_manifest,
    postgres_server,
    postgres_template,
)

__all__ = [
    "empty_place",
    "empty_postgres",
    "manifest_place",
    "postgres_manifest",
    "postgres_server",
    "postgres_template",
]


# The machine may be busy: how long an example takes says nothing. Half of the usual examples keeps the whole run short.
settings.register_profile(
    "findspot", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("findspot")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--real-files", help="folder of real files that readers are tried on, searched deeply")
    parser.addoption(
        "--manifest",
        choices=("sqlite", "postgresql"),
        default="sqlite",
        help="database of the manifest in the tests of indexing",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long tests first, each kind in its order: then the short ones fill both processes to the end."""
    items.sort(key=lambda item: "/e2e/" not in item.path.as_posix())


@pytest.fixture(scope="session")
def real_files(pytestconfig: pytest.Config) -> list[Path]:
    """Every file below the folder, by path; skips where there is no such folder."""
    named = pytestconfig.getoption("--real-files")
    folders = [Path(named)] if named else _beside(pytestconfig.rootpath)
    files = [
        file for folder in folders if folder.is_dir() for file in sorted(folder.rglob("*")) if file.is_file()
    ]
    if not files:
        pytest.skip(
            f"there are no real files in {', '.join(map(str, folders))}; name a folder with --real-files"
        )
    return files


def _beside(root: Path) -> list[Path]:
    shared = root.parent / "shared"
    return [shared / "corpus", shared / "cases" / "files"]
