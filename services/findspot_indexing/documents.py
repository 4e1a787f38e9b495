"""Documents as callers see them: one by name, or page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from findspot.errors import NotFound, Reason
from findspot.freshness import Verdict, judge
from findspot.model import Caller, may_read
from findspot.paging import page_size, page_token, read_page_token
from findspot.stores.manifest import documents, embeddings, evidence, vector_facts
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing import names
from findspot_indexing.freshness import Stored, look_closely, stored
from findspot_indexing.service import Indexing

MOST_DOCUMENTS = 1000
USUAL_DOCUMENTS = 100
_LOOKS = 3
"""At a document that changes each time."""


@dataclass(frozen=True, slots=True)
class DocumentName:
    """A document by its id, or by collection and file path."""

    document_id: str = ""
    collection: str = ""
    file_path: str = ""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document, and how many of its live chunks have a vector of the active identity."""

    document: StoredDocument
    embedded_chunks: int
    verdict: Verdict
    """How it relates to its file; by stored facts alone, or as `get` saw it."""
    looked_at: bool = False
    """True when file and projections were looked at."""


async def get(caller: Caller, indexing: Indexing, name: DocumentName) -> DocumentView:
    """The document of a name. Raises NotFound DOCUMENT_NOT_FOUND, also for one the caller may not see."""

    def read(connection: Connection) -> tuple[DocumentView, Stored]:
        view = views(connection, [find(connection, caller, name)])[0]
        return view, stored(connection, view.document)

    view, known = await indexing.manifest.read(read)
    for _ in range(_LOOKS):
        verdict = await look_closely(indexing, view.document, known, view.verdict.evidence)
        looked_at = replace(view, verdict=verdict, looked_at=True)
        if verdict.evidence.row_fingerprint == verdict.evidence.index_fingerprint:
            break
        # Who is switched or embedded in between is compared with what is not there any more, or not yet.
        before = view
        view, known = await indexing.manifest.read(read)
        if view == before:
            break
    return looked_at


def find(connection: Connection, caller: Caller, name: DocumentName) -> StoredDocument:
    """The document of a name, in a transaction; retired ones too. Raises NotFound DOCUMENT_NOT_FOUND."""
    if name.collection or name.file_path:
        collection = names.collection_path(name.collection)
        file = names.file_path(name.file_path)
        found, said = documents.find(connection, collection, file), f"{file} in {collection}"
    else:
        identifier = names.document_id(name.document_id)
        found, said = documents.get(connection, identifier), identifier
    if found is None or not may_read(caller, found.collection_path):
        raise NotFound(f"There is no document {said}.", reason=Reason.DOCUMENT_NOT_FOUND)
    return found


def views(connection: Connection, found: Sequence[StoredDocument]) -> list[DocumentView]:
    """Documents with what is counted of each."""
    ids = [document.id for document in found if document.chunk_count]
    active = embeddings.active(connection) if ids else None
    embedded = vector_facts.ready_by_document(connection, active.key, ids) if active else {}
    return [
        _view(document, embedded.get(document.id, 0), needs_vectors=active is not None) for document in found
    ]


def _view(document: StoredDocument, embedded: int, *, needs_vectors: bool) -> DocumentView:
    missing = max(0, document.chunk_count - embedded) if needs_vectors else 0
    return DocumentView(document, embedded, judge(evidence.of_document(document, missing)))


async def list_page(
    caller: Caller, indexing: Indexing, *, subtree: str, states: Sequence[str], size: int, token: str
) -> tuple[list[DocumentView], str]:
    """A page of documents by collection and file path, and the token of the next (empty at the end)."""
    within = names.subtree(subtree)
    limit = page_size(size, usual=USUAL_DOCUMENTS, most=MOST_DOCUMENTS)
    bound = ("ListDocuments", within, sorted(states), caller.readable)
    position = read_page_token(token, bound, 2)
    after = (position[0], position[1]) if position else None

    def read(connection: Connection) -> list[DocumentView]:
        found = documents.page(
            connection,
            subtrees=caller.readable,
            within=within,
            states=states,
            after=after,
            limit=limit + 1,
        )
        return views(connection, found)

    rows = await indexing.manifest.read(read)
    page = rows[:limit]
    if len(rows) <= limit:
        return page, ""
    last = page[-1].document
    return page, page_token((last.collection_path, last.file_path), bound)
