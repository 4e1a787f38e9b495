"""`findspot doctor`: every check of the suite as a table, and with `--fix` a repair of what can be mended."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer
from rich.table import Table

from findspot.cli.operation_view import exit_code_of, follow, show_end
from findspot.cli.output import Data, Json, as_dict, counted, err, escape, out, print_json, reported
from findspot.client.connect import connect_sync, local_suite
from findspot.client.reachable import reach
from findspot.client.sync import Client
from findspot.errors import FindspotError
from findspot.suite.layout import Endpoints
from findspot.v1 import indexing_pb2

_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "failed": ("✗", "red")}
_MENDED = ("text.", "vectors.", "manifest.", "blobs.", "purges.")
"""Checks whose findings a repair mends."""
_NOT_MENDED = ("vectors.failed",)


@dataclass(frozen=True)
class Line:
    """One check as it is shown."""

    name: str
    outcome: str
    """ok, warning or failed."""
    message: str


@reported
def doctor(
    subtree: Annotated[
        str,
        typer.Argument(help="Only this collection and those below it; nothing for all.", show_default=False),
    ] = "",
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Compare every entry of the stores with the manifest.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended, then look again.")] = False,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Check every part of the suite, and say what is wrong and what to do about it.

    Ends with 0 when nothing failed (warnings are shown), 1 when something did, 5 when a service cannot be reached.
    """
    suite = local_suite(data)
    lines, unreachable = _services(suite)
    operation = None
    if "indexing" not in unreachable:
        with connect_sync(suite.data) as client:
            lines += _checks(client, subtree, thorough or fix)
            if fix and any(_can_be_mended(line) for line in lines):
                operation = _mend(client, subtree, quiet=json_)
                lines = _services(suite)[0] + _checks(client, subtree, True)
    if json_:
        shown: dict[str, Any] = {
            "data": str(suite.data),
            "checks": [asdict(line) for line in lines],
            "outcome": _worst(lines),
        }
        if operation is not None:
            shown["operation"] = as_dict(operation)
        print_json(shown)
    else:
        _show(lines, suite, fixed=operation)
    code = 5 if unreachable else exit_code_of(operation) if operation is not None else 0
    code = code or int(_worst(lines) == "failed")
    if code:
        raise typer.Exit(code)


def _services(suite: Endpoints) -> tuple[list[Line], set[str]]:
    """A line a service, and those that cannot be reached."""
    lines, unreachable = [], set()
    for service in reach(suite.addresses):
        if service.serving:
            lines.append(Line(f"service.{service.service}", "ok", service.message))
            continue
        unreachable.add(service.service)
        remedy = f"`findspot up --data {suite.data}` starts all that do not run; its log is in {suite.data / 'logs'}."
        lines.append(Line(f"service.{service.service}", "failed", f"{service.message} {remedy}"))
    return lines, unreachable


def _checks(client: Client, subtree: str, thorough: bool) -> list[Line]:
    try:
        answer = client.diagnose(subtree, thorough=thorough)
    except FindspotError as failure:
        return [Line("diagnosis", "failed", failure.message)]
    return [
        Line(
            check.name,
            indexing_pb2.CheckOutcome.Name(check.outcome).removeprefix("CHECK_OUTCOME_").lower(),
            check.message,
        )
        for check in answer.checks
    ]


def _can_be_mended(line: Line) -> bool:
    return line.outcome != "ok" and line.name.startswith(_MENDED) and line.name not in _NOT_MENDED


def _mend(client: Client, subtree: str, *, quiet: bool) -> indexing_pb2.Operation:
    begun = client.repair(subtree, request_id=str(uuid.uuid4()))
    return follow(client, begun.operation_id, quiet=quiet)


def _worst(lines: list[Line]) -> str:
    return max((line.outcome for line in lines), key=list(_MARKS).index)


def _show(lines: list[Line], suite: Endpoints, fixed: indexing_pb2.Operation | None) -> None:
    out.print(f"[bold]{escape(str(suite.data))}[/]")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        mark, colour = _MARKS[line.outcome]
        said = escape(line.message)
        table.add_row(f"[{colour}]{mark}[/]", line.name, said if line.outcome != "ok" else f"[dim]{said}[/]")
    out.print(table)
    if fixed is not None:
        show_end(fixed)
    counts = {outcome: sum(line.outcome == outcome for line in lines) for outcome in _MARKS}
    if counts["failed"]:
        err.print(
            f"[bold red]{counted(counts['failed'], 'check')} failed[/], {counts['warning']} to be looked at"
        )
    elif counts["warning"]:
        out.print(
            f"[yellow]{counted(counts['warning'], 'check')} to be looked at[/]; the others are as they should be"
        )
    else:
        out.print("[green]all is as it should be[/]")
