"""`findspot add`: files and folders into a collection, with a bar while it works and a summary of what failed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from findspot.cli.bars import Bars
from findspot.cli.output import Data, Json, as_dict, counted, err, escape, out, print_json, reported
from findspot.client.adding import Added, Batch, add_files
from findspot.client.aio import AsyncClient
from findspot.client.files import LocalFile, Problem, collection_of, scan
from findspot.client.reconnect import Reconnecting
from findspot.client.requests import reason_of

SHOWN_PROBLEMS = 20
LONGEST_SHOWN = 120


@dataclass(frozen=True)
class Outcome:
    """What became of an `add`."""

    collection: str
    added: Added
    hidden: int
    seconds: float
    progress: Any
    """The last event of the indexing that followed; None when nobody waited."""


@reported
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", show_default=False)],
    collection: Annotated[
        str, typer.Option("--collection", "-c", help="Where they go.", show_default="the folder's name")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Index again even what did not change.")] = False,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Return when all files are stored.")] = False,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Add files and folders; only new and changed files are sent."""
    found = scan(paths)
    target = collection or collection_of(paths)
    outcome = asyncio.run(
        _add(found.files, target, found.hidden, data, force=force, wait=not no_wait, quiet=json_)
    )
    outcome.added.problems[:0] = found.problems
    if json_:
        print_json(_as_json(outcome))
    else:
        _show(outcome)
    if outcome.added.problems:
        raise typer.Exit(3)


async def _add(
    files: Sequence[LocalFile],
    collection: str,
    hidden: int,
    data: Path | None,
    *,
    force: bool,
    wait: bool,
    quiet: bool,
) -> Outcome:
    loop = asyncio.get_running_loop()
    began = loop.time()
    connection = Reconnecting(data)
    try:
        with Bars(err, len(files), quiet=quiet) as bars:
            batch = Batch(connection, collection, force, lambda file: bars.sent())
            async with _shown_meanwhile(connection, collection, bars):
                added = await add_files(batch, files)
            progress = (
                await connection.call(lambda client: _follow(client, collection, bars)) if wait else None
            )
        if wait:
            added.problems += await _failures(connection, collection, added)
    finally:
        await connection.close()
    return Outcome(collection, added, hidden, loop.time() - began, progress)


@asynccontextmanager
async def _shown_meanwhile(connection: Reconnecting, collection: str, bars: Bars) -> AsyncIterator[None]:
    """Shows what becomes of the files that are there already, while the others are still being sent."""

    async def show(client: AsyncClient) -> None:
        async for event in client.watch(collection):
            bars.show(event)

    showing = asyncio.create_task(connection.call(show))
    try:
        yield
    finally:
        showing.cancel()
        # Bars are a courtesy: whatever ends them, the files are what counts, and a failure of the suite ends those too.
        await asyncio.gather(showing, return_exceptions=True)


async def _follow(client: AsyncClient, collection: str, bars: Bars) -> Any:
    """Shows the work until nothing is pending; the last event."""
    last = None
    async for event in client.watch(collection, until_idle=True):
        last = event
        bars.show(event)
    return last


async def _failures(connection: Reconnecting, collection: str, added: Added) -> list[Problem]:
    """The files of this `add` that could not be indexed, now or when they came unchanged before."""
    sent = {document: path for path, document in added.documents.items()}
    failed = await connection.call(lambda client: client.failed_documents(collection))
    problems = []
    for document in failed:
        reason, message = reason_of(document.failure), document.failure.message
        if document.document_id in sent:
            problems.append(Problem(sent[document.document_id], reason, message))
        elif document.collection == collection and document.file_path in added.failed_before:
            problems.append(
                Problem(document.file_path, reason, f"{message} (unchanged; --force tries it again)")
            )
    return problems


def _as_json(outcome: Outcome) -> dict[str, Any]:
    added = outcome.added
    return {
        "collection": outcome.collection,
        "new": added.new,
        "changed": added.changed,
        "unchanged": added.unchanged,
        "sent": added.new + added.changed,
        "hidden_files_passed_over": outcome.hidden,
        "seconds": round(outcome.seconds, 2),
        "problems": [
            {"file": item.file_path, "reason": item.reason, "message": item.message}
            for item in added.problems
        ],
        "progress": as_dict(outcome.progress) if outcome.progress is not None else None,
    }


def _show(outcome: Outcome) -> None:
    added = outcome.added
    counts = f"{added.new} new, {added.changed} changed, {added.unchanged} unchanged"
    out.print(f"[bold]{escape(outcome.collection)}[/]: {counts} in {outcome.seconds:.1f} s")
    if outcome.hidden:
        out.print(f"[dim]{outcome.hidden} hidden files and folders were passed over[/]")
    if outcome.progress is not None:
        event = outcome.progress
        read = counted(event.document_count - event.failed_document_count, "document") + " read"
        found = f"{counted(event.chunk_count, 'passage')} can be found, {event.embedded_chunk_count} of them by meaning"
        out.print(f"[dim]{read}: {found}[/]")
    if added.problems:
        _show_problems(added.problems)


def _show_problems(problems: Sequence[Problem]) -> None:
    reasons = Counter(problem.reason for problem in problems)
    summary = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    err.print(f"\n[bold red]{len(problems)} not added[/]: {summary}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("file", overflow="fold", style="bold")
    table.add_column("reason")
    table.add_column("what to do", overflow="fold")
    for problem in problems[:SHOWN_PROBLEMS]:
        table.add_row(
            escape(_short(problem.file_path)).replace("\n", "\\n"), problem.reason, escape(problem.message)
        )
    err.print(table)
    if len(problems) > SHOWN_PROBLEMS:
        err.print(f"[dim]and {len(problems) - SHOWN_PROBLEMS} more; --json lists all[/]")


def _short(path: str) -> str:
    # The end tells files of one folder apart, the start tells folders apart.
    return (
        path
        if len(path) <= LONGEST_SHOWN
        else f"{path[: LONGEST_SHOWN // 3]}…{path[-LONGEST_SHOWN * 2 // 3 :]}"
    )
