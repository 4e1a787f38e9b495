"""The writes that a copy has yet to see, in a file: they may be many, while a graph is built over the
copy."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

from findspot_vectors.writes import Write

JOURNAL_SUFFIX = ".journal"


class Journal:
    """Writes in their order. The file belongs to this process alone: a copy that a crash leaves behind is
    thrown away."""

    def __init__(self, path: Path) -> None:
        """Begins an empty journal."""
        self._path = path
        self._file = path.open("w+b")
        self._read = 0

    def add(self, write: Write) -> None:
        """Notes one more write."""
        self._file.seek(0, 2)
        pickle.dump(write, self._file, pickle.HIGHEST_PROTOCOL)

    def unread(self) -> Iterator[Write]:
        """The writes noted since the last call, those too that are added meanwhile."""
        while True:
            end = self._file.seek(0, 2)
            if self._read == end:
                return
            self._file.seek(self._read)
            write: Write = pickle.load(self._file)
            self._read = self._file.tell()
            yield write

    def remove(self) -> None:
        """Ends it; what was not read is of no use any more."""
        self._file.close()
        self._path.unlink(missing_ok=True)
