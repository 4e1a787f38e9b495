"""Processes on one PostgreSQL hear of each other's changes: at once, not of their own, and again after an outage."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.postgres import PostgresServer, running_postgres

from findspot.stores.manifest import claims, revisions, schema
from findspot.stores.manifest.engine import open_engine, write
from findspot.stores.manifest.notices import listening


@contextmanager
def hearing(url: str, instance: str) -> Iterator[queue.Queue[str]]:
    """What `instance` hears; it has begun to listen when the block begins."""
    heard: queue.Queue[str] = queue.Queue()
    engine = open_engine(url, pool_size=1)
    end = listening(engine, instance, lambda: heard.put("heard"))
    heard.get(timeout=20)
    try:
        yield heard
    finally:
        end()
        engine.dispose()


def test_others_are_heard_and_oneself_is_not(postgres_manifest: str) -> None:
    mine, other = open_engine(postgres_manifest, writer="one"), open_engine(postgres_manifest, writer="two")
    with hearing(postgres_manifest, "one") as heard:
        with write(mine) as connection:
            revisions.raise_revision(connection)
        # A claim that finds nothing changes nothing, and two idle workers would else wake each other for ever.
        with write(other) as connection:
            assert claims.claim(connection, "two", 10**18, 1, 9) == []
        with pytest.raises(queue.Empty):
            heard.get(timeout=0.6)
        with write(other) as connection:
            revisions.raise_revision(connection)
        assert heard.get(timeout=20)
    for engine in (mine, other):
        engine.dispose()


def test_what_is_rolled_back_is_not_told(postgres_manifest: str) -> None:
    other = open_engine(postgres_manifest, writer="two")

    def fail() -> None:
        with write(other) as connection:
            revisions.raise_revision(connection)
            raise ZeroDivisionError

    with hearing(postgres_manifest, "one") as heard:
        with pytest.raises(ZeroDivisionError):
            fail()
        with pytest.raises(queue.Empty):
            heard.get(timeout=0.6)
    other.dispose()


def test_after_an_outage_of_the_server_one_listens_again() -> None:
    with running_postgres() as server:
        _listen_through_an_outage(server)


def _listen_through_an_outage(server: PostgresServer) -> None:
    url = server.create()
    other = open_engine(url, writer="two")
    schema.upgrade(other)
    with hearing(url, "one") as heard:
        server.stop()
        server.start()
        # Something may have been said meanwhile: one call makes up for it.
        assert heard.get(timeout=20)
        with write(other) as connection:
            revisions.raise_revision(connection)
        assert heard.get(timeout=20)
    other.dispose()


def test_with_sqlite_there_is_nobody_to_hear(tmp_path: Path) -> None:
    engine = open_engine(tmp_path, writer="one")
    schema.upgrade(engine)
    end = listening(engine, "one", lambda: pytest.fail("nobody else is there"))
    with write(engine) as connection:
        revisions.raise_revision(connection)
    end()
    engine.dispose()
