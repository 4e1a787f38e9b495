"""One owner a folder: a lock that ends with its process, however that ends, and that names its holder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from findspot.errors import FailedPrecondition, Reason
from findspot.holder import HeldElsewhere, take_hold


@contextmanager
def owned(folder: Path, owner: str) -> Iterator[None]:
    """Holds `folder` for as long as the block runs; FailedPrecondition names the process that has it, or why nobody can."""
    with _opened(folder, folder / f"{owner}.lock") as lock:
        try:
            take_hold(lock)
        except HeldElsewhere as error:
            message = (
                f"{folder} is in use by another {owner} ({error.holder}); stop it, or choose another folder"
            )
            holder = error.holder
            raise FailedPrecondition(
                message,
                reason=Reason.STORE_LOCKED,
                metadata={"holder_pid": holder.pid, "holder_host": holder.host, "held_since": holder.since},
            ) from error
        yield


def _opened(folder: Path, file: Path) -> TextIO:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return file.open("a+")
    except OSError as error:
        raise FailedPrecondition(
            f"nothing can be stored in {folder}: {error.strerror or error}; choose another folder with --data"
        ) from error
