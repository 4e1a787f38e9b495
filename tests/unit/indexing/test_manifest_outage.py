"""A PostgreSQL that is killed while documents are indexed: nothing is lost, and the service goes on when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from indexing_fakes import desk_over
from tests.postgres import PostgresServer, running_postgres

from findspot.errors import Unavailable
from findspot.stores.manifest import schema
from findspot.stores.manifest.engine import open_engine


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A server that tests may kill."""
    with running_postgres() as server:
        yield server


async def test_the_sweep_goes_on_after_an_outage_of_the_manifest(
    own_server: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    url = own_server.create()
    engine = open_engine(url)
    schema.upgrade(engine)
    engine.dispose()
    monkeypatch.setattr("indexing_fakes.manifest_of", lambda _: url)
    async with desk_over(tmp_path) as desk:
        desk.extractor.gate = asyncio.Event()
        await desk.put("under-way.txt", "one")
        await desk.extractor.called.wait()
        own_server.stop()
        with pytest.raises(Unavailable, match="manifest cannot be used now"):
            await desk.put("refused.txt", "two")
        desk.extractor.gate.set()
        # Whatever the loops try meanwhile fails, and none of them ends the service.
        while "The sweep pauses" not in caplog.text:
            desk.indexing.wake.work()
            await asyncio.sleep(0.01)
        own_server.start()
        desk.extractor.gate = None
        await desk.until(lambda: desk.state("under-way.txt") == "INDEXED", 20)
        await desk.put("after.txt", "three")
        await desk.until(lambda: desk.state("after.txt") == "INDEXED", 20)
        assert desk.state("refused.txt") == ""
        assert desk.rows("SELECT max(attempts) FROM documents") == [(0,)]
        assert desk.counters_match()
