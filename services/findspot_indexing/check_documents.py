"""Which files have to be uploaded: unchanged ones are never sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from findspot.errors import FindspotError, InvalidArgument
from findspot.model import Caller, DocumentState
from findspot.stores.manifest import collections, documents
from findspot_indexing import names, rights
from findspot_indexing.directories.source import require_uploads
from findspot_indexing.faults import FAULTS_OF_DOCUMENTS
from findspot_indexing.service import Indexing

MOST_CHECKED = 10_000


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What to do with one file: need is UNCHANGED, NEW, CHANGED or REFUSED; state is empty when not stored."""

    file_path: str
    need: str
    state: str = ""
    refusal: FindspotError | None = None


async def check(
    caller: Caller, indexing: Indexing, collection: str, files: Sequence[tuple[str, str]]
) -> list[FileCheck]:
    """Which of these (path, SHA-256) have to be uploaded, in their order. The collection need not exist.

    Raises FailedPrecondition OTHER_SOURCE for one that takes no uploads.
    """
    path = names.collection_path(collection)
    rights.require_collection_in_sight(caller, path)
    if len(files) > MOST_CHECKED:
        raise InvalidArgument(f"{len(files)} files in one call; the limit is {MOST_CHECKED}. Ask in parts.")
    refused: dict[int, InvalidArgument] = {}
    paths: dict[int, str] = {}
    for index, (file, _) in enumerate(files):
        try:
            paths[index] = names.file_path(file)
        except InvalidArgument as error:
            refused[index] = error

    def read(connection: Connection) -> dict[str, documents.Standing]:
        found = collections.find(connection, path)
        if found is not None:
            require_uploads(found)
        return documents.standing(connection, path, list(paths.values()))

    stored = await indexing.manifest.read(read)
    return [
        FileCheck(file, "REFUSED", refusal=refused[index])
        if index in refused
        else _compare(file, sha256, stored.get(paths[index]))
        for index, (file, sha256) in enumerate(files)
    ]


def _compare(file: str, sha256: str, known: documents.Standing | None) -> FileCheck:
    if known is None or known.state == DocumentState.RETIRED:
        return FileCheck(file, "NEW", known.state if known else "")
    if known.content_hash != sha256:
        return FileCheck(file, "CHANGED", known.state)
    # A failure that was not the file's own may go away: sending it again is how a caller asks for another try.
    again = known.state == DocumentState.FAILED and known.error_reason not in FAULTS_OF_DOCUMENTS
    return FileCheck(file, "CHANGED" if again else "UNCHANGED", known.state)
