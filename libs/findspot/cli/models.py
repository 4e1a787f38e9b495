"""`findspot models`: the embedding models of the index, which one serves, and the way to another and back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from findspot.cli.output import Data, Json, as_dict, escape, out, print_json, printable, reported
from findspot.cli.status_view import shares
from findspot.client.connect import connect_sync
from findspot.errors import InvalidArgument
from findspot.v1 import indexing_pb2

_WIDTH = 24
_KEY_SHOWN = 8
_WIDE = 100
"""Columns of a terminal from which on there is room for bars beside what has to be read in full."""
_STATES = {
    indexing_pb2.IDENTITY_STATE_ACTIVE: ("serves", "green"),
    indexing_pb2.IDENTITY_STATE_FILLING: ("is being filled", "yellow"),
    indexing_pb2.IDENTITY_STATE_RETIRED: ("set aside", "bright_black"),
}

models = typer.Typer(
    help="List the embedding models of the index, have another one serve, or remove one.",
    no_args_is_help=False,
    invoke_without_command=True,
)

Identity = Annotated[
    str,
    typer.Argument(help="As `findspot models` shows it: name@dims, or the key, or its first 6 characters."),
]


@models.callback()
def show(context: typer.Context, data: Data = None, json_: Json = False) -> None:
    """List the embedding models of the index, have another one serve, or remove one."""
    if context.invoked_subcommand is None:
        _list(data=data, json_=json_)


@reported
def _list(data: Data = None, json_: bool = False) -> None:
    with connect_sync(data) as client:
        answer = client.status()
    if json_:
        print_json({"identities": [as_dict(identity) for identity in answer.identities]})
    elif answer.identities:
        out.print(models_table(answer, out.width))
    else:
        out.print("[yellow]no embedding model yet: passages are found by their words only[/]")


@models.command("activate")
@reported
def activate(identity: Identity, data: Data = None, json_: Json = False) -> None:
    """Have queries answered with a model: at once when it is full, else as soon as it is filled."""
    with connect_sync(data) as client:
        answer = client.activate_identity(identity)
    if json_:
        print_json(as_dict(answer))
        return
    name = escape(answer.identity.identity.display)
    if answer.switched:
        out.print(f"[green]{name} serves[/]   revision {answer.revision}")
        return
    pending = answer.identity.pending_chunk_count
    out.print(
        f"[yellow]{name} is being filled[/]: {pending} passages to go, then it serves   [dim]findspot models[/]"
    )


@models.command("drop")
@reported
def drop(
    identity: Identity,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Remove a model that does not serve, with all its vectors: to come back to it, everything is embedded anew."""
    if not yes:
        if not sys.stdin.isatty():
            raise InvalidArgument(f"This would drop {identity}. Say --yes where nobody can be asked.")
        typer.confirm(f"drop {printable(identity)} with all its vectors?", abort=True, err=True)
    with connect_sync(data) as client:
        answer = client.drop_identity(identity)
    if json_:
        print_json(as_dict(answer))
    else:
        out.print(f"dropped {escape(identity)}: {answer.vector_count} stored vectors")


def models_table(answer: indexing_pb2.GetStatusResponse, width: int) -> Table:
    """The identities with their state, how full they are, and whether their model is loaded.

    A model stands there as `activate` and `drop` take it, never cut short; on a narrow terminal the bars go first.
    """
    bars = width >= _WIDE
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("model", "state", *([""] if bars else []), "passages", "loaded", "key"):
        table.add_column(title, overflow="fold")
    for item in answer.identities:
        role, colour = _STATES.get(item.state, ("", ""))
        total = item.embedded_chunk_count + item.pending_chunk_count + item.failed_chunk_count
        table.add_row(
            Text(printable(item.identity.display), style="bold" if role == "serves" else ""),
            Text(role, style=colour),
            *([coverage_bar(item, colour)] if bars else []),
            f"{item.embedded_chunk_count} of {total}"
            + (f", {item.failed_chunk_count} failed" if item.failed_chunk_count else ""),
            Text("yes", style="green") if item.loaded else Text("no", style="yellow"),
            Text(printable(item.identity.key[:_KEY_SHOWN]), style="dim"),
        )
    return table


def coverage_bar(item: indexing_pb2.IdentityStatus, colour: str) -> Text:
    """A bar of the chunks that have a vector, that get none, and that wait for one."""
    counts = {
        "ready": item.embedded_chunk_count,
        "failed": item.failed_chunk_count,
        "waiting": item.pending_chunk_count,
    }
    looks = {"ready": ("█", colour), "failed": ("█", "red"), "waiting": ("░", "dim")}
    bar = Text()
    for name, cells in (shares(counts, _WIDTH) or {"waiting": _WIDTH}).items():
        sign, style = looks[name]
        bar.append(sign * cells, style=style)
    return bar
