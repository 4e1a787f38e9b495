"""Documents: received, deleted, purged, listed. Each function keeps the counters in its transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, or_, select, update

from findspot.ids import uuid7
from findspot.model import DocumentState
from findspot.stores.manifest import counters, purging, revisions
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.reading import document_rows, under
from findspot.stores.manifest.stored import StoredDocument, document_of


@dataclass(frozen=True, slots=True)
class Received:
    """The newest bytes of a file, and what the sender said of them."""

    collection_id: str
    collection_path: str
    file_path: str
    content_hash: str
    blob_key: str
    size_bytes: int
    source_modified_at: int
    options: Mapping[str, Any]
    """media_type, document_type, title, language, metadata, source_modified_at, force: as given."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides whether a file has to be sent again."""

    content_hash: str
    """Of the newest bytes received."""
    state: str
    error_reason: str


def find(connection: Connection, collection_path: str, file_path: str) -> StoredDocument | None:
    """The document at a path, deleted or not."""
    given = {"collection_path": collection_path, "file_path": file_path}
    row = connection.execute(_at_path(), given).one_or_none()
    return None if row is None else document_of(row)


def get(connection: Connection, document_id: str) -> StoredDocument | None:
    """The document of an id, deleted or not."""
    row = connection.execute(_of_id(), {"document_id": document_id}).one_or_none()
    return None if row is None else document_of(row)


@cache
def _at_path() -> Select[Any]:
    d = t.documents.c
    return document_rows().where(
        d.collection_path == bindparam("collection_path"), d.file_path == bindparam("file_path")
    )


@cache
def _of_id() -> Select[Any]:
    return document_rows().where(t.documents.c.id == bindparam("document_id"))


def standing(connection: Connection, collection_path: str, paths: Sequence[str]) -> dict[str, Standing]:
    """Where the documents at these paths of a collection stand, by path, deleted ones too."""
    d = t.documents.c
    found: dict[str, Standing] = {}
    for at in range(0, len(paths), 500):
        wanted = select(d.file_path, d.observed_hash, d.state, d.error_reason).where(
            d.collection_path == collection_path, among(d.file_path, paths[at : at + 500])
        )
        found.update((row[0], Standing(*row[1:])) for row in connection.execute(wanted))
    return found


def receive(connection: Connection, received: Received, known: StoredDocument | None, now: int) -> str:
    """Note new bytes of a file as the next generation to make; returns the document's id.

    `known` is the document at that path now, if there is one: it keeps its id, even if it was deleted, and
    what is published of it stays as it is until the switch. Raises Unavailable while that one is being purged.
    """
    if known is not None:
        purging.require_none(known)
    revision = revisions.raise_revision(connection)
    newest = {
        "state": DocumentState.PENDING,
        "observed_hash": received.content_hash,
        "blob_key": received.blob_key,
        "size_bytes": received.size_bytes,
        "options": dict(received.options),
        "error_reason": "",
        "error_message": "",
        "attempts": 0,
        "next_attempt_at": now,
        "queued_at": now,
        "lease_owner": "",
        "lease_until": 0,
        "stage": "",
        "revision": revision,
        "updated_at": now,
        "deleted_at": 0,
        "diverged_at": _diverged_at(known, received, now),
    }
    if known is None:
        return _insert(connection, received, newest, now)
    described = {} if known.generation else _described(received)
    connection.execute(
        update(t.documents)
        .where(t.documents.c.id == known.id)
        .values(**newest, **described, next_generation=known.next_generation + 1)
    )
    count_move(connection, known.collection_id, known.state, DocumentState.PENDING)
    return known.id


def _diverged_at(known: StoredDocument | None, received: Received, now: int) -> int:
    """Since when what is published is not the newest: since the first bytes that differed from it."""
    if known is None or not known.generation or known.content_hash == received.content_hash:
        return 0
    return known.diverged_at or now


def _insert(connection: Connection, received: Received, newest: Mapping[str, Any], now: int) -> str:
    document_id = uuid7()
    connection.execute(
        t.documents.insert().values(
            id=document_id,
            collection_id=received.collection_id,
            collection_path=received.collection_path,
            file_path=received.file_path,
            next_generation=1,
            created_at=now,
            **newest,
            **_described(received),
        )
    )
    counters.add(connection, {(received.collection_id, "", counters.documents_in(DocumentState.PENDING)): 1})
    return document_id


def _described(received: Received) -> dict[str, Any]:
    # What is known of a document before anything of it is published; later it changes with the switch.
    options = received.options
    return {
        "title": options.get("title") or received.file_path.rsplit("/", 1)[-1],
        "media_type": options.get("media_type", ""),
        "document_type": options.get("document_type", ""),
        "language": options.get("language", ""),
        "metadata": dict(options.get("metadata", {})),
        "source_modified_at": received.source_modified_at,
    }


def retire(connection: Connection, document: StoredDocument, now: int) -> int:
    """Mark a document as deleted; its chunks are the caller's to retire. Returns the revision."""
    revision = revisions.raise_revision(connection)
    connection.execute(
        update(t.documents)
        .where(t.documents.c.id == document.id)
        .values(
            state=DocumentState.RETIRED,
            generation=0,
            diverged_at=0,
            lease_owner="",
            lease_until=0,
            error_reason="",
            error_message="",
            deleted_at=now,
            updated_at=now,
            revision=revision,
        )
    )
    count_move(connection, document.collection_id, document.state, DocumentState.RETIRED)
    return revision


def page(
    connection: Connection,
    *,
    subtrees: Sequence[str] | None,
    within: str = "",
    states: Sequence[str] = (),
    after: tuple[str, str] | None = None,
    limit: int,
) -> list[StoredDocument]:
    """Documents by collection and file path; no `states` means all but RETIRED, `subtrees` None means all."""
    d = t.documents.c
    wanted = document_rows().order_by(d.collection_path, d.file_path).limit(limit)
    wanted = wanted.where(d.state.in_(states) if states else d.state != DocumentState.RETIRED)
    if within:
        wanted = wanted.where(under(d.collection_path, within))
    if subtrees is not None:
        if not subtrees:
            return []
        wanted = wanted.where(or_(*(under(d.collection_path, root) for root in subtrees)))
    if after is not None:
        path, file = after
        wanted = wanted.where(
            or_(d.collection_path > path, and_(d.collection_path == path, d.file_path > file))
        )
    return [document_of(row) for row in connection.execute(wanted)]


def count_move(connection: Connection, collection_id: str, old: str, new: str) -> None:
    """Count one document as gone from one state into another."""
    if old != new:
        counters.add(
            connection,
            {
                (collection_id, "", counters.documents_in(old)): -1,
                (collection_id, "", counters.documents_in(new)): 1,
            },
        )
