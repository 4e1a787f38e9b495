"""Names of a program in the query, and the code chunks that hold them."""

from __future__ import annotations

import re
from collections.abc import Collection

from findspot.stores.manifest.engine import Snapshot
from findspot.stores.text.tokens import identifier_parts
from findspot_query.rows import code_identifiers

_COMPOUND = re.compile(r"[^\W_]_+[^\W_]|[a-z][A-Z]|[A-Z]{2}[a-z]")
SHORTEST = 6
"""Letters of a name that only its spelling tells from a word."""
SHORTEST_CALLED = 4
"""Letters of a name that stands with its parentheses."""
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?P<call>\(\))?")


def query_identifiers(text: str) -> frozenset[str]:
    """The names in a query: compound (`parseConfig`, `max_retries`), dotted (`os.path`), or called (`open()`).

    A plain word is none: `config` would lift every code chunk there is; nor is `p53`, nor a name as short as `gRPC`,
    which is a brand in prose more often than a name in a program. The style does not matter.
    """
    found: set[str] = set()
    for match in _NAME.finditer(text):
        called = match["call"] is not None
        name = match.group().removesuffix("()")
        last = name.rpartition(".")[2]
        parts = {part for part in (name, last) if called or part is name or _COMPOUND.search(part)}
        if called or "." in name or _COMPOUND.search(name):
            shortest = SHORTEST_CALLED if called else SHORTEST
            found.update(plain for plain in map(_plain, parts) if len(plain) >= shortest)
    return frozenset(found)


def matching(snapshot: Snapshot, ids: Collection[str], names: frozenset[str]) -> frozenset[str]:
    """Of these chunks the code chunks that hold one of the names."""
    if not names or not ids:
        return frozenset()
    found = code_identifiers(snapshot, ids)
    return frozenset(chunk for chunk, held in found.items() if any(_plain(name) in names for name in held))


def _plain(name: str) -> str:
    """A name without its style: `max_retry_count` and `maxRetryCount` are the same."""
    return ".".join("".join(identifier_parts(part)) for part in name.split("."))
