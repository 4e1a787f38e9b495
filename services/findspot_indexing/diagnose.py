"""Why is nothing found: looks at each part in the order of the pipeline and says what is wrong with it."""

from __future__ import annotations

from sqlalchemy import Connection

from findspot.errors import Reason
from findspot.model import Caller, DocumentState
from findspot.stores.manifest import counters, embeddings, vector_facts
from findspot_indexing import names
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.directories.check import check_sources
from findspot_indexing.identity_check import check_identities
from findspot_indexing.part_checks import check_parts
from findspot_indexing.service import Indexing
from findspot_indexing.status import PENDING, Status, status
from findspot_indexing.store_checks import check_every_entry, check_purges, check_stores

_KINDS = 3
"""Reasons of failures that are told each."""
_LONG_SECONDS = 600


async def diagnose(
    caller: Caller, indexing: Indexing, subtree: str = "", *, thorough: bool = False
) -> list[Check]:
    """All checks in the order of the pipeline. `thorough` compares every entry of the stores with the manifest too."""
    now = await status(caller, indexing, subtree)
    checks = [_present(now, subtree), _failures(now), _waiting(now, indexing.clock()), _blocked(now)]
    checks += await check_sources(caller, indexing, subtree)
    checks += await check_parts(indexing)
    totals = await indexing.manifest.read(counters.totals)
    checks += await check_identities(indexing)
    checks.append(await indexing.manifest.read(_given_up))
    checks += await check_stores(indexing, totals)
    if thorough:
        within = names.subtree(subtree)
        checks += await check_every_entry(indexing, (within,) if within else caller.readable)
    checks.append(await check_purges(indexing))
    return checks


def _present(now: Status, subtree: str) -> Check:
    """Why nothing is found, where that is so."""
    name = "documents.present"
    stated = ", ".join(f"{count} {state}" for state, count in now.states.items())
    if subtree and not now.collections:
        said = f"There is no collection {subtree}, so a search in it finds nothing. `findspot status` lists what there is."
        return Check(name, Outcome.WARNING, said)
    if not any(now.states.values()):
        return Check(
            name, Outcome.WARNING, "No document was ever added here. Add some: `findspot add FOLDER`."
        )
    if now.chunks:
        return Check(name, Outcome.OK, f"Documents by state: {stated}; {now.chunks} chunks can be found.")
    waiting = sum(now.states.get(state.value, 0) for state in PENDING)
    if waiting:
        said = f"Nothing can be found yet: {stated}. `findspot status --watch` shows how far it is."
        return Check(name, Outcome.WARNING, said)
    if now.states.get(DocumentState.FAILED.value):
        said = f"Nothing can be found, for no document could be read: {stated}. The failures say why."
        return Check(name, Outcome.FAILED, said)
    return Check(name, Outcome.WARNING, f"Nothing can be found: {stated}. Add documents that hold text.")


def _failures(now: Status) -> Check:
    if not now.failures:
        return Check("documents.failed", Outcome.OK, "No document failed.")
    total = sum(failure.count for failure in now.failures)
    failed = "1 document failed" if total == 1 else f"{total} documents failed"
    kinds = "; ".join(
        f"{failure.count} with {failure.reason}, for example {failure.file_path}: {failure.message.rstrip('.')}"
        for failure in now.failures[:_KINDS]
    )
    more = f" and {len(now.failures) - _KINDS} other reasons" if len(now.failures) > _KINDS else ""
    remedy = "What was wrong with the files has to be mended; `findspot reindex --force` tries them again."
    return Check("documents.failed", Outcome.WARNING, f"{failed}: {kinds}{more}. {remedy}")


def _waiting(now: Status, clock: int) -> Check:
    name = "documents.waiting"
    if not now.oldest_pending_at:
        return Check(name, Outcome.OK, "No document waits.")
    seconds = max(0, clock - now.oldest_pending_at) // 1_000_000
    waiting = sum(now.states.get(state.value, 0) for state in PENDING)
    said = f"{waiting} documents wait to be read, the oldest for {seconds // 60} min {seconds % 60} s."
    if seconds < _LONG_SECONDS:
        return Check(name, Outcome.OK, said)
    return Check(
        name,
        Outcome.WARNING,
        f"{said} Unless much was added at once, `work.blocked` says what is in the way.",
    )


def _given_up(connection: Connection) -> Check:
    """Chunks that get no vector any more, by reason."""
    name = "vectors.failed"
    active = embeddings.active(connection)
    found = vector_facts.failures(connection, active.key) if active else []
    if not found:
        return Check(name, Outcome.OK, "No chunk was given up.")
    kinds = "; ".join(
        f"{count} with {reason}, for example: {message}" for reason, count, message in found[:_KINDS]
    )
    total = sum(count for _, count, _ in found)
    remedy = "They are found by their words alone; `findspot reindex --from embed` tries them again."
    return Check(name, Outcome.WARNING, f"{total} chunks have no vector and get none: {kinds}. {remedy}")


def _blocked(now: Status) -> Check:
    outage = now.blocked_by
    if outage is None:
        return Check("work.blocked", Outcome.OK, "Nothing stands in the way of the work.")
    # Being without a model is how some want it: it takes nothing from the search by words.
    missing = outage.reason is Reason.SEARCH_NOT_PERFORMED
    outcome = Outcome.WARNING if missing else Outcome.FAILED
    return Check("work.blocked", outcome, f"{outage.part}: {outage.message}")
