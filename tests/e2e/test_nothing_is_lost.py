"""Ten kills and a short race on one suite: `make crash` and `make race` do the same for longer."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.crash.projections import compare, rows
from tests.crash.rounds import Siege
from tests.crash.world import World
from tests.race.__main__ import faults_at_rest, race

from findspot.stores.vectors.names import collection_name
from findspot.stores.vectors.store import VectorStore

RUNS = 10
SEED = 41
RACE_SECONDS = 3.0


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = World.made(tmp_path)
    await made.start()
    yield made
    await asyncio.to_thread(made.suite.stop, signal.SIGTERM)


@pytest.mark.timeout(600)
async def test_what_was_acknowledged_outlives_kills_and_contention(world: World) -> None:
    siege = Siege.of(world, SEED)
    await siege.begin()
    for number in range(1, RUNS + 1):
        outcome = await siege.run(number)
        assert outcome.faults == [], f"run {number}, {outcome.victim} killed: {outcome.log}"
    record = await race(world, RACE_SECONDS, SEED)
    assert len(record.writes) > 20
    async with world.client() as client:
        assert record.faults == []
        assert await faults_at_rest(client, world, record, before=siege.there()) == []
    await take_away_a_vector(world)
    (wrong,) = await compare(world)
    assert "1 missing, 0 orphaned" in wrong


async def take_away_a_vector(world: World) -> None:
    """What the examination has to notice."""
    told = rows(world.suite.data / "manifest.sqlite")
    store = VectorStore("http://" + world.suite.addresses["vectors"])
    try:
        await store.delete(collection_name(told.identity), [min(told.live)])
    finally:
        await store.close()
