"""`findspot reindex`: has documents made anew that were made with what is not current any more."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.table import Table

from findspot.cli.documents import is_id, splits
from findspot.cli.operation_view import exit_code_of, follow, show_end
from findspot.cli.output import Data, Json, as_dict, escape, out, print_json, reported, shortened
from findspot.client import Client, connect_sync
from findspot.errors import InvalidArgument, NotFound, Reason
from findspot.v1 import indexing_pb2

_REMEDIES = {
    indexing_pb2.REINDEX_STAGE_UNSPECIFIED: "nothing is stale",
    indexing_pb2.REINDEX_STAGE_EXTRACT: "some files would be read otherwise now: [bold]findspot reindex[/]",
    indexing_pb2.REINDEX_STAGE_CHUNK: "some texts would be cut otherwise now: [bold]findspot reindex[/]",
    indexing_pb2.REINDEX_STAGE_EMBED: "some vectors are lacking or out of date: [bold]findspot reindex[/]",
}


@reported
def reindex(
    path: Annotated[
        str,
        typer.Argument(
            help="A collection with those below it, or a document by path or id; nothing for everything.",
            show_default=False,
        ),
    ] = "",
    stage: Annotated[
        str,
        typer.Option(
            "--from", help="extract, chunk or embed; left out: the cheapest stage that heals what is stale."
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Also where nothing is stale.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what there is to do.")] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it is done.")] = True,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Make documents anew that would come out otherwise now; what is found goes on being found meanwhile."""
    with connect_sync(data) as client:
        scope = scope_of(client, path)
        request_id = "" if dry_run else str(uuid.uuid4())
        planned = client.reindex(**scope, stage=stage, force=force, dry_run=dry_run, request_id=request_id)
        if dry_run or not wait:
            _show_plan(planned, as_json=json_)
            return
        operation = follow(client, planned.operation_id, quiet=json_)
    if json_:
        print_json({"planned": as_dict(planned), "operation": as_dict(operation)})
    else:
        show_end(operation)
    code = exit_code_of(operation)
    if code:
        raise typer.Exit(code)


def scope_of(client: Client, name: str) -> dict[str, Any]:
    """What a name means to `Client.reindex`: a collection with those below it, else a document."""
    if not name:
        return {}
    if is_id(name):
        return {"document": name}
    with suppress(InvalidArgument):  # what is no path of a collection may be one of a document
        if client.status(name).collection_count:
            return {"subtree": name}
    for place in splits(name):
        with suppress(NotFound, InvalidArgument):
            client.document(place)
            return {"document": place}
    raise NotFound(
        f"no collection and no document {shortened(name)!r}; name a document as `findspot search` shows it",
        reason=Reason.DOCUMENT_NOT_FOUND,
    )


def _show_plan(planned: indexing_pb2.ReindexResponse, *, as_json: bool) -> None:
    if as_json:
        print_json({"planned": as_dict(planned)})
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(justify="right")
    table.add_column()
    asked_of_model = planned.embed_count - planned.stored_vector_count
    for count, what in (
        (planned.extract_count, "documents to read again"),
        (planned.chunk_count, "documents to cut again, those to read among them"),
        (planned.embed_count, "passages to embed, at most"),
        (planned.stored_vector_count, "of them with a vector that is stored: no call of the model"),
        (planned.fresh_count, "documents on which nothing is stale"),
    ):
        table.add_row(str(count), what)
    out.print(table)
    if planned.HasField("estimated_duration"):
        seconds = planned.estimated_duration.ToMilliseconds() / 1000
        out.print(f"  about {seconds:.0f} s for the model at the present rate")
    elif asked_of_model:
        out.print("  [dim]how long the model takes is known once it embeds something[/]")
    if planned.operation_id:
        shown = f"findspot operations --watch {planned.operation_id}"
        out.print(f"  begun: [bold]{escape(shown)}[/]")
    else:
        out.print(f"  {_REMEDIES[planned.remedy]}")
