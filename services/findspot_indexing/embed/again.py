"""Having chunks embedded anew that have a vector already: the old one serves until the new one is written."""

from __future__ import annotations

from sqlalchemy import Connection

from findspot.payload import embedded_text
from findspot.stores.manifest import chunks, claims, embeddings, made_with, remaking
from findspot.stores.manifest.made_with import Recipe
from findspot_indexing.embed.recipe import embed_hash
from findspot_indexing.embed.wanted import want_vectors


def embed_again(
    connection: Connection,
    recipe: Recipe,
    document_id: str,
    collection_id: str,
    now: int,
    *,
    forget_before: int | None = None,
) -> int:
    """Want vectors of the chunks of a document that are behind; returns of how many.

    With `forget_before` of all its chunks, and by the model: what is stored of them is forgotten, unless it was made
    after that time, so that a text which several documents hold is embedded once.
    """
    if not recipe.identity:
        return 0
    rows = made_with.chunks_to_embed(connection, recipe, [document_id], everything=forget_before is not None)
    if not rows:
        return 0
    if forget_before is not None:
        hashes = [embed_hash(recipe.identity, embedded_text(context, text)) for _, context, text in rows]
        embeddings.forget_older(connection, recipe.identity, hashes, forget_before)
    # The points stay in the vector store until they are overwritten: PENDING only says that they are behind.
    want_vectors(connection, document_id, collection_id, rows, now)
    chunks.note_recipe(connection, [identifier for identifier, _, _ in rows], recipe.payload)
    claims.demote(connection, [document_id])
    # What was said of vectors that failed is out of date; some may still be given up.
    remaking.forget_failure(connection, document_id)
    claims.note_lost_vectors(connection, recipe.identity, document_id)
    return len(rows)
