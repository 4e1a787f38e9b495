"""Documents that failed, by reason, and since when the others wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from findspot.model import DocumentState
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among


@dataclass(frozen=True, slots=True)
class FailureCount:
    """Failures of one kind, and one of them."""

    reason: str
    count: int
    file_path: str
    message: str


def by_reason(connection: Connection, collection_ids: Sequence[str]) -> list[FailureCount]:
    """The failed documents of these collections by reason, the most frequent first."""
    d = t.documents.c
    failed = (d.state == DocumentState.FAILED) & among(d.collection_id, collection_ids)
    wanted = (
        select(d.error_reason, func.count(), func.min(d.id))
        .where(failed)
        .group_by(d.error_reason)
        .order_by(func.count().desc(), d.error_reason)
    )
    counts = connection.execute(wanted).all()
    examples = {
        row.id: row
        for row in connection.execute(
            select(d.id, d.file_path, d.error_message).where(among(d.id, [row[2] for row in counts]))
        )
    }
    return [
        FailureCount(reason, count, examples[example].file_path, examples[example].error_message)
        for reason, count, example in counts
    ]


def oldest_pending(connection: Connection, collection_ids: Sequence[str]) -> int:
    """Since when the oldest document waits, in microseconds since 1970; 0 when none does."""
    d = t.documents.c
    wanted = select(func.min(d.queued_at)).where(
        d.state.in_((DocumentState.PENDING, DocumentState.EXTRACTING)),
        among(d.collection_id, collection_ids),
    )
    return connection.execute(wanted).scalar_one_or_none() or 0
