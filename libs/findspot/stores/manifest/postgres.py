"""What is particular to PostgreSQL: how it is reached, and that writing transactions come one after the other."""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from findspot.errors import FailedPrecondition

DRIVER = "postgresql+psycopg"
WRITES = "findspot_writes"
"""Execution option of the connections that write."""
CHANNEL = "findspot"
"""On which is told who has committed changes; per database."""
_WRITER = "findspot_writer"
# Only of a transaction that changed something: else two workers that find no work would wake each other for ever.
_TELL = text("SELECT pg_notify(:channel, :writer) WHERE pg_current_xact_id_if_assigned() IS NOT NULL")
_WRITERS = 0x66696E6473706F74
"""The advisory lock that a writing transaction holds; locks are per database."""
_CONNECT_SECONDS = 5
_LOCK_SECONDS = 30
_IDLE_SECONDS = 60


def open_postgres(
    url: URL, *, read_only: bool, pool_size: int, statement_seconds: float, writer: str
) -> Engine:
    """An engine whose connections are tried before each use, so that it survives a restart of the server.

    A statement may take `statement_seconds`, waiting for a lock 30 s; a transaction that does nothing for 60 s
    is ended by the server, so that a process that hangs holds nobody up.
    """
    try:
        engine = create_engine(
            url,
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_pre_ping=True,
            hide_parameters=True,
            execution_options={_WRITER: writer},
            connect_args=_connect_arguments(url, read_only, statement_seconds),
        )
    except ModuleNotFoundError as error:
        raise FailedPrecondition(
            f"A manifest in PostgreSQL needs the package {error.name}: pip install 'findspot[postgres]'."
        ) from error
    event.listen(engine, "begin", _wait_for_turn)
    return engine


def announce(connection: Connection) -> None:
    """At the end of a writing transaction: who listens learns of it when it is committed."""
    writer = connection.get_execution_options().get(_WRITER, "")
    if writer:
        connection.execute(_TELL, {"channel": CHANNEL, "writer": writer})


def _connect_arguments(url: URL, read_only: bool, statement_seconds: float) -> dict[str, Any]:
    settings = {
        "statement_timeout": f"{int(statement_seconds * 1000)}ms",
        "lock_timeout": f"{_LOCK_SECONDS}s",
        "idle_in_transaction_session_timeout": f"{_IDLE_SECONDS}s",
        "default_transaction_read_only": "on" if read_only else "off",
        # Compiling takes longer than any of our statements.
        "jit": "off",
    }
    given = str(url.query.get("options", ""))
    return {
        "connect_timeout": _CONNECT_SECONDS,
        "application_name": "findspot",
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "options": " ".join([*(f"-c {name}={value}" for name, value in settings.items()), given]).strip(),
    }


def _wait_for_turn(connection: Connection) -> None:
    """As with SQLite: what a writing transaction reads cannot change before it writes.

    Nearly every one of them raises the revision, so they would wait for each other's row locks all the same, only
    later, after reading what is about to change, and in an order that can deadlock.
    """
    if connection.get_execution_options().get(WRITES, False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS})")
