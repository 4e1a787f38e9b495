"""Taking part: signs of life, and taking up what others that died had claimed."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import Connection

from findspot.errors import FailedPrecondition, FindspotError, Reason
from findspot.stores.manifest import blob_rows, claims, instances, operation_leases, vectors
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)


def join(connection: Connection, indexing: Indexing) -> None:
    """Begin to take part.

    Raises FailedPrecondition when the data folder belongs to another manifest, STORE_LOCKED when the manifest has a
    living owner elsewhere.
    """
    if indexing.membership.alone:
        reclaim_everything(connection, indexing.clock())
        return
    blob_rows.require_some(connection, indexing.blobs.exists, indexing.own_data)
    if indexing.membership.owner:
        instances.forget_owners(connection, indexing.own_data)
        _require_no_owner(connection, indexing)
    _beat(connection, indexing)
    claims.reclaim(connection, indexing.clock(), everyone=False)


def leave(connection: Connection, indexing: Indexing) -> None:
    """End in order: what is under way is nobody's fault, and those tries do not count."""
    claims.give_back(connection, indexing.instance)
    vectors.give_back(connection, indexing.instance)
    operation_leases.give_back(connection, indexing.instance)
    if not indexing.membership.alone:
        instances.end(connection, indexing.instance)
        instances.reclaim_lost(connection)


def reclaim_everything(connection: Connection, now: int) -> int:
    """When nobody else can be at work, every claim is one that a dead process left behind."""
    vectors.reclaim_all(connection)
    operation_leases.reclaim_all(connection)
    return claims.reclaim(connection, now, everyone=True)


async def keep_alive(indexing: Indexing) -> None:
    """Signs of life, until cancelled. Whoever missed too many has lost its claims, and finds that out when it ends."""
    while True:
        try:
            lost = await indexing.manifest.write(lambda c: _beat(c, indexing))
        except FindspotError as failure:
            log.warning("A sign of life has to wait: %s", failure.message)
        else:
            if lost:
                log.warning("%d claims of processes that died were put back.", lost)
                indexing.wake.compose.set()
                indexing.wake.embed.set()
                indexing.wake.operations.set()
        await asyncio.sleep(indexing.membership.heartbeat_seconds)


def _beat(connection: Connection, indexing: Indexing) -> int:
    member = indexing.membership
    role = instances.OWNER if member.owner else instances.WORKER
    instances.beat(connection, indexing.instance, role, member.place, indexing.own_data)
    instances.forget_dead(connection, member.timeout)
    return instances.reclaim_lost(connection)


def _require_no_owner(connection: Connection, indexing: Indexing) -> None:
    for other in instances.alive(connection, indexing.membership.timeout):
        if other.role == instances.OWNER:
            raise FailedPrecondition(
                f"The manifest is indexed by {other.place}, whose text index lies in {other.data}. Stop that process "
                f"and wait {indexing.membership.timeout_seconds:g} s, or start this one as a worker of it: set "
                "text_index of the indexing service to its address.",
                reason=Reason.STORE_LOCKED,
                metadata={"holder": other.place, "path": other.data},
            )
