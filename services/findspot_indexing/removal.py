"""Taking documents out: deleting retires them, purging erases every trace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason
from findspot.model import Caller, DocumentState
from findspot.payload import embedded_text
from findspot.stores.manifest import (
    blob_rows,
    chunks,
    documents,
    embeddings,
    forgetting,
    generations,
    purging,
    requests,
    revisions,
    scrubs,
    tombstones,
    vectors,
)
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing import names, rights, stored_blobs, unprojected
from findspot_indexing.documents import DocumentName, DocumentView, find, views
from findspot_indexing.embed.recipe import embed_hash
from findspot_indexing.service import Indexing
from findspot_indexing.text_commits import TextChange

_PURGE = "PurgeDocument"
_PATIENCE_SECONDS = 10.0
"""With a batch that is under way: most take a second."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What was erased. `vectors`: embeddings that no other document refers to."""

    chunks: int
    vectors: int
    blobs: int
    revision: int
    scrub_id: str = ""
    """The operation that takes what is left of it out of the files of the stores."""


async def delete(
    caller: Caller,
    indexing: Indexing,
    name: DocumentName,
    *,
    if_generation: int | None = None,
    request_id: str = "",
) -> tuple[DocumentView, int]:
    """Retire a document: found no more, readable by chunk id. Returns it, and the revision that says so.

    Deleting one that is deleted already changes nothing.
    """
    rights.require_writer(caller)
    request = names.request_id(request_id)
    return await indexing.manifest.write(
        lambda c: _delete(c, caller, name, if_generation, request, indexing.clock())
    )


def _delete(
    connection: Connection,
    caller: Caller,
    name: DocumentName,
    if_generation: int | None,
    request_id: str,
    now: int,
) -> tuple[DocumentView, int]:
    document = find(connection, caller, name)
    asked = requests.request_hash(document.id, if_generation)
    before = requests.recall(connection, request_id, "DeleteDocument", asked)
    if before is not None:
        return views(connection, [document])[0], before["revision"]
    if if_generation is not None and document.generation != if_generation:
        raise Aborted(
            f"{document.file_path} is at generation {document.generation}; asked was {if_generation}. "
            "Read it again and decide again.",
            reason=Reason.GENERATION_MISMATCH,
            metadata={"generation": str(document.generation)},
        )
    revision = document.revision
    if document.state != DocumentState.RETIRED:
        revision = retire(connection, document, now)
    requests.remember(connection, request_id, "DeleteDocument", asked, {"revision": revision}, now)
    stored = documents.get(connection, document.id)
    assert stored is not None
    return views(connection, [stored])[0], revision


def retire(connection: Connection, document: StoredDocument, now: int) -> int:
    """Retire a document with all its chunks and vectors, in a transaction; returns the revision."""
    ids = chunks.retire_document(connection, document.id, document.collection_id, now)
    vectors.remove(connection, ids)
    generations.retire(connection, document.id, now)
    tombstones.note_deletion(connection, document, now)
    return documents.retire(connection, document, now)


async def purge(
    caller: Caller,
    indexing: Indexing,
    name: DocumentName,
    *,
    scrub_now: bool = False,
    request_id: str = "",
) -> Purged:
    """Erase a document from manifest, blobs, text index and vectors.

    It is found no more from the first step on; if a later one fails, the sweep goes on until all is gone. With
    `scrub_now` the scrub that follows begins at once.
    """
    rights.require_writer(caller)
    request = names.request_id(request_id)
    begun = await indexing.manifest.write(lambda c: _begin(c, caller, name, request, indexing.clock()))
    if isinstance(begun, Purged):
        return begun
    return await erase(indexing, begun, request=request, scrub_now=scrub_now)


def _begin(
    connection: Connection, caller: Caller, name: DocumentName, request: str, now: int
) -> StoredDocument | Purged:
    """The document, which is going to be erased whatever happens; or the answer to this request, made before."""
    asked = requests.request_hash(name.document_id, name.collection, name.file_path)
    before = requests.recall(connection, request, _PURGE, asked)
    if before is not None and "document_id" not in before:
        return Purged(**before)
    # By its id where this is asked for again: another document may have the path by now.
    document = find(connection, caller, name if before is None else DocumentName(**before))
    if document.state != DocumentState.RETIRED:
        retire(connection, document, now)
    purging.begin(connection, document, request if before is None else "", now)
    if before is None:
        requests.remember(connection, request, _PURGE, asked, {"document_id": document.id}, now)
    return document


async def erase(
    indexing: Indexing, document: StoredDocument, *, request: str = "", scrub_now: bool = False
) -> Purged:
    """Finish a purge that has begun: the projections first, the manifest, which knows what they hold, last."""
    indexing.holding.interrupt(document.id)
    async with indexing.holding.hold(document.id):
        ended = await indexing.manifest.read(lambda c: _ended(c, document.id, request))
        if ended is not None:
            return ended
        with indexing.outages.watch("text index"):
            await indexing.text.apply(TextChange(delete_document=document.id))
        await _batches_ended(indexing, document.id)
        await unprojected.remove_document(indexing, document.id)
        quiet = None if scrub_now else indexing.limits.scrub_seconds
        purged, keys = await indexing.manifest.write(
            lambda c: _erase_rows(c, document, quiet, indexing.clock())
        )
        await stored_blobs.release(indexing, keys)
        await _forget_transcripts(indexing, keys)
    indexing.wake.operations.set()
    return purged


async def _batches_ended(indexing: Indexing, document_id: str) -> None:
    """Wait until no batch is at a chunk of a document, but not for long.

    What a batch writes after the document's vectors were taken out it takes out itself, unless it is killed, or the
    vector store goes away, just then: with the rows gone nobody would know of it.
    """
    ids = await indexing.manifest.read(lambda c: chunks.ids_of_document(c, document_id))
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not indexing.being_embedded.keys().isdisjoint(ids):
                indexing.batch_ended.clear()
                await indexing.batch_ended.wait()


def _ended(connection: Connection, document_id: str, request: str) -> Purged | None:
    """What came of it where somebody else has erased the document meanwhile; None while it is there."""
    if documents.get(connection, document_id) is not None:
        return None
    answer = requests.answered(connection, request)
    return Purged(**answer) if answer else Purged(0, 0, 0, revisions.current(connection))


async def _forget_transcripts(indexing: Indexing, keys: Sequence[str]) -> None:
    """What was read from pictures goes with the last document that has these bytes."""
    for key in sorted({key for key in keys if key and not indexing.blobs.exists(key)}):
        await indexing.in_thread(indexing.transcripts.forget, key)


def _erase_rows(
    connection: Connection, document: StoredDocument, quiet_seconds: float | None, now: int
) -> tuple[Purged, Sequence[str]]:
    """Erase it from the manifest and answer those who asked for it; returns the blobs that it referred to too."""
    identities = [row.key for row in embeddings.all_identities(connection)]
    texts = [embedded_text(*row) for row in chunks.texts_of_document(connection, document.id)]
    pairs = [(identity, embed_hash(identity, text)) for identity in identities for text in texts]
    pairs += forgetting.embeddings_of_document(connection, document.id)
    stored = documents.get(connection, document.id)
    vectors.erase_document(connection, document.id)
    vector_count = embeddings.forget_unused(connection, pairs)
    chunk_count = chunks.erase_document(connection, document.id)
    keys = generations.erase_document(connection, document.id)
    tombstones.note_purge(connection, document, now)
    forgetting.forget_mentions(connection, document)
    keys += purging.erase(connection, document.id)
    free = {key for key in keys if key} - blob_rows.needed(connection, keys)
    purged = Purged(
        chunk_count,
        vector_count,
        len(free),
        revisions.raise_revision(connection),
        scrubs.want(connection, now, quiet_seconds),
    )
    for request_id in stored.options.get(purging.PURGE_REQUESTS, ()) if stored is not None else ():
        requests.answer(connection, request_id, asdict(purged))
    return purged, keys
