"""Asking for vectors of chunks: of every identity in use, and of no other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from findspot.model import EmbeddingIdentity
from findspot.payload import embedded_text
from findspot.stores.manifest import identities, vectors
from findspot_indexing.embed.recipe import embed_hash


def want_vectors(
    connection: Connection,
    document_id: str,
    collection_id: str,
    chunks: Sequence[tuple[str, str, str]],
    now: int,
) -> EmbeddingIdentity | None:
    """Ask for the vectors of (chunk id, context, text) of a document, again where there are some.

    They are made of the active identity and of the one being filled. What identities that were set aside hold of
    these chunks is out of date from now on. Returns the active identity; None while there is none.
    """
    in_use = identities.in_use(connection, hold=True)
    for identity in in_use:
        hashes = [
            (chunk_id, embed_hash(identity.key, embedded_text(context, text)))
            for chunk_id, context, text in chunks
        ]
        vectors.want(connection, identity.key, document_id, collection_id, hashes, now)
    vectors.outdate(connection, identities.set_aside(connection), [chunk[0] for chunk in chunks])
    return in_use[0] if in_use else None
