"""Making documents anew without newer bytes: from which stage on, and what they were made with the last time.

`documents.stage` says where the next generation begins: with the file (empty, or EXTRACT) or with the stored extraction
(CHUNK). Behind it stands ALL when everything is to be written anew, also what did not change. An upload empties it.
"""

from __future__ import annotations

from sqlalchemy import Connection, update

from findspot.model import DocumentState
from findspot.stores.manifest import revisions
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.documents import count_move

EXTRACT = "EXTRACT"
CHUNK = "CHUNK"
EMBED = "EMBED"
_ALL = " ALL"


def reuses_extraction(stage: str) -> bool:
    """True when the next generation is cut from what was read of the file the last time."""
    return stage.removesuffix(_ALL) == CHUNK


def rewrites(stage: str) -> bool:
    """True when the projections of chunks that did not change are written anew too."""
    return stage.endswith(_ALL)


def make_again(
    connection: Connection,
    document_id: str,
    collection_id: str,
    state: str,
    stage: str,
    now: int,
    *,
    everything: bool,
) -> None:
    """Have the next generation of a document made from EXTRACT or CHUNK on; what serves goes on serving."""
    d = t.documents.c
    revision = revisions.raise_revision(connection)
    connection.execute(
        update(t.documents)
        .where(d.id == document_id)
        .values(
            state=DocumentState.PENDING,
            stage=stage + (_ALL if everything else ""),
            next_generation=d.next_generation + 1,
            error_reason="",
            error_message="",
            attempts=0,
            next_attempt_at=now,
            queued_at=now,
            lease_owner="",
            lease_until=0,
            revision=revision,
            updated_at=now,
        )
    )
    count_move(connection, collection_id, state, DocumentState.PENDING)


def forget_failure(connection: Connection, document_id: str) -> None:
    """Take back what a document that is found by its words says about vectors that failed."""
    d = t.documents.c
    connection.execute(
        update(t.documents)
        .where(d.id == document_id, d.state == DocumentState.CHUNKED)
        .values(error_reason="", error_message="")
    )
