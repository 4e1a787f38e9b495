"""Documents whose file stands under another path now: id, history and everything made of them stay."""

from __future__ import annotations

from sqlalchemy import Connection, update

from findspot.errors import Aborted, Reason
from findspot.model import DocumentState
from findspot.stores.manifest import documents, remaking
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.stored import StoredDocument


def move(connection: Connection, document: StoredDocument, file_path: str, *, stage: str, now: int) -> None:
    """Give a document another path in its collection, and queue it so that both projections learn of it.

    `stage` is where the work on it begins, see `remaking`. What is published of it goes on serving, under the new
    path. A deleted document that had this path before takes the one that becomes free: an id is never lost. Raises
    Aborted LEASE_LOST when a document that is not deleted has the path.
    """
    d = t.documents.c
    other = documents.find(connection, document.collection_path, file_path)
    if other is not None and other.state != DocumentState.RETIRED:
        raise Aborted(
            f"{file_path} in {document.collection_path} is another document meanwhile. Look at the directory again.",
            reason=Reason.LEASE_LOST,
        )
    if other is not None:
        # No path of a file begins with a slash: this one is free.
        connection.execute(update(t.documents).where(d.id == other.id).values(file_path=f"/{other.id}"))
    named_after_file = document.title == _name(document.file_path)
    connection.execute(
        update(t.documents)
        .where(d.id == document.id)
        .values(
            file_path=file_path,
            title=_name(file_path) if named_after_file else document.title,
            # Newer bytes may come before the projections have learnt of the path: whoever takes them looks at this.
            options={**document.options, "force": True},
        )
    )
    remaking.make_again(
        connection, document.id, document.collection_id, document.state, stage, now, everything=True
    )
    if other is not None:
        connection.execute(update(t.documents).where(d.id == other.id).values(file_path=document.file_path))


def _name(path: str) -> str:
    return path.rpartition("/")[2]
