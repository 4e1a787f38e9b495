"""What else has to agree: counters with rows, blobs with rows, collections of the vector store with identities."""

from __future__ import annotations

import re
from functools import partial

from sqlalchemy import Connection

from findspot.errors import FindspotError
from findspot.model import Notice
from findspot.stores.manifest import embeddings, repairing
from findspot_indexing.repair.findings import Ledger, Steps
from findspot_indexing.service import Indexing

_OURS = re.compile(r"findspot-[0-9a-f]{32}")
_EMBEDDED = "findspot_vectors"
"""How the vector store of the suite introduces itself. It holds nothing of anybody else."""
_BLOBS = 500
_NEW_SECONDS = 3600
"""A blob is stored before the row that refers to it: a young one may belong to work that goes on."""


async def counters(indexing: Indexing, ledger: Ledger, *, mend: bool) -> None:
    """Compare every counter with a count of the rows, and make it right."""
    work = repairing.mend_counters if mend else lambda c: len(repairing.wrong_counters(c))
    wrong = await (indexing.manifest.write(work) if mend else indexing.manifest.read(work))
    if wrong:
        ledger.count("counters_wrong", wrong)


async def blobs(indexing: Indexing, ledger: Ledger, steps: Steps, *, mend: bool) -> None:
    """Remove files that no row is about, and name documents whose files are gone."""
    await steps.expect(256)
    for part in range(256):
        keys = await indexing.in_thread(indexing.blobs.keys, f"{part:02x}", _NEW_SECONDS)
        for start in range(0, len(keys), _BLOBS):
            batch = keys[start : start + _BLOBS]
            leftover = await indexing.manifest.read(partial(repairing.unnoted_blobs, keys=batch))
            if leftover:
                ledger.count("blobs_leftover", len(leftover))
            if leftover and mend:
                await indexing.manifest.write(partial(_remove, indexing=indexing, keys=leftover))
        await steps.step()
    await _missing_blobs(indexing, ledger)


def _remove(connection: Connection, *, indexing: Indexing, keys: list[str]) -> int:
    # In the writing thread, as every removal: nobody can come to refer to one between the look and the removal.
    doomed = repairing.unnoted_blobs(connection, keys)
    return sum(indexing.pins.remove_unless_pinned(key, indexing.blobs.delete) for key in doomed)


def _gone(indexing: Indexing, keys: list[str]) -> list[str]:
    return [key for key in keys if not indexing.blobs.exists(key)]


async def _missing_blobs(indexing: Indexing, ledger: Ledger) -> None:
    after = ""
    while page := await indexing.manifest.read(partial(repairing.noted_blobs, after=after, limit=_BLOBS)):
        gone = await indexing.in_thread(_gone, indexing, page)
        # A row outlives its file when a process ends between the two removals: nobody misses what nobody refers to.
        missing = await indexing.manifest.read(partial(repairing.missed_blobs, keys=gone)) if gone else []
        if missing:
            ledger.count("blobs_missing", len(missing))
            named = await indexing.manifest.read(
                partial(repairing.documents_of_blobs, keys=missing, limit=100)
            )
            for collection, file_path in named:
                ledger.note(
                    Notice(
                        "BLOB_MISSING",
                        f"A stored file of {file_path} in {collection} is gone. Upload it again with force: "
                        "`findspot add --force`.",
                    )
                )
        after = page[-1]


async def collections(indexing: Indexing, ledger: Ledger, *, mend: bool) -> None:
    """Remove collections of the suite's own vector store that no identity has; on another server they are named."""
    known = {row.qdrant_collection for row in await indexing.manifest.read(embeddings.all_identities)}
    names = [name for name in await indexing.vectors.collections() if _OURS.fullmatch(name)]
    unknown = [name for name in names if name not in known]
    if not unknown:
        return
    ledger.count("collections_unknown", len(unknown))
    try:
        own = (await indexing.vectors.ping()).startswith(_EMBEDDED)
    except FindspotError:
        own = False
    for name in unknown:
        if own and mend:
            await indexing.vectors.drop_collection(name)
        elif not own:
            ledger.note(
                Notice(
                    "COLLECTION_UNKNOWN",
                    f"The vector store holds {name}, which no embedding identity here has. It may be another "
                    "installation's, so it stays; delete it in the vector store if it is nobody's.",
                )
            )
