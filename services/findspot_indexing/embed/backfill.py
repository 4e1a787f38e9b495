"""Asking for vectors of chunks that were made before their model came: page by page, while other work goes first."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection

from findspot.model import EmbeddingIdentity
from findspot.payload import embedded_text
from findspot.stores.manifest import claims, embeddings, identities, vector_facts, vectors
from findspot_indexing.embed.recipe import embed_hash
from findspot_indexing.service import Indexing

PAGE = 500


class Backfill:
    """Where the look for chunks without a vector stands, by identity.

    The counters say whether any lack one, so a process that is killed loses nothing: the next one looks again.
    """

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing
        self._after: dict[str, str] = {}
        self._fruitless: set[str] = set()

    def look_again(self) -> None:
        """Look even where the last look found none."""
        self._fruitless.clear()

    async def want_page(self, identity: EmbeddingIdentity) -> bool:
        """Ask for the vectors of the next chunks that lack one; False when none does."""
        key = identity.key
        if key in self._fruitless:
            return False
        known = await self._indexing.manifest.read(lambda c: identities.fill(c, key))
        if not known.lacking:
            self._after.pop(key, None)
            return False
        begin = self._after.get(key, "")
        # Those behind the last page first, then once more from the beginning.
        for after in dict.fromkeys((begin, "")):
            page = partial(_want_page, identity=key, after=after, now=self._indexing.clock())
            if last := await self._indexing.manifest.write(page):
                self._after[key] = last
                return True
        # All were looked at: the counters are wrong, or somebody else was faster.
        self._fruitless.add(key)
        return False


def _want_page(connection: Connection, identity: str, after: str, now: int) -> str:
    """Ask for the vectors of up to `PAGE` chunks; returns the id of the last, empty when there was none."""
    if not identities.is_known(connection, identity):
        # Dropped since it was settled what to embed with: rows of it would never be removed.
        return ""
    rows = vector_facts.lacking(connection, identity, PAGE, after)
    by_document: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        hashed = embed_hash(identity, embedded_text(row.context, row.text))
        by_document.setdefault((row.document_id, row.collection_id), []).append((row.id, hashed))
    for (document_id, collection_id), hashes in by_document.items():
        vectors.want(connection, identity, document_id, collection_id, hashes, now)
    active = embeddings.active(connection)
    if active is not None and active.key == identity:
        claims.demote(connection, [document_id for document_id, _ in by_document])
    return rows[-1].id if rows else ""
