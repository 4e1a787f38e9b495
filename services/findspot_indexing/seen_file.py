"""The file of a document in its directory, looked at now: what it holds, or why nobody can tell."""

from __future__ import annotations

import os
import unicodedata
from contextlib import suppress
from dataclasses import dataclass

from findspot.errors import Aborted
from findspot.freshness import Source
from findspot_indexing.directories.reading import read_settled


@dataclass(frozen=True, slots=True)
class FileNow:
    """What was seen."""

    source: Source
    content_hash: str = ""
    """SHA-256 in hex, where the file was read."""
    changed_at: int = 0
    """Of the file, or of the folder that it is gone from; microseconds since 1970."""
    why: str = ""
    """Why it could not be looked at."""


def look_at(root: str, file_path: str, most_bytes: int) -> FileNow:
    """Read the file of a path below a root, up to `most_bytes`; it may block for as long as the disk takes.

    A root that is missing, empty or cannot be read tells nothing of its files: it may just not be mounted.
    """
    place = os.path.realpath(root)
    try:
        with os.scandir(place) as entries:
            if next(entries, None) is None:
                return FileNow(Source.UNREADABLE, why="Its directory is empty.")
    except OSError as problem:
        return FileNow(Source.UNREADABLE, why=f"Its directory cannot be read ({problem.strerror}).")
    for spelling in dict.fromkeys((file_path, unicodedata.normalize("NFD", file_path))):
        with suppress(FileNotFoundError, NotADirectoryError):
            return _read(place, spelling, most_bytes)
    if not file_path.isascii():
        # Paths are kept in one form of Unicode and disks keep any: it may be there under another spelling.
        return FileNow(Source.UNREADABLE, why="It is not there under the spelling that is stored.")
    return FileNow(Source.GONE)


def _read(root: str, path: str, most_bytes: int) -> FileNow:
    """Raises FileNotFoundError or NotADirectoryError when it is not there."""
    try:
        size = os.stat(os.path.join(root, path)).st_size
        if size > most_bytes:
            return FileNow(Source.UNREADABLE, why=f"It has {size:,} bytes; at most {most_bytes:,} are read.")
        read = read_settled(root, path, most_bytes)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as problem:
        return FileNow(Source.UNREADABLE, why=f"It cannot be read ({problem.strerror}).")
    except Aborted as changing:
        return FileNow(Source.UNREADABLE, why=changing.message)
    return FileNow(Source.SEEN, read.sha256, read.facts.modified_ns // 1000)
