"""Whether changes of the text index may still be made: asked of the manifest right before each commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason
from findspot.stores.manifest import chunks, claims
from findspot_indexing.text_commits import Checked, TextChange


def still_allowed(connection: Connection, changes: Sequence[TextChange]) -> list[Checked]:
    """What may be made of each change; Aborted LEASE_LOST where its claim was lost."""
    return [_checked(connection, change) for change in changes]


def _checked(connection: Connection, change: TextChange) -> Checked:
    claim = change.claim
    if claim is not None and not claims.holds(connection, claim.document_id, claim.owner, claim.generation):
        return Aborted(
            f"Document {claim.document_id} was changed, deleted or taken over while generation {claim.generation} "
            "was made.",
            reason=Reason.LEASE_LOST,
        )
    if change.if_idle:
        busy = chunks.in_use(connection, change.delete)
        return replace(change, delete=[key for key in change.delete if key not in busy])
    return change
