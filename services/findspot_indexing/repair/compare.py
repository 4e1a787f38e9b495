"""Compares the projections with the manifest, range of ids by range: nothing is held of what was compared before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from findspot.stores.manifest import comparing
from findspot.stores.manifest.comparing import ChunkStanding, ProjectedDocument, VectorStanding
from findspot.stores.text.entries import entries_with_prefix, strays
from findspot.stores.vectors.model import StoredPoint
from findspot_indexing.repair.findings import Found, Part, Steps, part_count, parts
from findspot_indexing.service import Indexing

_DOCUMENTS = 200
_POINTS = 500
_STRAYS = 1000


async def text(indexing: Indexing, within: str, steps: Steps) -> AsyncIterator[Found]:
    """Differences of the text index, part by part."""
    expected = await indexing.manifest.read(lambda c: comparing.expected_entries(c, within))
    held = await indexing.text.count()
    await steps.expect(part_count(max(expected, held)))
    for part in parts(max(expected, held)):
        found = await _text_part(indexing, part, within)
        if found.anything:
            yield found
        await steps.step()


async def _text_part(indexing: Indexing, part: Part, within: str) -> Found:
    # The manifest twice: a chunk is missing if it was live before the index was read, and an orphan if it is none
    # after; what changes in between is neither.
    before = await indexing.manifest.read(lambda c: comparing.standings(c, part.ids, within))
    index = indexing.text.index
    entries = await indexing.text.call(lambda: entries_with_prefix(index.searcher(), part.prefix, within))
    strangers = [key for key in entries if key not in before]
    known = dict(before)
    doubtful = [*strangers, *(key for key, item in before.items() if not item.live and key in entries)]
    if doubtful:
        known |= await indexing.manifest.read(lambda c: comparing.standings_of(c, doubtful))
    return Found(
        missing={key: item.document_id for key, item in before.items() if item.live and key not in entries},
        orphaned=tuple(key for key in entries if _orphan(known.get(key))),
        duplicated={
            key: known[key].document_id
            for key, count in entries.items()
            if count > 1 and key in known and not _orphan(known[key])
        },
        # The entry says that it lies in this subtree, the manifest has its document elsewhere.
        stale={
            key: known[key].document_id for key in strangers if within and key in known and known[key].live
        },
    )


def _orphan(standing: ChunkStanding | None) -> bool:
    return standing is None or not (standing.live or standing.staged or standing.unswept)


async def stray_text(indexing: Indexing, within: str, steps: Steps) -> AsyncIterator[Found]:
    """Entries of the text index that name another collection, path or type than their document has."""
    after = ""
    while page := await indexing.manifest.read(
        partial(comparing.projected_documents, after=after, limit=_DOCUMENTS, within=within)
    ):
        suspects = await indexing.text.call(partial(_stray_ids, indexing, page))
        stale: dict[str, str] = {}
        if suspects:
            now = await indexing.manifest.read(partial(comparing.standings_of, ids=suspects))
            stale = {key: item.document_id for key, item in now.items() if item.live}
        if stale:
            yield Found(stale=stale)
        after = page[-1].id
        await steps.step()


def _stray_ids(indexing: Indexing, page: list[ProjectedDocument]) -> list[str]:
    searcher = indexing.text.index.searcher()
    return [
        key
        for document in page
        for key in strays(
            searcher,
            document.id,
            collection_path=document.collection_path,
            file_path=document.file_path,
            document_type=document.document_type,
            limit=_STRAYS,
        )
    ]


async def vectors(
    indexing: Indexing, identity: str, collection: str, within: str, steps: Steps
) -> AsyncIterator[Found]:
    """Differences of the vectors of one identity, part by part. Raises NotFound without such a collection."""
    expected = await indexing.manifest.read(lambda c: comparing.expected_entries(c, within))
    with indexing.outages.watch("vectors"):
        held = await indexing.vectors.count(collection)
    await steps.expect(part_count(max(expected, held)))
    for part in parts(max(expected, held)):
        found = await _vector_part(indexing, identity, collection, part, within)
        if found.anything:
            yield found
        await steps.step()


async def _vector_part(indexing: Indexing, identity: str, collection: str, part: Part, within: str) -> Found:
    ready = await indexing.manifest.read(lambda c: comparing.ready_vectors(c, identity, part.ids, within))
    points = {point.id: point async for point in _points(indexing, collection, part)}
    strangers = [key for key in points if key not in ready]
    known = await indexing.manifest.read(lambda c: comparing.standings_of(c, strangers)) if strangers else {}
    inside = [key for key in strangers if not within or _under(points[key].collection_path, within)]
    # A vector that is wanted anew while this is compared is no difference: it is being made.
    still = await indexing.manifest.read(lambda c: comparing.ready_vectors(c, identity, part.ids, within))
    return Found(
        missing={key: item.document_id for key, item in ready.items() if key not in points and key in still},
        orphaned=tuple(key for key in inside if _orphan(known.get(key))),
        stale={
            key: item.document_id
            for key, item in ready.items()
            if key in points and key in still and _differs(points[key], still[key])
        },
    )


async def _points(indexing: Indexing, collection: str, part: Part) -> AsyncIterator[StoredPoint]:
    after = _lowest(part.prefix) if part.prefix else None
    while True:
        with indexing.outages.watch("vectors"):
            page = await indexing.vectors.scroll(collection, after, _POINTS)
        for point in page:
            if part.ids.high and point.id >= part.ids.high:
                return
            yield point
        if len(page) < _POINTS:
            return
        after = page[-1].id


def _lowest(prefix: str) -> str:
    """The UUID before every one that begins with these digits. No chunk has it: its version says so."""
    digits = prefix.ljust(32, "0")
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _under(path: str, root: str) -> bool:
    return path == root or path.startswith(root + "/")


def _differs(point: StoredPoint, chunk: VectorStanding) -> bool:
    return (point.document_id, point.collection_path, point.file_path, point.kind) != (
        chunk.document_id,
        chunk.collection_path,
        chunk.file_path,
        chunk.kind,
    )
