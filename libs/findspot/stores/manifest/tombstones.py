"""What was taken out, and when: names only, nothing of the content."""

from __future__ import annotations

from sqlalchemy import Connection

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import insert_missing
from findspot.stores.manifest.stored import StoredDocument

DELETED = "DELETED"
PURGED = "PURGED"


def add(connection: Connection, document: StoredDocument, kind: str, now: int) -> None:
    """Note that a document was deleted or purged."""
    row = {
        "document_id": document.id,
        "collection_id": document.collection_id,
        "collection_path": document.collection_path,
        "file_path": document.file_path,
        "content_hash": document.content_hash,
        "kind": kind,
        "at": now,
    }
    insert_missing(connection, t.tombstones, [row], keys=("document_id", "kind", "at"))
