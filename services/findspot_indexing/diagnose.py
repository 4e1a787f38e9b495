"""Why is nothing found: looks at each part in the order of the pipeline and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from findspot.errors import FindspotError, Reason
from findspot.model import Caller, EmbeddingIdentity
from findspot.stores.manifest import counters, embeddings
from findspot.stores.manifest import tables as t
from findspot.stores.vectors.names import collection_name
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.directories.check import check_sources
from findspot_indexing.identity_check import check_identities
from findspot_indexing.service import Indexing
from findspot_indexing.status import Status, status


async def diagnose(
    caller: Caller, indexing: Indexing, subtree: str = "", *, thorough: bool = False
) -> list[Check]:
    """All checks in the order of the pipeline. `thorough` counts every row of the manifest too."""
    now = await status(caller, indexing, subtree)
    checks = [_documents(now), _failures(now), _blocked(now)]
    checks += await check_sources(caller, indexing, subtree)
    if thorough:
        checks.append(await indexing.manifest.read(_counters))
    totals = await indexing.manifest.read(counters.totals)
    checks.append(await _text(indexing, totals.get(("", counters.CHUNKS_LIVE), 0)))
    return [*checks, *await _vectors(indexing, totals)]


def _documents(now: Status) -> Check:
    if not any(now.states.values()):
        return Check("documents.present", Outcome.WARNING, "No document was ever added here. Add some.")
    stated = ", ".join(f"{count} {state}" for state, count in now.states.items())
    return Check(
        "documents.present", Outcome.OK, f"Documents by state: {stated}; {now.chunks} chunks can be found."
    )


def _failures(now: Status) -> Check:
    if not now.failures:
        return Check("documents.failed", Outcome.OK, "No document failed.")
    worst = now.failures[0]
    total = sum(failure.count for failure in now.failures)
    return Check(
        "documents.failed",
        Outcome.WARNING,
        f"{total} documents failed, {worst.count} of them with {worst.reason}, for example {worst.file_path}: "
        f"{worst.message}",
    )


def _blocked(now: Status) -> Check:
    outage = now.blocked_by
    if outage is None:
        return Check("work.blocked", Outcome.OK, "Nothing stands in the way of the work.")
    # Being without a model is how some want it: it takes nothing from the search by words.
    missing = outage.reason is Reason.SEARCH_NOT_PERFORMED
    outcome = Outcome.WARNING if missing else Outcome.FAILED
    return Check("work.blocked", outcome, f"{outage.part}: {outage.message}")


def _counters(connection: Connection) -> Check:
    c = t.counters.c
    kept = {
        (row[0], row[1], row[2]): row[3]
        for row in connection.execute(
            select(c.collection_id, c.identity, c.name, c.value).where(c.value != 0)
        )
    }
    counted = {key: value for key, value in counters.recount(connection).items() if value}
    wrong = [key for key in {*kept, *counted} if kept.get(key, 0) != counted.get(key, 0)]
    if wrong:
        return Check(
            "manifest.counters", Outcome.FAILED, f"{len(wrong)} counters are wrong, {wrong[0]} for one."
        )
    return Check("manifest.counters", Outcome.OK, f"All {len(kept)} counters agree with the rows they count.")


async def _text(indexing: Indexing, live: int) -> Check:
    try:
        held = await indexing.text.count()
    except FindspotError as failure:
        return Check("text.count", Outcome.FAILED, failure.message)
    if held < live:
        return Check(
            "text.count",
            Outcome.FAILED,
            f"The text index holds {held} chunks, the manifest {live}: some are not found by their words. "
            "Upload their documents again with force.",
        )
    # Retired chunks stay for a while: more than the live ones is as it should be.
    return Check(
        "text.count", Outcome.OK, f"The text index holds {held} chunks for {live} that can be found."
    )


async def _vectors(indexing: Indexing, totals: dict[tuple[str, str], int]) -> Sequence[Check]:
    active = await indexing.manifest.read(embeddings.active)
    checks = await check_identities(indexing)
    if active is not None:
        checks.append(await _points(indexing, active, totals))
    return checks


async def _points(indexing: Indexing, active: EmbeddingIdentity, totals: dict[tuple[str, str], int]) -> Check:
    ready = totals.get((active.key, counters.vectors_in("READY")), 0)
    try:
        held = await indexing.vectors.count(collection_name(active.key))
    except FindspotError as failure:
        return Check("vectors.count", Outcome.FAILED, failure.message)
    if held < ready:
        return Check(
            "vectors.count",
            Outcome.FAILED,
            f"The vector store holds {held} vectors, the manifest counts {ready}: some chunks are not found by "
            "their meaning. Upload their documents again with force: no text is embedded twice.",
        )
    return Check("vectors.count", Outcome.OK, f"The vector store holds {held} vectors for {ready} chunks.")
