"""When the next chunk may be embedded is asked after every batch: the answer must not cost a look at all that wait."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from findspot.stores.manifest import schema, vector_facts, vectors
from findspot.stores.manifest.engine import open_engine

STEPS = 100


def steps(connection: Connection) -> int:
    """How many hundreds of instructions the database takes to tell when the next chunk of `k` is due."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    driver = connection.connection.driver_connection
    assert driver is not None
    driver.set_progress_handler(count, STEPS)
    assert vector_facts.next_due(connection, "k") == 5
    driver.set_progress_handler(None, STEPS)
    return taken


def test_the_next_that_is_due_is_found_without_a_look_at_all_that_wait(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        vectors.want(connection, "k", "d", "c", [("c0", "h0")], 5)
        vectors.want(connection, "k", "d", "c", [(f"c{n}", f"h{n}") for n in range(1, 10)], 9)
        few = steps(connection)
        vectors.want(connection, "k", "d", "c", [(f"c{n}", f"h{n}") for n in range(10, 3000)], 9)
        assert steps(connection) <= few + 5
        connection.rollback()
    engine.dispose()
