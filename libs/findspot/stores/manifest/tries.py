"""Documents that gave nothing, by what was tried on them: another extractor may get more out of the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, Text, literal, select, tuple_

from findspot.model import DocumentState
from findspot.stores.manifest import tables as t

_STATES = (DocumentState.EMPTY, DocumentState.FAILED)


@dataclass(frozen=True, slots=True)
class Tried:
    """What documents without text, or that failed, have in common."""

    reason: str
    document_type: str
    """Empty for files that failed before anything of them was published."""
    stamp: str
    """What extraction stood at; empty for documents from before this was noted."""


@dataclass(frozen=True, slots=True)
class Fruitless:
    """A document that gave nothing."""

    id: str
    collection_id: str
    state: str


def tried(connection: Connection) -> Iterator[Tried]:
    """Each combination that there is, however many documents share it: a step through the index a combination."""
    for state in _STATES:
        row = connection.execute(first(state)).first()
        while row is not None:
            found = Tried(row[0], row[1], row[2])
            yield found
            row = connection.execute(following(state, found)).first()


def first(state: DocumentState) -> Select[Any]:
    """The first combination in a state, in the order of the index `documents_tried`."""
    d = t.documents.c
    order = (d.error_reason, d.document_type, d.tried_stamp)
    return select(*order).where(t.FRUITLESS, d.state == state).order_by(*order).limit(1)


def following(state: DocumentState, found: Tried) -> Select[Any]:
    """The one after another."""
    d = t.documents.c
    after = tuple_(d.error_reason, d.document_type, d.tried_stamp) > tuple_(
        *(literal(value, Text) for value in (found.reason, found.document_type, found.stamp))
    )
    return first(state).where(after)


def documents_tried(connection: Connection, so: Tried, limit: int) -> list[Fruitless]:
    """Documents of a combination, up to `limit`."""
    d = t.documents.c
    wanted = (
        select(d.id, d.collection_id, d.state)
        .where(
            t.FRUITLESS,
            d.state.in_(_STATES),
            d.error_reason == so.reason,
            d.document_type == so.document_type,
            d.tried_stamp == so.stamp,
        )
        .limit(limit)
    )
    return [Fruitless(*row) for row in connection.execute(wanted)]
