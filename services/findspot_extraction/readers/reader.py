"""What a reader is given, keeps to and returns: the seam between formats and the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from findspot.errors import FailedPrecondition, InvalidArgument, Reason, ResourceExhausted
from findspot.model import ExtractedDocument
from findspot.profiles import Profile, profile_for
from findspot_extraction.readers.ocr import PageReading


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read. The bytes are whole and already within the size limit of the service."""

    data: bytes
    file_name: str = ""
    """The last part of the path, as a name and never opened; may be empty."""
    media_type: str = ""
    """The type that was detected, or stated where nothing better is known."""
    document_type: str = ""
    """The registry's name of the type, or of the type that it is read like; a reader of several types switches
    on it."""
    language: str = ""
    """BCP 47 tag that the caller stated; empty when unknown."""
    password: str = ""
    """For encrypted documents; empty when the caller gave none."""
    readings: Mapping[int, PageReading] = field(default_factory=dict)
    """By page number: what was read from the pictures of pages that have no text layer. Readers of formats with
    such pages put it in their place; without it they say NO_TEXT_LAYER of each."""
    configured: Profile | None = None
    """The profile in force for the type; None takes the one that `document_type` has by itself."""

    @property
    def profile(self) -> Profile:
        """Category and grammar to read by."""
        return self.configured or profile_for(self.document_type)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What one document may cost inside a reader, beyond the worker's memory and time limits."""

    max_characters: int = 50_000_000
    """Code points of the full text; more is `DOCUMENT_TOO_LARGE`."""
    max_pages: int = 10_000
    """Pages, slides or sheets; more is `DOCUMENT_TOO_LARGE`."""
    max_expanded_bytes: int = 500_000_000
    """Bytes of an archive's members once expanded; more is `DOCUMENT_TOO_LARGE`."""
    max_expansion_ratio: float = 200.0
    """Expanded bytes to packed bytes of an archive; more is taken for an archive bomb."""


class Reader(Protocol):
    """Reads one format, or a family of formats. Reading the same source twice gives equal documents.

    `text[block.start:block.end]` is exact for every block, table row, cell and word; blocks are ordered and
    do not overlap; the text holds no lone surrogate. A file without text gives `text == ""` and no blocks,
    which is no error. A module that reads a format holds one instance named `READER`: the registry names
    the module.
    """

    @property
    def stamp(self) -> str:
        """Name and version, `markdown/1`: raise the version when the same bytes would read differently."""
        ...

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Read the whole file.

        Raises `InvalidArgument` (DOCUMENT_CORRUPT, UNSUPPORTED_TYPE), `FailedPrecondition`
        (DOCUMENT_ENCRYPTED) and `ResourceExhausted` (DOCUMENT_TOO_LARGE): see the functions below.
        """
        ...


def corrupt(message: str, **metadata: str) -> InvalidArgument:
    """The bytes are not a readable file of their type."""
    return InvalidArgument(message, reason=Reason.DOCUMENT_CORRUPT, metadata=metadata)


def encrypted(message: str, **metadata: str) -> FailedPrecondition:
    """The file needs a password that was not given, or another one."""
    return FailedPrecondition(message, reason=Reason.DOCUMENT_ENCRYPTED, metadata=metadata)


def too_large(message: str, **metadata: str) -> ResourceExhausted:
    """The file, or what it expands to, is over a limit. Trying again does not help."""
    return ResourceExhausted(message, reason=Reason.DOCUMENT_TOO_LARGE, metadata=metadata)


def unsupported(message: str, **metadata: str) -> InvalidArgument:
    """Nobody reads this type."""
    return InvalidArgument(message, reason=Reason.UNSUPPORTED_TYPE, metadata=metadata)


def check_length(text: str, limits: ReadLimits) -> None:
    """Raise DOCUMENT_TOO_LARGE when the full text is over `limits.max_characters`."""
    if len(text) > limits.max_characters:
        raise too_large(
            f"The text has {len(text):,} characters; the limit is {limits.max_characters:,}. Split the file.",
            characters=str(len(text)),
            limit=str(limits.max_characters),
        )
