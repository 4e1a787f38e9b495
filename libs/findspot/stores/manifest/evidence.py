"""What the manifest knows of how fresh a document or a chunk is, without looking at file or index."""

from __future__ import annotations

from findspot.freshness import Evidence, Source
from findspot.model import DocumentState
from findspot.payload import PAYLOAD_RECIPE
from findspot.stores.manifest.stored import FileRow, LiveChunk, StoredDocument

_MADE = ("", "READY")


def of_document(document: StoredDocument, missing_vectors: int) -> Evidence:
    """Of a document; `missing_vectors` counts its chunks that have none of the active identity."""
    source, file_hash, changed_at, why = _seen(document.file)
    return Evidence(
        published=document.generation > 0 and document.state != DocumentState.RETIRED,
        row_hash=document.content_hash,
        received_hash=document.observed_hash,
        diverged_at=document.diverged_at,
        source=source,
        file_hash=file_hash,
        file_changed_at=changed_at,
        unread_reason=why,
        missing_vectors=missing_vectors,
    )


def of_chunk(chunk: LiveChunk) -> Evidence:
    """Of a chunk and its document."""
    source, file_hash, changed_at, why = _seen(chunk.file)
    return Evidence(
        published=chunk.state == "LIVE",
        row_hash=chunk.row_hash,
        received_hash=chunk.received_hash,
        diverged_at=chunk.diverged_at,
        source=source,
        file_hash=file_hash,
        file_changed_at=changed_at,
        unread_reason=why,
        missing_vectors=0 if chunk.vector_state in _MADE else 1,
        outdated_entries=0 if chunk.payload_recipe == PAYLOAD_RECIPE else 1,
    )


def _seen(file: FileRow | None) -> tuple[Source, str, int, str]:
    if file is None:
        return Source.SENT, "", 0, ""
    if not file.content_hash:
        return Source.UNREADABLE, "", 0, file.error_message
    return Source.SEEN, file.content_hash, file.modified_ns // 1000, ""
