"""Reads the text index: sees each commit of the writer, which is another process."""

from __future__ import annotations

import threading
from pathlib import Path

import tantivy

from findspot.errors import Reason, Unavailable
from findspot.stores.text.compile import QueryCompiler
from findspot.stores.text.query import FieldWeights, TextHit, TextQuery
from findspot.stores.text.schema import ANALYZER, ID, ID_HIGH, ID_LOW, build_schema
from findspot.stores.text.tokens import ANALYZERS, DEFAULT_ANALYZER

_META = "meta.json"


class TextIndexReader:
    """Searches a text index from any number of threads. An index that does not exist yet answers nothing.

    `exists` tells "not created" (indexing has not run here) from "empty".
    """

    def __init__(self, path: Path, weights: FieldWeights | None = None) -> None:
        self._path = path
        self._weights = weights or FieldWeights()
        self._lock = threading.Lock()
        self._schema = build_schema()
        self._index: tantivy.Index | None = None
        self._seen: tuple[int, int, int] | None = None
        self._compiler = QueryCompiler(self._schema, (DEFAULT_ANALYZER,), self._weights)

    @property
    def exists(self) -> bool:
        """True once indexing has created the index."""
        return (self._path / _META).exists()

    def search(self, query: TextQuery, limit: int) -> list[TextHit]:
        """The best `limit` (>= 1) chunks, best first; equal scores in order of id.

        Raises Unavailable TEXT_INDEX_UNAVAILABLE when the index is broken.
        """
        if limit < 1:
            raise ValueError(f"A search needs a limit of at least 1, not {limit}.")
        try:
            return self._search(query, limit)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            # The engine's panics are BaseException, its other errors plain ValueError.
            raise Unavailable(
                f"The text index {self._path} could not be searched: {error}. "
                "`findspot doctor` can rebuild it.",
                reason=Reason.TEXT_INDEX_UNAVAILABLE,
            ) from error

    def count(self) -> int:
        """The number of chunks as of the last commit; 0 when the index does not exist."""
        index = self._current()
        return 0 if index is None else index.searcher().num_docs

    def contains(self, identifier: str) -> bool:
        """True when a chunk is searchable now."""
        index = self._current()
        if index is None:
            return False
        query = tantivy.Query.term_query(self._schema, ID, identifier, index_option="basic")
        return bool(index.searcher().search(query, 1, count=False).hits)

    def _search(self, query: TextQuery, limit: int) -> list[TextHit]:
        index = self._current()
        compiled = None if index is None else self._compiler.compile(query)
        if index is None or compiled is None:
            return []
        searcher = index.searcher()
        found = searcher.search(compiled, limit, count=False).hits
        addresses = [address for _, address in found]
        high = searcher.fast_field_values(ID_HIGH, addresses)
        low = searcher.fast_field_values(ID_LOW, addresses)
        hits = [
            TextHit(_uuid(int(h or 0), int(n or 0)), score)
            for (score, _), h, n in zip(found, high, low, strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))

    def _current(self) -> tantivy.Index | None:
        """The index at its last commit. A commit renames a new meta.json in: one stat tells of it."""
        try:
            stat = (self._path / _META).stat()
        except FileNotFoundError:
            return None
        seen = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
        if seen != self._seen:
            with self._lock:
                if seen != self._seen:
                    self._reload()
                    self._seen = seen
        return self._index

    def _reload(self) -> None:
        if self._index is None:
            self._index = tantivy.Index(self._schema, path=str(self._path))
        self._index.reload()
        searcher = self._index.searcher()
        analyzers = [name for name in sorted(ANALYZERS) if searcher.doc_freq(ANALYZER, name)]
        self._compiler = QueryCompiler(self._schema, analyzers or (DEFAULT_ANALYZER,), self._weights)


def _uuid(high: int, low: int) -> str:
    """The UUID of two halves, by a fifth of the time that `uuid.UUID` takes: a search makes hundreds."""
    digits = f"{high:016x}{low:016x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
