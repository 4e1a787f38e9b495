"""`findspot operations`: long pieces of work that run in the suite: listed, followed, stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from findspot.cli.operation_view import exit_code_of, follow, operations_table, show_end, state_of
from findspot.cli.output import Data, Json, as_dict, out, print_json, reported
from findspot.client import connect_sync
from findspot.errors import InvalidArgument
from findspot.v1 import indexing_pb2


@reported
def operations(
    watch: Annotated[
        str, typer.Option("--watch", "-w", metavar="ID", help="Follow this one until it has ended.")
    ] = "",
    cancel: Annotated[
        str, typer.Option("--cancel", metavar="ID", help="Have this one stop at its next safe point.")
    ] = "",
    state: Annotated[
        str, typer.Option("--state", help="Only those running, succeeded, failed or cancelled.")
    ] = "",
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="How many, the latest first.")] = 20,
    data: Data = None,
    json_: Json = False,
) -> None:
    """List reindexing, syncs and repairs, the latest first; follow one, or stop it."""
    if watch and cancel:
        raise InvalidArgument("--watch and --cancel exclude each other: give one of them")
    with connect_sync(data) as client:
        if watch:
            operation = follow(client, watch, quiet=json_)
        elif cancel:
            operation = client.cancel(cancel)
        else:
            found = client.operations(state, limit=limit)
            if json_:
                print_json({"operations": [as_dict(operation) for operation in found]})
            elif found:
                out.print(operations_table(found, out.width))
            else:
                out.print("[dim]no operations; `findspot reindex` begins one[/]")
            return
    _show(operation, watched=bool(watch), as_json=json_)


def _show(operation: indexing_pb2.Operation, *, watched: bool, as_json: bool) -> None:
    if as_json:
        print_json({"operation": as_dict(operation)})
    elif state_of(operation) == "running":
        out.print("[yellow]stops at its next safe point[/]")
    else:
        show_end(operation)
    code = exit_code_of(operation) if watched else 0
    if code:
        raise typer.Exit(code)
