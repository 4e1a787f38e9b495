"""The migrations make exactly the tables the code speaks of, and only a fitting schema is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, TypeDecorator, text

from findspot.errors import FailedPrecondition, Reason
from findspot.stores.manifest import schema, tables
from findspot.stores.manifest.engine import open_engine, read_snapshot, write
from findspot.stores.manifest.words import Key

Opened = Callable[..., Engine]


@pytest.fixture
def opened(empty_place: str | Path) -> Iterator[Opened]:
    """Opens the manifest, as often as asked, and closes it at the end."""
    engines: list[Engine] = []

    def open_(**options: bool) -> Engine:
        engines.append(open_engine(empty_place, **options))
        return engines[-1]

    yield open_
    for engine in engines:
        engine.dispose()


def test_migrated_manifest_has_the_tables_of_the_code(opened: Opened) -> None:
    engine = opened()
    schema.upgrade(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": _differs})
        assert compare_metadata(context, tables.metadata) == []


def _differs(context: MigrationContext, _there: object, _meant: object, there: Any, meant: Any) -> bool:
    """Types without their collation, which no database tells: a test of its own looks at that."""
    assert context.dialect is not None
    bare = meant.dialect_impl(context.dialect)
    bare = bare.impl if isinstance(bare, TypeDecorator) else bare
    return not isinstance(there, bare._type_affinity)


def test_paths_and_ids_are_compared_byte_by_byte(postgres_manifest: str) -> None:
    engine = open_engine(postgres_manifest)
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT table_name, column_name FROM information_schema.columns WHERE collation_name = 'C'")
        )
        by_byte = {(row[0], row[1]) for row in found}
    engine.dispose()
    meant = {
        (table.name, column.name)
        for table in tables.metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Key)
    }
    assert {pair for pair in by_byte if pair[0] in tables.metadata.tables} == meant


def test_migrations_go_down_to_the_first_and_up_again(opened: Opened) -> None:
    engine = opened()
    schema.upgrade(engine)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with write(engine) as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    assert schema.current_revision(engine) == "0001"
    schema.upgrade(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": _differs})
        assert compare_metadata(context, tables.metadata) == []


def test_revision_is_the_head_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION


def test_upgrade_twice_changes_nothing(opened: Opened) -> None:
    engine = opened()
    schema.upgrade(engine)
    schema.upgrade(engine)
    assert schema.current_revision(engine) == schema.REVISION
    schema.require_schema(engine)


def test_unmade_manifest_is_refused(opened: Opened) -> None:
    with pytest.raises(FailedPrecondition, match="none") as refusal:
        schema.require_schema(opened())
    assert refusal.value.reason is Reason.SCHEMA_VERSION_MISMATCH


def test_newer_manifest_is_refused_and_left_alone(opened: Opened) -> None:
    engine = opened()
    schema.upgrade(engine)
    with write(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for refused in (schema.require_schema, schema.upgrade):
        with pytest.raises(FailedPrecondition, match="9999"):
            refused(engine)
    assert schema.current_revision(engine) == "9999"


def test_failed_write_leaves_nothing(opened: Opened) -> None:
    engine = opened()
    schema.upgrade(engine)

    def fail_after_writing() -> None:
        with write(engine) as connection:
            connection.execute(tables.revision.insert().values(id=1, value=7))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_after_writing()
    with read_snapshot(engine) as snapshot:
        assert snapshot.revision == 0


def test_snapshot_does_not_see_what_is_committed_while_it_is_open(opened: Opened) -> None:
    engine = opened()
    schema.upgrade(engine)
    reader = opened(read_only=True)
    with write(engine) as connection:
        connection.execute(tables.revision.insert().values(id=1, value=1))
    with read_snapshot(reader) as before:
        with write(engine) as connection:
            connection.execute(tables.revision.update().values(value=2))
        seen = before.connection.execute(tables.revision.select()).one().value
        assert (before.revision, seen) == (1, 1)
    with read_snapshot(reader) as after:
        assert after.revision == 2


def test_read_only_manifest_refuses_writes(opened: Opened) -> None:
    schema.upgrade(opened())
    with (
        pytest.raises(Exception, match=r"read.?only"),
        write(opened(read_only=True)) as connection,
    ):
        connection.execute(tables.revision.insert().values(id=1, value=1))
