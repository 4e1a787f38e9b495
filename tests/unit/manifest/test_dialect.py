"""Statements by many ids are answered from an index, in both databases' words."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import ColumnElement, select
from sqlalchemy.dialects import postgresql

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, row_by_row
from findspot.stores.manifest.engine import open_engine, read_snapshot, write

IDS = ["a", "c", "a'\"\\", "é"]
CONDITIONS = [
    among(t.blobs.c.key, IDS),
    among(t.blobs.c.key, IDS) & (t.blobs.c.kind == "text"),
    (t.blobs.c.kind == "text") & among(t.blobs.c.key, IDS),
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_rows_of_many_ids_are_looked_up_and_not_searched_for(
    tmp_path: Path, condition: ColumnElement[bool]
) -> None:
    engine = open_engine(tmp_path)
    with write(engine) as connection:
        t.metadata.create_all(connection)
        for key in ("a", "b", "c", "a'\"\\"):
            connection.execute(t.blobs.insert().values(key=key, kind="text"))
    wanted = select(t.blobs.c.key).where(condition).order_by(t.blobs.c.key)
    with read_snapshot(engine) as snapshot:
        assert [row[0] for row in snapshot.connection.execute(wanted)] == ["a", "a'\"\\", "c"]
        rest = select(t.blobs.c.key).where(~condition)
        assert [row[0] for row in snapshot.connection.execute(rest)] == ["b"]
        compiled = wanted.compile(dialect=engine.dialect)
        values = tuple(compiled.params[name] for name in compiled.positiontup or ())
        plan = snapshot.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", values).all()
    engine.dispose()
    assert any(str(row[3]).startswith("SEARCH blobs USING") for row in plan), plan


def test_postgresql_is_asked_in_its_own_words() -> None:
    said = str(select(t.blobs.c.key).where(CONDITIONS[0]).compile(dialect=postgresql.dialect()))
    assert "blobs.key IN (SELECT json_array_elements_text(CAST(" in said


def test_a_column_that_says_little_is_compared_in_the_rows_that_the_ids_name(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    with write(engine) as connection:
        t.metadata.create_all(connection)
    v = t.chunk_vectors.c
    wanted = (
        select(v.chunk_id)
        .where(v.identity == "k", row_by_row(v.state).in_(("PENDING", "READY")), among(v.chunk_id, IDS))
        .order_by(v.chunk_id)
    )
    with read_snapshot(engine) as snapshot:
        compiled = wanted.compile(
            dialect=engine.dialect, compile_kwargs={"render_postcompile": True, "literal_binds": False}
        )
        values = tuple(compiled.params[name] for name in compiled.positiontup or ())
        plan = snapshot.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", values).all()
        assert snapshot.connection.execute(wanted).all() == []
    engine.dispose()
    assert "(identity=? AND chunk_id=?)" in str(plan[0][3]), plan
    assert "+" not in str(wanted.compile(dialect=postgresql.dialect()))
