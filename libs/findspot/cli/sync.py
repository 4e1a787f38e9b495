"""`findspot sync`: a collection brought in line with a directory, with a bar while it works and a summary."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from findspot.cli.output import Data, Json, err, print_json, reported
from findspot.cli.sync_view import COUNTED, Outcome, as_json, show
from findspot.client.aio import AsyncClient
from findspot.client.directories import collection_message
from findspot.client.reconnect import Reconnecting
from findspot.client.requests import reason_of
from findspot.errors import Cancelled, FailedPrecondition, InvalidArgument, NotFound, Reason
from findspot.v1 import indexing_pb2

_LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Asked:
    """What the command line says; None where it says nothing."""

    path: str
    directory: Path | None
    watch: bool | None
    ignore: Sequence[str] | None
    dry_run: bool
    yes: bool
    wait: bool
    quiet: bool


@reported
def sync(
    path: Annotated[str, typer.Argument(help="The collection, for example acme/notes.", show_default=False)],
    directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]", help="The directory that it follows; needed once.", show_default=False
        ),
    ] = None,
    watch: Annotated[
        bool | None,
        typer.Option("--watch/--no-watch", help="Follow changes as they happen.", show_default=False),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore", help="Leave out files of this pattern (gitignore); repeatable.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count what would be done.")] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Prune even more than half of the documents; take another directory."),
    ] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until all is indexed.")] = True,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Bring a collection in line with a directory: added, changed, moved and deleted files."""
    asked = Asked(path, directory, watch, ignore or None, dry_run, yes, wait, quiet=json_)
    outcome = asyncio.run(_sync(asked, data))
    if json_:
        print_json(as_json(path, outcome))
    else:
        show(path, outcome, dry_run=dry_run)
    if outcome.failed or any(outcome.counts.get(name) for name in ("refused", "unreadable")):
        raise typer.Exit(3)


async def _sync(asked: Asked, data: Path | None) -> Outcome:
    loop = asyncio.get_running_loop()
    began = loop.time()
    connection = Reconnecting(data)
    try:
        made = await connection.call(lambda client: _settle(client, asked))
        try:
            answer = await connection.call(
                lambda client: client.sync_collection(
                    asked.path, confirm_prune=asked.yes, dry_run=asked.dry_run
                )
            )
            if asked.dry_run:
                counts = {name: getattr(answer, f"{name}_count", 0) for name in COUNTED}
                return Outcome("", "DRY_RUN", counts, answer.notices, loop.time() - began)
            if not asked.wait:
                return Outcome(answer.operation_id, "RUNNING", {}, (), loop.time() - began)
            ended = await _follow(connection, answer.operation_id, quiet=asked.quiet)
        finally:
            if made:
                await connection.call(lambda client: _finish(client, asked))
        progress = await connection.call(lambda client: _until_idle(client, asked.path))
        below = await connection.call(lambda client: client.failed_documents(asked.path))
        failed = [document for document in below if document.collection == asked.path]
        counts, seconds = dict(ended.counts), loop.time() - began
        return Outcome(answer.operation_id, "SUCCEEDED", counts, ended.notices, seconds, progress, failed)
    finally:
        await connection.close()


async def _finish(client: AsyncClient, asked: Asked) -> None:
    """What is left to do with a collection that was made for this sync."""
    if asked.dry_run:
        # It was there for the counting only: nothing is in it.
        await client.delete_collection(asked.path)
    elif asked.watch:
        # Not before: whoever watches would take the files in, and this sync would find nothing to tell of.
        made = await client.collection(asked.path)
        made.source.directory.watch = True
        await client.update_collection(made)


async def _settle(client: AsyncClient, asked: Asked) -> bool:
    """Make the collection, or give it what was asked for; True when it was made."""
    root = str(asked.directory.resolve()) if asked.directory is not None else ""
    try:
        found = await client.collection(asked.path)
    except NotFound as missing:
        if not root:
            raise NotFound(
                f"{missing.message} Name the directory that it shall follow: findspot sync {asked.path} DIR.",
                reason=missing.reason,
            ) from missing
        await client.create_collection(asked.path, root=root, ignore=asked.ignore or ())
        return True
    before = found.source.directory
    follows = found.source.WhichOneof("kind") == "directory"
    if root and (not follows or before.root != root) and not asked.yes:
        now = f"follows {before.root}" if follows else "takes uploads"
        raise FailedPrecondition(
            f"Collection {asked.path} {now}. With another directory, documents without a file there are pruned: say "
            "--yes, or choose another collection.",
            reason=Reason.OTHER_SOURCE,
        )
    if not root and not follows and (asked.watch is not None or asked.ignore is not None):
        raise InvalidArgument(
            f"Collection {asked.path} follows no directory; name one to watch, or to ignore files of."
        )
    wanted = collection_message(
        asked.path,
        root or before.root,
        before.watch if asked.watch is None else asked.watch,
        before.ignore if asked.ignore is None else asked.ignore,
    )
    if (root or follows) and wanted.source != found.source:
        if asked.dry_run:
            raise InvalidArgument(
                "--dry-run changes nothing, so it takes the collection as it is: leave out DIR and options."
            )
        found.source.CopyFrom(wanted.source)
        await client.update_collection(found)
    return False


async def _follow(connection: Reconnecting, operation_id: str, *, quiet: bool) -> indexing_pb2.Operation:
    """Show a sync until it has ended; raises why when it failed."""
    with Progress(
        TextColumn("  {task.description:<17}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        disable=quiet or not err.is_terminal,
    ) as progress:
        task = progress.add_task("files synced", total=None)
        while True:
            now = await connection.call(lambda client: client.operation(operation_id))
            progress.update(task, completed=now.done_count, total=now.total_count or None)
            if now.state != indexing_pb2.OPERATION_STATE_RUNNING:
                break
            await asyncio.sleep(_LOOK_SECONDS)
    if now.state == indexing_pb2.OPERATION_STATE_FAILED:
        raise FailedPrecondition(now.failure.message, reason=Reason(reason_of(now.failure)))
    if now.state == indexing_pb2.OPERATION_STATE_CANCELLED:
        raise Cancelled(f"The sync ({operation_id}) was cancelled.")
    return now


async def _until_idle(client: AsyncClient, path: str) -> Any:
    last = None
    async for event in client.watch(path, until_idle=True):
        last = event
    return last
