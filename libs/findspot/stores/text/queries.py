"""The engine's queries that writing and comparing need: by terms, and how many match."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy


def any_of(schema: tantivy.Schema, field: str, terms: Sequence[str]) -> tantivy.Query | None:
    """Entries with one of these terms in a raw field; None for no terms."""
    return tantivy.Query.term_set_query(schema, field, list(terms)) if terms else None


def count_of(searcher: tantivy.Searcher, query: tantivy.Query | None) -> int:
    """How many entries match; nothing matches None."""
    if query is None:
        return 0
    # A limit of 0 makes the engine panic.
    result = searcher.search(query, 1, count=True)
    return int(result.count)  # type: ignore[attr-defined]  # missing in the stub of tantivy 0.27
