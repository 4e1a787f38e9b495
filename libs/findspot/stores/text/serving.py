"""Which directory of a text index serves: a small file whose renaming is the switch from one to another."""

from __future__ import annotations

import json
import logging
import os
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path

import tantivy

from findspot.stores.text.schema import build_schema

log = logging.getLogger(__name__)

FILE = "serving.json"
META = "meta.json"
OWNER = "owner.lock"
"""The file in a directory of the engine that names the one process which writes it."""
HOME_LOCK = "home.lock"
"""The file that names the one process which decides what serves."""
_PARTS = (".idx", ".pos", ".term", ".store", ".fast", ".fieldnorm")
"""The files of a segment. The engine opens one whose positions are gone, and fails at the first phrase."""
_MAGIC = 8
"""Bytes at the end of a file of the engine: length of the footer, then its mark."""
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Serving:
    """What serves. `directory` is a name inside the index's home, empty for the home itself."""

    directory: str = ""
    complete: bool = True
    """False while it is being filled: what it does not find may be there all the same."""


def read_serving(home: Path) -> Serving | None:
    """What serves in a home; the home itself, complete, where nothing is said. None when the file is damaged."""
    try:
        stored = json.loads((home / FILE).read_bytes())
        return Serving(_name(stored["directory"]), bool(stored["complete"]))
    except FileNotFoundError:
        return Serving()
    except (ValueError, LookupError, TypeError):
        return None


def write_serving(home: Path, serving: Serving) -> None:
    """Make this what serves, whole or not at all, also over a loss of power."""
    new = home / (FILE + ".new")
    with new.open("w") as file:
        json.dump({"directory": serving.directory, "complete": serving.complete}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, home / FILE)
    handle = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def serving_directory(home: Path) -> Path:
    """Where the engine's files lie that serve now."""
    serving = read_serving(home)
    return home / serving.directory if serving else home


def serving_at_start(home: Path) -> Serving:
    """What serves in a home; one that is damaged, or that there never was, is an empty and incomplete one from now on."""
    serving = read_serving(home)
    fresh = not (home / FILE).exists() and not (home / META).exists()
    problem = "there is none yet" if fresh else f"{home / FILE} is damaged"
    if serving is not None and not fresh:
        problem = examine(home / serving.directory)
        if not problem:
            return serving
    level = logging.INFO if fresh else logging.ERROR
    log.log(level, "the text index is begun anew and filled: %s", problem)
    empty = Serving(unused_directory(home), complete=False)
    write_serving(home, empty)
    return empty


def unused_directory(home: Path) -> str:
    """A name for another index in a home."""
    number = 1
    while (home / f"index-{number}").exists():
        number += 1
    return f"index-{number}"


def examine(directory: Path) -> str:
    """What is wrong with an index, "" when it opens and has all its files. Reads no content: see `damaged_files`."""
    if not (directory / META).exists():
        return f"there is no index in {directory}"
    try:
        missing = missing_files(directory)
        if missing:
            return f"{len(missing)} files are missing from {directory}, {missing[0]} for one"
        tantivy.Index(build_schema(), path=str(directory)).searcher()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - the engine's panics are no Exception, and say what is wrong too
        return f"{directory} cannot be opened: {error}"
    return ""


def damaged_files(directory: Path) -> list[str]:
    """Files of an index whose content is not what the engine wrote, told by their check sums. Reads all of them."""
    return [name for name in _files(directory) if not _intact(directory / name)]


def missing_files(directory: Path) -> list[str]:
    """Files of an index that are not there. The engine may still read one that was open when it was removed."""
    while True:
        named = _files(directory)
        missing = [name for name in named if not (directory / name).exists()]
        # A merge replaces segments: then the index names others now.
        if not missing or named == _files(directory):
            return missing


def _files(directory: Path) -> list[str]:
    try:
        segments = json.loads((directory / META).read_bytes())["segments"]
    except FileNotFoundError:
        return [META]
    names = [str(segment["segment_id"]).replace("-", "") for segment in segments]
    return [name + part for name in names for part in _PARTS]


def _intact(file: Path) -> bool:
    """Whether the CRC-32 in a file's footer is that of its body. A file that a merge has just removed is."""
    try:
        with file.open("rb") as stored:
            size = stored.seek(0, os.SEEK_END)
            stored.seek(max(0, size - _MAGIC))
            length = int.from_bytes(stored.read(4), "little")
            body = size - _MAGIC - length
            if body < 0 or length > _READ_BYTES:
                return False
            stored.seek(body)
            said = int(json.loads(stored.read(length))["crc"])
            stored.seek(0)
            found = 0
            while body > 0:
                part = stored.read(min(body, _READ_BYTES))
                if not part:
                    return False
                found = zlib.crc32(part, found)
                body -= len(part)
            return found == said
    except FileNotFoundError:
        return True
    except (ValueError, LookupError, TypeError):
        return False


def clear(home: Path, keep: Serving) -> None:
    """Remove every engine file and directory of a home that does not serve."""
    for path in home.iterdir():
        if path.is_dir():
            if path.name != keep.directory:
                shutil.rmtree(path)
        elif keep.directory and path.name not in (FILE, HOME_LOCK):
            path.unlink(missing_ok=True)


def _name(value: object) -> str:
    name = str(value)
    if Path(name).name != name:
        raise ValueError(f"{name!r} is no name of a directory")
    return name
