"""The entries of the text index as they lie there, to compare them with the manifest."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy
from tantivy import Occur, Query

from findspot.stores.text.queries import count_of
from findspot.stores.text.schema import (
    ANCESTORS,
    COLLECTION,
    DOCUMENT_ID,
    DOCUMENT_TYPE,
    FILE_PATH,
    ID,
    ID_HIGH,
    ID_LOW,
    build_schema,
    uuid_of,
)
from findspot.stores.text.tokens import bounded


def entries_with_prefix(searcher: tantivy.Searcher, prefix: str, subtree: str = "") -> dict[str, int]:
    """How often each id that begins with `prefix` stands in the index, in a subtree of collections or anywhere."""
    alive = Query.all_query()
    if subtree:
        alive = _term(ANCESTORS, bounded(subtree))
    return dict(searcher.terms_with_prefix(ID, prefix, alive))


def strays(
    searcher: tantivy.Searcher,
    document_id: str,
    *,
    collection_path: str,
    file_path: str,
    document_type: str,
    limit: int,
) -> Sequence[str]:
    """Ids of entries of a document that say something else of it than this: at most `limit`."""
    right = [_term(COLLECTION, bounded(collection_path)), _term(FILE_PATH, bounded(file_path))]
    if document_type:
        right.append(_term(DOCUMENT_TYPE, document_type))
    wrong = Query.boolean_query(
        [
            (Occur.Must, _term(DOCUMENT_ID, document_id)),
            (Occur.MustNot, Query.boolean_query([(Occur.Must, query) for query in right])),
        ]
    )
    if not count_of(searcher, wrong):
        return ()
    return _ids(searcher, wrong, limit)


def ids_of_document(searcher: tantivy.Searcher, document_id: str) -> Sequence[str]:
    """The ids of every entry of a document, one that is there twice also twice."""
    mine = _term(DOCUMENT_ID, document_id)
    count = count_of(searcher, mine)
    return _ids(searcher, mine, count) if count else ()


def _ids(searcher: tantivy.Searcher, query: Query, limit: int) -> list[str]:
    addresses = [address for _, address in searcher.search(query, limit, count=False).hits]
    high = searcher.fast_field_values(ID_HIGH, addresses)
    low = searcher.fast_field_values(ID_LOW, addresses)
    return [uuid_of(int(h or 0), int(n or 0)) for h, n in zip(high, low, strict=True)]


_SCHEMA = build_schema()


def _term(field: str, value: str) -> Query:
    return Query.term_query(_SCHEMA, field, value, index_option="basic")
