"""The catalogue file: which directory holds each collection. Its rename is what creates, deletes or swaps
one."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from findspot.errors import DataLoss, InvalidArgument
from findspot_vectors.disk import sync_directory
from findspot_vectors.model import Distance, FieldIndex, IndexKind, VectorParams

FILE = "catalogue.json"
_FORMAT = 1
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,199}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One collection: its live directory (a name inside the folder), its vectors and its payload indexes."""

    directory: str
    vectors: Mapping[str, VectorParams]
    created: float
    """Unix seconds."""
    indexes: Mapping[str, FieldIndex] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All collections by name. A value: each change makes a new one, and `write` makes it the truth."""

    entries: Mapping[str, Entry] = field(default_factory=dict)

    def having(self, name: str, entry: Entry) -> Catalogue:
        """With this entry, in place of one of the same name."""
        return Catalogue({**self.entries, name: entry})

    def lacking(self, name: str) -> Catalogue:
        """Without the entry of this name."""
        return Catalogue({key: entry for key, entry in self.entries.items() if key != name})

    def indexed(self, name: str, field_name: str, index: FieldIndex) -> Catalogue:
        """With one more payload index in the entry of this name."""
        entry = self.entries[name]
        return self.having(name, replace(entry, indexes={**entry.indexes, field_name: index}))


def checked_name(name: str) -> str:
    """The name, when it can be a directory's: 1 to 200 of letters, digits, `_`, `-`, `.`, not starting
    with `.` or `-`."""
    if not _NAME.fullmatch(name):
        raise InvalidArgument(
            f"Wrong input: {name[:80]!r} is no name for a collection. It takes 1 to 200 letters, "
            "digits, `_`, `-` and `.`, and starts with a letter, a digit or `_`."
        )
    return name


def read(folder: Path) -> Catalogue:
    """The catalogue of a folder, empty when it has none. Raises DataLoss when the file cannot be read as
    one."""
    path = folder / FILE
    if not path.exists():
        return Catalogue()
    try:
        stored = json.loads(path.read_bytes())
        if stored["format"] != _FORMAT:
            raise DataLoss(
                f"{path} has format {stored['format']}, this version reads {_FORMAT}. "
                "Run the version that wrote it, or move the folder away and rebuild the vectors."
            )
        return Catalogue({name: _entry(value) for name, value in stored["collections"].items()})
    except (ValueError, KeyError, TypeError, AttributeError) as failure:
        raise DataLoss(
            f"{path} is no catalogue ({failure!r}). Move the folder away and rebuild the "
            "vectors from the manifest."
        ) from failure


def write(folder: Path, catalogue: Catalogue) -> None:
    """Makes this the catalogue of the folder, whole or not at all, also over a loss of power."""
    stored = {"format": _FORMAT, "collections": {n: _stored(e) for n, e in sorted(catalogue.entries.items())}}
    new = folder / (FILE + ".new")
    with new.open("wb") as file:
        file.write(json.dumps(stored, indent=1).encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, folder / FILE)
    sync_directory(folder)


def _entry(value: dict[str, Any]) -> Entry:
    return Entry(
        directory=checked_name(value["directory"]),
        vectors={
            n: VectorParams(int(v["size"]), Distance(v["distance"])) for n, v in value["vectors"].items()
        },
        created=float(value["created"]),
        indexes={n: FieldIndex(IndexKind(v["kind"]), v["options"]) for n, v in value["indexes"].items()},
    )


def _stored(entry: Entry) -> dict[str, Any]:
    return {
        "directory": entry.directory,
        "created": entry.created,
        "vectors": {n: {"size": v.size, "distance": v.distance.value} for n, v in entry.vectors.items()},
        "indexes": {n: {"kind": i.kind.value, "options": dict(i.options)} for n, i in entry.indexes.items()},
    }
