"""Documents that are being erased: noted before anything of them goes, so that it is finished whatever happens."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from findspot.errors import Unavailable
from findspot.model import DocumentState
from findspot.stores.manifest import counters
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.stored import StoredDocument

PURGING = "PURGING"
"""The `stage` of a document that is being erased: if that is cut short, the sweep goes on with it."""
PURGE_REQUESTS = "purge_requests"
"""In the `options` of such a document: ids of the calls that are to be answered when it is erased."""


def require_none(document: StoredDocument) -> None:
    """Raise Unavailable while a document is being erased: newer bytes of it would be erased with it."""
    if document.state == DocumentState.RETIRED and document.stage == PURGING:
        raise Unavailable(
            f"{document.file_path} in {document.collection_path} is being purged; what comes now would go with it. "
            "Send it again in a moment. If this stays so, `findspot doctor` tells what the purge waits for.",
            retry_after=1.0,
        )


def begin(connection: Connection, document: StoredDocument, request_id: str, now: int) -> None:
    """Note that a retired document is to be erased, so that a purge that is cut short is finished later."""
    asked = [*document.options.get(PURGE_REQUESTS, ()), *([request_id] if request_id else ())]
    connection.execute(
        update(t.documents)
        .where(t.documents.c.id == document.id)
        .values(stage=PURGING, updated_at=now, options={**document.options, PURGE_REQUESTS: asked})
    )


def begun(connection: Connection, before: int) -> list[str]:
    """Documents whose purge has begun before a time and not ended."""
    d = t.documents.c
    wanted = select(d.id).where(d.state == DocumentState.RETIRED, d.stage == PURGING, d.updated_at <= before)
    return [row[0] for row in connection.execute(wanted)]


def erase(connection: Connection, document_id: str) -> list[str]:
    """Remove the row of a retired document that nothing refers to any more; returns its blob keys."""
    d = t.documents.c
    rows = connection.execute(
        delete(t.documents).where(d.id == document_id).returning(d.collection_id, d.state, d.blob_key)
    ).all()
    for row in rows:
        counters.add(connection, {(row.collection_id, "", counters.documents_in(row.state)): -1})
    return [row.blob_key for row in rows]
