"""What documents were made with the last time: the stamps that are compared with those of now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, literal, or_, select, true

from findspot.errors import Reason
from findspot.model import DocumentState
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.reading import under
from findspot.stores.manifest.vectors import COUNTED, FAILED, PENDING, READY

HOPELESS = (Reason.EMBEDDING_INPUT_TOO_LONG, Reason.EMBEDDING_REQUEST_REJECTED)
"""Why a chunk has no vector and will never have one of this model: the same text gives the same answer."""


@dataclass(frozen=True, slots=True)
class MadeWith:
    """A document that is not deleted, and what the generation that serves was made with (empty: nothing serves)."""

    id: str
    collection_id: str
    collection_path: str
    file_path: str
    state: str
    stage: str
    document_type: str
    generation: int
    tried_stamp: str
    extractor_stamp: str
    chunker_stamp: str
    options_stamp: str
    chunk_count: int
    behind_count: int
    """Live chunks whose vector is of an older recipe, is lacking, or failed in a way that may pass."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What vectors are made by now."""

    identity: str
    """Key of the identity that serves; empty when there is none, and nothing can be behind."""
    payload: int


def page(
    connection: Connection,
    recipe: Recipe,
    *,
    within: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    after: str = "",
    limit: int = 500,
) -> list[MadeWith]:
    """Documents by id: those in these subtrees (None: everywhere), or of these ids; those behind `after`."""
    d = t.documents.c
    wanted = _rows(recipe).where(d.state != DocumentState.RETIRED, d.id > after).order_by(d.id).limit(limit)
    if ids is not None:
        wanted = wanted.where(among(d.id, ids))
    if within is not None:
        wanted = wanted.where(or_(literal(False), *(under(d.collection_path, root) for root in within)))
    return [MadeWith(*row) for row in connection.execute(wanted)]


def behind(recipe: Recipe) -> ColumnElement[bool]:
    """True of a row of `chunks` whose vector is to be made or described anew."""
    c, v = t.chunks.c, t.chunk_vectors.alias("own").c
    mine = (v.chunk_id == c.id) & (v.identity == recipe.identity)
    lacks = ~select(v.chunk_id).where(mine, v.state.in_(COUNTED)).exists()
    failed = select(v.chunk_id).where(mine, v.state == FAILED, v.error_reason.not_in(HOPELESS)).exists()
    return or_(c.payload_recipe != recipe.payload, lacks, failed)


def chunks_to_embed(
    connection: Connection, recipe: Recipe, document_ids: Sequence[str], *, everything: bool
) -> list[tuple[str, str, str]]:
    """(id, context, text) of the live chunks of documents that are behind, or of all."""
    c = t.chunks.c
    wanted = (
        select(c.id, c.context, c.text)
        .where(
            among(c.document_id, document_ids),
            c.state == "LIVE",
            true() if everything else behind(recipe),
        )
        .order_by(c.document_id, c.chunk_index)
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(wanted)]


def count_current(connection: Connection, recipe: Recipe, document_ids: Sequence[str]) -> tuple[int, int]:
    """How many live chunks of documents are not behind, and of how many of these the vector is stored."""
    c, v, e = t.chunks.c, t.chunk_vectors.c, t.embeddings.c
    wanted = (
        select(func.count(), func.count(e.embed_hash))
        .select_from(t.chunk_vectors)
        .join(t.chunks, (c.id == v.chunk_id) & (c.payload_recipe == recipe.payload))
        .outerjoin(t.embeddings, (e.identity == v.identity) & (e.embed_hash == v.embed_hash))
        .where(
            among(v.document_id, document_ids),
            v.identity == recipe.identity,
            or_(v.state.in_((PENDING, READY)), (v.state == FAILED) & v.error_reason.in_(HOPELESS)),
        )
    )
    row = connection.execute(wanted).one()
    return int(row[0]), int(row[1])


def _rows(recipe: Recipe) -> Select[Any]:
    d, g, c = t.documents.c, t.generations.c, t.chunks.c
    counted = select(func.count()).where(c.document_id == d.id, c.state == "LIVE", behind(recipe))
    return select(
        d.id,
        d.collection_id,
        d.collection_path,
        d.file_path,
        d.state,
        d.stage,
        d.document_type,
        d.generation,
        d.tried_stamp,
        func.coalesce(g.extractor_stamp, ""),
        func.coalesce(g.chunker_stamp, ""),
        func.coalesce(g.options_stamp, ""),
        func.coalesce(g.chunk_count, 0),
        counted.scalar_subquery() if recipe.identity else literal(0),
    ).outerjoin(t.generations, (g.document_id == d.id) & (g.generation == d.generation))
