"""How full and how fresh the index is: from the counters, so that asking costs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from findspot.errors import Reason
from findspot.model import Caller, DocumentState, EmbeddingIdentity, may_read
from findspot.stores.manifest import counters, embeddings, failures, identities, revisions
from findspot.stores.manifest.collections import with_directory
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.manifest.failures import FailureCount
from findspot.stores.manifest.reading import collections_in_scope
from findspot.stores.manifest.stored import CollectionRef, identity_of
from findspot_indexing import names
from findspot_indexing.directories.problems import SourceProblem, problem_of
from findspot_indexing.embed import offers
from findspot_indexing.outages import Outage
from findspot_indexing.service import Indexing

_ORDER = {embeddings.ACTIVE: 0, embeddings.FILLING: 1}

_MOST_SOURCE_PROBLEMS = 100

PENDING = (DocumentState.PENDING, DocumentState.EXTRACTING)


@dataclass(frozen=True, slots=True)
class IdentityStatus:
    """The vectors of one identity; `state` is FILLING, ACTIVE or RETIRED.

    `pending` counts every chunk that could be found and has no vector of it, whether one was asked for or not.
    """

    identity: EmbeddingIdentity
    state: str
    embedded: int
    pending: int
    failed: int
    loaded: bool
    """True while the embedding service holds the model."""


@dataclass(frozen=True, slots=True)
class Status:
    """What is in a scope, by state. Times are microseconds since 1970, 0 when there is none."""

    states: Mapping[str, int]
    chunks: int
    identities: Sequence[IdentityStatus]
    failures: Sequence[FailureCount]
    oldest_pending_at: int
    chunks_per_second: float
    revision: int
    collections: int
    blocked_by: Outage | None
    source_problems: Sequence[SourceProblem] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work of a scope is."""

    documents: int
    pending: int
    failed: int
    chunks: int
    embedded: int
    chunks_per_second: float
    revision: int
    idle: bool
    blocked_by: Outage | None


async def status(caller: Caller, indexing: Indexing, subtree: str = "") -> Status:
    """The state of a subtree of collections, or of all that the caller may see."""
    within = names.subtree(subtree)
    loaded = await offers.loaded_now(indexing)
    return await indexing.manifest.read(lambda c: _status(c, caller, indexing, within, loaded))


async def progress(caller: Caller, indexing: Indexing, subtree: str = "") -> Progress:
    """How far the work of a subtree is."""
    within = names.subtree(subtree)
    return await indexing.manifest.read(lambda c: _progress(c, caller, indexing, within))


def scope(connection: Connection, caller: Caller, within: str) -> tuple[CollectionRef, ...]:
    """The collections of a subtree ("" for everywhere) that the caller may see."""
    roots = [within] if within else None
    found = collections_in_scope(Snapshot(connection, 0), subtrees=roots)
    return tuple(collection for collection in found if may_read(caller, collection.path))


def identity_statuses(
    totals: Mapping[tuple[str, str], int], rows: Sequence[Row[Any]], loaded: Set[str]
) -> list[IdentityStatus]:
    """How full each identity of these rows is, by sums of counters: the one that serves first, then the one that is
    being filled; those that are being dropped are gone."""
    found = []
    for row in sorted(rows, key=lambda row: _ORDER.get(row.state, len(_ORDER))):
        if row.state != identities.DROPPING:
            full = identities.fill_of(totals, row.key)
            found.append(
                IdentityStatus(
                    identity_of(row),
                    row.state,
                    full.ready,
                    full.pending + full.lacking,
                    full.failed,
                    row.key in loaded,
                )
            )
    return found


def _status(
    connection: Connection, caller: Caller, indexing: Indexing, within: str, loaded: Set[str]
) -> Status:
    ids = [collection.id for collection in scope(connection, caller, within)]
    totals = counters.totals(connection, ids)
    return Status(
        states={
            state.value: totals[key]
            for state in DocumentState
            if totals.get(key := ("", counters.documents_in(state)))
        },
        chunks=totals.get(("", counters.CHUNKS_LIVE), 0),
        identities=identity_statuses(totals, embeddings.all_identities(connection), loaded),
        failures=failures.by_reason(connection, ids),
        oldest_pending_at=failures.oldest_pending(connection, ids),
        chunks_per_second=indexing.rate.per_second(set(ids)),
        revision=revisions.current(connection),
        collections=len(ids),
        blocked_by=indexing.outages.blocking(),
        source_problems=_source_problems(connection, indexing, set(ids)),
    )


def _source_problems(connection: Connection, indexing: Indexing, ids: Set[str]) -> list[SourceProblem]:
    found = (
        problem_of(collection, indexing.sources.state(collection.id))
        for collection in with_directory(connection)
        if collection.id in ids
    )
    return [problem for problem in found if problem is not None][:_MOST_SOURCE_PROBLEMS]


def _progress(connection: Connection, caller: Caller, indexing: Indexing, within: str) -> Progress:
    ids = [collection.id for collection in scope(connection, caller, within)]
    totals = counters.totals(connection, ids)
    active = embeddings.active(connection)
    states = {state: totals.get(("", counters.documents_in(state)), 0) for state in DocumentState}
    pending = sum(states[state] for state in PENDING)
    full = identities.fill_of(totals, active.key) if active else None
    waiting = full.pending + full.lacking if full else 0
    return Progress(
        documents=sum(count for state, count in states.items() if state != DocumentState.RETIRED),
        pending=pending,
        failed=states[DocumentState.FAILED],
        chunks=totals.get(("", counters.CHUNKS_LIVE), 0),
        embedded=full.ready if full else 0,
        chunks_per_second=indexing.rate.per_second(set(ids)),
        revision=revisions.current(connection),
        idle=not pending and not waiting and not _awaits_model(active, states, indexing.outages.current()),
        blocked_by=indexing.outages.blocking(),
    )


def _awaits_model(
    active: EmbeddingIdentity | None, states: Mapping[DocumentState, int], outage: Outage | None
) -> bool:
    """True when chunks wait for the first model ever, and there may be one: no provider at all is not waited for."""
    without = outage is not None and outage.reason is Reason.SEARCH_NOT_PERFORMED
    return active is None and states[DocumentState.CHUNKED] > 0 and not without
