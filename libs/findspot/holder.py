"""Who holds a folder that takes one owner: a locked file that names its holder, and is free when that ends, however."""

from __future__ import annotations

import fcntl
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds something, as it wrote itself down; parts that are not known are empty."""

    pid: str
    host: str = ""
    since: str = ""
    """When it took hold, in UTC as ISO 8601."""

    def __str__(self) -> str:
        host = f" on {self.host}" if self.host else ""
        since = f" since {self.since}" if self.since else ""
        return f"process {self.pid}{host}{since}"


class HeldElsewhere(Exception):
    """The lock is taken; `holder` has it."""

    def __init__(self, holder: Holder) -> None:
        super().__init__(str(holder))
        self.holder = holder


def take_hold(lock: TextIO) -> None:
    """Lock an open file ("a+") for this process and write down who holds it. Raises HeldElsewhere.

    The kernel frees it when the file is closed or the process ends.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.seek(0)
        raise HeldElsewhere(_parsed(lock.read())) from error
    lock.truncate(0)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    lock.write(f"{os.getpid()} {socket.gethostname() or 'localhost'} {since}\n")
    lock.flush()


def hold_file(path: Path) -> TextIO:
    """Open the file at `path`, made when missing, and hold it until it is closed. Raises HeldElsewhere, OSError."""
    lock = path.open("a+")
    try:
        take_hold(lock)
    except BaseException:
        lock.close()
        raise
    return lock


def _parsed(line: str) -> Holder:
    parts = line.split()
    return Holder(*parts[:3]) if parts else Holder("unknown")
