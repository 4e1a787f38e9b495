"""Which shape the manifest has, and how it gets the one this code works with. Only indexing changes it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from findspot.errors import FailedPrecondition, Reason
from findspot.stores.manifest.engine import write
from findspot.stores.manifest.outages import unavailable_when_away

REVISION = "0002"
"""The newest migration: what `upgrade` brings a manifest to."""

READABLE = frozenset({REVISION})
"""Shapes this code can read. A migration only adds (expand); what nobody reads any more goes one release
later (contract), so that the release before can still read: then its revision is listed here too."""

MIGRATIONS = Path(__file__).parent / "migrations"


def current_revision(engine: Engine) -> str | None:
    """The migration the manifest stands at; None when it was never made."""
    with unavailable_when_away(engine), engine.connect() as connection:
        return _revision_of(connection)


def _revision_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def require_schema(engine: Engine) -> None:
    """Raise FailedPrecondition SCHEMA_VERSION_MISMATCH unless this code can read the manifest as it is."""
    found = current_revision(engine)
    if found not in READABLE:
        raise FailedPrecondition(
            f"The manifest has schema {found or 'none'}, this version reads {', '.join(sorted(READABLE))}. "
            "Start the indexing service of this version: it alone migrates the schema.",
            reason=Reason.SCHEMA_VERSION_MISMATCH,
            metadata={"found": found or "", "readable": ",".join(sorted(READABLE))},
        )


def upgrade(engine: Engine) -> None:
    """Bring the manifest to REVISION in one transaction; nothing happens when it is there already.

    A manifest of a newer version is refused with SCHEMA_VERSION_MISMATCH: going back would lose data.
    """
    if current_revision(engine) == REVISION:
        return
    # Only indexing has Alembic installed: at the top of the file, query would need it too.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    found = current_revision(engine)
    if found is not None and found not in known:
        require_schema(engine)
    with unavailable_when_away(engine), write(engine) as connection:
        if connection.dialect.name == "postgresql":
            # A migration may look at every row; every other statement of ours has a bound.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
        # Another worker may have done it while this one waited: then Alembic finds nothing to do.
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
