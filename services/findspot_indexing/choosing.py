"""What a person decides about embedding identities: which one serves, and which one goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from findspot.errors import FailedPrecondition, FieldViolation, InvalidArgument, NotFound, Reason
from findspot.model import Caller, EmbeddingModel
from findspot.stores.manifest import counters, embeddings, identities, requests, revisions
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.identities import Offer
from findspot.stores.manifest.stored import identity_of
from findspot_indexing import names, rights
from findspot_indexing.embed import offers
from findspot_indexing.embed.switching import holds_all
from findspot_indexing.service import Indexing
from findspot_indexing.status import IdentityStatus, identity_statuses

_LEAST_KEY_CHARACTERS = 6
"""Of the beginning of a key that stands for the whole."""


@dataclass(frozen=True, slots=True)
class Activated:
    """What became of a wish: the identity as it stands, and from which revision on it serves (0: not yet)."""

    status: IdentityStatus
    switched: bool
    revision: int


async def activate(caller: Caller, indexing: Indexing, identity: str, *, request_id: str = "") -> Activated:
    """Have queries answered with an identity: at once when it is full, else as soon as it is filled.

    Another one that is being filled is set aside. Chunks that the model cannot take do not keep it from serving: who
    asks by name wants it all the same. Raises NotFound for an identity that nobody knows, InvalidArgument for a name
    that several have, FailedPrecondition EMBEDDING_IDENTITY_NOT_LOADED while its model is not loaded.
    """
    rights.require_writer(caller)
    request = names.request_id(request_id)
    asked = requests.request_hash(identity)
    before = await indexing.manifest.read(lambda c: requests.recall(c, request, "ActivateIdentity", asked))
    if before is not None:
        return await _answer(indexing, before["key"], before["revision"])
    models = await offers.ask(indexing, "embedding")
    offer = await _find_offer(indexing, identity, models)
    _require_loaded(offer, models)
    with indexing.outages.watch("vectors"):
        await indexing.vectors.ensure_collection(offer.collection, offer.identity.dimension)
    whole = await holds_all(indexing, offer.identity)
    now = indexing.clock()

    def write(connection: Connection) -> int:
        # The same request may have come a second time meanwhile.
        raced = requests.recall(connection, request, "ActivateIdentity", asked)
        if raced is not None:
            return int(raced["revision"])
        revision = _activate(connection, offer, whole, now)
        answer = {"key": offer.identity.key, "revision": revision}
        requests.remember(connection, request, "ActivateIdentity", asked, answer, now)
        return revision

    revision = await indexing.manifest.write(write)
    indexing.wake.models.set()
    indexing.wake.embed.set()
    return await _answer(indexing, offer.identity.key, revision)


def _activate(connection: Connection, offer: Offer, whole: bool, now: int) -> int:
    key = offer.identity.key
    if any(row.key == key for row in identities.being_dropped(connection)):
        raise FailedPrecondition(
            f"{offer.identity.display} is being dropped. Activate it again when that is done: then it is filled anew.",
            reason=Reason.EMBEDDING_IDENTITY_NOT_FOUND,
            retry_after=10.0,
        )
    active = embeddings.active(connection)
    if active is None:
        identities.take_up(connection, offer, now)
        return revisions.raise_revision(connection)
    identities.register(connection, offer, embeddings.FILLING, now)
    identities.begin_filling(connection, key)
    if active.key == key:
        return revisions.current(connection)
    if not (whole and identities.fill(connection, key).complete):
        return 0
    return identities.switch(connection, key, now)


async def _answer(indexing: Indexing, key: str, revision: int) -> Activated:
    def read(connection: Connection) -> list[IdentityStatus]:
        totals, rows = counters.totals(connection), embeddings.all_identities(connection)
        return identity_statuses(totals, [row for row in rows if row.key == key], indexing.loaded)

    found = await indexing.manifest.read(read)
    if not found:
        raise NotFound(
            f"The identity {key} was dropped meanwhile.", reason=Reason.EMBEDDING_IDENTITY_NOT_FOUND
        )
    return Activated(found[0], revision > 0, revision)


async def _find_offer(indexing: Indexing, identity: str, models: Sequence[EmbeddingModel]) -> Offer:
    """Whatever of the index or of the embedding service has this key or this display form."""
    known = {
        row.key: Offer(identity_of(row), row.qdrant_collection, row.source)
        for row in await indexing.manifest.read(embeddings.all_identities)
        if row.state != identities.DROPPING
    }
    found = [offer for offer in map(offers.offer, models) if offer is not None]
    return _pick(identity, {offer.identity.key: offer for offer in found} | known)


def _pick(identity: str, known: dict[str, Offer]) -> Offer:
    if identity in known:
        return known[identity]
    if not identity:
        said = "name an identity by its key or its display form"
        raise InvalidArgument(f"identity is missing: {said}.", fields=[FieldViolation("identity", said)])
    named = [
        offer
        for key, offer in known.items()
        if offer.identity.display == identity
        or (len(identity) >= _LEAST_KEY_CHARACTERS and key.startswith(identity))
    ]
    if not named:
        shown = ", ".join(f"{o.identity.display} ({key})" for key, o in known.items()) or "none"
        raise NotFound(
            f"There is no embedding identity {identity!r}; there are: {shown}.",
            reason=Reason.EMBEDDING_IDENTITY_NOT_FOUND,
            metadata={"identity": identity},
        )
    if len(named) > 1:
        said = (
            f"{len(named)} identities are called {identity}; give a whole key: "
            f"{', '.join(offer.identity.key for offer in named)}"
        )
        raise InvalidArgument(f"{said}.", fields=[FieldViolation("identity", said)])
    return named[0]


def _require_loaded(offer: Offer, models: Sequence[EmbeddingModel]) -> None:
    if offer.identity.key in offers.ready(models):
        return
    loading = [model for model in models if model.identity == offer.identity or model.state == "LOADING"]
    doing = "; ".join(f"{model.source}: {model.message or model.state}" for model in loading)
    how = offer.source or "its model"
    raise FailedPrecondition(
        f"The model of {offer.identity.display} is not loaded, so no query could be embedded with it"
        f"{f' ({doing})' if doing else ''}. Add {how} to `also_load` of the embedding service "
        "(FINDSPOT_EMBEDDING_ALSO_LOAD) or make it its `model`, start it again, then activate again.",
        reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED,
        metadata={"identity": offer.identity.key, "source": offer.source},
    )


async def drop(caller: Caller, indexing: Indexing, identity: str, *, request_id: str = "") -> int:
    """Remove an identity that does not serve, with all its vectors; returns how many stored vectors go.

    From now on nobody uses it. Searches that began while it served may still look into its collection, so it goes
    from the vector store a while after the switch; then the sweep does it. Raises NotFound, InvalidArgument as
    `activate` does, FailedPrecondition EMBEDDING_IDENTITY_ACTIVE for the one that serves.
    """
    rights.require_writer(caller)
    request = names.request_id(request_id)
    asked = requests.request_hash(identity)
    now = indexing.clock()

    def write(connection: Connection) -> tuple[str, int]:
        before = requests.recall(connection, request, "DropIdentity", asked)
        if before is not None:
            return "", int(before["vectors"])
        key = _droppable(connection, identity)
        count = identities.count_vectors(connection, key)
        identities.begin_drop(connection, key)
        requests.remember(connection, request, "DropIdentity", asked, {"vectors": count}, now)
        return key, count

    key, count = await indexing.manifest.write(write)
    if key:
        indexing.wake.models.set()
        indexing.wake.embed.set()
        await finish_drops(indexing)
    return count


def _droppable(connection: Connection, identity: str) -> str:
    known = {
        row.key: Offer(identity_of(row), row.qdrant_collection, row.source)
        for row in embeddings.all_identities(connection)
        if row.state != identities.DROPPING
    }
    found = _pick(identity, known).identity
    active = embeddings.active(connection)
    if active is not None and active.key == found.key:
        raise FailedPrecondition(
            f"{found.display} serves: queries are answered with its vectors. Activate another identity first.",
            reason=Reason.EMBEDDING_IDENTITY_ACTIVE,
            metadata={"identity": found.key},
        )
    return found.key


async def finish_drops(indexing: Indexing) -> None:
    """Remove what is left of dropped identities, once no search can be looking into their collections any more."""
    for row in await indexing.manifest.read(identities.being_dropped):
        now = indexing.clock()
        served = await indexing.manifest.read(partial(identities.served_until, key=row.key))
        if served + int(indexing.limits.retired_seconds * SECOND) > now:
            continue
        with indexing.outages.watch("vectors"):
            await indexing.vectors.drop_collection(row.qdrant_collection)
        await indexing.manifest.write(partial(identities.erase, key=row.key))
