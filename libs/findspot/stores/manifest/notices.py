"""Hearing that another process has written the manifest, so that nobody has to look again and again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from findspot.stores.manifest.postgres import CHANNEL

log = logging.getLogger(__name__)

_TOGETHER_SECONDS = 0.2
"""Commits come by the dozen, and whoever hears of one looks for work: those of so long are told at once."""
_LISTEN_SECONDS = 1.0
_AGAIN_SECONDS = 1.0


def listening(engine: Engine, instance: str, heard: Callable[[], None]) -> Callable[[], None]:
    """Call `heard`, in a thread of its own, after others than `instance` committed changes; returns what ends it.

    With SQLite there are no others. What is said while the connection is lost is made up for by one call after it.
    """
    if engine.dialect.name != "postgresql":
        return _nothing
    listener = _Listener(engine, instance, heard)
    listener.start()
    return listener.end


def _nothing() -> None:
    """Nothing was begun."""


class _Listener(threading.Thread):
    def __init__(self, engine: Engine, instance: str, heard: Callable[[], None]) -> None:
        super().__init__(name="manifest-listen", daemon=True)
        self._engine = engine
        self._instance = instance
        self._heard = heard
        self._ending = threading.Event()

    def end(self) -> None:
        """Returns when the thread has ended."""
        self._ending.set()
        self.join()

    def run(self) -> None:
        driver = self._engine.dialect.loaded_dbapi
        while not self._ending.is_set():
            try:
                self._listen()
            except (DBAPIError, driver.Error) as error:
                log.info("Changes by others are not heard of just now: %s", type(error).__name__)
                self._ending.wait(_AGAIN_SECONDS)

    def _listen(self) -> None:
        with self._engine.connect() as pooled:
            connection: Any = pooled.connection.driver_connection
            # It is given up at the end, never used again for anything else.
            pooled.detach()
            connection.rollback()
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            self._heard()
            while not self._ending.is_set():
                senders = {
                    notice.payload for notice in connection.notifies(timeout=_LISTEN_SECONDS, stop_after=1)
                }
                if senders:
                    self._ending.wait(_TOGETHER_SECONDS)
                    senders |= {notice.payload for notice in connection.notifies(timeout=0)}
                if senders - {self._instance}:
                    self._heard()
