"""Transcripts of pictures on disk, by the hash of the picture and by who made them: one is paid for once.

Each is noted for the files that it was read from, so that it goes when one of them is purged.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_SOURCES = "of"
_source: ContextVar[str] = ContextVar("source", default="")

log = logging.getLogger(__name__)


@contextmanager
def read_from(content_hash: str) -> Iterator[None]:
    """What is stored or found in the block belongs to the file of this SHA-256."""
    token = _source.set(content_hash)
    try:
        yield
    finally:
        _source.reset(token)


class TranscriptStore:
    """A folder of small files, two levels deep; safe for any number of threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def key(self, picture_hash: str, model: str, recipe: str) -> str:
        """The name of the transcript that a model gives of a picture, asked by a recipe."""
        return hashlib.sha256("\n".join((picture_hash, model, recipe)).encode()).hexdigest()

    def get(self, key: str) -> str | None:
        """The transcript, or None. A damaged file counts as none: it is made anew."""
        path = self._path(key)
        try:
            stored = json.loads(path.read_bytes())
            transcript = str(stored["transcript"])
            self._note(key)
            return transcript
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, TypeError) as problem:
            log.warning("the transcript %s cannot be read and is made anew: %s", path.name, problem)
            return None

    def put(self, key: str, transcript: str) -> None:
        """Store it whole, or not at all. What cannot be stored is logged: the transcript is not lost for now."""
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(json.dumps({"transcript": transcript}).encode())
                self._note(key)
                os.replace(temporary, path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as problem:
            log.error("the transcript %s was not stored: %s", path.name, problem)

    def forget(self, content_hash: str) -> int:
        """Remove every transcript that was read from a file of this SHA-256; returns how many.

        A page that another file shares is transcribed again when that file is read again.
        """
        marks = self._folder / _SOURCES / content_hash
        removed = 0
        for mark in sorted(marks.iterdir()) if content_hash and marks.is_dir() else ():
            path = self._path(mark.name)
            removed += path.exists()
            path.unlink(missing_ok=True)
            mark.unlink(missing_ok=True)
        if removed:
            marks.rmdir()
        return removed

    def _note(self, key: str) -> None:
        source = _source.get()
        if source:
            mark = self._folder / _SOURCES / source / key
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
