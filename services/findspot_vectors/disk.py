"""Files that survive a loss of power, and the folder's lock."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from findspot.errors import FailedPrecondition, Reason

LOCK_FILE = "lock"


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory (new, renamed, removed) durable."""
    _sync(directory, os.O_RDONLY | os.O_DIRECTORY)


def sync_files(directory: Path) -> None:
    """Makes the content of every file directly in `directory`, and their names, durable.

    What was written through a memory map counts as content. A file that vanishes meanwhile was the
    engine's to remove.
    """
    with os.scandir(directory) as entries:
        paths = [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    for path in paths:
        try:
            _sync(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
    sync_directory(directory)


def sync_tree(directory: Path) -> None:
    """`sync_files` for a directory and everything under it."""
    for parent, _, _ in os.walk(directory):
        sync_files(Path(parent))


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class FolderLock:
    """Keeps a folder to one process. The kernel frees it when the process ends, however it ends.

    This is more than courtesy: a second opening of a shard's files that are open elsewhere fails only
    after it has
    rewritten some of them, and the first opener can then no longer flush.
    """

    def __init__(self, folder: Path) -> None:
        """Takes the lock. Raises FailedPrecondition STORE_LOCKED, with the holder's process id, when it is
        taken."""
        self._path = folder / LOCK_FILE
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._descriptor, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(self._descriptor)
            raise FailedPrecondition(
                f"The vector store in {folder} is in use by process {holder}. Stop it, or use "
                "another data folder.",
                reason=Reason.STORE_LOCKED,
                metadata={"pid": holder, "folder": str(folder)},
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Frees the folder. The file stays: removing it would let two processes lock two files of one
        name."""
        os.close(self._descriptor)
