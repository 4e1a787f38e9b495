"""`findspot repair`: mends what the stores hold otherwise than the manifest says, or builds them anew."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.table import Table

from findspot.cli.operation_view import exit_code_of, follow, show_end
from findspot.cli.output import Data, Json, as_dict, escape, out, print_json, reported
from findspot.client.connect import connect_sync
from findspot.v1 import indexing_pb2

_KINDS = {
    "text_missing": "passages that the text index lacks",
    "text_stale": "entries of the text index that name another place of their document",
    "text_orphaned": "entries of the text index that no passage has",
    "text_duplicated": "passages that stand twice in the text index",
    "vectors_missing": "vectors that the vector store lacks",
    "vectors_stale": "vectors that name another place of their document",
    "vectors_orphaned": "vectors that no passage has",
    "collections_lost": "collections of vectors that cannot be read",
    "collections_unknown": "collections of vectors that no model has",
    "counters_wrong": "counters that are not what counting gives",
    "blobs_leftover": "stored files that nobody needs",
    "blobs_missing": "stored files that are gone",
}


@reported
def repair(
    subtree: Annotated[
        str,
        typer.Argument(help="Only this collection and those below it; nothing for all.", show_default=False),
    ] = "",
    rebuild_text: Annotated[
        bool, typer.Option("--rebuild-text", help="Build the text index anew beside the one that serves.")
    ] = False,
    rebuild_vectors: Annotated[
        bool, typer.Option("--rebuild-vectors", help="Write all vectors anew, without calling the model.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what there is to mend.")] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it is done.")] = True,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Compare every entry of the text index and the vectors with the manifest and mend what differs.

    Searches go on meanwhile, and no text is embedded again whose vector is stored.
    """
    with connect_sync(data) as client:
        begun = client.repair(
            subtree,
            rebuild_text=rebuild_text,
            rebuild_vectors=rebuild_vectors,
            dry_run=dry_run,
            request_id="" if dry_run else str(uuid.uuid4()),
        )
        if dry_run or not wait:
            _show_plan(begun, as_json=json_)
            return
        operation = follow(client, begun.operation_id, quiet=json_)
    if json_:
        print_json({"operation": as_dict(operation)})
    else:
        show_end(operation)
    code = exit_code_of(operation)
    if code:
        raise typer.Exit(code)


def _show_plan(planned: indexing_pb2.RepairResponse, *, as_json: bool) -> None:
    if as_json:
        print_json({"planned": as_dict(planned)})
        return
    if planned.operation_id:
        out.print(f"  begun: [bold]findspot operations --watch {escape(planned.operation_id)}[/]")
        return
    if not planned.counts:
        out.print("[green]nothing to mend[/]")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(justify="right")
    table.add_column()
    for name, count in sorted(
        planned.counts.items(),
        key=lambda item: (list(_KINDS).index(item[0]) if item[0] in _KINDS else len(_KINDS), item[0]),
    ):
        table.add_row(str(count), _KINDS.get(name, name))
    out.print(table)
    for notice in planned.notices:
        out.print(f"  [yellow]{escape(notice.code)}[/] {escape(notice.message)}")
    out.print(f"  {_remedy(planned.counts)}")


def _remedy(counts: Mapping[str, int]) -> str:
    """What is to be done about what was found: a stored file that is gone comes back only with its document."""
    add = "[bold]findspot add --force[/] brings stored files back"
    if "blobs_missing" not in counts:
        return "[bold]findspot repair[/] mends them"
    return add if len(counts) == 1 else f"[bold]findspot repair[/] mends the others, {add}"
