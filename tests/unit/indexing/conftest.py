"""A service over fakes for each test that wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from indexing_fakes import Desk, desk_over


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
