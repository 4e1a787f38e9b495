"""Which shape the manifest has, and how it gets the one this code works with. Only indexing changes it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, inspect, text

from findspot.errors import FailedPrecondition, Reason

REVISION = "0002"
"""The newest migration: what `upgrade` brings a manifest to."""

READABLE = frozenset({REVISION})
"""Shapes this code can read. A migration only adds (expand); what nobody reads any more goes one release
later (contract), so that the release before can still read: then its revision is listed here too."""

MIGRATIONS = Path(__file__).parent / "migrations"


def current_revision(engine: Engine) -> str | None:
    """The migration the manifest stands at; None when it was never made."""
    with engine.connect() as connection:
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
    with engine.connect().execution_options(findspot_writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
