"""Whether the stores hold what the manifest says: by their counts, or entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from findspot.errors import DataLoss, FindspotError, NotFound
from findspot.stores.manifest import counters, embeddings, scrubs
from findspot.stores.text.serving import damaged_files
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.repair.findings import Report, Steps
from findspot_indexing.repair.run import Wish, look_through
from findspot_indexing.service import Indexing

Totals = Mapping[tuple[str, str], int]

_REPAIR = "`findspot repair` mends it; searches go on meanwhile."
_LATE_SECONDS = 24 * 3600


async def check_stores(indexing: Indexing, totals: Totals) -> list[Check]:
    """The text index and the vectors of every identity, by their counts."""
    live = totals.get(("", counters.CHUNKS_LIVE), 0)
    checks = [await _text_state(indexing), await _text_count(indexing, live)]
    for row in await indexing.manifest.read(embeddings.all_identities):
        if row.state == embeddings.ACTIVE:
            checks.append(await _vector_count(indexing, row, totals))
    return [check for check in checks if check is not None]


async def _text_state(indexing: Indexing) -> Check | None:
    if not indexing.membership.owner:
        said = "Another process owns the text index and looks after it: its own `Diagnose` tells how it is."
        return Check("text.complete", Outcome.OK, said)
    index = indexing.text.index
    if not index.complete:
        said = (
            "The text index was lost or damaged and is being filled from the manifest: searches by words are refused "
            "until it is whole. That happens by itself; `text.count` tells how far it is."
        )
        return Check("text.complete", Outcome.FAILED, said)
    if index.doubtful:
        said = "The text index had an error and is being compared with the manifest. That happens by itself."
        return Check("text.complete", Outcome.WARNING, said)
    if index.rebuilding:
        return Check(
            "text.complete", Outcome.OK, "A new text index is being built beside the one that serves."
        )
    return Check("text.complete", Outcome.OK, "The text index is whole.")


async def _text_count(indexing: Indexing, live: int) -> Check:
    name = "text.count"
    try:
        held = await indexing.text.count()
    except FindspotError as failure:
        return Check(name, Outcome.FAILED, f"{failure.message} {_REPAIR}")
    if held < live:
        said = f"The text index holds {held} chunks, the manifest {live}: some are not found by their words."
        return Check(name, Outcome.FAILED, f"{said} {_REPAIR}")
    # Retired chunks stay for a while: more than the live ones is as it should be.
    return Check(name, Outcome.OK, f"The text index holds {held} chunks for {live} that can be found.")


async def _vector_count(indexing: Indexing, identity: Row[Any], totals: Totals) -> Check:
    name = "vectors.count"
    ready = totals.get((identity.key, counters.vectors_in("READY")), 0)
    try:
        held = await indexing.vectors.count(identity.qdrant_collection)
    except (NotFound, DataLoss) as lost:
        said = f"The vectors of {identity.display} are lost: {lost.message} No text has to be embedded again:"
        return Check(name, Outcome.FAILED, f"{said} {_REPAIR}")
    except FindspotError as failure:
        said = "Searches by meaning are degraded until it is back: `findspot up` starts it."
        return Check(name, Outcome.FAILED, f"{failure.message} {said}")
    if held < ready:
        said = f"The vector store holds {held} vectors, the manifest counts {ready}: some chunks are not found by "
        return Check(name, Outcome.FAILED, f"{said}their meaning. {_REPAIR}")
    return Check(name, Outcome.OK, f"The vector store holds {held} vectors for {ready} chunks.")


async def check_every_entry(indexing: Indexing, within: Sequence[str] | None) -> list[Check]:
    """The comparison of a repair without its mending; `within` None compares everything."""
    report = Report()
    try:
        wish = Wish(None if within is None else tuple(within))
        await look_through(indexing, wish, report, Steps(), mending=False)
    except FindspotError as failure:
        return [Check("entries.compared", Outcome.FAILED, f"They could not be compared: {failure.message}")]
    checks = [
        _entries("text.entries", "text index", "text", report),
        _entries("vectors.entries", "vector store", "vectors", report),
    ]
    if within is None:
        checks += [_counters(report), _blobs(report), await _files(indexing)]
    return checks


def _entries(name: str, store: str, prefix: str, report: Report) -> Check:
    kinds = ("missing", "orphaned", "duplicated", "stale")
    found = {kind: report.counts.get(f"{prefix}_{kind}", 0) for kind in kinds}
    said = ", ".join(f"{count} {kind}" for kind, count in found.items() if count)
    told = " ".join(notice.message for notice in report.notices if _is_about(notice.code, prefix))
    unknown = report.counts.get("collections_unknown", 0) if prefix == "vectors" else 0
    if said or (prefix == "vectors" and report.counts.get("collections_lost")):
        # An orphan is dropped from every answer: it costs room, and finds nothing wrong.
        harmless = not (found["missing"] or found["stale"] or report.counts.get("collections_lost"))
        outcome = Outcome.WARNING if harmless else Outcome.FAILED
        return Check(
            name, outcome, f"Of the entries of the {store}: {said or 'none can be read'}. {told}{_REPAIR}"
        )
    if unknown:
        return Check(
            name, Outcome.WARNING, f"{unknown} collections belong to no model here. {told} {_REPAIR}"
        )
    return Check(
        name, Outcome.OK, f"Every entry of the {store} is that of a chunk, and every chunk has its own."
    )


def _is_about(code: str, prefix: str) -> bool:
    return prefix == "vectors" and code in ("VECTORS_LOST", "COLLECTION_UNKNOWN")


def _counters(report: Report) -> Check:
    wrong = report.counts.get("counters_wrong", 0)
    if wrong:
        said = f"{wrong} counters are not what counting the rows gives, so counts and coverage are wrong."
        return Check("manifest.counters", Outcome.FAILED, f"{said} {_REPAIR}")
    return Check("manifest.counters", Outcome.OK, "Every counter agrees with the rows that it counts.")


def _blobs(report: Report) -> Check:
    missing, leftover = report.counts.get("blobs_missing", 0), report.counts.get("blobs_leftover", 0)
    if missing:
        named = [notice.message for notice in report.notices if notice.code == "BLOB_MISSING"]
        example = f" {named[0]}" if named else " Add their files again: `findspot add --force`."
        return Check("blobs.files", Outcome.FAILED, f"{missing} stored files are gone.{example}")
    if leftover:
        return Check("blobs.files", Outcome.WARNING, f"Nobody needs {leftover} stored files. {_REPAIR}")
    return Check("blobs.files", Outcome.OK, "Every stored file is there, and somebody needs it.")


async def _files(indexing: Indexing) -> Check:
    """The check sums of the text index: a disk that forgets shows here before a search meets it."""
    try:
        damaged = await indexing.in_thread(damaged_files, indexing.text.index.directory)
    except (OSError, ValueError, LookupError) as error:
        return Check("text.files", Outcome.FAILED, f"The text index cannot be read: {error}. {_REPAIR}")
    if damaged:
        said = f"{len(damaged)} files of the text index are not what was written, {damaged[0]} for one: look at the disk."
        return Check(
            "text.files", Outcome.FAILED, f"{said} `findspot repair --rebuild-text` writes them anew."
        )
    return Check("text.files", Outcome.OK, "Every file of the text index is what was written.")


async def check_purges(indexing: Indexing) -> Check:
    """Whether what purges left inside the files of the stores is out of them."""
    name = "purges.scrubbed"
    waiting, since = await indexing.manifest.read(scrubs.due)
    failure = await indexing.manifest.read(scrubs.last_failure)
    if failure:
        said = f"The last scrub failed, so files may still hold bytes of purged documents: {failure}"
        return Check(name, Outcome.WARNING, f"{said} `findspot repair` tries again.")
    if not waiting:
        return Check(name, Outcome.OK, "No file holds anything of a purged document.")
    late = indexing.clock() - since > _LATE_SECONDS * 1_000_000
    said = "Files still hold bytes of purged documents, which nobody can find or read; a scrub takes them out soon."
    return Check(name, Outcome.WARNING if late else Outcome.OK, said)
