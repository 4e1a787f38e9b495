"""Calls made with a request id: making one again gives the first answer, not a second effect."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from sqlalchemy import Connection, delete, select, update

from findspot.errors import InvalidArgument, Reason
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.clock import SECOND

KEPT_FOR = 24 * 3600 * SECOND


def request_hash(*parts: Any) -> str:
    """A hash of all that a request asks for; parts are anything JSON can hold."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def recall(connection: Connection, request_id: str, method: str, asked: str) -> Any | None:
    """What this request id was answered, None when it is new (or empty).

    Raises InvalidArgument REQUEST_ID_REUSED when the id was used for another call or other contents.
    """
    if not request_id:
        return None
    row = connection.execute(select(t.requests).where(t.requests.c.request_id == request_id)).one_or_none()
    if row is None:
        return None
    if (row.method, row.request_hash) != (method, asked):
        raise InvalidArgument(
            f"The request id {request_id} was used before, for another request ({row.method}). "
            "Give every new request a new id.",
            reason=Reason.REQUEST_ID_REUSED,
            metadata={"request_id": request_id, "method": row.method},
        )
    return json.loads(row.response)


def remember(connection: Connection, request_id: str, method: str, asked: str, answer: Any, now: int) -> None:
    """Keep the answer under the request id, in the transaction that does what was asked; no id, no effect."""
    if request_id:
        connection.execute(
            t.requests.insert().values(
                request_id=request_id,
                method=method,
                request_hash=asked,
                response=json.dumps(answer).encode(),
                created_at=now,
            )
        )


def answered(connection: Connection, request_id: str) -> Any | None:
    """What a request was answered that was recalled before, so that it is known to be the same; None when it is new."""
    row = connection.execute(
        select(t.requests.c.response).where(t.requests.c.request_id == request_id)
    ).one_or_none()
    return None if row is None else json.loads(row.response)


def answer(connection: Connection, request_id: str, answer: Any) -> None:
    """Give a request that was remembered when it began the answer that it came to."""
    given = {"response": json.dumps(answer).encode()}
    connection.execute(update(t.requests).where(t.requests.c.request_id == request_id).values(**given))


def forget_old(connection: Connection, now: int) -> int:
    """Forget requests of more than 24 hours ago; returns how many."""
    return connection.execute(delete(t.requests).where(t.requests.c.created_at < now - KEPT_FOR)).rowcount
