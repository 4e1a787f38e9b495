"""Transcripts of pictures on disk, by the hash of the picture and by who made them: one is paid for once."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from pathlib import Path

log = logging.getLogger(__name__)


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
            return str(stored["transcript"])
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
                os.replace(temporary, path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as problem:
            log.error("the transcript %s was not stored: %s", path.name, problem)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
