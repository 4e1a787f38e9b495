"""The bars of `findspot add`: files sent, documents read, passages embedded, and what the work waits for."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from findspot.cli.output import escape

_MINUTE = 60.0


class Bars:
    """Bars on a terminal; nothing at all where `console` is none, or `quiet` says so."""

    def __init__(self, console: Console, file_count: int, *, quiet: bool) -> None:
        self._progress = Progress(
            TextColumn("  {task.description:<17}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[pace]}"),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._sending = self._row("files sent", file_count)
        self._reading: TaskID | None = None
        self._embedding: TaskID | None = None
        self._waits = ""

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def sent(self) -> None:
        """One file more is done with, whatever became of it."""
        self._progress.advance(self._sending)

    def show(self, event: Any) -> None:
        """Shows a `WatchIndexingResponse`."""
        if self._reading is None:
            self._reading = self._row("documents read", None)
        read = event.document_count - event.pending_document_count
        self._progress.update(self._reading, completed=read, total=event.document_count)
        if self._embedding is None and event.chunk_count:
            self._embedding = self._row("passages embedded", None)
        if self._embedding is not None:
            self._progress.update(
                self._embedding,
                completed=event.embedded_chunk_count,
                total=event.chunk_count,
                pace=_pace(event.chunk_count - event.embedded_chunk_count, event.chunks_per_second),
            )
        self._say_what_it_waits_for(event.blocked_by.message if event.HasField("blocked_by") else "")

    def _row(self, description: str, total: int | None) -> TaskID:
        return self._progress.add_task(description, total=total, pace="")

    def _say_what_it_waits_for(self, message: str) -> None:
        # A line above the bars, once: a sentence would not fit beside a bar, and must not be cut.
        if message and message != self._waits and not self._progress.disable:
            self._progress.console.print(f"  [yellow]waits[/] {escape(message)}")
        self._waits = message


def _pace(left: int, per_second: float) -> str:
    if not left or per_second < 0.5:
        return ""
    seconds = left / per_second
    if seconds < 1:
        return f"{per_second:.0f}/s"
    rest = f"{seconds:.0f} s" if seconds < _MINUTE else f"{seconds / _MINUTE:.0f} min"
    return f"{per_second:.0f}/s, {rest} left"
