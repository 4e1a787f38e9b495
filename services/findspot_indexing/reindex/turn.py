"""One turn of a reindex: what has ended is noted, what is at rest is marked, never more at once than a window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, Row, select

from findspot.model import DocumentState, Notice
from findspot.stores.manifest import made_with, operation_items, remaking
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.made_with import MadeWith, Recipe
from findspot.stores.manifest.operation_items import WAITING
from findspot.stores.manifest.vectors import FAILED as NO_VECTOR
from findspot.stores.manifest.vectors import PENDING as VECTOR_PENDING
from findspot_indexing.embed.again import embed_again
from findspot_indexing.operations.progress import Progress
from findspot_indexing.reindex.stages import ON_ITS_WAY, OptionsOf, Stage, first_stage, stale_stages
from findspot_indexing.reindex.survey import Wish, current_recipe, options_by_collection
from findspot_indexing.stamps import Stamps

BUSY = "BUSY"
"""On its way for another reason: looked at again when it is at rest."""
MARKED = "MARKED"
"""Being made anew."""
VECTORS = "VECTORS"
"""Made anew and found by its words; its vectors are to come."""
EMBEDDING = "EMBEDDING"
"""Waits for vectors alone."""
DONE = "DONE"
FAILED = "FAILED"

WINDOW = 64
"""Documents that are on their way at once: an upload waits behind no more than these."""
VECTOR_WINDOW = 256
"""Documents to embed anew that wait for the model at once."""


@dataclass
class Look:
    """What the items on their way came to, and whether there is anything to do about it."""

    moves: dict[str, list[str]] = field(default_factory=dict)
    """Items by the state that they go to."""
    notices: list[Notice] = field(default_factory=list)
    gone: int = 0
    room: int = field(default_factory=lambda: WINDOW)
    vector_room: int = field(default_factory=lambda: VECTOR_WINDOW)
    waiting: list[str] = field(default_factory=list)
    left: bool = False
    """True while anything is not done."""
    cancelled: bool = False

    @property
    def anything_to_do(self) -> bool:
        """True when a turn would change something."""
        return bool(self.moves) or bool(self.waiting) or self.cancelled


def look(connection: Connection, operation_id: str, identity: str, *, no_model: bool) -> Look:
    """See what became of the items on their way. Without a model, vectors are not waited for."""
    found = Look()
    o = t.operations.c
    asked = connection.execute(select(o.cancel_requested).where(o.id == operation_id)).scalar_one()
    found.cancelled = bool(asked)
    for row in _on_their_way(connection, operation_id, identity):
        found.left = True
        state = _outcome(row, no_model=no_model)
        if state != row.item_state:
            found.moves.setdefault(state, []).append(row.item)
        found.gone += state == DONE and row.state in (None, DocumentState.RETIRED)
        if state == FAILED:
            where = f"{row.collection_path}/{row.file_path}"
            found.notices.append(Notice(row.error_reason or "FAILED", f"{where}: {row.error_message}"))
        found.room -= state in (MARKED, BUSY)
        found.vector_room -= state == EMBEDDING
    waits = operation_items.of(connection, operation_id, WAITING, 1)
    found.left = found.left or bool(waits)
    if found.room > 0 and found.vector_room > 0:
        found.waiting = operation_items.of(
            connection, operation_id, WAITING, min(found.room, found.vector_room)
        )
    return found


def _on_their_way(connection: Connection, operation_id: str, identity: str) -> Sequence[Row[tuple[str, ...]]]:
    i, d, v = t.operation_items.c, t.documents.c, t.chunk_vectors.c
    mine = (v.document_id == i.item) & (v.identity == identity)
    wanted = (
        select(
            i.item,
            i.state.label("item_state"),
            d.state,
            d.collection_path,
            d.file_path,
            d.error_reason,
            d.error_message,
            select(v.chunk_id).where(mine, v.state == VECTOR_PENDING).exists().label("pending"),
            select(v.chunk_id).where(mine, v.state == NO_VECTOR).exists().label("lost"),
        )
        .outerjoin(t.documents, d.id == i.item)
        .where(i.operation_id == operation_id, i.state.in_((BUSY, MARKED, VECTORS, EMBEDDING)))
    )
    return connection.execute(wanted).all()


def _outcome(row: Row[tuple[str, ...]], *, no_model: bool) -> str:
    if row.state is None or row.state == DocumentState.RETIRED:
        return DONE
    if row.state in ON_ITS_WAY:
        return str(row.item_state)
    if row.item_state == BUSY:
        return WAITING
    if row.state == DocumentState.FAILED:
        return FAILED
    if row.state == DocumentState.CHUNKED and row.pending and not no_model:
        return EMBEDDING if row.item_state == EMBEDDING else VECTORS
    return FAILED if row.state == DocumentState.CHUNKED and row.lost else DONE


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn works with."""

    operation_id: str
    began_at: int
    """When the operation was asked for, in microseconds since 1970."""
    wish: Wish
    stamps: Stamps
    now: int


def take(connection: Connection, turn: Turn, seen: Look, progress: Progress) -> None:
    """Do what a look found to be done, and keep the progress with it: all of it or nothing."""
    for state, items in seen.moves.items():
        operation_items.move(connection, turn.operation_id, items, state)
    for notice in seen.notices:
        progress.note(notice)
    if seen.gone:
        progress.count("gone", seen.gone)
    _mark(connection, turn, seen, progress)
    counts = operation_items.counts(connection, turn.operation_id)
    progress.total = sum(counts.values())
    progress.done, progress.failed = counts.get(DONE, 0), counts.get(FAILED, 0)
    progress.save_in(connection)


def _mark(connection: Connection, turn: Turn, seen: Look, progress: Progress) -> None:
    recipe, options_of = current_recipe(connection), options_by_collection(connection)
    found = {made.id: made for made in made_with.page(connection, recipe, ids=seen.waiting)}
    for item in seen.waiting:
        made = found.get(item)
        if made is None:
            progress.count("gone")
            state = DONE
        else:
            state = _mark_one(connection, turn, recipe, made, options_of, progress)
        operation_items.move(connection, turn.operation_id, [item], state)


def _mark_one(
    connection: Connection,
    turn: Turn,
    recipe: Recipe,
    made: MadeWith,
    options_of: OptionsOf,
    progress: Progress,
) -> str:
    wish = turn.wish
    if made.state in ON_ITS_WAY:
        reads_anyway = made.state == DocumentState.PENDING and not remaking.reuses_extraction(made.stage)
        # What waits to be read is made with what is current, from the first stage on.
        return MARKED if reads_anyway and not wish.force else BUSY
    stage = first_stage(made, stale_stages(made, turn.stamps, options_of), wish.stage, force=wish.force)
    if stage is None:
        progress.count("fresh")
        return DONE
    if stage is Stage.EMBED:
        forget_before = turn.began_at if wish.force else None
        chunk_count = embed_again(
            connection, recipe, made.id, made.collection_id, turn.now, forget_before=forget_before
        )
        progress.count("embedded" if chunk_count else "fresh")
        return EMBEDDING
    remaking.make_again(
        connection, made.id, made.collection_id, made.state, stage.name, turn.now, everything=wish.force
    )
    progress.count("read" if stage is Stage.EXTRACT else "cut")
    return MARKED
