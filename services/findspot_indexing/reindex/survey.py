"""What reindexing a scope would do: which documents, from which stage on, and how many chunks the model would see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from findspot.model import DocumentState
from findspot.payload import PAYLOAD_RECIPE, embedded_text
from findspot.stores.manifest import collections, embeddings, made_with
from findspot.stores.manifest.made_with import MadeWith, Recipe
from findspot_indexing.compose.compose import chunking_options, options_stamp
from findspot_indexing.embed.recipe import embed_hash
from findspot_indexing.reindex.stages import ON_ITS_WAY, OptionsOf, Stage, first_stage, stale_stages
from findspot_indexing.stamps import Stamps

_TOGETHER = 500


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller wants to be done again. `within` None and no document: everything."""

    within: tuple[str, ...] | None
    document_id: str = ""
    stage: Stage | None = None
    force: bool = False


@dataclass
class Survey:
    """What a wish comes to."""

    items: list[str] = field(default_factory=list)
    """Documents to be looked at: those to make anew, and those that are on their way and may need it."""
    read: int = 0
    cut: int = 0
    """Documents to be cut again; those that are read again are among them."""
    embed: int = 0
    """Chunks to embed; of documents that will be cut in another way as many as they have now."""
    stored: int = 0
    """Of these those whose vector is stored already."""
    fresh: int = 0
    remedy: Stage | None = None
    """The earliest stage that anything in the scope needs, whatever was asked for."""


def current_recipe(connection: Connection) -> Recipe:
    """What vectors are made by now."""
    active = embeddings.active(connection)
    return Recipe(active.key if active else "", PAYLOAD_RECIPE)


def options_by_collection(connection: Connection) -> OptionsOf:
    """The stamps of how collections want their documents to be cut, each looked up once."""
    known: dict[str, collections.Collection | None] = {}
    stamped: dict[tuple[str, str], str] = {}

    def stamp(path: str, document_type: str) -> str:
        if (path, document_type) not in stamped:
            if path not in known:
                known[path] = collections.find(connection, path)
            stamped[path, document_type] = options_stamp(chunking_options(known[path], document_type))
        return stamped[path, document_type]

    return stamp


def survey(connection: Connection, stamps: Stamps, wish: Wish) -> Survey:
    """Look at every document of the scope."""
    found = Survey()
    recipe, options_of = current_recipe(connection), options_by_collection(connection)
    ids = [wish.document_id] if wish.document_id else None
    after = ""
    while True:
        page = made_with.page(connection, recipe, within=wish.within, ids=ids, after=after, limit=_TOGETHER)
        same = [made.id for made in page if _add(found, wish, made, stale_stages(made, stamps, options_of))]
        if recipe.identity and same:
            _count_chunks(connection, found, wish, recipe, same)
        if len(page) < _TOGETHER:
            return found
        after = page[-1].id


def _add(found: Survey, wish: Wish, made: MadeWith, stale: frozenset[Stage]) -> bool:
    """Count a document; True when it will be embedded anew and keep the chunks that it has."""
    if made.state in ON_ITS_WAY:
        # What waits will be made with what is current; what is under way may have begun before that changed.
        if wish.force or made.state == DocumentState.EXTRACTING:
            found.items.append(made.id)
        return False
    earliest = min(stale, default=None)
    if earliest is None:
        found.fresh += 1
    elif found.remedy is None or earliest < found.remedy:
        found.remedy = earliest
    stage = first_stage(made, stale, wish.stage, force=wish.force)
    if stage is None:
        return False
    found.items.append(made.id)
    found.read += stage is Stage.EXTRACT
    found.cut += stage is not Stage.EMBED
    if stage is not Stage.EMBED and stale & {Stage.EXTRACT, Stage.CHUNK}:
        # It will be cut in another way, so what of it is stored shows only then.
        found.embed += made.chunk_count
        return False
    return made.chunk_count > 0


def _count_chunks(
    connection: Connection, found: Survey, wish: Wish, recipe: Recipe, document_ids: Sequence[str]
) -> None:
    behind = made_with.chunks_to_embed(connection, recipe, document_ids, everything=False)
    hashes = [embed_hash(recipe.identity, embedded_text(context, text)) for _, context, text in behind]
    known = embeddings.known(connection, recipe.identity, hashes)
    count, stored = len(hashes), sum(hashed in known for hashed in hashes)
    if wish.force:
        current, current_stored = made_with.count_current(connection, recipe, document_ids)
        count, stored = count + current, stored + current_stored
    found.embed += count
    # Forced from EMBED on, what is stored is forgotten.
    found.stored += 0 if wish.force and wish.stage is Stage.EMBED else stored
