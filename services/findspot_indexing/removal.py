"""Taking documents out: deleting retires them, purging erases every trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from findspot.errors import Aborted, Reason
from findspot.model import Caller, DocumentState
from findspot.payload import embedded_text
from findspot.stores.manifest import (
    chunks,
    documents,
    embeddings,
    forgetting,
    generations,
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
    asked = requests.request_hash(name.document_id, name.collection, name.file_path)
    before = await indexing.manifest.read(lambda c: requests.recall(c, request, "PurgeDocument", asked))
    if before is not None:
        return Purged(**before)
    document = await indexing.manifest.write(lambda c: _begin(c, caller, name, indexing.clock()))
    return await erase(indexing, document, request=request, asked=asked, scrub_now=scrub_now)


def _begin(connection: Connection, caller: Caller, name: DocumentName, now: int) -> StoredDocument:
    document = find(connection, caller, name)
    if document.state != DocumentState.RETIRED:
        retire(connection, document, now)
    documents.begin_purge(connection, document.id, now)
    return document


async def erase(
    indexing: Indexing,
    document: StoredDocument,
    *,
    request: str = "",
    asked: str = "",
    scrub_now: bool = False,
) -> Purged:
    """Finish a purge that has begun: the projections first, the manifest, which knows what they hold, last."""
    indexing.holding.interrupt(document.id)
    async with indexing.holding.hold(document.id):
        with indexing.outages.watch("text index"):
            await indexing.text.apply(TextChange(delete_document=document.id))
        await unprojected.remove_document(indexing, document.id)
        erased = await indexing.manifest.write(
            partial(
                _erase_rows,
                document=document,
                quiet_seconds=None if scrub_now else indexing.limits.scrub_seconds,
                now=indexing.clock(),
            )
        )
        blob_count = await stored_blobs.release(indexing, erased.keys)
        await _forget_transcripts(indexing, erased.keys)
    indexing.wake.operations.set()
    purged = Purged(erased.chunks, erased.vectors, blob_count, erased.revision, erased.scrub_id)
    if request:
        answer = {name: getattr(purged, name) for name in Purged.__dataclass_fields__}
        await indexing.manifest.write(
            lambda c: requests.remember(c, request, "PurgeDocument", asked, answer, indexing.clock())
        )
    return purged


async def _forget_transcripts(indexing: Indexing, keys: Sequence[str]) -> None:
    """What was read from pictures goes with the last document that has these bytes."""
    for key in sorted({key for key in keys if key and not indexing.blobs.exists(key)}):
        await indexing.in_thread(indexing.transcripts.forget, key)


@dataclass(frozen=True, slots=True)
class _Erased:
    """What was erased of the manifest, and the blobs to which it referred."""

    chunks: int
    vectors: int
    keys: Sequence[str]
    revision: int
    scrub_id: str


def _erase_rows(
    connection: Connection, *, document: StoredDocument, quiet_seconds: float | None, now: int
) -> _Erased:
    identities = [row.key for row in embeddings.all_identities(connection)]
    texts = [embedded_text(*row) for row in chunks.texts_of_document(connection, document.id)]
    pairs = [(identity, embed_hash(identity, text)) for identity in identities for text in texts]
    pairs += forgetting.embeddings_of_document(connection, document.id)
    vectors.erase_document(connection, document.id)
    vector_count = embeddings.forget_unused(connection, pairs)
    chunk_count = chunks.erase_document(connection, document.id)
    keys = generations.erase_document(connection, document.id)
    tombstones.note_purge(connection, document, now)
    forgetting.forget_mentions(connection, document)
    keys += documents.erase(connection, document.id)
    scrub_id = scrubs.want(connection, now, quiet_seconds)
    return _Erased(chunk_count, vector_count, keys, revisions.raise_revision(connection), scrub_id)
