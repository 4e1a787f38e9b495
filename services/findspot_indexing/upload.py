"""Taking files in: checked, kept durably, noted as work, acknowledged. Nothing that was acknowledged is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason, ResourceExhausted
from findspot.model import Caller, DocumentState
from findspot.stores.manifest import blob_rows, collections, documents, requests, revisions
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing import names, rights, stored_blobs
from findspot_indexing.directories.source import require_uploads
from findspot_indexing.documents import DocumentView, views
from findspot_indexing.service import Indexing
from findspot_indexing.stored_blobs import StoredBlob

_METHOD = "UploadDocument"


@dataclass(frozen=True, slots=True)
class UploadHeader:
    """What a file is, before its bytes. `source_modified_at` is in microseconds since 1970, 0 when not said."""

    collection: str
    file_path: str
    size_bytes: int
    sha256: str
    media_type: str = ""
    document_type: str = ""
    title: str = ""
    language: str = ""
    source_modified_at: int = 0
    metadata: Mapping[str, str] = field(default_factory=dict)
    force: bool = False
    if_generation: int | None = None
    request_id: str = ""
    require_collection: bool = False


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A document that was taken; `unchanged` when its content was there and nothing will be done."""

    view: DocumentView
    unchanged: bool
    revision: int


Content = Callable[[int], Awaitable[bytes]]
"""Reads all bytes of an upload, given the most there may be; checks size and hash against the header."""


async def upload(caller: Caller, indexing: Indexing, header: UploadHeader, content: Content) -> Uploaded:
    """Take one file. When this returns it is stored durably and will be indexed."""
    rights.require_writer(caller)
    header = check_header(header, indexing.limits.max_document_bytes)
    rights.require_collection_in_sight(caller, header.collection)
    data = await content(indexing.limits.max_document_bytes)
    async with stored_blobs.stored(indexing, data, blob_rows.ORIGINAL) as blob:
        answer = await indexing.manifest.write(lambda c: _accept(c, indexing, header, blob))
    indexing.wake.compose.set()
    return answer


def check_header(header: UploadHeader, most_bytes: int) -> UploadHeader:
    """The header with its names in canonical form. Raises before a byte of the file was read."""
    path = names.file_path(header.file_path)
    found = names.Violations()
    collection = found.attempt("collection", names.collection_path, header.collection)
    request = found.attempt("request_id", names.request_id, header.request_id)
    names.check_hash(found, "sha256", header.sha256)
    names.check_metadata(found, header.metadata)
    names.check_described(
        found,
        media_type=header.media_type,
        document_type=header.document_type,
        title=header.title,
        language=header.language,
    )
    found.raise_if_any()
    if header.size_bytes > most_bytes:
        raise ResourceExhausted(
            f"{path} has {header.size_bytes} bytes; the limit is {most_bytes}. "
            "Split it, or raise max_document_bytes of the indexing service.",
            reason=Reason.DOCUMENT_TOO_LARGE,
            metadata={"size": str(header.size_bytes), "limit": str(most_bytes)},
        )
    values = {name: getattr(header, name) for name in UploadHeader.__dataclass_fields__}
    return UploadHeader(**values | {"collection": collection, "file_path": path, "request_id": request})


def _accept(connection: Connection, indexing: Indexing, header: UploadHeader, blob: StoredBlob) -> Uploaded:
    now = indexing.clock()
    asked = _fingerprint(header)
    before = requests.recall(connection, header.request_id, _METHOD, asked)
    if before is not None:
        found = documents.get(connection, before["document_id"])
        if found is not None:
            return Uploaded(views(connection, [found])[0], before["unchanged"], before["revision"])
    collection = _collection(connection, header, now)
    known = documents.find(connection, header.collection, header.file_path)
    _check_generation(known, header)
    options = _options(header)
    unchanged = known is not None and not header.force and _is_there(known, header.sha256, options)
    if known is not None and unchanged:
        document_id = known.id
    else:
        blob.record(connection, now)
        document_id = documents.receive(connection, _received(collection, header, options, blob), known, now)
    revision = revisions.current(connection)
    answer = {"document_id": document_id, "unchanged": unchanged, "revision": revision}
    if before is None:
        requests.remember(connection, header.request_id, _METHOD, asked, answer, now)
    stored = documents.get(connection, document_id)
    assert stored is not None
    return Uploaded(views(connection, [stored])[0], unchanged, revision)


def _collection(connection: Connection, header: UploadHeader, now: int) -> collections.Collection:
    found = collections.find(connection, header.collection)
    if found is not None:
        require_uploads(found)
        return found
    if header.require_collection:
        raise rights.no_collection(header.collection)
    return collections.create(connection, header.collection, collections.CollectionSettings(), now)


def _check_generation(known: StoredDocument | None, header: UploadHeader) -> None:
    """A caller that names a generation means: only if nobody else has sent anything since I looked."""
    wanted = header.if_generation
    if wanted is None:
        return
    gone = known is None or known.state == DocumentState.RETIRED
    generation = 0 if gone or known is None else known.generation
    waiting = (
        not gone and known is not None and known.state in (DocumentState.PENDING, DocumentState.EXTRACTING)
    )
    if generation != wanted or waiting or (wanted == 0 and not gone):
        stands = "does not exist" if gone else f"is at generation {generation}"
        more = ", and newer bytes are being indexed" if waiting else ""
        raise Aborted(
            f"{header.file_path} in {header.collection} {stands}{more}; asked was generation {wanted}. "
            "Read it again and decide again.",
            reason=Reason.GENERATION_MISMATCH,
            metadata={"generation": str(generation), "if_generation": str(wanted)},
        )


def _is_there(known: StoredDocument, sha256: str, options: Mapping[str, Any]) -> bool:
    """True when these bytes, described like this, are published or on their way."""
    if known.state in (DocumentState.RETIRED, DocumentState.FAILED) or known.observed_hash != sha256:
        return False
    # When the source was touched says nothing about what it holds.
    aside = ("force", "source_modified_at")
    before = {name: value for name, value in known.options.items() if name not in aside}
    return before == {name: value for name, value in options.items() if name not in aside}


def _options(header: UploadHeader) -> dict[str, Any]:
    return {
        "media_type": header.media_type,
        "document_type": header.document_type,
        "title": header.title,
        "language": header.language,
        "metadata": dict(header.metadata),
        "source_modified_at": header.source_modified_at,
        "force": header.force,
    }


def _received(
    collection: collections.Collection, header: UploadHeader, options: Mapping[str, Any], blob: StoredBlob
) -> documents.Received:
    return documents.Received(
        collection_id=collection.id,
        collection_path=collection.path,
        file_path=header.file_path,
        content_hash=blob.key,
        blob_key=blob.key,
        size_bytes=blob.size,
        source_modified_at=header.source_modified_at,
        options=options,
    )


def _fingerprint(header: UploadHeader) -> str:
    options = _options(header)
    return requests.request_hash(
        header.collection, header.file_path, header.sha256, options, header.if_generation
    )
