"""What queries join and select so that freshness can be judged: the file as it was last seen, the vector that serves."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, case, func

from findspot.stores.manifest import tables as t


def seen() -> ColumnElement[bool]:
    """Joins a document with its file as it was last seen."""
    f, d = t.source_files.c, t.documents.c
    return and_(f.collection_id == d.collection_id, f.file_path == d.file_path)


def seen_columns() -> tuple[ColumnElement[Any], ...]:
    """What `file_of` takes."""
    f = t.source_files.c
    return (
        f.content_hash.label("seen_hash"),
        f.modified_ns.label("seen_modified_ns"),
        f.error_message.label("seen_error"),
    )


def vector_of_active() -> ColumnElement[bool]:
    """Joins a chunk with its vector under the active identity, which is joined before."""
    v = t.chunk_vectors.c
    return and_(v.identity == t.active_identity.c.identity_key, v.chunk_id == t.chunks.c.id)


def vector_state() -> ColumnElement[str]:
    """The state of that vector; NONE where nobody has asked for one, empty without an active identity."""
    return case(
        (t.active_identity.c.identity_key != "", func.coalesce(t.chunk_vectors.c.state, "NONE")), else_=""
    )
