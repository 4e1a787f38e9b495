"""The files of directories as they were last seen: what tells, without reading, that one did not change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Connection, delete, or_, select

from findspot.model import DocumentState
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, upsert
from findspot.stores.manifest.reading import under

_TOGETHER = 50
"""Paths in one condition: each is a range of its own."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was last seen. Times in nanoseconds since 1970 but for `seen_at`, in microseconds."""

    collection_id: str
    file_path: str
    size_bytes: int
    modified_ns: int
    changed_ns: int
    inode: int
    content_hash: str
    seen_at: int
    error_reason: str = ""
    """Why it cannot be a document, if so."""
    error_message: str = ""


@dataclass(frozen=True, slots=True)
class LiveFile:
    """A document of a collection that is not deleted, as far as its file goes."""

    document_id: str
    file_path: str
    observed_hash: str
    state: str
    error_reason: str


def of_collection(connection: Connection, collection_id: str, paths: Sequence[str]) -> list[SourceFile]:
    """What is known of the files at these paths and below them; `""` is all."""
    f = t.source_files.c
    columns = [f[name] for name in SourceFile.__dataclass_fields__]
    rows = (
        row
        for condition in _parts(f.file_path, paths)
        for row in connection.execute(select(*columns).where(f.collection_id == collection_id, condition))
    )
    return [SourceFile(*row) for row in rows]


def live_documents(connection: Connection, collection_id: str, paths: Sequence[str]) -> list[LiveFile]:
    """The documents at these paths and below them that are not deleted; `""` is all."""
    d = t.documents.c
    columns = (d.id, d.file_path, d.observed_hash, d.state, d.error_reason)
    rows = (
        row
        for condition in _parts(d.file_path, paths)
        for row in connection.execute(
            select(*columns).where(
                d.collection_id == collection_id, d.state != DocumentState.RETIRED, condition
            )
        )
    )
    return [LiveFile(*row) for row in rows]


def keep(connection: Connection, files: Iterable[SourceFile]) -> None:
    """Note files as they were seen now."""
    rows = [asdict(file) for file in files]
    upsert(connection, t.source_files, rows, keys=("collection_id", "file_path"))


def drop(connection: Connection, collection_id: str, paths: Sequence[str]) -> None:
    """Forget files that are no more."""
    f = t.source_files.c
    if paths:
        connection.execute(
            delete(t.source_files).where(f.collection_id == collection_id, among(f.file_path, paths))
        )


def forget(connection: Connection, collection_id: str) -> None:
    """Forget every file of a collection: it has another directory now, or none."""
    connection.execute(delete(t.source_files).where(t.source_files.c.collection_id == collection_id))


def refused(connection: Connection, collection_id: str, limit: int) -> list[SourceFile]:
    """Files that cannot be documents, by path."""
    f = t.source_files.c
    columns = [f[name] for name in SourceFile.__dataclass_fields__]
    wanted = (
        select(*columns)
        .where(f.collection_id == collection_id, f.error_reason != "")
        .order_by(f.file_path)
        .limit(limit)
    )
    return [SourceFile(*row) for row in connection.execute(wanted)]


def _parts(column: ColumnElement[str], paths: Sequence[str]) -> list[ColumnElement[bool]]:
    if "" in paths:
        return [column != ""]
    return [
        or_(*(under(column, path) for path in paths[at : at + _TOGETHER]))
        for at in range(0, len(paths), _TOGETHER)
    ]
