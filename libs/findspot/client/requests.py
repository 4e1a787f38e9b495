"""Requests as callers think of them, made into messages: shared by both clients, so that they cannot differ."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from findspot.errors import InvalidArgument
from findspot.v1 import common_pb2, errors_pb2, indexing_pb2, query_pb2

Value = TypeVar("Value")
Given = ParamSpec("Given")

FRAME_BYTES = 256 * 1024
MODES = {
    "hybrid": query_pb2.SEARCH_MODE_HYBRID,
    "text": query_pb2.SEARCH_MODE_TEXT,
    "semantic": query_pb2.SEARCH_MODE_SEMANTIC,
}
GROUPS = {
    "": query_pb2.GROUP_BY_UNSPECIFIED,
    "none": query_pb2.GROUP_BY_NONE,
    "section": query_pb2.GROUP_BY_SECTION,
    "document": query_pb2.GROUP_BY_DOCUMENT,
}
VIEWS = {
    "snippet": query_pb2.RESULT_VIEW_SNIPPET,
    "text": query_pb2.RESULT_VIEW_TEXT,
    "section": query_pb2.RESULT_VIEW_SECTION,
}
KINDS = {
    "section": common_pb2.CHUNK_KIND_SECTION,
    "code": common_pb2.CHUNK_KIND_CODE,
    "table": common_pb2.CHUNK_KIND_TABLE,
}
REACH = {
    "text": indexing_pb2.SEARCHABLE_TEXT,
    "vector": indexing_pb2.SEARCHABLE_VECTOR,
}


@dataclass(frozen=True)
class Upload:
    """One file to add."""

    collection: str
    """Path of the collection; made when it does not exist."""
    file_path: str
    """Path of the file in it, with `/` between segments."""
    data: bytes
    """Its bytes."""
    media_type: str = ""
    """Its media type, when known."""
    document_type: str = ""
    """A name of the registry, to override detection."""
    title: str = ""
    """A title that overrides the document's own."""
    language: str = ""
    """BCP 47 tag of its prose, when known."""
    modified: datetime | None = None
    """When its source was last changed."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Facts to filter by."""
    force: bool = False
    """Index again even when nothing changed."""
    request_id: str = ""
    """A UUID that makes the call safe to repeat."""

    @classmethod
    def of_file(cls, file: Path, collection: str, file_path: str = "", *, force: bool = False) -> Upload:
        """Reads a file from disk; its name is its path in the collection unless another is given."""
        return cls(collection, file_path or file.name, file.read_bytes(), force=force)


@dataclass(frozen=True)
class At:
    """A chunk by its place: `At("books/rust", "ch01.md", 3)`."""

    collection: str
    file_path: str
    index: int = 0


def _sendable(build: Callable[Given, Value]) -> Callable[Given, Value]:
    """Refuses, as the service would, text that cannot even be sent: Python's str may hold half of a character."""

    @wraps(build)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Value:
        try:
            return build(*args, **kwargs)
        except UnicodeEncodeError as error:
            half = error.object[error.start]
            raise InvalidArgument(
                f"{error.object[:80]!a} holds {half!a} at {error.start}, half of a surrogate pair, which is no Unicode "
                "character. Decode its bytes as what they are, or replace it."
            ) from error

    return checked


def upload_messages(upload: Upload) -> Iterator[indexing_pb2.UploadDocumentRequest]:
    """The header, then the bytes in frames. Raises InvalidArgument at once for what cannot be sent."""
    return _framed(_header(upload), upload.data)


def _framed(header: indexing_pb2.UploadHeader, data: bytes) -> Iterator[indexing_pb2.UploadDocumentRequest]:
    yield indexing_pb2.UploadDocumentRequest(header=header)
    for start in range(0, len(data), FRAME_BYTES):
        yield indexing_pb2.UploadDocumentRequest(data=data[start : start + FRAME_BYTES])


@_sendable
def _header(upload: Upload) -> indexing_pb2.UploadHeader:
    header = indexing_pb2.UploadHeader(
        collection=upload.collection,
        file_path=upload.file_path,
        size_bytes=len(upload.data),
        sha256=hashlib.sha256(upload.data).hexdigest(),
        media_type=upload.media_type,
        document_type=upload.document_type,
        title=upload.title,
        language=upload.language,
        metadata=dict(upload.metadata),
        force=upload.force,
        request_id=upload.request_id,
    )
    if upload.modified is not None:
        header.source_modified_time.FromDatetime(upload.modified)
    return header


@_sendable
def check_request(collection: str, files: Iterable[tuple[str, str]]) -> indexing_pb2.CheckDocumentsRequest:
    """(file path, SHA-256) pairs to compare with what is stored."""
    hashes = [indexing_pb2.FileHash(file_path=path, sha256=digest) for path, digest in files]
    return indexing_pb2.CheckDocumentsRequest(collection=collection, files=hashes)


@_sendable
def search_request(
    query: str,
    *,
    mode: str = "hybrid",
    collection: str = "",
    exact: bool = False,
    anchor: str = "",
    kinds: Sequence[str] = (),
    languages: Sequence[str] = (),
    paths: Sequence[str] = (),
    exclude_paths: Sequence[str] = (),
    metadata: Mapping[str, str] | None = None,
    group_by: str = "",
    max_per_group: int = 0,
    expand: bool = False,
    limit: int = 0,
    page_token: str = "",
    min_revision: int = 0,
    min_similarity: float | None = None,
    view: str = "snippet",
    neighbors: int = 0,
) -> query_pb2.SearchRequest:
    """A search; `collection` names a subtree (`exact`: that collection alone), `anchor` the place to look up from."""
    request = query_pb2.SearchRequest(
        query=query,
        mode=named(MODES, mode, "mode"),
        group_by=named(GROUPS, group_by, "group_by"),
        max_per_group=max_per_group,
        expand=expand,
        page_size=limit,
        page_token=page_token,
        min_revision=min_revision,
        min_similarity=min_similarity,
        view=named(VIEWS, view, "view"),
        neighbors=neighbors,
    )
    filters = request.filters
    filters.kinds.extend(named(KINDS, kind, "kind") for kind in kinds)
    filters.languages.extend(languages)
    filters.path_globs.extend(paths)
    filters.exclude_paths.extend(exclude_paths)
    filters.metadata.update(metadata or {})
    if collection:
        request.scope.target.path = collection
        exactly = query_pb2.SCOPE_QUALIFIER_EXACT if exact else query_pb2.SCOPE_QUALIFIER_SUBTREE
        request.scope.target.qualifier = exactly
    elif anchor:
        request.scope.anchor = anchor
    return request


@_sendable
def chunk_name(chunk: str | At) -> query_pb2.ChunkName:
    """A chunk by id, or by its place."""
    if isinstance(chunk, str):
        return query_pb2.ChunkName(chunk_id=chunk)
    place = query_pb2.ChunkAtPath(collection=chunk.collection, file_path=chunk.file_path, index=chunk.index)
    return query_pb2.ChunkName(at_path=place)


@_sendable
def document_name(document: str | At) -> indexing_pb2.DocumentName:
    """A document by id, or by its place."""
    if isinstance(document, str):
        return indexing_pb2.DocumentName(document_id=document)
    path = indexing_pb2.DocumentPath(collection=document.collection, file_path=document.file_path)
    return indexing_pb2.DocumentName(path=path)


def text_request(document: str | At, start: int, max_length: int) -> query_pb2.GetDocumentTextRequest:
    """A range of a document's text."""
    request = query_pb2.GetDocumentTextRequest(start=start, max_length=max_length)
    if isinstance(document, str):
        request.document_id = document
    else:
        request.at_path.CopyFrom(chunk_name(document).at_path)
    return request


def reason_of(failure: common_pb2.Failure) -> str:
    """The reason of a failure, as `findspot.errors.Reason` spells it."""
    return errors_pb2.ErrorReason.Name(failure.reason).removeprefix("ERROR_REASON_")


def named(table: Mapping[str, Value], name: str, what: str) -> Value:
    """The value that goes by a name; InvalidArgument with the names that there are."""
    if name not in table:
        known = ", ".join(repr(known) for known in table if known)
        raise InvalidArgument(f"{what} {name!r} is unknown; use one of {known}")
    return table[name]
