"""Carrying out what a comparison found: moves first, then new and changed files, then what is gone.

Each step is one transaction, and doing it again changes nothing: whatever was cut short is found by the next scan.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason
from findspot.model import DocumentState, Notice
from findspot.stores.manifest import blob_rows, collections, documents, moves, remaking, source_files
from findspot.stores.manifest.collections import DIRECTORY, Collection
from findspot.stores.manifest.source_files import SourceFile
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing import removal, rights, stored_blobs
from findspot_indexing.directories.batches import parts, small_batches
from findspot_indexing.directories.compare import READERS, Comparison
from findspot_indexing.directories.counting import Counting
from findspot_indexing.directories.plan import Move, StoredFile
from findspot_indexing.directories.reading import FileFacts, ReadFile, read_settled
from findspot_indexing.directories.seen import Refusal, SeenFile
from findspot_indexing.service import Indexing
from findspot_indexing.stored_blobs import StoredBlob

NOT_SETTLED = "NOT_SETTLED"


@dataclass(frozen=True)
class Applying:
    """What every step works with."""

    indexing: Indexing
    collection: Collection
    found: Comparison
    counting: Counting
    prune: Sequence[StoredFile]
    """Documents without a file that are to be retired now."""
    readers: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READERS))
    """So that threads are left for others, however slow the disk is."""

    def row(self, path: str, facts: FileFacts, content_hash: str) -> SourceFile:
        """What is remembered of a file."""
        return SourceFile(
            self.collection.id, path, facts.size, facts.modified_ns, facts.changed_ns, facts.inode, content_hash,
            self.found.seen_at,
        )  # fmt: skip


async def apply(work: Applying) -> None:
    """Bring the documents in line with the files."""
    plan, counting = work.found.plan, work.counting
    counting.total += len(plan.moved) + len(plan.added) + len(plan.changed) + len(work.prune)
    await counting.save()
    for part in parts(plan.moved):
        await _move(work, part)
    for name, paths in (("added", plan.added), ("changed", plan.changed)):
        for files in small_batches([work.found.seen.files[path] for path in paths]):
            outcomes = await asyncio.gather(
                *(_take(work, file, name) for file in files), return_exceptions=True
            )
            for problem in filter(None, outcomes):
                raise problem
            await counting.save()
    for gone in parts(work.prune):
        await _prune(work, gone)
    await _remember(work)


async def _move(work: Applying, part: Sequence[Move]) -> None:
    indexing, found = work.indexing, work.found

    def write(connection: Connection) -> int:
        _require_same(connection, work.collection)
        done = 0
        for move in part:
            document = documents.get(connection, move.document.document_id)
            if document is None or not _is_as_seen(document.file_path, document.state, move.document):
                continue
            stage = _stage(document.file_path, move.file_path)
            moves.move(connection, document, move.file_path, stage=stage, now=indexing.clock())
            source_files.drop(connection, work.collection.id, [move.document.file_path])
            row = work.row(move.file_path, found.facts[move.file_path], found.hashes[move.file_path])
            source_files.keep(connection, [row])
            done += 1
        return done

    work.counting.count("moved", await indexing.manifest.write(write))
    work.counting.done += len(part)
    indexing.wake.compose.set()
    await work.counting.save()


def _stage(before: str, after: str) -> str:
    """Where the work on a moved document begins: another kind of name may mean that it is read another way."""
    kinds = [name.rpartition("/")[2].rpartition(".")[2].lower() for name in (before, after)]
    named = all("." in name.rpartition("/")[2] for name in (before, after))
    return remaking.CHUNK if named and kinds[0] == kinds[1] else remaking.EXTRACT


async def _take(work: Applying, file: SeenFile, name: str) -> None:
    """Take a new or changed file in, as an upload does."""
    indexing = work.indexing
    try:
        async with work.readers:
            read = await asyncio.to_thread(
                read_settled, work.found.seen.root, file.place, indexing.limits.max_document_bytes
            )
    except Aborted as error:
        work.counting.note(Notice(NOT_SETTLED, error.message))
        work.counting.left.append(file.file_path)
    except OSError as error:
        _note_unread(work, Refusal(file.file_path, Reason.SOURCE_UNREADABLE, error.strerror or str(error)))
    else:
        async with stored_blobs.stored(indexing, read.data, blob_rows.ORIGINAL) as blob:
            await indexing.manifest.write(lambda c: _receive(c, work, file.file_path, read, blob))
        indexing.wake.compose.set()
        work.counting.count(name)
    work.counting.done += 1


def _receive(connection: Connection, work: Applying, path: str, read: ReadFile, blob: StoredBlob) -> None:
    now = work.indexing.clock()
    _require_same(connection, work.collection)
    blob.record(connection, now)
    modified = read.facts.modified_ns // 1000
    known = documents.find(connection, work.collection.path, path)
    options = {
        "media_type": "", "document_type": "", "title": "", "language": "", "metadata": {},
        "source_modified_at": modified, "force": known is not None and _is_half_moved(known),
    }  # fmt: skip
    received = documents.Received(
        collection_id=work.collection.id,
        collection_path=work.collection.path,
        file_path=path,
        content_hash=blob.key,
        blob_key=blob.key,
        size_bytes=blob.size,
        source_modified_at=modified,
        options=options,
    )
    documents.receive(connection, received, known, now)
    source_files.keep(connection, [work.row(path, read.facts, read.sha256)])


def _is_half_moved(document: StoredDocument) -> bool:
    """True while the projections may still have the path before a move: then chunks that are kept are written too."""
    return document.next_generation != document.generation and bool(document.options.get("force", False))


async def _prune(work: Applying, part: Sequence[StoredFile]) -> None:
    indexing = work.indexing

    def write(connection: Connection) -> int:
        _require_same(connection, work.collection)
        done = 0
        for gone in part:
            document = documents.get(connection, gone.document_id)
            if document is not None and _is_as_seen(document.file_path, document.state, gone):
                removal.retire(connection, document, indexing.clock())
                done += 1
        source_files.drop(connection, work.collection.id, [gone.file_path for gone in part])
        return done

    work.counting.count("pruned", await indexing.manifest.write(write))
    work.counting.done += len(part)
    await work.counting.save()


async def _remember(work: Applying) -> None:
    """Note what was read and found unchanged, what cannot be taken, and forget what is no more."""
    found = work.found
    rows = [
        work.row(path, found.facts[path], found.hashes[path])
        for path in found.plan.unchanged
        if path not in found.trusted
    ]
    rows += [
        SourceFile(
            work.collection.id,
            refusal.file_path,
            0,
            0,
            0,
            0,
            "",
            found.seen_at,
            refusal.reason,
            refusal.message,
        )
        for refusal in found.seen.refused
        if not _is_refused(found.known.get(refusal.file_path), refusal)
    ]
    here = {*found.seen.files, *(refusal.file_path for refusal in found.seen.refused)}
    kept = {refusal.file_path for refusal in found.seen.unreadable}
    kept |= {gone.file_path for gone in found.plan.pruned}
    moved = {move.document.file_path for move in found.plan.moved}
    gone = [path for path in found.known if path not in here and path not in moved and path not in kept]

    def write(connection: Connection) -> None:
        _require_same(connection, work.collection)
        source_files.keep(connection, rows)
        source_files.drop(connection, work.collection.id, gone)

    if rows or gone:
        await work.indexing.manifest.write(write)
    for refusal in found.unread:
        _note_unread(work, refusal)
    for path in found.unsettled:
        work.counting.note(
            Notice(NOT_SETTLED, f"{path!a} changed whenever it was read; the next scan takes it.")
        )
    work.counting.left.extend(found.unsettled)


def _is_refused(row: SourceFile | None, refusal: Refusal) -> bool:
    return row is not None and (row.error_reason, row.error_message) == (refusal.reason, refusal.message)


def _note_unread(work: Applying, refusal: Refusal) -> None:
    work.counting.failed += 1
    work.counting.note(Notice(refusal.reason, f"{refusal.file_path!a}: {refusal.message}"))


def _is_as_seen(file_path: str, state: str, seen: StoredFile) -> bool:
    return file_path == seen.file_path and state != DocumentState.RETIRED


def _require_same(connection: Connection, collection: Collection) -> None:
    """Nobody may have removed the collection, or given it another directory, while this one was looked at."""
    now = collections.find(connection, collection.path)
    if now is None or now.id != collection.id:
        raise rights.no_collection(collection.path)
    if now.settings.source_root != collection.settings.source_root or now.settings.source_kind != DIRECTORY:
        raise Aborted(
            f"Collection {collection.path} was given another source while its directory was looked at. Sync it again.",
            reason=Reason.ETAG_MISMATCH,
        )
