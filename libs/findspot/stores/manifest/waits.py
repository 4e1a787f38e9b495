"""What waits for a time that lies too far ahead: it was noted by a clock that has been set back since."""

from __future__ import annotations

from sqlalchemy import Connection, update

from findspot.model import DocumentState
from findspot.stores.manifest import embeddings
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.vectors import PENDING


def bring_forward(connection: Connection, latest: int, now: int) -> int:
    """Let documents and chunks that wait for a time after `latest` be tried now; returns how many there were."""
    d, v = t.documents.c, t.chunk_vectors.c
    late = d.state == DocumentState.PENDING, d.next_attempt_at > latest
    found = connection.execute(update(t.documents).where(*late).values(next_attempt_at=now)).rowcount
    for identity in embeddings.all_identities(connection):
        vectors = v.identity == identity.key, v.state == PENDING, v.next_attempt_at > latest
        found += connection.execute(
            update(t.chunk_vectors).where(*vectors).values(next_attempt_at=now)
        ).rowcount
    return found
