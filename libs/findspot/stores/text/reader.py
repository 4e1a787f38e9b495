"""Reads the text index: sees each commit of the writer, which is another process."""

from __future__ import annotations

import threading
from pathlib import Path

import tantivy

from findspot.errors import Reason, Unavailable
from findspot.stores.text.compile import QueryCompiler
from findspot.stores.text.query import FieldWeights, TextHit, TextQuery
from findspot.stores.text.schema import ANALYZER, ID, ID_HIGH, ID_LOW, build_schema, uuid_of
from findspot.stores.text.serving import FILE, META, Serving, read_serving
from findspot.stores.text.tokens import ANALYZERS, DEFAULT_ANALYZER

_Stamp = tuple[int, int, int]


class TextIndexReader:
    """Searches a text index from any number of threads. An index that does not exist yet answers nothing.

    `exists` tells "not created" (indexing has not run here) from "empty". One that is still being filled raises
    TEXT_INDEX_UNAVAILABLE: what it does not find may be there all the same.
    """

    def __init__(self, path: Path, weights: FieldWeights | None = None) -> None:
        self._path = path
        self._weights = weights or FieldWeights()
        self._lock = threading.Lock()
        self._schema = build_schema()
        self._index: tantivy.Index | None = None
        self._serving: Serving | None = Serving()
        self._opened: Serving | None = None
        self._pointer: _Stamp | None = None
        self._seen: _Stamp | None = None
        self._compiler = QueryCompiler(self._schema, (DEFAULT_ANALYZER,), self._weights)

    @property
    def exists(self) -> bool:
        """True once indexing has created the index."""
        self._look_what_serves()
        return self._serving is None or self._meta().exists()

    def search(self, query: TextQuery, limit: int) -> list[TextHit]:
        """The best `limit` (>= 1) chunks, best first; equal scores in order of id.

        Raises Unavailable TEXT_INDEX_UNAVAILABLE when the index is broken.
        """
        if limit < 1:
            raise ValueError(f"A search needs a limit of at least 1, not {limit}.")
        try:
            return self._search_again(query, limit)
        except (KeyboardInterrupt, SystemExit, Unavailable):
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

    def _search_again(self, query: TextQuery, limit: int) -> list[TextHit]:
        try:
            return self._search(query, limit)
        except ValueError:
            before = self._serving
            if not self._look_what_serves() and before == self._opened:
                raise
            # Another index took its place while this one was being opened: its files went away.
            return self._search(query, limit)

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
            TextHit(uuid_of(int(h or 0), int(n or 0)), score)
            for (score, _), h, n in zip(found, high, low, strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))

    def _current(self) -> tantivy.Index | None:
        """The index at its last commit. A commit renames a new meta.json in: one stat tells of it."""
        self._look_what_serves()
        serving = self._serving
        if serving is None or not serving.complete:
            state = (
                "is being filled from the manifest"
                if serving
                else f"does not say what serves: {FILE} is damaged"
            )
            raise Unavailable(
                f"The text index {self._path} {state}; `findspot doctor` shows how far it is. Search by meaning "
                "meanwhile.",
                reason=Reason.TEXT_INDEX_UNAVAILABLE,
                retry_after=2.0,
            )
        seen = _stamp(self._meta())
        if seen is None:
            return None
        if seen != self._seen or serving != self._opened:
            with self._lock:
                if seen != self._seen or serving != self._opened:
                    self._reload(serving)
                    self._seen, self._opened = seen, serving
        return self._index

    def _look_what_serves(self) -> bool:
        """Read what serves when that changed; whether it did."""
        pointer = _stamp(self._path / FILE)
        if pointer == self._pointer:
            return False
        with self._lock:
            self._serving, self._pointer = read_serving(self._path), pointer
        return True

    def _meta(self) -> Path:
        return self._path / (self._serving.directory if self._serving else "") / META

    def _reload(self, serving: Serving) -> None:
        if self._index is None or serving != self._opened:
            self._index = tantivy.Index(self._schema, path=str(self._path / serving.directory))
        self._index.reload()
        searcher = self._index.searcher()
        analyzers = [name for name in sorted(ANALYZERS) if searcher.doc_freq(ANALYZER, name)]
        self._compiler = QueryCompiler(self._schema, analyzers or (DEFAULT_ANALYZER,), self._weights)


def _stamp(file: Path) -> _Stamp | None:
    """What changes when another file is renamed here; None when there is none."""
    try:
        stat = file.stat()
    except FileNotFoundError:
        return None
    return stat.st_mtime_ns, stat.st_ino, stat.st_size
