"""Looks inside ZIP packages and OLE compound files, far enough to tell which document they are."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from findspot.document_types import DocumentType

from .registry import Registry

_LOCAL_HEADER = b"PK\x03\x04"
_MOST_NAMES = 2_000
_LONGEST_TYPE = 200
_DAMAGE = (zipfile.BadZipFile, ValueError, NotImplementedError, OSError)
_OLE_STREAMS = (
    ("EncryptedPackage", "encrypted-office"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("__properties_version1.0", "msg"),
)


def package_type(data: bytes, registry: Registry) -> DocumentType | None:
    """The document that a ZIP package is; the row of plain ZIP archives when it is none that is known."""
    stated = _stated_type(data)
    if stated:
        row = registry.by_media_type(stated)
        if row is not None:
            return row
    names = _member_names(data)
    if "mimetype" in names:
        row = registry.by_media_type(_packed_type(data))
        if row is not None:
            return row
    for row in registry.rows:
        if not names.isdisjoint(row.members):
            return row
    return registry.get("zip")


def is_whole(data: bytes) -> bool:
    """True when a ZIP package has its directory, which stands at its end."""
    return zipfile.is_zipfile(io.BytesIO(data))


def _stated_type(data: bytes) -> str:
    """EPUB and OpenDocument store their media type, not compressed, as the first member `mimetype`."""
    if len(data) < 38 or data[30:38] != b"mimetype":
        return ""
    size, extra = struct.unpack_from("<I4xH", data, 18)[0], struct.unpack_from("<H", data, 28)[0]
    return data[38 + extra : 38 + extra + min(size, _LONGEST_TYPE)].decode("ascii", errors="replace").strip()


def _packed_type(data: bytes) -> str:
    """The same of packages whose writer compressed that member, or put others before it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package, package.open("mimetype") as member:
            return member.read(_LONGEST_TYPE).decode("ascii", errors="replace").strip()
    except (*_DAMAGE, RuntimeError, zlib.error, EOFError):
        return ""


def _member_names(data: bytes) -> set[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return {info.filename for info in package.infolist()[:_MOST_NAMES]}
    except _DAMAGE:
        # Only the beginning was sent, or the end is damaged: the headers of the members still name them.
        return _local_names(data)


def _local_names(data: bytes) -> set[str]:
    names: set[str] = set()
    position = data.find(_LOCAL_HEADER)
    while 0 <= position <= len(data) - 30 and len(names) < _MOST_NAMES:
        (length,) = struct.unpack_from("<H", data, position + 26)
        names.add(data[position + 30 : position + 30 + length].decode("utf-8", errors="replace"))
        position = data.find(_LOCAL_HEADER, position + 4)
    return names


def ole_type(data: bytes) -> str:
    """The registry's name of what an OLE compound file holds, by the names of its streams; empty when unknown."""
    for stream, name in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return name
    return ""
