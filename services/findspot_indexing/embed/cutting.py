"""Whose inputs chunks have to fit: those of every model that the index needs vectors of."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from findspot.model import DocumentState, EmbeddingIdentity
from findspot.stores.manifest import identities, remaking
from findspot.stores.manifest import tables as t
from findspot_indexing.embed import offers
from findspot_indexing.service import Indexing


@dataclass(frozen=True, slots=True)
class Cutting:
    """Whose tokens are counted: `identity` "" is the configured model's, which then is the only one."""

    identity: str
    also_fit: tuple[str, ...]
    keys: tuple[str, ...]
    """All of them, by key, as far as known."""

    @property
    def recorded(self) -> str:
        """The keys as a generation keeps them."""
        return ",".join(sorted(self.keys))


async def cutting(indexing: Indexing) -> Cutting:
    """Whose inputs a document that is cut now has to fit. Raises PartAway `chunking` when nobody can say."""
    in_use, offered = await indexing.manifest.read(_needed)
    if in_use in ([], [offered]):
        return Cutting("", (), (offered,) if offered else ())
    loaded = offers.ready(await offers.ask(indexing, "chunking"))
    keys = tuple(key for key in in_use if key in loaded)
    # With none of them there is nothing to count with but the configured model.
    return Cutting(keys[0], keys[1:], keys) if keys else Cutting("", (), ())


def _needed(connection: Connection) -> tuple[list[str], str]:
    found = [identity.key for identity in identities.in_use(connection)]
    return found, identities.offered_key(connection)


def cut_again(connection: Connection, document_id: str, identity: EmbeddingIdentity, now: int) -> bool:
    """Queue a document of which a chunk is too long for a model to be cut again; False when that gives nothing.

    It gives nothing when its chunks were made to fit this very model, or when newer bytes of it wait anyway.
    """
    d, g = t.documents.c, t.generations.c
    row = connection.execute(
        select(d.collection_id, d.state, g.token_cap, g.token_identities)
        .join(t.generations, (g.document_id == d.id) & (g.generation == d.generation))
        .where(d.id == document_id, d.generation == d.next_generation)
    ).one_or_none()
    if row is None or row.state not in (DocumentState.CHUNKED, DocumentState.INDEXED):
        return False
    if row.token_cap and identity.key in row.token_identities.split(","):
        return False
    remaking.make_again(
        connection, document_id, row.collection_id, row.state, remaking.CHUNK, now, everything=False
    )
    return True
