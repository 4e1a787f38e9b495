"""Opens ZIP packages within the limits: what they expand to, how many members, and no way out of memory."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from findspot.errors import FindspotError

from .reader import ReadLimits, corrupt, encrypted, too_large

_CHUNK = 1_048_576
_MOST_MEMBERS = 100_000
_HARMLESS_BYTES = 16 * 1_048_576
"""What expands to less may be packed as tightly as it likes."""
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What `zipfile` raises for files that are cut off or damaged."""
_DTD = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


class Archive:
    """The members of one ZIP package. Every read is checked against the size that the directory states."""

    def __init__(self, data: bytes, limits: ReadLimits, what: str) -> None:
        """`what` names the format in messages: `workbook`. DOCUMENT_CORRUPT when it cannot be opened,
        DOCUMENT_TOO_LARGE when its members expand to more than the limits allow.
        """
        self.what = what
        try:
            self._package = zipfile.ZipFile(io.BytesIO(data))
            members = self._package.infolist()
        except DAMAGE as problem:
            seen = str(problem) if data.startswith(b"PK") else "it does not start as a ZIP archive"
            raise corrupt(
                f"The {what} is no readable ZIP package: {seen} ({len(data):,} bytes). It is cut off or damaged."
            ) from problem
        _check_size(members, len(data), limits, what)
        self._members = {member.filename: member for member in members}
        self._folded = {name.lower().replace("\\", "/"): name for name in self._members}

    @property
    def names(self) -> tuple[str, ...]:
        """The members in the order of the directory."""
        return tuple(self._members)

    def find(self, name: str) -> str:
        """The member of a name as written elsewhere in the package (case and slashes may differ), or empty."""
        name = name.lstrip("/")
        return name if name in self._members else self._folded.get(name.lower().replace("\\", "/"), "")

    def chunks(self, name: str) -> Iterator[bytes]:
        """A member in pieces of 1 MiB. DOCUMENT_CORRUPT where its bytes are damaged or it is not there."""
        member = self._members.get(name)
        if member is None:
            raise corrupt(f"The {self.what} has no part {name!r}.")
        if member.flag_bits & 1:
            raise encrypted(f"Part {name!r} of the {self.what} is encrypted: save it without a password.")
        try:
            with self._package.open(member) as stream:
                while piece := stream.read(_CHUNK):
                    yield piece
        except FindspotError:
            raise
        except DAMAGE as problem:
            raise corrupt(f"Part {name!r} of the {self.what} is damaged: {problem}.") from problem

    def read(self, name: str) -> bytes:
        """A whole member."""
        return b"".join(self.chunks(name))


def declares_entities(head: bytes) -> bool:
    """True when the beginning of an XML part declares a document type: no Office format may have one."""
    return any(mark in head for mark in _DTD)


def _check_size(members: list[zipfile.ZipInfo], packed: int, limits: ReadLimits, what: str) -> None:
    if len(members) > _MOST_MEMBERS:
        raise too_large(
            f"The {what} has {len(members):,} parts; the limit is {_MOST_MEMBERS:,}.",
            limit=str(_MOST_MEMBERS),
        )
    expanded = sum(member.file_size for member in members)
    if expanded > limits.max_expanded_bytes:
        raise too_large(
            f"The {what} expands to {expanded:,} bytes; the limit is {limits.max_expanded_bytes:,}.",
            expanded=str(expanded),
            limit=str(limits.max_expanded_bytes),
        )
    if expanded > _HARMLESS_BYTES and expanded > packed * limits.max_expansion_ratio:
        raise too_large(
            f"The {what} expands {expanded / packed:,.0f} times, to {expanded:,} bytes; "
            f"more than {limits.max_expansion_ratio:,.0f} times is taken for an archive bomb.",
            ratio=f"{expanded / packed:.0f}",
            limit=f"{limits.max_expansion_ratio:.0f}",
        )
