"""Workbooks as calamine reads them: what other programs may write and it passes over in silence is written anew.

XLSB has two records for each kind of cell: one that names its column, and a short one for the cell after the cell
before, which calamine skips. OpenDocument files may be indented, at which it gives up.
"""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping

from findspot_extraction.readers.archive import DAMAGE, Archive

_SPACING = re.compile(rb"(</?(?:table|office):[^<>]*>)\s+(?=</?(?:table|office):)")
_ROW = 0
_NAMED = range(1, 12)
"""Cells, and cells with a formula, that begin with their column."""
_SHORT = range(12, 19)
"""Those without; the same kinds, so many further on."""
_FURTHER = 11
_COLUMN_BYTES = 4


def binary_sheets(archive: Archive) -> dict[str, bytes]:
    """The sheets of an XLSB that hold short cells, with all columns named."""
    names = [
        name for name in archive.names if name.lower().endswith(".bin") and "worksheets/" in name.lower()
    ]
    found = ((name, named_columns(archive.read(name))) for name in names)
    return {name: sheet for name, sheet in found if sheet is not None}


def unindented(content: bytes) -> bytes | None:
    """The content of an OpenDocument spreadsheet without white space between rows and cells; None when it has none."""
    found, count = _SPACING.subn(rb"\1", content)
    return found if count else None


def with_members(data: bytes, members: Mapping[str, bytes]) -> bytes:
    """A ZIP package with some of its members replaced; nothing is packed, as it is read at once.

    What is damaged is left out: whoever needs it misses it then.
    """
    if not members:
        return data
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package, zipfile.ZipFile(target, "w") as written:
        for name in dict.fromkeys(package.namelist()):
            with contextlib.suppress(*DAMAGE):
                written.writestr(name, members[name] if name in members else package.read(name))
    return target.getvalue()


def named_columns(sheet: bytes) -> bytes | None:
    """The records of a sheet with a column in each cell; None when all have one, or when they are damaged."""
    pieces: list[bytes] = []
    done = column = 0
    try:
        for start, kind, content, end in _records(sheet):
            if kind == _ROW:
                column = -1
            elif kind in _NAMED:
                column = int.from_bytes(sheet[content : content + _COLUMN_BYTES], "little")
            elif kind in _SHORT:
                column += 1
                head = bytes((kind - _FURTHER,)) + _length(end - content + _COLUMN_BYTES)
                pieces += (
                    sheet[done:start],
                    head,
                    column.to_bytes(_COLUMN_BYTES, "little"),
                    sheet[content:end],
                )
                done = end
    except (IndexError, OverflowError):
        return None
    return b"".join((*pieces, sheet[done:])) if pieces else None


def _records(sheet: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Start, kind, start of the content and end of each record; kinds over 127 are not told apart."""
    at, size = 0, len(sheet)
    while at < size:
        start, kind = at, sheet[at]
        at += 2 if kind & 0x80 else 1
        length = shift = 0
        while True:
            part = sheet[at]
            at += 1
            length |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80 or shift > 21:
                break
        yield start, kind, at, at + length
        at += length


def _length(size: int) -> bytes:
    out = bytearray()
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)
