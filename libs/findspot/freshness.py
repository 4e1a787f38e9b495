"""How fresh what can be found is: one function over what is known, for documents and for the hits of a search.

Two gaps are looked at: between the file and the rows (the text that was made of it), and between the rows and the
index (text index and vectors). The first dominates the headline; `stale` says whether either gap is proven, also
where the file could not be looked at and the headline is UNKNOWN.

    nothing is published                                              NOT_INDEXED
    nobody knows of which content the rows are                        ROWS_BEHIND_FILE
    the file was looked at and is another one, or is gone             ROWS_BEHIND_FILE
    the file was not looked at, and other content was received        ROWS_BEHIND_FILE
    the file could not be looked at, and nothing else was received    UNKNOWN
    entries are missing, of an older recipe, or others than the rows  INDEX_BEHIND_ROWS
    else                                                              FRESH
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from findspot.model import Freshness


class Source(StrEnum):
    """What is known of the file itself."""

    SENT = "sent"
    """There is none to look at: what was sent is the source."""
    SEEN = "seen"
    """It was looked at, now or by the last scan."""
    GONE = "gone"
    """Its directory can be read, and it is not there."""
    UNREADABLE = "unreadable"
    """It could not be looked at."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one document, or of one chunk and its document. Hashes are SHA-256 in hex."""

    published: bool
    """True when rows are live."""
    row_hash: str = ""
    """Of the content that the rows were made from."""
    received_hash: str = ""
    """Of the content that was received last."""
    diverged_at: int = 0
    """Since when these two differ, microseconds since 1970; 0 while they agree."""
    source: Source = Source.SENT
    file_hash: str = ""
    """Of the file, where it was seen."""
    file_changed_at: int = 0
    """When the file was changed last, where that is known."""
    unread_reason: str = ""
    """Why the file could not be looked at."""
    missing_vectors: int = 0
    """Chunks without the vector that the active model is to give them."""
    outdated_entries: int = 0
    """Chunks whose entries in the index were made by another recipe than today's."""
    row_fingerprint: str = ""
    index_fingerprint: str = ""
    """Both empty where they were not compared; see `fingerprint`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The freshness, and what proves it."""

    freshness: Freshness
    stale: bool
    """True when the rows are provably behind the file, or the index behind the rows."""
    source_hash: str
    """Of the file as it is or was last seen, else of what was received last; empty when the file is gone."""
    diverged_at: int
    """Since when file and rows differ, as far as is known; else 0."""
    message: str
    """One sentence."""
    evidence: Evidence
    """What it was derived from."""


def judge(evidence: Evidence) -> Verdict:
    """The freshness that the evidence gives, by the precedence of this module."""
    if not evidence.published:
        message = "Nothing of it can be found yet, or any more."
        return Verdict(Freshness.NOT_INDEXED, False, _source_hash(evidence), 0, message, evidence)
    gap = _gap_to_file(evidence)
    lag = _lag_of_index(evidence)
    if gap:
        freshness, message = Freshness.ROWS_BEHIND_FILE, gap
    elif evidence.source is Source.UNREADABLE:
        why = f": {evidence.unread_reason}" if evidence.unread_reason else ""
        freshness, message = Freshness.UNKNOWN, f"The file could not be compared{why}".rstrip(".") + "."
        message += f" {lag}" if lag else ""
    elif lag:
        freshness, message = Freshness.INDEX_BEHIND_ROWS, lag
    else:
        freshness, message = Freshness.FRESH, "Index, rows and file agree."
    since = _since(evidence) if gap else 0
    return Verdict(freshness, bool(gap or lag), _source_hash(evidence), since, message, evidence)


def fingerprint(chunks: Iterable[tuple[str, int]]) -> str:
    """SHA-256 in hex over (chunk hash, occurrence) of some chunks, in any order."""
    digest = hashlib.sha256()
    for chunk_hash, occurrence in sorted(chunks):
        digest.update(f"{chunk_hash} {occurrence}\n".encode())
    return digest.hexdigest()


def _gap_to_file(evidence: Evidence) -> str:
    """How the rows are behind the file; empty where nothing proves that they are."""
    if not evidence.row_hash:
        return "Nobody knows of which content the rows were made."
    if evidence.source is Source.GONE:
        return "The file is not there any more."
    if evidence.source is Source.SEEN:
        return "The file has other content than the rows." if evidence.file_hash != evidence.row_hash else ""
    if evidence.received_hash != evidence.row_hash:
        return "Newer content was received and is not published."
    return ""


def _lag_of_index(evidence: Evidence) -> str:
    """How the index is behind the rows; empty where nothing proves that it is."""
    if evidence.missing_vectors:
        return f"{_chunks(evidence.missing_vectors)} no vector yet."
    if evidence.row_fingerprint != evidence.index_fingerprint:
        return "The index holds other entries than the rows."
    if evidence.outdated_entries:
        return f"{_chunks(evidence.outdated_entries)} entries of an older recipe in the index."
    return ""


def _chunks(count: int) -> str:
    return "1 chunk has" if count == 1 else f"{count:,} chunks have"


def _source_hash(evidence: Evidence) -> str:
    if evidence.source is Source.GONE:
        return ""
    return evidence.file_hash if evidence.source is Source.SEEN else evidence.received_hash


def _since(evidence: Evidence) -> int:
    known = evidence.received_hash != evidence.row_hash
    return evidence.diverged_at if known else evidence.file_changed_at
