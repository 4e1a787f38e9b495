"""Embedding identities over their life: offered, filled beside the one that serves, switched to, set aside, dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from findspot.model import DocumentState, EmbeddingIdentity
from findspot.stores.manifest import claims, counters, embeddings, revisions, vectors
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.embeddings import ACTIVE, FILLING, RETIRED
from findspot.stores.manifest.stored import identity_of

DROPPING = "DROPPING"
"""Being removed: nobody uses it any more, and the sweep goes on if the removal is cut short."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that could be used: its identity, the collection for its vectors, and what has to be configured."""

    identity: EmbeddingIdentity
    collection: str
    source: str


@dataclass(frozen=True, slots=True)
class Fill:
    """How full an identity is, in chunks that can be found; `lacking` were never asked for."""

    ready: int
    pending: int
    failed: int
    lacking: int

    @property
    def complete(self) -> bool:
        """True when nothing more will come."""
        return self.pending == 0 and self.lacking == 0


def in_use(connection: Connection, *, hold: bool = False) -> list[EmbeddingIdentity]:
    """The identities that new chunks get vectors of: the active one first, then the one being filled.

    `hold` keeps them in use until the transaction ends.
    """
    return [identity_of(row) for row in _standing(connection, hold) if row.state in (ACTIVE, FILLING)]


def is_in_use(connection: Connection, key: str) -> bool:
    """True when new chunks get vectors of this identity."""
    return any(identity.key == key for identity in in_use(connection))


def is_known(connection: Connection, key: str) -> bool:
    """True unless an identity was dropped; it stays so until the transaction ends."""
    return any(row.key == key and row.state != DROPPING for row in _standing(connection, True))


@dataclass(frozen=True, slots=True)
class Needed:
    """A model that the index needs."""

    source: str
    """What has to be configured to load it."""
    was_configured: bool
    """True for one that is being filled because the embedding service was configured with it."""


def needed(connection: Connection) -> list[Needed]:
    """The models of the active identity and of the one being filled."""
    offered = offered_key(connection)
    return [
        Needed(row.source, row.state == FILLING and row.key == offered)
        for row in _standing(connection, False)
        if row.state in (ACTIVE, FILLING)
    ]


def set_aside(connection: Connection) -> list[str]:
    """Keys of the identities that new chunks get no vector of."""
    return [row.key for row in _standing(connection, False) if row.state not in (ACTIVE, FILLING)]


def _standing(connection: Connection, hold: bool) -> list[Row[Any]]:
    i = t.identities.c
    wanted = select(t.identities).order_by(i.created_at, i.key)
    if hold:
        wanted = wanted.with_for_update(read=True)
    rows = list(connection.execute(wanted))
    return sorted(rows, key=lambda row: row.state != ACTIVE)


def offered_key(connection: Connection) -> str:
    """Key of the model that the embedding service was last seen configured with; empty before any was."""
    return connection.execute(select(t.active_identity.c.offered_key)).scalar_one_or_none() or ""


def take_up(connection: Connection, offer: Offer, now: int) -> None:
    """Make the first identity ever the active one."""
    register(connection, offer, ACTIVE, now)
    _activate(connection, offer.identity.key, now)
    _note_offered(connection, offer.identity.key)


def register(connection: Connection, offer: Offer, state: str, now: int) -> None:
    """Note an identity; one that is known stays in its state."""
    embeddings.register(connection, offer.identity, offer.collection, state, now)
    note_source(connection, offer.identity.key, offer.source)


def note_source(connection: Connection, key: str, source: str) -> None:
    """Keep what has to be configured to have an identity loaded."""
    i = t.identities.c
    if source:
        connection.execute(update(t.identities).where(i.key == key, i.source != source).values(source=source))


def heed(connection: Connection, offer: Offer, now: int) -> str:
    """Follow the embedding service to the model that it is configured with, once each time that it changes.

    Another model than before is filled, one that is being filled already is set aside, and the active one serves
    on. A model that stays configured is left as it is: whoever returned to another identity is not overruled.
    Returns the state of the offered identity; empty when it is not known here.
    """
    key = offer.identity.key
    state = _state(connection, key)
    if offered_key(connection) == key or state == DROPPING:
        return state
    register(connection, offer, FILLING, now)
    begin_filling(connection, key)
    _note_offered(connection, key)
    return _state(connection, key)


def begin_filling(connection: Connection, key: str) -> None:
    """Have an identity filled, and no other; of the active one that means none at all."""
    i = t.identities.c
    connection.execute(update(t.identities).where(i.state == FILLING, i.key != key).values(state=RETIRED))
    connection.execute(update(t.identities).where(i.key == key, i.state == RETIRED).values(state=FILLING))


def _note_offered(connection: Connection, key: str) -> None:
    connection.execute(update(t.active_identity).values(offered_key=key))


def _state(connection: Connection, key: str) -> str:
    found = connection.execute(select(t.identities.c.state).where(t.identities.c.key == key))
    return found.scalar_one_or_none() or ""


def fill(connection: Connection, key: str) -> Fill:
    """How full an identity is, by the counters."""
    return fill_of(counters.totals(connection), key)


def fill_of(totals: Mapping[tuple[str, str], int], key: str) -> Fill:
    """The same from sums of counters that were read before."""
    ready, pending, failed = (
        totals.get((key, counters.vectors_in(state)), 0)
        for state in (vectors.READY, vectors.PENDING, vectors.FAILED)
    )
    live = totals.get(("", counters.CHUNKS_LIVE), 0)
    return Fill(ready, pending, failed, max(0, live - ready - pending - failed))


def switch(connection: Connection, key: str, now: int) -> int:
    """Have queries answered with an identity from the returned revision on; the one before is kept.

    The documents' states follow: INDEXED means that every chunk has a vector of the active identity.
    """
    _activate(connection, key, now)
    d, v = t.documents.c, t.chunk_vectors.c
    unready = v.identity == key, v.state.in_((vectors.PENDING, vectors.FAILED))
    short = connection.execute(select(v.document_id).where(*unready).distinct()).scalars().all()
    claims.demote(connection, short)
    for document_id in short:
        claims.note_lost_vectors(connection, key, document_id)
    chunked = connection.execute(select(d.id).where(d.state == DocumentState.CHUNKED)).scalars().all()
    claims.promote(connection, key, chunked, now)
    return revisions.raise_revision(connection)


def _activate(connection: Connection, key: str, now: int) -> None:
    embeddings.activate(connection, key, now)
    connection.execute(update(t.identities).where(t.identities.c.key == key).values(activated_at=now))


def begin_drop(connection: Connection, key: str) -> None:
    """Note that an identity is to be removed: from now on nobody uses it."""
    connection.execute(update(t.identities).where(t.identities.c.key == key).values(state=DROPPING))


def being_dropped(connection: Connection) -> list[Row[Any]]:
    """Identities whose removal has begun and not ended."""
    return list(connection.execute(select(t.identities).where(t.identities.c.state == DROPPING)))


def served_until(connection: Connection, key: str) -> int:
    """When at the latest an identity that does not serve now last did; 0 when it never did."""
    i = t.identities.c
    if not connection.execute(select(i.activated_at).where(i.key == key)).scalar_one_or_none():
        return 0
    return connection.execute(select(t.active_identity.c.switched_at)).scalar_one_or_none() or 0


def count_vectors(connection: Connection, key: str) -> int:
    """How many vectors are stored of an identity, by counting them."""
    e = t.embeddings.c
    return connection.execute(select(func.count()).where(e.identity == key)).scalar_one()


def erase(connection: Connection, key: str) -> int:
    """Remove all that the manifest holds of an identity that is not active; returns how many stored vectors."""
    connection.execute(delete(t.chunk_vectors).where(t.chunk_vectors.c.identity == key))
    connection.execute(delete(t.counters).where(t.counters.c.identity == key))
    removed = connection.execute(delete(t.embeddings).where(t.embeddings.c.identity == key)).rowcount
    a = t.active_identity.c
    connection.execute(update(t.active_identity).where(a.previous_key == key).values(previous_key=""))
    connection.execute(delete(t.identities).where(t.identities.c.key == key))
    return removed
