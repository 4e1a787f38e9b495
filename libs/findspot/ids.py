"""Names and identifiers: how each is made, so that the same input gives the same id in every process."""

from __future__ import annotations

import hashlib
import os
import time
import uuid

_CHUNKS = uuid.UUID("5b1c0c5e-8f0e-5d0b-9a4e-6f1d2c3b4a59")
_SECTIONS = uuid.UUID("0d9a7f2c-3b61-5c44-8e7f-1a2b3c4d5e6f")


def uuid7() -> str:
    """A new time-ordered id (RFC 9562, version 7): 48 bits of milliseconds, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds & (1 << 48) - 1) << 80 | 0x7 << 76 | (random >> 68 & 0xFFF) << 64
    value |= 0b10 << 62 | random & (1 << 62) - 1
    return str(uuid.UUID(int=value))


def chunk_id(document_id: str, kind: str, chunk_hash: str, occurrence: int) -> str:
    """The id of a chunk: an edit keeps the id, and the vector, of every chunk that it did not touch.

    `chunk_hash` is `text_hash(context, text)`; `occurrence` counts equal (kind, hash) pairs of a document from 0.
    """
    return str(uuid.uuid5(_CHUNKS, f"{document_id}\x1f{kind}\x1f{chunk_hash}\x1f{occurrence}"))


def section_id(document_id: str, generation: int, index: int) -> str:
    """The id of a section: sections belong to one generation of a document."""
    return str(uuid.uuid5(_SECTIONS, f"{document_id}\x1f{generation}\x1f{index}"))


def content_hash(data: bytes) -> str:
    """SHA-256 of whole file bytes, 64 lower-case hex digits: the gate that skips unchanged files."""
    return hashlib.sha256(data).hexdigest()


def text_hash(context: str, text: str) -> str:
    """SHA-256 of a chunk's context and text as UTF-8, 64 lower-case hex digits."""
    digest = hashlib.sha256(context.encode())
    digest.update(b"\x1f")
    digest.update(text.encode())
    return digest.hexdigest()


def ancestor_paths(path: str) -> tuple[str, ...]:
    """Every subtree that holds `path`, outermost first: `a/b/c` gives `a`, `a/b`, `a/b/c`."""
    parts = path.split("/")
    return tuple("/".join(parts[: depth + 1]) for depth in range(len(parts)))
