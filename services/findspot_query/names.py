"""How chunks and documents are named, and what is found under a name for a caller."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.errors import NotFound, Reason
from findspot.model import Caller
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.reading import document_by_id, document_by_path
from findspot.stores.manifest.stored import LiveChunk, StoredDocument
from findspot_query.access import visible
from findspot_query.parse import normal_path
from findspot_query.rows import chunk_at, chunk_at_path, chunk_by_id

_MAX_INDEX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class DocumentName:
    """By id, or by collection and file path."""

    document_id: str = ""
    collection: str = ""
    file_path: str = ""

    def __str__(self) -> str:
        return self.document_id or f"{self.collection}/{self.file_path}"


@dataclass(frozen=True, slots=True)
class ChunkName:
    """By chunk id, or by document and index from 0."""

    chunk_id: str = ""
    document: DocumentName | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk, or why there is none: `total` chunks of the document, and a sentence with the valid range."""

    chunk: LiveChunk | None
    total: int = 0
    message: str = ""


def find_document(snapshot: Snapshot, caller: Caller, name: DocumentName) -> StoredDocument | None:
    """A document that is not deleted; one that the caller may not see is as if it were not there."""
    if name.document_id:
        found = document_by_id(snapshot, name.document_id)
    else:
        found = document_by_path(snapshot, normal_path(name.collection), name.file_path)
    if found is None or found.deleted_at or not visible(caller, found.collection_path):
        return None
    return found


def require_document(snapshot: Snapshot, caller: Caller, name: DocumentName) -> StoredDocument:
    """The same; NotFound DOCUMENT_NOT_FOUND when there is none."""
    found = find_document(snapshot, caller, name)
    if found is None:
        raise NotFound(f"There is no document {str(name)!r}.", reason=Reason.DOCUMENT_NOT_FOUND)
    return found


def find_chunk(snapshot: Snapshot, caller: Caller, name: ChunkName) -> Found:
    """The chunk under a name: live, or by its id also a retired one."""
    if name.document is None:
        return _by_id(snapshot, caller, name.chunk_id)
    chunk = _by_position(snapshot, name.document, name.index)
    if chunk is not None and visible(caller, chunk.collection_path):
        return Found(chunk, chunk.chunk_count)
    document = find_document(snapshot, caller, name.document)
    if document is None:
        return Found(None, message=f"There is no document {str(name.document)!r}.")
    return Found(None, document.chunk_count, _valid_range(name.index, document))


def _by_position(snapshot: Snapshot, document: DocumentName, index: int) -> LiveChunk | None:
    """A live chunk, which brings its document along: one read where it is there."""
    if not 0 <= index <= _MAX_INDEX:
        return None
    if document.document_id:
        return chunk_at(snapshot, document.document_id, index)
    return chunk_at_path(snapshot, normal_path(document.collection), document.file_path, index)


def _by_id(snapshot: Snapshot, caller: Caller, chunk_id: str) -> Found:
    chunk = chunk_by_id(snapshot, chunk_id)
    if chunk is None or not visible(caller, chunk.collection_path):
        return Found(None, message=f"There is no chunk {chunk_id!r}: it never was, or it was purged.")
    return Found(chunk, chunk.chunk_count)


def _valid_range(index: int, document: StoredDocument) -> str:
    total = document.chunk_count
    path = f"{document.collection_path}/{document.file_path}"
    if not total:
        return f"{path} has no chunks (state {document.state}), so there is no chunk {index}."
    return f"{path} has no chunk {index}: it has {total}, the valid range is 0 to {total - 1}."
