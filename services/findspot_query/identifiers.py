"""Names of a program in the query, and the code chunks that hold them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from sqlalchemy import select

from findspot.model import ChunkKind
from findspot.stores.manifest import tables
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.engine import Snapshot
from findspot.stores.text.tokens import identifier_parts, is_compound

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?P<call>\(\))?")


def query_identifiers(text: str) -> frozenset[str]:
    """The names in a query: compound (`parseConfig`, `max_retries`), dotted (`os.path`), or called (`open()`).

    A plain word is none: `config` would lift every code chunk there is. The style does not matter.
    """
    found = set()
    for match in _NAME.finditer(text):
        name = match.group().removesuffix("()")
        last = name.rpartition(".")[2]
        if match["call"] or "." in name or is_compound(name):
            found.add(_plain(name))
            if is_compound(last) or match["call"]:
                found.add(_plain(last))
    return frozenset(name for name in found if len(name) > 2)


def matching(snapshot: Snapshot, ids: Collection[str], names: frozenset[str]) -> frozenset[str]:
    """Of these chunks the code chunks that hold one of the names."""
    if not names or not ids:
        return frozenset()
    chunks = tables.chunks.c
    wanted = select(chunks.id, chunks.identifiers).where(
        among(snapshot.connection, chunks.id, list(ids)), chunks.kind == ChunkKind.CODE.value
    )
    return frozenset(row[0] for row in snapshot.connection.execute(wanted) if _overlap(row[1], names))


def _overlap(identifiers: Iterable[str], names: frozenset[str]) -> bool:
    return any(_plain(identifier) in names for identifier in identifiers)


def _plain(name: str) -> str:
    """A name without its style: `max_retry_count` and `maxRetryCount` are the same."""
    return ".".join("".join(identifier_parts(part)) for part in name.split("."))
