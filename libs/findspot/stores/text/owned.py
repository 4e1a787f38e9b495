"""The text index as its owner has it: what serves, and at times a second one being filled that will take its place."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import tantivy

from findspot.errors import Aborted, Reason, Unavailable
from findspot.holder import HeldElsewhere, hold_file
from findspot.stores.text.schema import TextEntry
from findspot.stores.text.serving import (
    HOME_LOCK,
    Serving,
    clear,
    examine,
    missing_files,
    serving_at_start,
    unused_directory,
    write_serving,
)
from findspot.stores.text.writer import TextIndexWriter, locked

log = logging.getLogger(__name__)

_T = TypeVar("_T")


class OwnedTextIndex:
    """Every change goes to what serves, and to the one being filled. Raises TEXT_INDEX_UNAVAILABLE.

    An index that is damaged or gone is replaced by an empty one that says it is not complete: searches are then
    refused, not answered with nothing, until `complete` is called by whoever filled it from the manifest.
    """

    def __init__(self, home: Path) -> None:
        """Opens what serves in `home`. A second owner gets FailedPrecondition STORE_LOCKED, which names the first."""
        self._home = home
        self._writing = threading.RLock()
        self._writer: TextIndexWriter | None = None
        self._next: TextIndexWriter | None = None
        self.doubtful = False
        """True after an error of the engine, until somebody has compared the index with the manifest."""
        home.mkdir(parents=True, exist_ok=True)
        try:
            self._held = hold_file(home / HOME_LOCK)
        except HeldElsewhere as held:
            raise locked(home, held) from held
        try:
            self._serving = serving_at_start(home)
            self._require_writer()
            clear(home, self._serving)
        except BaseException:
            self._held.close()
            raise

    @property
    def complete(self) -> bool:
        """False while what serves is being filled."""
        return self._serving.complete

    @property
    def rebuilding(self) -> bool:
        """True while a second index is being filled beside the one that serves."""
        return self._next is not None

    @property
    def directory(self) -> Path:
        """Where the files are that serve."""
        return self._home / self._serving.directory

    def add(self, entries: Sequence[TextEntry]) -> None:
        """Puts chunks in, each in place of what was there under its id."""
        self._both(lambda writer: writer.add(entries))

    def delete(self, ids: Sequence[str]) -> None:
        """Takes chunks out; ids that are not there are no error."""
        self._both(lambda writer: writer.delete(ids))

    def delete_document(self, document_id: str) -> None:
        """Takes every chunk of a document out."""
        self._both(lambda writer: writer.delete_document(document_id))

    def commit(self) -> int:
        """Makes everything durable and searchable; the number of chunks now."""
        return self._both(_committed)

    def rollback(self) -> None:
        """Forgets everything since the last commit."""
        with self._writing:
            if self._writer is not None:
                self._writer.rollback()
            if self._next is not None:
                self._next.rollback()

    def count(self) -> int:
        """The number of chunks as of the last commit."""
        with self._writing:
            return self._watched(lambda writer: writer.count())

    def searcher(self) -> tantivy.Searcher:
        """Reads what serves, as of the last commit."""
        with self._writing:
            return self._watched(lambda writer: writer.searcher())

    def ids(self) -> Iterator[str]:
        """Every chunk id as of the last commit, in order."""
        with self._writing:
            return self._watched(lambda writer: writer.ids())

    def mark_complete(self) -> None:
        """What serves holds everything now: searches are answered again."""
        with self._writing:
            self._become(Serving(self._serving.directory, complete=True))

    def begin_again(self) -> None:
        """Begin an empty index beside the one that serves; one that was begun before is given up."""
        with self._writing:
            self.give_up()
            self._next = TextIndexWriter(self._home / unused_directory(self._home))

    def fill(self, entries: Sequence[TextEntry]) -> None:
        """Put chunks into the one beside, durable when this returns. Aborted when it is there no more."""
        with self._writing:
            beside = self._require_next()
            beside.add(entries)
            beside.commit()

    def switch(self) -> int:
        """Serve from the one beside from now on, and remove the other; the number of chunks in it."""
        with self._writing:
            beside = self._require_next()
            held = beside.commit()
            self._become(Serving(beside.path.name, complete=True))
            before, self._writer, self._next = self._writer, beside, None
            self.doubtful = False
            self._close(before)
            clear(self._home, self._serving)
            return held

    def give_up(self) -> None:
        """Give up the one beside, if there is one."""
        with self._writing:
            beside, self._next = self._next, None
            if beside is not None:
                self._close(beside)
                clear(self._home, self._serving)

    def look(self) -> str:
        """What is wrong with what serves, "" when nothing is; one that is damaged is replaced by an empty one."""
        with self._writing:
            problem = examine(self.directory)
            if problem:
                self._replace(problem)
            return problem

    def close(self) -> None:
        """Lets another owner in. What was not committed is gone, and so is the one beside."""
        with self._writing:
            self.give_up()
            writer, self._writer = self._writer, None
            try:
                if writer is not None:
                    writer.close()
            finally:
                self._held.close()

    def __enter__(self) -> OwnedTextIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _both(self, action: Callable[[TextIndexWriter], _T]) -> _T:
        with self._writing:
            done = self._watched(action)
            if self._next is not None:
                try:
                    action(self._next)
                except Unavailable as failure:
                    # What serves has the change: only the building of the other has failed.
                    log.error("the text index that is being built is given up: %s", failure.message)
                    self.give_up()
            return done

    def _watched(self, action: Callable[[TextIndexWriter], _T]) -> _T:
        """Runs an action; after an error the index is looked at, and replaced when it is damaged."""
        try:
            return action(self._require_writer())
        except Unavailable:
            self.doubtful = True
            problem = examine(self.directory)
            if problem:
                self._replace(problem)
            raise

    def _replace(self, problem: str) -> None:
        log.error("the text index is begun anew and filled from the manifest: %s", problem)
        before, self._writer = self._writer, None
        self._close(before)
        self._become(Serving(unused_directory(self._home), complete=False))
        self._require_writer()
        if self._next is None:
            clear(self._home, self._serving)

    def _require_writer(self) -> TextIndexWriter:
        if self._writer is None:
            self._writer = TextIndexWriter(self.directory)
        return self._writer

    def _require_next(self) -> TextIndexWriter:
        if self._next is None:
            raise Aborted(
                "The text index that was being built was given up after an error of the engine; begin again.",
                reason=Reason.TEXT_INDEX_UNAVAILABLE,
            )
        return self._next

    def _become(self, serving: Serving) -> None:
        try:
            write_serving(self._home, serving)
        except OSError as error:
            raise Unavailable(
                f"What serves in {self._home} cannot be written down: {error}. Look at the disk.",
                reason=Reason.TEXT_INDEX_UNAVAILABLE,
                retry_after=1.0,
            ) from error
        self._serving = serving

    def _close(self, writer: TextIndexWriter | None) -> None:
        if writer is not None:
            try:
                writer.close()
            except Unavailable as failure:
                log.info("%s", failure.message)


def _committed(writer: TextIndexWriter) -> int:
    held = writer.commit()
    # This process still reads what it has open; nobody else could open the index any more.
    if missing_files(writer.path):
        raise Unavailable(
            f"Files of the text index {writer.path} were removed by somebody else.",
            reason=Reason.TEXT_INDEX_UNAVAILABLE,
            retry_after=1.0,
        )
    return held
