"""Writes the text index: one writer at a time, idempotent by chunk id, nothing kept after an engine error."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import tantivy

from findspot.errors import FailedPrecondition, FindspotError, Reason, Unavailable
from findspot.stores.text.schema import DOCUMENT_ID, ID, TextEntry, build_schema, to_document

HEAP_BYTES = 64_000_000
"""Memory of the one indexing thread before it writes a segment."""
_HOLDER = "writer.pid"
_VERIFY_BATCH = 1_000

_T = TypeVar("_T")


class TextIndexWriter:
    """The one writer of a text index. An engine error rolls back to the last commit: TEXT_INDEX_UNAVAILABLE.

    Nothing is searchable before `commit`. After an error everything since the last commit has to be
    added again: the manifest is the truth and knows what is missing.
    """

    def __init__(self, path: Path) -> None:
        """Opens the index at `path`, creating it. A second writer gets FailedPrecondition STORE_LOCKED."""
        self._path = path
        self._lock = threading.Lock()
        self._schema = build_schema()
        self._added: dict[str, None] = {}
        path.mkdir(parents=True, exist_ok=True)
        try:
            self._index = tantivy.Index(self._schema, path=str(path))
        except ValueError as error:
            raise _unavailable("be opened", path, error) from error
        self._writer: tantivy.IndexWriter | None = self._open_writer()

    def add(self, entries: Sequence[TextEntry]) -> None:
        """Puts chunks in, each in place of what was there under its id."""
        documents = [(entry.id, to_document(entry, self._schema)) for entry in entries]
        with self._lock:
            writer = self._require_writer()
            for identifier, document in documents:
                self._guarded("add a chunk", self._replace, writer, identifier, document)

    def _replace(self, writer: tantivy.IndexWriter, identifier: str, document: tantivy.Document) -> None:
        writer.delete_documents_by_term(ID, identifier)
        writer.add_document(document)
        self._added[identifier] = None

    def delete(self, ids: Sequence[str]) -> None:
        """Takes chunks out; ids that are not there are no error."""
        with self._lock:
            writer = self._require_writer()
            for identifier in ids:
                self._guarded("delete a chunk", writer.delete_documents_by_term, ID, identifier)
                self._added.pop(identifier, None)

    def delete_document(self, document_id: str) -> None:
        """Takes every chunk of a document out, those added since the last commit too."""
        with self._lock:
            writer = self._require_writer()
            self._guarded("delete a document", writer.delete_documents_by_term, DOCUMENT_ID, document_id)
            # Which of the added chunks are its own is not kept, so none can be expected at the commit.
            self._added.clear()

    def commit(self) -> int:
        """Makes everything durable and searchable, nothing missing; the number of chunks now."""
        with self._lock:
            writer = self._require_writer()
            self._guarded("commit", writer.commit)
            added, self._added = list(self._added), {}
            self._guarded("reload", self._index.reload)
            found = sum(
                self._guarded("count", self._count_of, added[start : start + _VERIFY_BATCH])
                for start in range(0, len(added), _VERIFY_BATCH)
            )
            if found != len(added):
                self._recover()
                raise Unavailable(
                    f"The text index took {len(added)} chunks and holds {found} of them after the commit; "
                    "add them again.",
                    reason=Reason.TEXT_INDEX_UNAVAILABLE,
                )
            return self._index.searcher().num_docs

    def rollback(self) -> None:
        """Forgets everything since the last commit."""
        with self._lock:
            self._recover()

    def count(self) -> int:
        """The number of chunks as of the last commit."""
        with self._lock:
            self._guarded("reload", self._index.reload)
            return self._index.searcher().num_docs

    def ids(self) -> Iterator[str]:
        """Every chunk id as of the last commit, in order: what repair compares with the manifest."""
        with self._lock:
            self._guarded("reload", self._index.reload)
            searcher = self._index.searcher()
        alive = tantivy.Query.all_query()
        for number in range(4096):
            for identifier, _ in searcher.terms_with_prefix(ID, f"{number:03x}", alive):
                yield identifier

    def close(self) -> None:
        """Lets another writer in. What was not committed is gone."""
        with self._lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.rollback()
                writer.wait_merging_threads()
                (self._path / _HOLDER).unlink(missing_ok=True)

    def __enter__(self) -> TextIndexWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _count_of(self, ids: list[str]) -> int:
        query = tantivy.Query.term_set_query(self._schema, ID, ids)
        result = self._index.searcher().search(query, 1, count=True)
        return int(result.count)  # type: ignore[attr-defined]  # missing in the stub of tantivy 0.27

    def _open_writer(self) -> tantivy.IndexWriter:
        holder = self._path / _HOLDER
        try:
            writer = self._index.writer(HEAP_BYTES, 1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise _unavailable("be opened for writing", self._path, error) from error
            pid = holder.read_text().strip() if holder.exists() else "unknown"
            raise FailedPrecondition(
                f"The text index {self._path} is being written by process {pid}. "
                "Stop that process: an index has exactly one writer.",
                reason=Reason.STORE_LOCKED,
                metadata={"holder_pid": pid, "path": str(self._path)},
            ) from error
        holder.write_text(f"{os.getpid()}\n")
        return writer

    def _require_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._open_writer()
        return self._writer

    def _guarded(self, what: str, action: Callable[..., _T], *arguments: object) -> _T:
        """Runs one engine call. PanicException is a BaseException; after an error no writer is trusted."""
        try:
            return action(*arguments)
        except (KeyboardInterrupt, SystemExit, FindspotError):
            raise
        except BaseException as error:
            self._recover()
            raise _unavailable(what, self._path, error) from error

    def _recover(self) -> None:
        self._added.clear()
        writer, self._writer = self._writer, None
        if writer is None:
            return
        try:
            writer.rollback()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # noqa: BLE001 - the engine panicked: drop this writer, the next call opens a new one
            del writer
        else:
            self._writer = writer


def _unavailable(what: str, path: Path, error: BaseException) -> Unavailable:
    return Unavailable(
        f"The text index {path} could not {what}: {error}. Everything since the last commit was rolled back.",
        reason=Reason.TEXT_INDEX_UNAVAILABLE,
        retry_after=1.0,
    )
