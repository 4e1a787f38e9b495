"""`Reindex`: tells what there is to do, and begins to do it unless it was only asked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from findspot.model import Caller
from findspot.stores.manifest import operation_items, operations, requests
from findspot_indexing import names, rights
from findspot_indexing.documents import DocumentName, find
from findspot_indexing.reindex.stages import Stage
from findspot_indexing.reindex.survey import Survey, Wish, survey
from findspot_indexing.reindex.work import KIND, as_request
from findspot_indexing.service import Indexing
from findspot_indexing.stamps import stamps_of_now
from findspot_indexing.status import scope

_METHOD = "Reindex"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller asks for: one document, or a subtree of collections, or (both absent) everything."""

    subtree: str = ""
    name: DocumentName | None = None
    stage: Stage | None = None
    force: bool = False
    dry_run: bool = False
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What will be done, or would be: documents to read, to cut (those to read among them), chunks to embed."""

    operation_id: str
    read: int
    cut: int
    embed: int
    fresh: int
    stored: int
    """Of the chunks to embed those whose vector is stored already."""
    remedy: str
    """Name of the earliest stage that anything stale needs; empty when nothing is."""
    seconds: float | None
    """How long the model will take at the present rate; None while no rate was measured."""


async def reindex(caller: Caller, indexing: Indexing, asked: Asked) -> Planned:
    """Make documents anew, or only tell which. Raises PartAway while extraction or chunking is away."""
    rights.require_writer(caller)
    request = names.request_id(asked.request_id)
    fingerprint = requests.request_hash(
        asked.subtree,
        asdict(asked.name) if asked.name else None,
        asked.stage.name if asked.stage else "",
        asked.force,
        asked.dry_run,
    )
    before = await indexing.manifest.read(lambda c: requests.recall(c, request, _METHOD, fingerprint))
    if before is not None:
        return Planned(**before)
    shown, wish = await indexing.manifest.read(lambda c: _wish(c, caller, asked))
    stamps = await stamps_of_now(indexing)
    # Not in the transaction that begins it: a document that comes in between is made with what is current anyway.
    found = await indexing.manifest.read(lambda c: survey(c, stamps, wish))
    if asked.dry_run:
        return _planned("", found, indexing)

    def begin(connection: Connection) -> Planned:
        raced = requests.recall(connection, request, _METHOD, fingerprint)
        if raced is not None:
            return Planned(**raced)
        planned = _begin(connection, indexing, shown, wish, found)
        requests.remember(connection, request, _METHOD, fingerprint, asdict(planned), indexing.clock())
        return planned

    planned = await indexing.manifest.write(begin)
    indexing.wake.operations.set()
    return planned


def _wish(connection: Connection, caller: Caller, asked: Asked) -> tuple[str, Wish]:
    """The scope as people are told it, and the wish. What may not be seen is missing."""
    if asked.name is not None:
        document = find(connection, caller, asked.name)
        shown = f"{document.collection_path}/{document.file_path}"
        return shown, Wish((document.collection_path,), document.id, asked.stage, asked.force)
    subtree = names.subtree(asked.subtree)
    if subtree and not scope(connection, caller, subtree):
        raise rights.no_collection(subtree)
    within = (subtree,) if subtree else caller.readable
    return subtree, Wish(within, "", asked.stage, asked.force)


def _begin(connection: Connection, indexing: Indexing, shown: str, wish: Wish, found: Survey) -> Planned:
    operation_id = operations.begin(
        connection,
        KIND,
        scope=shown,
        within=wish.within,
        request=as_request(wish),
        now=indexing.clock(),
        standing=operations.Standing(total=len(found.items)),
    )
    operation_items.add(connection, operation_id, found.items)
    return _planned(operation_id, found, indexing)


def _planned(operation_id: str, found: Survey, indexing: Indexing) -> Planned:
    rate = indexing.rate.per_second()
    values: dict[str, Any] = {
        name: getattr(found, name) for name in ("read", "cut", "embed", "fresh", "stored")
    }
    return Planned(
        operation_id=operation_id,
        remedy=found.remedy.name if found.remedy else "",
        seconds=(found.embed - found.stored) / rate if rate > 0 else None,
        **values,
    )
