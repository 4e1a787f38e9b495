"""What a purge forgets besides the document itself: wherever else the manifest names it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Text, cast, delete, or_, select, update

from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.stored import StoredDocument

PURGED = "(purged)"
"""What stands in the history of operations where a purged document was named."""


def embeddings_of_document(connection: Connection, document_id: str) -> list[tuple[str, str]]:
    """(identity, embed hash) of every vector that was ever wanted for a document."""
    v = t.chunk_vectors.c
    wanted = select(v.identity, v.embed_hash).where(v.document_id == document_id).distinct()
    return [(row[0], row[1]) for row in connection.execute(wanted)]


def forget_mentions(connection: Connection, document: StoredDocument) -> None:
    """Take a document out of the history of operations and of what directories were last seen to hold."""
    s, i = t.source_files.c, t.operation_items.c
    mine = (s.collection_id == document.collection_id) & (s.file_path == document.file_path)
    connection.execute(delete(t.source_files).where(mine))
    connection.execute(delete(t.operation_items).where(i.item.in_((document.id, document.file_path))))
    _hide_in_operations(connection, document)


def _hide_in_operations(connection: Connection, document: StoredDocument) -> None:
    o = t.operations.c
    names = (document.id, document.file_path)
    texts = [cast(column, Text) for column in (o.request, o.progress)] + [o.scope, o.error_message]
    # JSON may write a path's letters as escapes: those operations are looked at too.
    signs = [name for name in (*names, json.dumps(document.file_path)[1:-1]) if name]
    says = or_(*(text.contains(sign, autoescape=True) for text in texts for sign in signs))
    for row in connection.execute(select(t.operations).where(says)).all():
        connection.execute(
            update(t.operations)
            .where(o.id == row.id)
            .values(
                request=_without(row.request, names),
                progress=_without(row.progress, names),
                scope=_without(row.scope, names),
                error_message=_without(row.error_message, names),
            )
        )


def _without(value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, str):
        for name in names:
            value = value.replace(name, PURGED)
        return value
    if isinstance(value, list):
        return [_without(item, names) for item in value]
    if isinstance(value, dict):
        return {_without(key, names): _without(item, names) for key, item in value.items()}
    return value


def forget_requests_of_none(connection: Connection, after: str, limit: int) -> str:
    """Of the next remembered requests forget those whose document is no more; the last id looked at, "" at the end."""
    r = t.requests.c
    rows = connection.execute(
        select(r.request_id, r.response).where(r.request_id > after).order_by(r.request_id).limit(limit)
    ).all()
    of: dict[str, str] = {}
    for row in rows:
        answer = json.loads(row.response)
        if isinstance(answer, dict) and answer.get("document_id"):
            of[row.request_id] = answer["document_id"]
    d = t.documents.c
    known = {row[0] for row in connection.execute(select(d.id).where(among(d.id, sorted(set(of.values())))))}
    gone = [request for request, document in of.items() if document not in known]
    connection.execute(delete(t.requests).where(among(r.request_id, gone)))
    return rows[-1].request_id if len(rows) == limit else ""
