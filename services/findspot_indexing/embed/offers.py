"""The models that the embedding service has, as indexing needs to know them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from findspot.errors import FailedPrecondition, FindspotError, Reason
from findspot.model import EmbeddingModel
from findspot.stores.manifest.identities import Offer
from findspot.stores.vectors.names import collection_name
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 1.0


async def ask(indexing: Indexing, part: str) -> tuple[EmbeddingModel, ...]:
    """The models of the embedding service; never none.

    Without an answer or a provider, `part` is away: PartAway. That it answers does not yet mean that the part is back.
    """
    try:
        models = await indexing.embedder.models()
        if not models:
            raise FailedPrecondition(
                "No embedding provider is configured: documents are found by their words alone.",
                reason=Reason.SEARCH_NOT_PERFORMED,
            )
    except FindspotError as failure:
        with indexing.outages.watch(part):
            raise failure from None
    indexing.loaded.clear()
    indexing.loaded.update(ready(models))
    return models


async def loaded_now(indexing: Indexing) -> frozenset[str]:
    """Keys of the identities that can embed now; none while the embedding service does not answer."""
    try:
        return frozenset(ready(await indexing.embedder.models(timeout=_PATIENCE_SECONDS)))
    except FindspotError as failure:
        log.debug("Nobody says which models are loaded: %s", failure.message)
        return frozenset()


def ready(models: Iterable[EmbeddingModel]) -> list[str]:
    """Keys of the identities that can embed now."""
    return [model.identity.key for model in models if model.state == "READY" and model.identity]


def configured(models: Sequence[EmbeddingModel]) -> EmbeddingModel | None:
    """The model that the embedding service is configured with."""
    return next((model for model in models if model.active), None)


def offer(model: EmbeddingModel) -> Offer | None:
    """A model as an identity could be made of it; None while its identity is not known."""
    if model.identity is None:
        return None
    return Offer(model.identity, collection_name(model.identity.key), model.source)
