"""What a file is: magic bytes first, then its name, its media type, and its content where those leave doubt."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from findspot.document_types import DocumentType
from findspot.model import Notice

from .containers import is_whole, ole_type, package_type
from .content import source_language, text_type
from .readers.decoding import looks_like_text
from .registry import Registry

HEAD_BYTES = 1_048_576
"""How much of a file is looked at."""
_PDF_WINDOW = 1024
_WEAK_MEDIA_TYPES = frozenset(("", "application/octet-stream", "binary/octet-stream", "text/plain"))
# Formats that are text themselves, or may be: their magic bytes count even where the rest reads as text.
_TEXT_MAGIC = frozenset(("pdf", "rtf"))
# Formats that are never text, beside those with magic bytes or members of a package.
_BINARY = frozenset(("doc", "xls", "ppt", "msg", "odt", "ods", "odp", "bmp", "webp"))
_AMBIGUOUS = {".h": "c", ".ts": "typescript", ".m": "objc"}


@dataclass(frozen=True, slots=True)
class Detection:
    """The type of a file, what decided it, and what contradicts it. `row` is None for unknown binary data."""

    row: DocumentType | None
    decided_by: str
    """`magic`, `name`, `media_type`, `content` or `caller`."""
    media_type: str
    notices: tuple[Notice, ...] = ()


def detect(data: bytes, file_name: str, media_type: str, registry: Registry) -> Detection:
    """Tell the type of a file from its bytes (the first MiB is enough for most) and what is said of it."""
    head = data[:HEAD_BYTES]
    named = registry.by_file_name(file_name)
    by_magic = _by_magic(data, head, named, registry)
    if by_magic is not None and named is not None and named.read_like == by_magic.name:
        return _decided(named, "name", media_type)
    if by_magic is not None:
        notices = () if named in (None, by_magic) else (_mismatch(file_name, named, by_magic),)
        return _decided(by_magic, "magic", media_type, notices)
    is_text = not head or looks_like_text(head)
    if named is not None and named.readable and not _is_binary(named):
        if is_text or _mostly_readable(head):
            return _decided(_refined(named, file_name, head, registry), "name", media_type)
        return Detection(None, "content", "application/octet-stream")
    if not is_text:
        return _decided(named, "name", media_type) if named else _unknown(media_type, registry)
    stated = None if _is_weak(media_type) else registry.by_media_type(media_type)
    if named is None and stated is not None and stated.readable:
        return _decided(stated, "media_type", media_type)
    found = registry.get(text_type(head)) or registry.get("text")
    notices = (_mismatch(file_name, named, found),) if named is not None and found is not None else ()
    return _decided(found, "content", media_type, notices)


def _is_binary(row: DocumentType) -> bool:
    """True for a format that no text can be a file of, whatever its name."""
    return bool(row.magic or row.members) or (row.read_like or row.name) in _BINARY


def _is_weak(media_type: str) -> bool:
    return media_type.split(";")[0].strip().lower() in _WEAK_MEDIA_TYPES


def _decided(
    row: DocumentType | None, by: str, media_type: str, notices: tuple[Notice, ...] = ()
) -> Detection:
    stated = media_type.split(";")[0].strip().lower()
    known = row is not None and stated in row.media_types
    own = row.media_type if row is not None else "application/octet-stream"
    return Detection(row, by, stated if known else own, notices)


def _unknown(media_type: str, registry: Registry) -> Detection:
    stated = registry.by_media_type(media_type)
    if stated is not None and (not stated.readable or _is_binary(stated)):
        return _decided(stated, "media_type", media_type)
    return Detection(None, "content", "application/octet-stream")


def _by_magic(
    data: bytes, head: bytes, named: DocumentType | None, registry: Registry
) -> DocumentType | None:
    if head.startswith(b"PK\x03\x04"):
        found = package_type(data, registry)
        cut_off = found is registry.get("zip") and not is_whole(data)
        # Too little is left to tell what it is: then it is what its name says.
        return named if cut_off and named is not None and named.members else found
    row = registry.by_magic(head)
    if row is not None and row.name == "ole":
        return registry.get(ole_type(data)) or row
    if row is not None and (row.name in _TEXT_MAGIC or not looks_like_text(head)):
        return row
    return _by_place(head, named, registry)


def _by_place(head: bytes, named: DocumentType | None, registry: Registry) -> DocumentType | None:
    """Signatures that do not stand at the very start."""
    start = head[:_PDF_WINDOW]
    if b"%PDF-" in start:
        # Readers accept junk before the header; a text that only mentions the header is no PDF.
        stripped = start.lstrip(b"\xef\xbb\xbf\0 \t\r\n\x0c")
        is_named = named is not None and "pdf" in (named.name, named.read_like)
        if stripped.startswith(b"%PDF-") or is_named or not looks_like_text(head):
            return registry.get("pdf")
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return registry.get("webp")
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return registry.get("audio")
    if head[4:8] == b"ftyp":
        return registry.get("video")
    if head[257:262] == b"ustar":
        return registry.get("archive")
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return registry.get("bmp")
    return None


def _mostly_readable(head: bytes) -> bool:
    """A file that is named as text may hold control characters: a fifth of valid UTF-8, little of others."""
    sample = head[:65_536]
    controls = sum(sample.count(bytes((code,))) for code in range(32) if code not in (9, 10, 12, 13, 27))
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return controls * 33 <= len(sample)
    return controls * 5 <= len(sample)


def _refined(named: DocumentType, file_name: str, head: bytes, registry: Registry) -> DocumentType:
    """Extensions that several languages share are settled by content."""
    extension = re.search(r"\.[^.]+$", file_name.lower())
    if extension and _AMBIGUOUS.get(extension.group()) == named.name:
        return registry.get(source_language(head, named.name)) or named
    return named


def _mismatch(file_name: str, named: DocumentType | None, found: DocumentType) -> Notice:
    stated = named.title if named is not None else "another type"
    message = (
        f"{file_name!r} is named as {stated}; by its bytes it is {found.title}, and that is what counts."
    )
    return Notice("TYPE_MISMATCH", message)


def by_caller(row: DocumentType, media_type: str) -> Detection:
    """The caller stated the type: nothing is looked at."""
    return replace(_decided(row, "caller", media_type), decided_by="caller")
