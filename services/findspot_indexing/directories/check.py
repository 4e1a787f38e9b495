"""How the directories of collections fare, as checks of `Diagnose`: what is not followed, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import Connection

from findspot.errors import FindspotError
from findspot.model import Caller, may_read
from findspot.stores.manifest import collections, source_files
from findspot.stores.manifest.collections import Collection
from findspot.stores.manifest.source_files import SourceFile
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.directories.problems import is_watched, problem_of
from findspot_indexing.directories.reading import inside
from findspot_indexing.directories.root import require_root
from findspot_indexing.directories.sources import SourceState
from findspot_indexing.service import Indexing

_SHOWN = 1


async def check_sources(caller: Caller, indexing: Indexing, subtree: str = "") -> list[Check]:
    """A check a directory that the caller may see, named `source.<collection>`.

    None from a worker: only the owner of the text index follows directories, and they are on its machine.
    """
    if not indexing.membership.owner:
        return []

    def read(connection: Connection) -> list[tuple[Collection, list[SourceFile]]]:
        return [
            (collection, source_files.refused(connection, collection.id, _SHOWN))
            for collection in collections.with_directory(connection)
            if may_read(caller, collection.path) and (not subtree or inside(subtree, collection.path))
        ]

    found = await indexing.manifest.read(read)
    missing = await asyncio.to_thread(_missing, [collection for collection, _ in found])
    return [
        _check(collection, indexing.sources.state(collection.id), refused, missing.get(collection.id))
        for collection, refused in found
    ]


def _missing(found: Sequence[Collection]) -> dict[str, FindspotError]:
    missing: dict[str, FindspotError] = {}
    for collection in found:
        try:
            require_root(collection.settings.source_root)
        except FindspotError as failure:
            missing[collection.id] = failure
    return missing


def _check(
    collection: Collection, state: SourceState, refused: Sequence[SourceFile], missing: FindspotError | None
) -> Check:
    name = f"source.{collection.path}"
    root = collection.settings.source_root
    if missing is not None:
        return Check(name, Outcome.FAILED, missing.message)
    problem = problem_of(collection, state)
    if problem is not None:
        return Check(name, Outcome.WARNING, problem.message)
    if refused:
        first = refused[0]
        count = f"{state.refused} files" if state.refused else "Some files"
        message = (
            f"{count} below {root!r} cannot be documents, {first.file_path!a} for one: {first.error_message}"
        )
        return Check(name, Outcome.WARNING, message)
    how = "is followed as it changes" if is_watched(collection) else "is looked at when that is asked for"
    return Check(name, Outcome.OK, f"{root!r} {how}.")
