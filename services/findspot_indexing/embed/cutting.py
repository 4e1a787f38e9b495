"""Whose inputs chunks have to fit: those of every model that the index needs vectors of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, select

from findspot.errors import Reason
from findspot.model import DocumentState, EmbeddingIdentity
from findspot.stores.manifest import identities, remaking, vectors
from findspot.stores.manifest import tables as t
from findspot_indexing.embed import offers
from findspot_indexing.outages import PartAway
from findspot_indexing.service import Indexing

_TOGETHER = 100


@dataclass(frozen=True, slots=True)
class Cutting:
    """Whose tokens are counted: by key, `identity` "" for the configured model's, which then is the only one."""

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
    if not in_use:
        return Cutting("", (), ())
    if in_use == [offered]:
        # By name: if the embedding service has another by now, the call says so instead of counting with that.
        return Cutting(offered, (), (offered,))
    loaded = offers.ready(await offers.ask(indexing, "chunking"))
    keys = tuple(key for key in in_use if key in loaded)
    # With none of them there is nothing to count with but the configured model.
    return Cutting(keys[0], keys[1:], keys) if keys else Cutting("", (), ())


def models_changed(indexing: Indexing, failure: PartAway) -> None:
    """Have stage two ask for the models when a call failed because one of them is there no more."""
    if failure.reason is Reason.EMBEDDING_IDENTITY_NOT_LOADED:
        indexing.wake.models.set()
        indexing.wake.embed.set()


def _needed(connection: Connection) -> tuple[list[str], str]:
    found = [identity.key for identity in identities.in_use(connection)]
    return found, identities.offered_key(connection)


async def cut_too_long(indexing: Indexing, identity: EmbeddingIdentity) -> bool:
    """Queue the documents to be cut again of which chunks are too long for an identity; True when there were any.

    Most are queued when a chunk is refused. What is found here was being cut just then, without this model.
    """
    found = await indexing.manifest.read(partial(_too_long, key=identity.key))
    if not found:
        return False
    now = indexing.clock()

    def write(connection: Connection) -> int:
        return sum(cut_again(connection, document_id, identity, now) for document_id in found)

    queued = await indexing.manifest.write(write)
    indexing.wake.compose.set()
    return queued > 0


def _too_long(connection: Connection, *, key: str) -> Sequence[str]:
    if not identities.fill(connection, key).failed:
        return []
    v, d, g = t.chunk_vectors.c, t.documents.c, t.generations.c
    made_to_fit = (g.token_cap > 0) & g.token_identities.contains(key, autoescape=True)
    wanted = (
        select(v.document_id)
        .join(t.documents, d.id == v.document_id)
        .join(t.generations, (g.document_id == d.id) & (g.generation == d.generation))
        .where(
            v.identity == key,
            v.state == vectors.FAILED,
            v.error_reason == Reason.EMBEDDING_INPUT_TOO_LONG,
            d.state.in_((DocumentState.CHUNKED, DocumentState.INDEXED)),
            d.generation == d.next_generation,
            ~made_to_fit,
        )
        .distinct()
        .limit(_TOGETHER)
    )
    return connection.execute(wanted).scalars().all()


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
