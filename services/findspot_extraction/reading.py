"""Reads one file: tells its type, loads the one reader that it needs, and checks what the reader returned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import cast

from findspot.document_types import DocumentType
from findspot.model import ExtractedDocument

from .checking import checked
from .detect import Detection, by_caller, detect
from .readers.ocr import PageReading
from .readers.reader import Reader, ReadLimits, Source, corrupt, encrypted, unsupported
from .readers.stamps import reader_stamp
from .registry import Registry
from .unlocking import unlocked


@dataclass(frozen=True, slots=True)
class Upload:
    """What a caller says about a file, beside its bytes, and wants of it."""

    file_name: str = ""
    media_type: str = ""
    document_type: str = ""
    """A name of the registry that overrides detection; empty lets detection decide."""
    language: str = ""
    password: str = ""
    omit_words: bool = False
    """True leaves the boxes of words out of what is given."""


def read_document(
    data: bytes,
    upload: Upload,
    registry: Registry,
    limits: ReadLimits,
    readings: Mapping[int, PageReading] | None = None,
) -> ExtractedDocument:
    """The whole file as text and blocks. `readings` hold what was read from the pictures of pages.

    Raises UNSUPPORTED_TYPE for what nobody reads, INVALID_FIELD for a type that does not exist, DOCUMENT_ENCRYPTED
    for an Office file whose password is missing or wrong, and what the reader raises. A file of nothing but white
    space gives a document without text, unless its name says that it is of a format that is never empty: then it
    is DOCUMENT_CORRUPT, a copy that was broken off.
    """
    data = unlocked(data, upload.file_name, upload.password)
    found = detect_type(data, upload, registry)
    if not data.strip():
        return _empty(len(data), found, upload, registry)
    row = readable_row(found, upload.file_name)
    source = replace(_source(data, upload, found, row), readings=readings or {})
    document = _reader(row.reader).read(source, limits)
    # The reader was told the type that this one is read like.
    return checked(replace(document, document_type=row.name, warnings=found.notices + document.warnings))


def source_of(data: bytes, upload: Upload, registry: Registry) -> Source:
    """The file as a reader gets it. Raises UNSUPPORTED_TYPE for what nobody reads."""
    found = detect_type(data, upload, registry)
    return _source(data, upload, found, readable_row(found, upload.file_name))


def _source(data: bytes, upload: Upload, found: Detection, row: DocumentType) -> Source:
    return Source(
        data,
        upload.file_name,
        found.media_type,
        row.read_like or row.name,
        upload.language,
        upload.password,
        configured=row.profile,
    )


def detect_type(data: bytes, upload: Upload, registry: Registry) -> Detection:
    """What the file is: as the caller stated it, else by its bytes and names."""
    if upload.document_type:
        return by_caller(registry.named(upload.document_type), upload.media_type)
    return detect(data, upload.file_name, upload.media_type, registry)


def readable_row(found: Detection, file_name: str) -> DocumentType:
    """The row of a type that can be read; UNSUPPORTED_TYPE or DOCUMENT_ENCRYPTED says what the file is."""
    name = repr(file_name) if file_name else "The file"
    said = "".join(f" {notice.message}" for notice in found.notices)
    row = found.row
    if row is None:
        raise unsupported(
            f"{name} holds binary data of a type that is not known; nothing here reads it.{said}"
        )
    if row.name == "encrypted-office":
        raise encrypted(f"{name} is an encrypted Office document: send its password, or save it without one.")
    if not row.readable:
        raise unsupported(
            f"{name} was recognised as {row.name} ({row.title}), which is not yet readable here.{said}",
            document_type=row.name,
        )
    return row


@cache
def _reader(module: str) -> Reader:
    return cast(Reader, import_module(module).READER)


def _empty(length: int, found: Detection, upload: Upload, registry: Registry) -> ExtractedDocument:
    row = registry.by_file_name(upload.file_name) or found.row or registry.named("text")
    if row.magic or row.members:
        name = repr(upload.file_name) if upload.file_name else "The file"
        held = f"its {length} bytes are blank" if length else "it has no bytes"
        raise corrupt(
            f"{name} is named as {row.title}, and {held}: it was not written or not copied to the end. "
            "Copy it again."
        )
    return ExtractedDocument(
        text="",
        document_type=row.name,
        media_type=row.media_type,
        category=row.profile.category,
        language=upload.language,
        extractor_stamp=reader_stamp(row.reader),
    )
