"""What is asked again and again of chunks and vectors costs the same however many there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection

from findspot.stores.manifest import instances, schema, vector_facts, vectors
from findspot.stores.manifest.engine import open_engine

STEPS = 100


def steps(connection: Connection, work: Callable[[Connection], None]) -> int:
    """How many hundreds of instructions the database takes for some work."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    driver = connection.connection.driver_connection
    assert driver is not None
    driver.set_progress_handler(count, STEPS)
    work(connection)
    driver.set_progress_handler(None, STEPS)
    return taken


def test_the_next_that_is_due_is_found_without_a_look_at_all_that_wait(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)

    def ask(connection: Connection) -> None:
        assert vector_facts.next_due(connection, "k") == 5

    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        vectors.want(connection, "k", "d", "c", [("c0", "h0")], 5)
        vectors.want(connection, "k", "d", "c", [(f"c{n}", f"h{n}") for n in range(1, 10)], 9)
        few = steps(connection, ask)
        vectors.want(connection, "k", "d", "c", [(f"c{n}", f"h{n}") for n in range(10, 3000)], 9)
        assert steps(connection, ask) <= few + 5
        connection.rollback()
    engine.dispose()


def test_what_dead_workers_were_at_is_found_without_a_look_at_every_chunk(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)

    def reclaim(connection: Connection) -> None:
        vectors.claim(connection, "k", "dead/1", 10, 10, 2)
        assert instances.reclaim_lost(connection) == 2
        vectors.give_back(connection, "dead")
        vectors.reclaim_all(connection)

    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        vectors.want(connection, "k", "d", "c", [(f"c{n}", f"h{n}") for n in range(10)], 9)
        few = steps(connection, reclaim)
        vectors.want(connection, "k", "d", "c", [(f"c{n}", f"h{n}") for n in range(10, 3000)], 9)
        assert steps(connection, reclaim) <= few + 5
        connection.rollback()
    engine.dispose()
