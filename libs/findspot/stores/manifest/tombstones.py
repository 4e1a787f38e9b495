"""What was taken out, and when: the name of a deleted document, and of a purged one not even that."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, delete, func, select

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import insert_missing
from findspot.stores.manifest.stored import StoredDocument

DELETED = "DELETED"
PURGED = "PURGED"


def note_deletion(connection: Connection, document: StoredDocument, now: int) -> None:
    """Note that a document was deleted."""
    row = {
        "document_id": document.id,
        "collection_id": document.collection_id,
        "collection_path": document.collection_path,
        "file_path": document.file_path,
        "content_hash": document.content_hash,
        "kind": DELETED,
        "at": now,
    }
    insert_missing(connection, t.tombstones, [row], keys=("document_id", "kind", "at"))


def note_purge(connection: Connection, document: StoredDocument, now: int) -> None:
    """Note that a document was purged, in place of all that was noted of it.

    Neither path nor content stays, and of the id its hash: who knows the id can learn that it was purged, nobody else
    learns anything.
    """
    connection.execute(delete(t.tombstones).where(t.tombstones.c.document_id == document.id))
    row = {
        "document_id": hidden(document.id),
        "collection_id": document.collection_id,
        "collection_path": document.collection_path,
        "file_path": "",
        "content_hash": "",
        "kind": PURGED,
        "at": now,
    }
    insert_missing(connection, t.tombstones, [row], keys=("document_id", "kind", "at"))


def purged(connection: Connection, document_id: str) -> bool:
    """True when a document of this id was purged."""
    at = t.tombstones.c
    wanted = select(func.count()).where(at.document_id == hidden(document_id), at.kind == PURGED)
    return connection.execute(wanted).scalar_one() > 0


def hidden(document_id: str) -> str:
    """What is kept of a purged document's id: 74 of its bits are random, so it cannot be guessed back."""
    return hashlib.sha256(document_id.encode()).hexdigest()
