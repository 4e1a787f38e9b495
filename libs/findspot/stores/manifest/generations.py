"""Generations: what a document was made of each time, and which one serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, select, update

from findspot.model import DocumentState
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import upsert

STAGED = "STAGED"
PUBLISHED = "PUBLISHED"
RETIRED = "RETIRED"


def stage(connection: Connection, values: Mapping[str, Any]) -> None:
    """Note a generation that is being made; doing it again after a crash overwrites it."""
    row = {"state": STAGED, **values}
    upsert(connection, t.generations, [row], keys=("document_id", "generation"))


def publish(connection: Connection, document_id: str, generation: int, now: int) -> list[str]:
    """Make a generation the one that serves, retire the one before; returns blobs of abandoned ones."""
    g = t.generations.c
    mine = g.document_id == document_id
    freed = drop_staged(connection, document_id, besides=generation)
    retire(connection, document_id, now)
    connection.execute(
        update(t.generations)
        .where(mine, g.generation == generation)
        .values(state=PUBLISHED, published_at=now, retired_at=0)
    )
    return freed


def is_abandoned(connection: Connection, document_id: str) -> bool:
    """True of a document for which nobody makes a generation, or is about to."""
    d = t.documents.c
    busy = select(d.id).where(
        d.id == document_id, d.state.in_((DocumentState.PENDING, DocumentState.EXTRACTING))
    )
    return connection.execute(busy).first() is None


def abandoned(connection: Connection, limit: int) -> list[str]:
    """Documents with a generation that was staged and that nobody is going to finish."""
    g, d = t.generations.c, t.documents.c
    wanted = (
        select(g.document_id)
        .join(t.documents, d.id == g.document_id)
        .where(g.state == STAGED, d.state.not_in((DocumentState.PENDING, DocumentState.EXTRACTING)))
        .distinct()
        .limit(limit)
    )
    return [row[0] for row in connection.execute(wanted)]


def drop_staged(connection: Connection, document_id: str, besides: int = 0) -> list[str]:
    """Remove staged generations of a document but one, and their sections; returns blobs they referred to."""
    g, s = t.generations.c, t.sections.c
    rows = connection.execute(
        delete(t.generations)
        .where(g.document_id == document_id, g.state == STAGED, g.generation != besides)
        .returning(g.generation, g.blob_key, g.extraction_key, g.text_key)
    ).all()
    for row in rows:
        mine = (s.document_id == document_id) & (s.generation == row.generation)
        connection.execute(delete(t.sections).where(mine))
    return [key for row in rows for key in row[1:] if key]


def retire(connection: Connection, document_id: str, now: int) -> None:
    """Note that the generation which served does so no more."""
    g = t.generations.c
    connection.execute(
        update(t.generations)
        .where(g.document_id == document_id, g.state == PUBLISHED)
        .values(state=RETIRED, retired_at=now)
    )


def erase_document(connection: Connection, document_id: str) -> list[str]:
    """Remove every generation of a document; returns the keys of the blobs they referred to."""
    g = t.generations.c
    keys = select(g.blob_key, g.extraction_key, g.text_key).where(g.document_id == document_id)
    found = [key for row in connection.execute(keys) for key in row if key]
    connection.execute(delete(t.generations).where(g.document_id == document_id))
    return found
