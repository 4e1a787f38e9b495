"""Which models' vectors are made: those of the active identity, and of the one that is being filled beside it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from findspot.errors import FailedPrecondition, FindspotError, Reason, Unavailable
from findspot.model import EmbeddingIdentity, EmbeddingModel
from findspot.stores.manifest import embeddings, identities
from findspot.stores.vectors.names import collection_name
from findspot_indexing.embed import offers
from findspot_indexing.outages import PartAway
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settled:
    """What to embed with now."""

    identities: Sequence[EmbeddingIdentity]
    """In this order: the active one first, where its model is loaded."""
    active: str
    """Key of the active identity."""
    hurry: bool
    """True while a model is being loaded: ask again soon."""


async def settle(indexing: Indexing) -> Settled:
    """Ask embedding for its models, heed what it is configured with, and say what to embed with.

    The first model ever met becomes the active one. Another one later is filled beside it; one that somebody set
    aside is left alone. Raises PartAway when embedding or the vector store does not answer, when no provider is
    configured, or when none of the models that the index uses is loaded.
    """
    models = await offers.ask(indexing, "embedding")
    await _heed(indexing, models)
    in_use = await indexing.manifest.read(identities.in_use)
    loaded = offers.ready(models)
    usable = [identity for identity in in_use if identity.key in loaded]
    with indexing.outages.watch("embedding"):
        if not usable:
            raise _none_usable(in_use, models)
    held = [identity for identity in usable if await _has_collection(indexing, identity, in_use[0].key)]
    hurry = any(model.state == "LOADING" for model in models)
    return Settled(held, in_use[0].key, hurry)


async def _has_collection(indexing: Indexing, identity: EmbeddingIdentity, active: str) -> bool:
    """Make the collection of an identity where it is missing.

    What is wrong with the collection of one that is being filled keeps nobody from working on the one that serves.
    """
    try:
        with indexing.outages.watch("vectors"):
            await indexing.vectors.ensure_collection(collection_name(identity.key), identity.dimension)
    except PartAway:
        raise
    except FindspotError as failure:
        if identity.key == active:
            raise
        log.warning("%s is not filled: %s", identity.display, failure.message)
        return False
    return True


async def _heed(indexing: Indexing, models: Sequence[EmbeddingModel]) -> None:
    """Take up the configured model where there was none, and note that it is another one than before."""
    model = offers.configured(models)
    offer = offers.offer(model) if model is not None else None
    if offer is None:
        return
    key = offer.identity.key
    active = await indexing.manifest.read(embeddings.active)
    if active is not None and await indexing.manifest.read(identities.offered_key) == key:
        await _note_sources(indexing, models)
        return
    now = indexing.clock()
    if active is None:
        await indexing.manifest.write(lambda c: identities.take_up(c, offer, now))
        log.info("Embedding with %s from now on.", offer.identity.display)
        return
    state = await indexing.manifest.write(lambda c: identities.heed(c, offer, now))
    if state == embeddings.FILLING:
        log.info(
            "The embedding service is configured with %s, the index serves %s: it goes on serving while the other "
            "is being filled.",
            offer.identity.display,
            active.display,
        )


async def _note_sources(indexing: Indexing, models: Sequence[EmbeddingModel]) -> None:
    """Keep how each known model is configured: an older version did not know."""
    stored = {row.key: row.source for row in await indexing.manifest.read(embeddings.all_identities)}
    for model in models:
        if model.identity is None or stored.get(model.identity.key, model.source) == model.source:
            continue
        await indexing.manifest.write(
            partial(identities.note_source, key=model.identity.key, source=model.source)
        )


def _none_usable(in_use: Sequence[EmbeddingIdentity], models: Sequence[EmbeddingModel]) -> FindspotError:
    keys = [identity.key for identity in in_use]
    for model in models:
        expected = model.identity is None or model.identity.key in keys
        if model.state == "LOADING" and expected:
            return Unavailable(
                f"The embedding model {model.source} is being loaded ({model.message}).",
                reason=Reason.EMBEDDING_UNAVAILABLE,
            )
    failed = "; ".join(f"{model.source}: {model.message}" for model in models if model.state == "FAILED")
    wanted = " and ".join(identity.display for identity in in_use) or "a model"
    return FailedPrecondition(
        f"The index needs {wanted}, which the embedding service does not have loaded. "
        + (f"It could not load {failed}." if failed else "Add it to its `also_load`, or activate another."),
        reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED,
    )
