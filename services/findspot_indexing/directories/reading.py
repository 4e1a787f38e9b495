"""Reading a file of a directory: only ever below the root, and only as it stood at one moment."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass

from findspot.errors import Aborted, Reason

TRIES = 3


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What tells without reading whether a file changed. Times are nanoseconds since 1970."""

    size: int
    modified_ns: int
    changed_ns: int
    """When the file system last noted anything of it: an edit that sets back the other time moves this one."""
    inode: int


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The bytes of a file at one moment, their SHA-256 in hex, and what was true of it then."""

    data: bytes
    sha256: str
    facts: FileFacts


def facts_of(found: os.stat_result) -> FileFacts:
    """The facts of a stat."""
    # Some file systems use all 64 bits of an inode, databases only 63.
    return FileFacts(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino & (1 << 63) - 1)


def inside(root: str, path: str) -> bool:
    """True when an absolute path is the root or lies below it; both are taken as they are spelled."""
    return path == root or path.startswith(root.rstrip("/") + "/")


def read_settled(root: str, place: str, most_bytes: int) -> ReadFile:
    """Read a file that nobody changes meanwhile. `root` is a real path, `place` relative to it.

    Raises OSError when it cannot be opened, leads out of the root or is no regular file any more; Aborted
    LEASE_LOST when it changed during each of three reads, or grew beyond `most_bytes`.
    """
    for _ in range(TRIES):
        descriptor = _open_inside(root, place)
        try:
            read = _read_once(descriptor, most_bytes)
        finally:
            os.close(descriptor)
        if read is not None:
            return read
    raise Aborted(
        f"{place!a} changed each of the {TRIES} times it was read. The next scan takes it.",
        reason=Reason.LEASE_LOST,
    )


def _read_once(descriptor: int, most_bytes: int) -> ReadFile | None:
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "It is no regular file")
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        data = stream.read(most_bytes + 1)
    after = os.fstat(descriptor)
    if facts_of(before) != facts_of(after) or len(data) != after.st_size or len(data) > most_bytes:
        return None
    return ReadFile(data, hashlib.sha256(data).hexdigest(), facts_of(after))


def _open_inside(root: str, place: str) -> int:
    """Open a file below the root for reading, step by step, so that no link put in meanwhile leads elsewhere."""
    real = os.path.realpath(os.path.join(root, place), strict=True)
    if not inside(root, real) or real == root:
        raise OSError(errno.EXDEV, "It leads out of the directory")
    parts = os.path.relpath(real, root).split("/")
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = below
        # Not blocking: what was a file when it was seen may be a pipe now, and opening that would wait.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(parts[-1], flags, dir_fd=folder)
    finally:
        os.close(folder)
