"""A directory beside what is stored of it: scanned, read where it has to be, compared; nothing is changed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason
from findspot.model import DocumentState
from findspot.stores.manifest import counters, source_files
from findspot.stores.manifest.collections import Collection
from findspot.stores.manifest.source_files import LiveFile, SourceFile
from findspot_indexing.directories.plan import KnownFile, Plan, StoredFile, known_hashes, plan
from findspot_indexing.directories.reading import FileFacts, read_settled
from findspot_indexing.directories.root import require_allowed
from findspot_indexing.directories.scan import LinkInScope, scan
from findspot_indexing.directories.scope import WHOLE, Scope
from findspot_indexing.directories.seen import Refusal, Seen, SeenFile, Wish
from findspot_indexing.service import Indexing

_T = TypeVar("_T")

READERS = 3
"""Threads that read files of one directory at the same time."""
_READ_TOGETHER = 32
_LOOKS_AGAIN = 2
"""How often a directory that changes while it is scanned is scanned anew before anything of it is pruned."""

Step = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was seen, what is stored, and what they differ in."""

    seen: Seen
    seen_at: int
    """Microseconds since 1970, before anything was looked at."""
    facts: Mapping[str, FileFacts]
    """Of each file whose content is known."""
    hashes: Mapping[str, str]
    trusted: frozenset[str]
    """Files that are as they were last seen, and so were not read."""
    unread: tuple[Refusal, ...]
    """Files that went away or could not be read when they had to be."""
    unsettled: tuple[str, ...]
    """Files that changed whenever they were read."""
    known: Mapping[str, SourceFile]
    plan: Plan
    live: int
    """Documents of the whole collection that are not deleted."""


async def compare(
    indexing: Indexing, collection: Collection, scope: Scope, step: Step, *, retry_failed: bool = False
) -> Comparison:
    """Look at a directory, or a part of it, and compare. `step` is awaited between two batches of reading.

    Raises FailedPrecondition SOURCE_UNREADABLE when the root cannot be looked at.
    """
    found = await _compare(indexing, collection, scope, step, retry_failed)
    for _ in range(_LOOKS_AGAIN):
        if not found.plan.pruned:
            break
        # A scan takes a while: a file that moved meanwhile may have been seen in neither place.
        again = await scanned(indexing, collection, found.seen.scope)
        if again.files.keys() == found.seen.files.keys():
            break
        found = await _compare(indexing, collection, scope, step, retry_failed)
    return found


async def _compare(
    indexing: Indexing, collection: Collection, scope: Scope, step: Step, retry_failed: bool
) -> Comparison:
    seen_at = indexing.clock()
    seen = await scanned(indexing, collection, scope)
    paths = sorted(seen.scope.paths)

    def read(connection: Connection) -> tuple[list[SourceFile], list[LiveFile], int]:
        states = counters.by_collection(connection, [collection.id])[collection.id]
        live = sum(
            count
            for name, count in states.items()
            if name.startswith("documents.") and name != counters.documents_in(DocumentState.RETIRED)
        )
        files = source_files.of_collection(connection, collection.id, paths)
        return files, source_files.live_documents(connection, collection.id, paths), live

    rows, documents, live = await indexing.manifest.read(read)
    known = {row.file_path: row for row in rows}
    hashes = await asyncio.to_thread(_known_hashes, seen, known)
    facts = {path: seen.files[path].facts for path in hashes}
    trusted = frozenset(hashes.keys() & known.keys())
    unread: list[Refusal] = []
    unsettled: list[str] = []
    waiting = [file for path, file in seen.files.items() if path not in hashes]
    async for file, outcome in _read_all(seen.root, waiting, indexing.limits.max_document_bytes, step):
        if isinstance(outcome, Aborted):
            unsettled.append(file.file_path)
        elif isinstance(outcome, OSError):
            why = outcome.strerror or str(outcome)
            unread.append(Refusal(file.file_path, Reason.SOURCE_UNREADABLE, f"It cannot be read ({why})."))
        else:
            hashes[file.file_path], facts[file.file_path] = outcome
    stored = [
        StoredFile(row.document_id, row.file_path, row.observed_hash, row.state, row.error_reason)
        for row in documents
    ]
    planned = await asyncio.to_thread(plan, seen, hashes, stored, retry_failed=retry_failed)
    return Comparison(
        seen, seen_at, facts, hashes, trusted, tuple(unread), tuple(unsettled), known, planned, live
    )


async def scanned(indexing: Indexing, collection: Collection, scope: Scope) -> Seen:
    """Scan a directory in a thread; all of it when the part cannot be scanned by itself."""
    await asyncio.to_thread(require_allowed, collection.settings.source_root, indexing.limits.source_roots)
    wish = Wish(
        root=collection.settings.source_root,
        patterns=tuple((collection.settings.source_options or {}).get("ignore", ())),
        besides=indexing.own_data,
        most_files=indexing.limits.max_source_files,
        most_bytes=indexing.limits.max_document_bytes,
    )
    try:
        return await _stoppable(lambda stop: scan(wish, scope, stop))
    except LinkInScope:
        return await _stoppable(lambda stop: scan(wish, WHOLE, stop))


async def _stoppable(work: Callable[[threading.Event], _T]) -> _T:
    """Run blocking work in a thread that is told when nobody waits for it any more."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    finally:
        stop.set()


_Outcome = tuple[str, FileFacts] | OSError | Aborted


async def _read_all(
    root: str, files: Sequence[SeenFile], most_bytes: int, step: Step
) -> AsyncIterator[tuple[SeenFile, _Outcome]]:
    for at in range(0, len(files), READERS * _READ_TOGETHER):
        await step()
        batch = files[at : at + READERS * _READ_TOGETHER]
        parts = [batch[first::READERS] for first in range(READERS)]
        outcomes = await asyncio.gather(
            *(asyncio.to_thread(_read_some, root, part, most_bytes) for part in parts)
        )
        for part in outcomes:
            for pair in part:
                yield pair


def _read_some(root: str, files: Sequence[SeenFile], most_bytes: int) -> list[tuple[SeenFile, _Outcome]]:
    found: list[tuple[SeenFile, _Outcome]] = []
    for file in files:
        try:
            read = read_settled(root, file.place, most_bytes)
        except (OSError, Aborted) as error:
            found.append((file, error))
        else:
            found.append((file, (read.sha256, read.facts)))
    return found


def _known_hashes(seen: Seen, rows: Mapping[str, SourceFile]) -> dict[str, str]:
    known = {path: _known(row) for path, row in rows.items() if row.content_hash}
    return known_hashes(seen, known)


def _known(row: SourceFile) -> KnownFile:
    facts = FileFacts(row.size_bytes, row.modified_ns, row.changed_ns, row.inode)
    return KnownFile(facts, row.content_hash, row.seen_at)
