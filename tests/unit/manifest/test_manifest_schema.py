"""The migrations make exactly the tables the code speaks of, and only a fitting schema is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from findspot.errors import FailedPrecondition, Reason
from findspot.stores.manifest import schema, tables
from findspot.stores.manifest.engine import open_engine, read_snapshot, write


def test_migrated_manifest_has_the_tables_of_the_code(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []


def test_revision_is_the_head_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION


def test_upgrade_twice_changes_nothing(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    schema.upgrade(engine)
    assert schema.current_revision(engine) == schema.REVISION
    schema.require_schema(engine)


def test_unmade_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FailedPrecondition, match="none") as refusal:
        schema.require_schema(open_engine(tmp_path))
    assert refusal.value.reason is Reason.SCHEMA_VERSION_MISMATCH


def test_newer_manifest_is_refused_and_left_alone(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    with write(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for refused in (schema.require_schema, schema.upgrade):
        with pytest.raises(FailedPrecondition, match="9999"):
            refused(engine)
    assert schema.current_revision(engine) == "9999"


def test_failed_write_leaves_nothing(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)

    def fail_after_writing() -> None:
        with write(engine) as connection:
            connection.execute(tables.revision.insert().values(id=1, value=7))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_after_writing()
    with read_snapshot(engine) as snapshot:
        assert snapshot.revision == 0


def test_snapshot_does_not_see_what_is_committed_while_it_is_open(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    reader = open_engine(tmp_path, read_only=True)
    with write(engine) as connection:
        connection.execute(tables.revision.insert().values(id=1, value=1))
    with read_snapshot(reader) as before:
        with write(engine) as connection:
            connection.execute(tables.revision.update().values(value=2))
        seen = before.connection.execute(tables.revision.select()).one().value
        assert (before.revision, seen) == (1, 1)
    with read_snapshot(reader) as after:
        assert after.revision == 2


def test_read_only_manifest_refuses_writes(tmp_path: Path) -> None:
    schema.upgrade(open_engine(tmp_path))
    with (
        pytest.raises(Exception, match="readonly"),
        write(open_engine(tmp_path, read_only=True)) as connection,
    ):
        connection.execute(tables.revision.insert().values(id=1, value=1))
