"""What a scan is told, and what it saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from findspot.model import Notice
from findspot_indexing.directories.reading import FileFacts
from findspot_indexing.directories.scope import Scope


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file that can be taken."""

    file_path: str
    """Its name in the collection: relative to the root, in Unicode form NFC."""
    place: str
    """The same as the file system spells it."""
    facts: FileFacts


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that cannot be taken, or a folder that cannot be looked into, and why."""

    file_path: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What a scan saw."""

    root: str
    """Where the root really is."""
    scope: Scope
    files: Mapping[str, SeenFile]
    refused: tuple[Refusal, ...]
    """Files that are there and cannot be documents."""
    unreadable: tuple[Refusal, ...]
    """Files and folders of which nothing is known, nor of anything below them."""
    ignored: int
    """Files and folders that the ignore rules leave out; what lies in such a folder is not counted."""
    notices: tuple[Notice, ...]
    empty: bool
    """True when the root holds nothing at all."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to scan, and what to leave out."""

    root: str
    patterns: tuple[str, ...] = ()
    besides: str = ""
    """A folder that is never looked into: the suite's own data."""
    most_files: int = 1_000_000
    most_bytes: int = 50 * 1024 * 1024
    """Largest file that can be taken."""
