"""Writes the text index: one writer at a time, idempotent by chunk id, nothing kept after an engine error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO, TypeVar

import tantivy

from findspot.errors import FailedPrecondition, FindspotError, Reason, Unavailable
from findspot.holder import HeldElsewhere, Holder, hold_file
from findspot.stores.text.queries import any_of, count_of
from findspot.stores.text.schema import DOCUMENT_ID, ID, TextEntry, build_schema, to_document
from findspot.stores.text.serving import OWNER

HEAP_BYTES = 64_000_000
"""Memory of the one indexing thread before it writes a segment."""

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
        self._added: dict[str, str] = {}
        """Chunks put in since the last commit, with the document of each."""
        self._touched: set[str] = set()
        self._deleted_documents: set[str] = set()
        path.mkdir(parents=True, exist_ok=True)
        self._held: TextIO | None = _hold(path)
        try:
            self._index = tantivy.Index(self._schema, path=str(path))
            self._writer: tantivy.IndexWriter | None = self._open_writer()
        except ValueError as error:
            self._held.close()
            raise _unavailable("be opened", path, error) from error
        except FindspotError:
            self._held.close()
            raise

    @property
    def path(self) -> Path:
        """Where the engine's files are."""
        return self._path

    def add(self, entries: Sequence[TextEntry]) -> None:
        """Puts chunks in, each in place of what was there under its id."""
        documents = [(entry, to_document(entry, self._schema)) for entry in entries]
        with self._lock:
            writer = self._require_writer()
            for entry, document in documents:
                self._guarded("add a chunk", self._replace, writer, entry, document)

    def _replace(self, writer: tantivy.IndexWriter, entry: TextEntry, document: tantivy.Document) -> None:
        writer.delete_documents_by_term(ID, entry.id)
        writer.add_document(document)
        self._touched.add(entry.id)
        self._added[entry.id] = entry.document_id

    def delete(self, ids: Sequence[str]) -> None:
        """Takes chunks out; ids that are not there are no error."""
        with self._lock:
            writer = self._require_writer()
            for identifier in ids:
                self._guarded("delete a chunk", writer.delete_documents_by_term, ID, identifier)
                self._touched.add(identifier)
                self._added.pop(identifier, None)

    def delete_document(self, document_id: str) -> None:
        """Takes every chunk of a document out, those added since the last commit too."""
        with self._lock:
            writer = self._require_writer()
            self._guarded("delete a document", writer.delete_documents_by_term, DOCUMENT_ID, document_id)
            self._deleted_documents.add(document_id)
            for identifier in [key for key, owner in self._added.items() if owner == document_id]:
                del self._added[identifier]

    def commit(self) -> int:
        """Makes everything durable and searchable; the number of chunks now.

        Counted before and after: the index moved by exactly what was put in and taken out, and holds all that was
        put in. Anything else is TEXT_INDEX_UNAVAILABLE, to be done again.
        """
        with self._lock:
            writer = self._require_writer()
            self._guarded("reload", self._index.reload)
            searcher = self._guarded("count", self._index.searcher)
            before = searcher.num_docs
            replaced = self._guarded("count", count_of, searcher, self._changed())
            self._guarded("commit", writer.commit)
            added = list(self._added)
            self._forget()
            self._guarded("reload", self._index.reload)
            searcher = self._guarded("count", self._index.searcher)
            expected, found = before - replaced + len(added), searcher.num_docs
            held = self._guarded("count", count_of, searcher, any_of(self._schema, ID, added))
            if found != expected or held != len(added):
                self._recover()
                raise Unavailable(
                    f"The text index {self._path} took {len(added)} chunks and holds {held} of them after the commit, "
                    f"{found} in all where {expected} are right; what was committed has to be done again.",
                    reason=Reason.TEXT_INDEX_UNAVAILABLE,
                    retry_after=1.0,
                )
            return found

    def rollback(self) -> None:
        """Forgets everything since the last commit."""
        with self._lock:
            self._recover()

    def count(self) -> int:
        """The number of chunks as of the last commit."""
        with self._lock:
            self._guarded("reload", self._index.reload)
            return self._guarded("count", self._index.searcher).num_docs

    def searcher(self) -> tantivy.Searcher:
        """Reads the index as of the last commit."""
        with self._lock:
            self._guarded("reload", self._index.reload)
            return self._guarded("read", self._index.searcher)

    def ids(self) -> Iterator[str]:
        """Every chunk id as of the last commit, in order."""
        searcher, alive = self.searcher(), tantivy.Query.all_query()
        for number in range(256):
            terms = searcher.terms_with_prefix(ID, f"{number:02x}", alive)
            yield from sorted(term for term, _ in terms)

    def close(self) -> None:
        """Lets another writer in. What was not committed is gone."""
        with self._lock:
            writer, self._writer = self._writer, None
            try:
                if writer is not None:
                    writer.rollback()
                    writer.wait_merging_threads()
            except ValueError as error:
                raise _unavailable("be closed", self._path, error) from error
            finally:
                if self._held is not None:
                    self._held.close()
                    self._held = None

    def __enter__(self) -> TextIndexWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _changed(self) -> tantivy.Query | None:
        """What the changes since the last commit take out, by chunk or by document."""
        parts = [any_of(self._schema, ID, sorted(self._touched))]
        parts.append(any_of(self._schema, DOCUMENT_ID, sorted(self._deleted_documents)))
        wanted = [(tantivy.Occur.Should, part) for part in parts if part is not None]
        return tantivy.Query.boolean_query(wanted) if wanted else None

    def _open_writer(self) -> tantivy.IndexWriter:
        try:
            return self._index.writer(HEAP_BYTES, 1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise _unavailable("be opened for writing", self._path, error) from error
            # The engine's own lock, held by something that does not sign: an older version, or another tool.
            raise locked(self._path, HeldElsewhere(_NOBODY)) from error

    def _require_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            if self._held is None:
                raise _unavailable("be written", self._path, RuntimeError("it is closed"))
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

    def _forget(self) -> None:
        self._added, self._touched, self._deleted_documents = {}, set(), set()

    def _recover(self) -> None:
        self._forget()
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


_NOBODY = Holder("unknown")


def _hold(path: Path) -> TextIO:
    try:
        return hold_file(path / OWNER)
    except HeldElsewhere as held:
        raise locked(path, held) from held
    except OSError as error:
        raise _unavailable("be opened for writing", path, error) from error


def locked(path: Path, held: HeldElsewhere) -> FailedPrecondition:
    """The refusal of a second writer, which names the first."""
    holder = held.holder
    return FailedPrecondition(
        f"The text index {path} is being written by {holder}. Stop that process: an index has exactly one writer.",
        reason=Reason.STORE_LOCKED,
        metadata={
            "holder_pid": holder.pid,
            "holder_host": holder.host,
            "held_since": holder.since,
            "path": str(path),
        },
    )


def _unavailable(what: str, path: Path, error: BaseException) -> Unavailable:
    return Unavailable(
        f"The text index {path} could not {what}: {error}. Everything since the last commit was rolled back.",
        reason=Reason.TEXT_INDEX_UNAVAILABLE,
        retry_after=1.0,
    )
