"""What is wrong with the embedding identities, and what to do: one part of the diagnosis."""

from __future__ import annotations

from collections.abc import Sequence

from findspot.errors import FindspotError, Reason
from findspot.model import EmbeddingModel
from findspot.stores.manifest import counters, embeddings
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.embed import offers
from findspot_indexing.service import Indexing
from findspot_indexing.status import IdentityStatus, identity_statuses


async def check_identities(indexing: Indexing) -> list[Check]:
    """Whether the models that the index needs are there, and how far a change of the model is."""
    try:
        models = await indexing.embedder.models()
    except FindspotError as failure:
        missing = failure.reason is Reason.SEARCH_NOT_PERFORMED
        return [Check("embedding.reachable", Outcome.WARNING if missing else Outcome.FAILED, failure.message)]
    if not models:
        said = "No embedding provider is configured: documents are found by their words alone."
        return [Check("embedding.reachable", Outcome.WARNING, said)]
    rows = await indexing.manifest.read(embeddings.all_identities)
    totals = await indexing.manifest.read(counters.totals)
    known = identity_statuses(totals, rows, set(offers.ready(models)))
    offered = offers.configured(models)
    by_state = {status.state: status for status in known}
    active, filling = by_state.get(embeddings.ACTIVE), by_state.get(embeddings.FILLING)
    checks = [_active(active, filling, offered, models)]
    if active is not None and offered is not None and offered.state == "FAILED":
        said = f"The configured model {offered.source} cannot be loaded: {offered.message}"
        checks.append(Check("embedding.configured", Outcome.WARNING, said))
    if filling is not None:
        checks.append(_filling(filling, active))
    elif active is not None and offered is not None and offered.state != "FAILED":
        checks += _not_followed(offered, active, known)
    return checks


def _active(
    active: IdentityStatus | None,
    filling: IdentityStatus | None,
    offered: EmbeddingModel | None,
    models: Sequence[EmbeddingModel],
) -> Check:
    name = "embedding.identity"
    if active is None:
        shown = offered.identity.display if offered and offered.identity else "A model"
        why = f" ({offered.message})" if offered and offered.message else ""
        return Check(name, Outcome.WARNING, f"{shown} is offered and not in use yet{why}.")
    display = active.identity.display
    if active.loaded:
        return Check(name, Outcome.OK, f"{display} embeds and serves.")
    loading = any(model.state == "LOADING" for model in models)
    if loading:
        return Check(name, Outcome.WARNING, f"{display} serves; a model is still being loaded.")
    failed = "; ".join(f"{model.source}: {model.message}" for model in models if model.state == "FAILED")
    why = f" It could not load {failed}" if failed else ""
    until = (
        f"until {filling.identity.display} is filled"
        if filling is not None
        else "until the embedding service has it again"
    )
    return Check(
        name,
        Outcome.FAILED,
        f"The index serves {display}, which the embedding service does not have loaded: searches answer by words "
        f"alone, and say so, {until}. Add its model to `also_load`.{why}",
    )


def _filling(filling: IdentityStatus, active: IdentityStatus | None) -> Check:
    name = "embedding.filling"
    display = filling.identity.display
    total = filling.embedded + filling.pending + filling.failed
    serves = f"; {active.identity.display} serves meanwhile" if active is not None else ""
    far = f"{display} is being filled: {filling.embedded} of {total} chunks{serves}."
    if not filling.loaded:
        return Check(
            name,
            Outcome.WARNING,
            f"{far} It stands still, because the embedding service does not have it loaded: make it the service's "
            f"`model`, add it to `also_load`, or drop it (findspot models drop {display}).",
        )
    stuck = not filling.pending and active is not None and filling.failed > active.failed
    if stuck:
        return Check(
            name,
            Outcome.WARNING,
            f"{far} {filling.failed} chunks get no vector of it, and without them less would be found: list the "
            f"documents, or switch all the same (findspot models activate {display}), or drop it.",
        )
    return Check(name, Outcome.OK, far)


def _not_followed(
    offered: EmbeddingModel, active: IdentityStatus, known: Sequence[IdentityStatus]
) -> list[Check]:
    if offered.identity is None or offered.identity.key == active.identity.key:
        return []
    before = any(status.identity.key == offered.identity.key for status in known)
    how = "was set aside" if before else "was dropped"
    display = offered.identity.display
    return [
        Check(
            "embedding.configured",
            Outcome.WARNING,
            f"The embedding service is configured with {display}, which {how}: {active.identity.display} serves. Go "
            f"forward with `findspot models activate {display}`, or configure the model that serves, so that it is "
            "there after the next start.",
        )
    ]
