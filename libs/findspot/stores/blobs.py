"""Blobs by the hash of their bytes: durable before they are acknowledged, checked when they are read."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from pathlib import Path

import zstandard

from findspot.errors import DataLoss, NotFound, Reason

_COMPRESSED = ".zst"
_LEVEL = 3
_BEING_STORED = ".new-"


class BlobStore:
    """A directory of immutable files, two levels deep. Safe for any number of threads and processes.

    A key is the SHA-256 of the bytes in hex; `.zst` behind it says that they are stored compressed. The same
    bytes are stored once.
    """

    def __init__(self, root: Path, *, durable: bool = True) -> None:
        """`durable` False leaves out fsync: then a power cut, not the death of a process, can lose a blob."""
        self._root = root
        self._durable = durable
        root.mkdir(parents=True, exist_ok=True)

    def put(self, data: bytes, *, compress: bool = False) -> str:
        """Store bytes and return their key. When it returns they survive the process, and a power cut."""
        key = hashlib.sha256(data).hexdigest() + (_COMPRESSED if compress else "")
        path = self._path(key)
        if path.exists():
            return key
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = zstandard.ZstdCompressor(_LEVEL).compress(data) if compress else data
        # Under a name of its own first: a reader never sees a part, a crash leaves no half blob under a key.
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_BEING_STORED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(stored)
                if self._durable:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        if self._durable:
            _sync_directory(path.parent)
        return key

    def get(self, key: str) -> bytes:
        """The bytes of a key. DataLoss when they are not there, or not those that were stored."""
        stored = self._read(key)
        try:
            data = zstandard.decompress(stored) if key.endswith(_COMPRESSED) else stored
        except zstandard.ZstdError as error:
            raise _damaged(key, self._path(key), f"cannot be decompressed ({error})") from error
        found = hashlib.sha256(data).hexdigest()
        if found != key.removesuffix(_COMPRESSED):
            raise _damaged(key, self._path(key), f"has the hash {found}")
        return data

    def get_range(self, key: str, offset: int, length: int) -> bytes:
        """`length` bytes from `offset` on, fewer at the end; a compressed blob is read whole and checked."""
        if key.endswith(_COMPRESSED):
            return self.get(key)[offset : offset + length]
        try:
            with self._path(key).open("rb") as file:
                file.seek(offset)
                return file.read(length)
        except FileNotFoundError as error:
            raise _missing(key) from error

    def exists(self, key: str) -> bool:
        """True when there is a blob of this key."""
        return self._path(key).exists()

    def size(self, key: str) -> int:
        """Bytes on disk."""
        try:
            return self._path(key).stat().st_size
        except FileNotFoundError as error:
            raise _missing(key) from error

    def keys(self, prefix: str, older_than: float = 0.0) -> list[str]:
        """The keys that begin with two hex digits, of blobs stored more than `older_than` seconds ago.

        What a crash left of a blob that was being stored, and is as old, is removed on the way.
        """
        found: list[str] = []
        before = time.time() - older_than
        for path in sorted((self._root / prefix).glob("*/*")):
            try:
                young = path.stat().st_mtime > before
            except FileNotFoundError:
                continue
            if path.name.startswith(_BEING_STORED):
                if not young:
                    path.unlink(missing_ok=True)
            elif not young:
                found.append(path.name)
        return found

    def delete(self, key: str) -> bool:
        """Remove a blob; False when there was none."""
        try:
            self._path(key).unlink()
        except FileNotFoundError:
            return False
        return True

    def _read(self, key: str) -> bytes:
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError as error:
            raise _missing(key) from error

    def _path(self, key: str) -> Path:
        digest = key.removesuffix(_COMPRESSED)
        if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise NotFound(f"{key!r} is no blob key: 64 lower-case hex digits are.", reason=Reason.DATA_LOSS)
        return self._root / key[:2] / key[2:4] / key


def _sync_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _damaged(key: str, path: Path, what: str) -> DataLoss:
    return DataLoss(
        f"Blob {key} ({path.stat().st_size} bytes on disk) {what}: the disk or somebody changed it. "
        "Upload the document again with force.",
        metadata={"key": key},
    )


def _missing(key: str) -> DataLoss:
    return DataLoss(
        f"Blob {key} is not there, though something refers to it. Upload the document again with force.",
        metadata={"key": key},
    )
