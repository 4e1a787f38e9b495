"""Opening the manifest, and its two kinds of transaction: one that writes, one that reads one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, select
from sqlalchemy.exc import ArgumentError

from findspot.errors import FieldViolation, InvalidArgument
from findspot.stores.manifest import tables
from findspot.stores.manifest.postgres import DRIVER, WRITES, announce, open_postgres

MANIFEST_FILE = "manifest.sqlite"
_DRIVERS = {
    "sqlite": "sqlite",
    "postgres": DRIVER,
    "postgresql": DRIVER,
    DRIVER: DRIVER,
}
"""By the scheme of a manifest's URL."""

Synchronous = Literal["NORMAL", "FULL"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One open read transaction: all that `connection` reads is of one moment, numbered `revision`."""

    connection: Connection
    revision: int


def manifest_url(where: str | Path) -> URL:
    """The URL of a manifest: `where` is a database URL, or a directory that holds `manifest.sqlite`."""
    if isinstance(where, str) and "://" in where:
        return _parsed(where)
    return URL.create("sqlite", database=str(Path(where) / MANIFEST_FILE))


def is_local(where: str | Path) -> bool:
    """True for SQLite, which serves the processes of one machine only, and one writing process."""
    return manifest_url(where).get_backend_name() == "sqlite"


def _parsed(where: str) -> URL:
    """InvalidArgument for a URL that is none of a manifest; its message never repeats the URL: it may hold a password."""
    scheme = where.partition("://")[0]
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as error:
        raise _no_manifest(
            "cannot be parsed; escape `@`, `:` and `/` in its password as %40, %3A and %2F"
        ) from error
    if scheme not in _DRIVERS:
        raise _no_manifest(f"begins with {scheme}://")
    return url.set(drivername=_DRIVERS[scheme])


def _no_manifest(problem: str) -> InvalidArgument:
    said = (
        f"The URL of the manifest {problem}. Allowed: postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
        "or sqlite:///FILE; leave it empty for manifest.sqlite in the data folder."
    )
    return InvalidArgument(said, fields=[FieldViolation("manifest", said)])


def open_engine(
    where: str | Path,
    *,
    synchronous: Synchronous = "FULL",
    read_only: bool = False,
    pool_size: int = 8,
    statement_seconds: float = 120.0,
    writer: str = "",
) -> Engine:
    """Open the manifest at a URL or in a data directory, which is made when missing. Connects at the first use.

    Of SQLite: `synchronous` FULL survives a power cut, NORMAL the death of the process. Of PostgreSQL: a statement
    that takes longer than `statement_seconds` is ended, and what `writer` commits is told to those that listen
    (`notices`). `read_only` refuses writes.
    """
    url = manifest_url(where)
    if url.get_backend_name() != "sqlite":
        return open_postgres(
            url,
            read_only=read_only,
            pool_size=pool_size,
            statement_seconds=statement_seconds,
            writer=writer,
        )
    if not read_only:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        connect_args={"check_same_thread": False},
        hide_parameters=True,
    )
    _use_sqlite_transactions(engine, synchronous, read_only)
    return engine


def _use_sqlite_transactions(engine: Engine, synchronous: Synchronous, read_only: bool) -> None:
    pragmas = [
        "busy_timeout = 5000",
        "journal_mode = WAL",
        f"synchronous = {synchronous}",
        "foreign_keys = ON",
        "temp_store = MEMORY",
        "cache_size = -16000",
        # What is deleted is overwritten with zeros: purged text does not stay in free pages. A delete takes half as
        # long again; nothing else changes.
        "secure_delete = ON",
        f"query_only = {'ON' if read_only else 'OFF'}",
    ]

    def configure(connection: Any, _record: Any) -> None:
        # The driver would begin on its own, and only before some statements: we say BEGIN ourselves.
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    def begin(connection: Connection) -> None:
        # A deferred transaction that reads and then writes fails at once when somebody wrote in between.
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", configure)
    event.listen(engine, "begin", begin)


@contextmanager
def write(engine: Engine) -> Iterator[Connection]:
    """One writing transaction: committed when the block ends, rolled back when it raises."""
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        yield connection
        announce(connection)


@contextmanager
def read_snapshot(engine: Engine) -> Iterator[Snapshot]:
    """One reading transaction: what is committed while it is open is not seen by it."""
    with engine.connect() as connection:
        if connection.dialect.name != "sqlite":
            connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            # SQLite takes its snapshot at the first read, not at BEGIN: reading the revision takes it now.
            number = connection.execute(select(tables.revision.c.value)).scalar_one_or_none()
            yield Snapshot(connection, number or 0)


def compact(engine: Engine) -> None:
    """Write the database anew without what was deleted; nobody may be writing through `engine` meanwhile.

    SQLite's file then holds live rows only, and its log what was read of it: see `empty_log`. PostgreSQL vacuums its
    tables: it uses the space of deleted rows again, and may keep their bytes in its files, its log and its backups
    until it does.
    """
    if engine.dialect.name != "sqlite":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # As long as it takes; the connection is not used for anything else after that.
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.detach()
            for table in tables.metadata.sorted_tables:
                connection.exec_driver_sql(f"VACUUM {table.name}")
        return
    raw = engine.raw_connection()
    try:
        raw.cursor().execute("VACUUM")
    finally:
        raw.close()


def empty_log(engine: Engine) -> bool:
    """Put SQLite's log into its file and leave nothing in it; False when a reader kept it in use for 5 seconds."""
    if engine.dialect.name != "sqlite":
        return True
    raw = engine.raw_connection()
    try:
        busy, *_ = raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
    finally:
        raw.close()
