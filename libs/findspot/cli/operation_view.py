"""How an operation is shown: a bar while it runs, one line and its notices when it has ended."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from findspot.cli.output import err, escape, out
from findspot.client.operations import has_ended
from findspot.client.sync import Client
from findspot.v1 import indexing_pb2

_COLOURS = {"running": "cyan", "succeeded": "green", "failed": "red", "cancelled": "yellow"}
_MOST_NOTICES = 10
_LOOK_SECONDS = 0.25
_LOOKS_AT_STATUS = 8
_WIDE = 120
_ID_LENGTH = 36


def state_of(operation: indexing_pb2.Operation) -> str:
    """running, succeeded, failed or cancelled."""
    name = indexing_pb2.OperationState.Name(operation.state)
    return name.removeprefix("OPERATION_STATE_").lower()


def follow(client: Client, operation_id: str, *, quiet: bool = False) -> indexing_pb2.Operation:
    """Show a bar until the operation has ended, on a terminal and unless `quiet`; returns it as it ended.

    Ctrl-C ends only the watching, and says so.
    """
    with _bar(quiet=quiet) as progress:
        task = progress.add_task("begins", total=None)
        operation = client.operation(operation_id)
        looks, said = 0, ""
        try:
            while not has_ended(operation):
                progress.update(
                    task,
                    description=f"{operation.kind} {escape(operation.scope)}".strip(),
                    completed=operation.done_count + operation.failed_count,
                    total=operation.total_count or None,
                )
                looks += 1
                if looks % _LOOKS_AT_STATUS == 0 and not progress.disable:
                    said = _say_what_it_waits_for(progress, client, said)
                time.sleep(_LOOK_SECONDS)
                operation = client.operation(operation_id)
        except KeyboardInterrupt:
            err.print(
                f"It goes on. [bold]findspot operations --watch {operation_id}[/] shows it again, "
                f"[bold]--cancel {operation_id}[/] stops it."
            )
            raise typer.Exit(130) from None
    return operation


def _say_what_it_waits_for(progress: Progress, client: Client, said: str) -> str:
    """A line above the bar, once: a service that is away holds up the work, and fails nothing."""
    status = client.status()
    waits = status.blocked_by.message if status.HasField("blocked_by") else ""
    if waits and waits != said:
        progress.console.print(f"  [yellow]waits[/] {escape(waits)}")
    return waits


def exit_code_of(operation: indexing_pb2.Operation) -> int:
    """0 when all of it was done, 3 when items failed, 1 when it did not come to its end."""
    if operation.state != indexing_pb2.OPERATION_STATE_SUCCEEDED:
        return 1
    return 3 if operation.failed_count else 0


def show_end(operation: indexing_pb2.Operation) -> None:
    """One line for what became of it, then what it has to say."""
    state = state_of(operation)
    counts = ", ".join(f"{count} {name}" for name, count in sorted(operation.counts.items()))
    failed = f", [red]{operation.failed_count} failed[/]" if operation.failed_count else ""
    what = f"{operation.kind} {escape(operation.scope)}".strip()
    out.print(
        f"[{_COLOURS[state]}]{state}[/]   {what}   {operation.done_count} of {operation.total_count} done{failed}"
        + (f"   [dim]{escape(counts)}[/]" if counts else "")
    )
    if operation.HasField("failure"):
        err.print(f"  [red]{escape(operation.failure.message)}[/]")
    for notice in operation.notices[:_MOST_NOTICES]:
        out.print(f"  [yellow]{escape(notice.code)}[/] {escape(notice.message)}")
    if len(operation.notices) > _MOST_NOTICES:
        out.print(f"  [dim]and {len(operation.notices) - _MOST_NOTICES} more; --json shows them[/]")


def operations_table(operations: list[indexing_pb2.Operation], width: int) -> Table:
    """A row an operation, the latest first; of two lines where a terminal of `width` columns has no room for one.

    The id is never broken, for it is what `--watch` and `--cancel` take.
    """
    wide = width >= _WIDE
    titles = ("operation", "kind", "scope", "state", "done", "failed", "began", "took")
    table = Table(box=None, pad_edge=False, padding=(0, 2 if wide else 1, 0, 0))
    for title in titles if wide else ("kind", "scope and operation", "state", "done", "began"):
        numeric = title in ("done", "failed", "took")
        least = _ID_LENGTH if "operation" in title else None
        table.add_column(title, justify="right" if numeric else "left", overflow="fold", min_width=least)
    for operation in operations:
        state, scope = state_of(operation), escape(operation.scope) or "[dim]everything[/]"
        state = f"[{_COLOURS[state]}]{state}[/]"
        done = f"{operation.done_count} of {operation.total_count}"
        failed = f"[red]{operation.failed_count}[/]" if operation.failed_count else ""
        began = _local(operation.started_time).strftime("%Y-%m-%d %H:%M:%S")
        named = operation.operation_id
        if wide:
            table.add_row(named, operation.kind, scope, state, done, failed, began, _took(operation))
        else:
            done += f"\n{failed} [red]failed[/]" if failed else ""
            state += f"\n[dim]{_took(operation)}[/]"
            table.add_row(operation.kind, f"{scope}\n{named}", state, done, began.replace(" ", "\n"))
    return table


def _bar(*, quiet: bool) -> Progress:
    return Progress(
        TextColumn("  {task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=out,
        transient=True,
        disable=quiet or not out.is_terminal,
    )


def _local(moment: Any) -> datetime:
    return datetime.fromtimestamp(moment.seconds).astimezone()


def _took(operation: indexing_pb2.Operation) -> str:
    if not operation.HasField("ended_time"):
        return ""
    seconds = operation.ended_time.ToNanoseconds() - operation.started_time.ToNanoseconds()
    return f"{seconds / 1e9:.1f} s"
