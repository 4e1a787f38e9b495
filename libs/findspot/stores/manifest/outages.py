"""What callers are told when the database itself fails: typed, with a remedy, without statements or passwords."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from findspot.errors import Reason, Unavailable

_IN_THE_WAY = frozenset({"40001", "40P01"})
"""Serialization failure and deadlock."""
_STANDBY = "25006"


@contextmanager
def unavailable_when_away(engine: Engine) -> Iterator[None]:
    """Raises Unavailable SERVICE_UNAVAILABLE where the block meets a database that is away or too slow."""
    driver = engine.dialect.loaded_dbapi
    try:
        yield
    except (driver.OperationalError, driver.InterfaceError) as error:
        # From a statement that was run past SQLAlchemy.
        raise unavailable(error) from error
    except (DBAPIError, PoolTimeout) as error:
        if not is_outage(error):
            raise
        raise unavailable(error) from error


def is_outage(error: BaseException) -> bool:
    """True when the database failed, not the statement."""
    if isinstance(error, (OperationalError, InterfaceError, PoolTimeout)):
        return True
    return isinstance(error, DBAPIError) and (error.connection_invalidated or _state(error) == _STANDBY)


def to_be_repeated(error: BaseException) -> bool:
    """True when another transaction was in the way: this one did nothing, and is worth running again at once."""
    return isinstance(error, DBAPIError) and _state(error) in _IN_THE_WAY


def unavailable(error: BaseException) -> Unavailable:
    """The failure of the database as callers get it: never with the statement, which may hold their text."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    said = " ".join(str(cause).split()).rstrip(".?")
    return Unavailable(
        f"The manifest cannot be used now: {said}. Look at the database server, or at the disk and at who holds "
        "the file.",
        reason=Reason.SERVICE_UNAVAILABLE,
        retry_after=1.0,
    )


def _state(error: DBAPIError) -> str:
    """The SQLSTATE; empty where the driver gives none."""
    return getattr(error.orig, "sqlstate", None) or ""
