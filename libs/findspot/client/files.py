"""The files to add: what stands below the paths given, with its name in the collection."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from findspot.errors import InvalidArgument, Reason

_HASH_BLOCK = 1024 * 1024
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class LocalFile:
    """A file on disk and its path in the collection."""

    source: Path
    file_path: str
    size: int
    modified: datetime


@dataclass(frozen=True)
class Problem:
    """A file that cannot be added, and why."""

    file_path: str
    reason: str
    message: str


@dataclass
class Scan:
    """What was found: files, problems, and how many hidden files were passed over."""

    files: list[LocalFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    hidden: int = 0
    taken: dict[str, Path] = field(default_factory=dict)
    """Which file has which name, in Unicode form NFC, as the suite keeps names."""


def scan(paths: Sequence[Path]) -> Scan:
    """Finds the files below `paths`, in a stable order. Hidden files and folders are passed over and counted.

    A folder's files are named from the folder on, a single file by its name. Symbolic links to folders are not followed.
    A second file of the same name is a problem, lest it take the place of the first.
    """
    found = Scan()
    for path in paths:
        if path.is_dir():
            for file in _walk(path, found):
                _take(file, file.relative_to(path).as_posix(), found)
        elif path.exists():
            _take(path, path.name, found)
        else:
            raise InvalidArgument(f"there is no file or folder {str(path)!r}")
    return found


def collection_of(paths: Sequence[Path]) -> str:
    """The collection for these paths when none was named: the folder's name, else `files`."""
    if len(paths) == 1 and paths[0].is_dir():
        return _NOT_IN_A_NAME.sub("-", paths[0].resolve().name).strip("-.") or "files"
    return "files"


def sha256_of(file: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _walk(folder: Path, found: Scan) -> Iterator[Path]:
    def refused(error: OSError) -> None:
        found.problems.append(Problem(str(error.filename), "SOURCE_UNREADABLE", error.strerror or str(error)))

    for place, folders, files in os.walk(folder, onerror=refused):
        found.hidden += sum(name.startswith(".") for name in (*folders, *files))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith("."):
                yield Path(place, name)


def _take(file: Path, file_path: str, found: Scan) -> None:
    if not _is_text(file_path):
        shown = os.fsencode(file_path).decode(errors="backslashreplace")
        message = "its name is not UTF-8, so no document can have it; rename the file"
        found.problems.append(Problem(shown, Reason.FILE_PATH_INVALID, message))
        return
    try:
        if not file.is_file():
            what = "it is no regular file" if file.exists() else "it is a link that leads nowhere"
            found.problems.append(Problem(file_path, "SOURCE_UNREADABLE", what))
            return
        name = unicodedata.normalize("NFC", file_path)
        first = found.taken.get(name)
        if first is not None:
            if not first.samefile(file):
                message = f"{str(first)!r} has this name already; add the other to a collection of its own (--collection)"
                found.problems.append(Problem(str(file), Reason.FILE_PATH_INVALID, message))
            return
        found.taken[name] = file
        facts = file.stat()
        modified = datetime.fromtimestamp(facts.st_mtime, UTC)
        found.files.append(LocalFile(file, file_path, facts.st_size, modified))
    except OSError as error:
        found.problems.append(Problem(file_path, "SOURCE_UNREADABLE", error.strerror or str(error)))


def _is_text(name: str) -> bool:
    # Bytes of a name that are no UTF-8 arrive as lone surrogates, which no message can carry.
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
