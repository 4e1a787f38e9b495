"""Collections: made, changed, listed, removed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, or_, select, update

from findspot.ids import uuid7
from findspot.stores.manifest import counters
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.reading import under

UPLOADS = "UPLOADS"
DIRECTORY = "DIRECTORY"


@dataclass(frozen=True, slots=True)
class CollectionSettings:
    """What a caller decides about a collection."""

    source_kind: str = UPLOADS
    source_root: str = ""
    source_options: Mapping[str, Any] | None = None
    """Of a directory: `watch` and `ignore`."""
    profile_overrides: Mapping[str, Mapping[str, Any]] | None = None
    """Chunking options by document type, only those that differ."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection as stored. Times are microseconds since 1970."""

    id: str
    path: str
    settings: CollectionSettings
    etag: str
    created_at: int
    updated_at: int


def create(connection: Connection, path: str, settings: CollectionSettings, now: int) -> Collection:
    """Make a collection; the caller has checked that there is none of this path."""
    connection.execute(
        t.collections.insert().values(
            id=uuid7(),
            path=path,
            tenant=path.split("/", 1)[0],
            etag=uuid.uuid4().hex,
            created_at=now,
            updated_at=now,
            **_columns(settings),
        )
    )
    made = find(connection, path)
    assert made is not None
    return made


def change(connection: Connection, path: str, settings: CollectionSettings, now: int) -> Collection | None:
    """Give a collection other settings and a new etag; None when there is none."""
    connection.execute(
        update(t.collections)
        .where(t.collections.c.path == path)
        .values(etag=uuid.uuid4().hex, updated_at=now, **_columns(settings))
    )
    return find(connection, path)


def find(connection: Connection, path: str) -> Collection | None:
    """The collection of exactly this path."""
    row = connection.execute(select(t.collections).where(t.collections.c.path == path)).one_or_none()
    return None if row is None else _collection(row)


def page(
    connection: Connection, *, subtrees: Sequence[str] | None, within: str = "", after: str = "", limit: int
) -> list[Collection]:
    """Collections by path: those in `subtrees` (None: all) and `within` a subtree, from `after` a path on."""
    c = t.collections.c
    wanted = select(t.collections).where(c.path > after).order_by(c.path).limit(limit)
    if within:
        wanted = wanted.where(under(c.path, within))
    if subtrees is not None:
        if not subtrees:
            return []
        wanted = wanted.where(or_(*(under(c.path, root) for root in subtrees)))
    return [_collection(row) for row in connection.execute(wanted)]


def with_directory(connection: Connection) -> list[Collection]:
    """Collections whose documents are the files of a directory, by path."""
    c = t.collections.c
    wanted = select(t.collections).where(c.source_kind == DIRECTORY).order_by(c.path)
    return [_collection(row) for row in connection.execute(wanted)]


def remove(connection: Connection, collection_id: str) -> None:
    """Remove a collection that holds no document any more, and its counters."""
    counters.forget(connection, collection_id)
    connection.execute(delete(t.source_files).where(t.source_files.c.collection_id == collection_id))
    connection.execute(delete(t.collections).where(t.collections.c.id == collection_id))


def _columns(settings: CollectionSettings) -> dict[str, Any]:
    return {
        "source_kind": settings.source_kind,
        "source_root": settings.source_root,
        "source_options": dict(settings.source_options or {}),
        "profile_overrides": {k: dict(v) for k, v in (settings.profile_overrides or {}).items()},
    }


def _collection(row: Row[Any]) -> Collection:
    settings = CollectionSettings(row.source_kind, row.source_root, row.source_options, row.profile_overrides)
    return Collection(row.id, row.path, settings, row.etag, row.created_at, row.updated_at)
