"""Which blobs there are, and which of them nobody refers to any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, delete, or_, select, union_all

from findspot.errors import FailedPrecondition
from findspot.stores.manifest import tables as t
from findspot.stores.manifest.dialect import among, insert_missing

ORIGINAL = "original"
EXTRACTION = "extraction"
TEXT = "text"
_SAMPLE = 20


def record(connection: Connection, key: str, size: int, kind: str, now: int) -> None:
    """Note that a blob is stored; noting it twice changes nothing."""
    row = {"key": key, "size": size, "kind": kind, "created_at": now}
    insert_missing(connection, t.blobs, [row], keys=("key",))


def release(connection: Connection, keys: Sequence[str]) -> list[str]:
    """Of these blobs forget those that no document and no generation refers to; returns their keys."""
    wanted = sorted({key for key in keys if key})
    if not wanted:
        return []
    still = needed(connection, wanted)
    free = [key for key in wanted if key not in still]
    connection.execute(delete(t.blobs).where(among(t.blobs.c.key, free)))
    return free


def needed(connection: Connection, keys: Sequence[str]) -> set[str]:
    """Those of these blobs that a document or a generation refers to."""
    g, d = t.generations.c, t.documents.c
    used = union_all(
        *(select(c).where(among(c, keys)) for c in (g.blob_key, g.extraction_key, g.text_key)),
        select(d.blob_key).where(among(d.blob_key, keys)),
    )
    return {row[0] for row in connection.execute(used)}


def unreferenced(connection: Connection, older_than: int, limit: int) -> list[str]:
    """Blobs noted before a time that nobody refers to: what an abandoned compose left behind."""
    g, d, b = t.generations.c, t.documents.c, t.blobs.c
    referred = or_(
        select(d.id).where(d.blob_key == b.key).exists(),
        *(
            select(g.document_id).where(c == b.key).exists()
            for c in (g.blob_key, g.extraction_key, g.text_key)
        ),
    )
    wanted = select(b.key).where(b.created_at < older_than, ~referred).order_by(b.key).limit(limit)
    return [row[0] for row in connection.execute(wanted)]


def sample(connection: Connection, limit: int) -> list[str]:
    """Some of the blobs that documents refer to."""
    d = t.documents.c
    wanted = select(d.blob_key).where(d.blob_key != "").order_by(d.blob_key).limit(limit)
    return [row[0] for row in connection.execute(wanted)]


def require_some(connection: Connection, exists: Callable[[str], bool], data: str) -> None:
    """Raise FailedPrecondition when a data folder has none of some blobs that documents refer to.

    Then it belongs to another manifest: its text index too, so searches would find nothing, and say so to nobody.
    """
    keys = sample(connection, _SAMPLE)
    if keys and not any(map(exists, keys)):
        raise FailedPrecondition(
            f"The manifest has documents whose files are not in the data folder {data}: it belongs to another one. "
            "Blobs and the text index are shared by path: set data to the folder with which the manifest was filled, on "
            "the same disk.",
            metadata={"path": data},
        )
