"""Files that survive a loss of power, and the folder's lock."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
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
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            raise FailedPrecondition(
                f"The vector store in {folder} is in use by process {holder}. Stop it, or use "
                "another data folder.",
                reason=Reason.STORE_LOCKED,
                metadata={"pid": holder, "folder": str(folder)},
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Frees the folder; again does nothing. The file stays: without it two processes could lock two files."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def remove_tree(directory: Path) -> None:
    """Removes a directory with everything under it; one that is not there is no error."""
    if directory.exists():
        shutil.rmtree(directory)


def copy_tree(source: Path, target: Path) -> None:
    """Copies a directory with everything under it, durably, holes in files as holes: the engine's log is
    mostly holes."""
    sync_tree(source)  # so that the file system knows what is data and what is a hole
    target.mkdir()
    for parent, directories, files in os.walk(source):
        into = target / Path(parent).relative_to(source)
        for name in directories:
            (into / name).mkdir()
        for name in files:
            _copy_file(Path(parent, name), into / name)
    sync_tree(target)


def _copy_file(source: Path, target: Path) -> None:
    with source.open("rb") as reading, target.open("wb") as writing:
        size = os.fstat(reading.fileno()).st_size
        os.ftruncate(writing.fileno(), size)
        position = _next_data(reading.fileno(), 0, size)
        while position < size:
            end = os.lseek(reading.fileno(), position, os.SEEK_HOLE)
            while position < end:
                position += os.copy_file_range(
                    reading.fileno(), writing.fileno(), end - position, position, position
                )
            position = _next_data(reading.fileno(), position, size)


def _next_data(descriptor: int, position: int, size: int) -> int:
    """Where the next byte that is not in a hole is; `size` when only a hole is left."""
    if position >= size:
        return size
    try:
        return os.lseek(descriptor, position, os.SEEK_DATA)
    except OSError as failure:
        if failure.errno == errno.ENXIO:
            return size
        raise
