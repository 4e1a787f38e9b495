"""One owner a folder: a lock that ends with its process, however that ends, and that names its holder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from findspot.errors import FailedPrecondition, Reason


@contextmanager
def owned(folder: Path, owner: str) -> Iterator[None]:
    """Holds `folder` for as long as the block runs; FailedPrecondition names the process that has it, or why nobody can."""
    with _opened(folder, folder / f"{owner}.lock") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            message = (
                f"{folder} is in use by another {owner} (process {holder}); stop it, or choose another folder"
            )
            raise FailedPrecondition(message, reason=Reason.STORE_LOCKED) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _opened(folder: Path, file: Path) -> TextIO:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return file.open("a+")
    except OSError as error:
        raise FailedPrecondition(
            f"nothing can be stored in {folder}: {error.strerror or error}; choose another folder with --data"
        ) from error
