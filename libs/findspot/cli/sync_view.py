"""How the end of `findspot sync` looks: counts, and what of the directory cannot be found with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from findspot.cli.output import as_dict, counted, err, escape, out
from findspot.client.requests import reason_of
from findspot.v1 import indexing_pb2

SHOWN = 20
"""Failures, and notices, that are shown to people."""
COUNTED = ("added", "changed", "moved", "pruned", "unchanged", "refused", "ignored", "unreadable")


@dataclass(frozen=True)
class Outcome:
    """What became of a sync."""

    operation_id: str
    state: str
    counts: dict[str, int]
    notices: Sequence[Any]
    seconds: float
    progress: Any = None
    """The last event of the indexing that followed; None when nobody waited."""
    failed: Sequence[indexing_pb2.Document] = ()
    """Documents of the collection that could not be read, now or by an earlier sync of the same file."""


def as_json(path: str, outcome: Outcome) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "collection": path,
        "operation_id": outcome.operation_id,
        "state": outcome.state,
        "counts": {name: int(outcome.counts.get(name, 0)) for name in COUNTED},
        "notices": [{"code": notice.code, "message": notice.message} for notice in outcome.notices],
        "failures": [
            {"file": each.file_path, "reason": reason_of(each.failure), "message": each.failure.message}
            for each in outcome.failed
        ],
        "seconds": round(outcome.seconds, 2),
        "progress": as_dict(outcome.progress) if outcome.progress is not None else None,
    }


def show(path: str, outcome: Outcome, *, dry_run: bool) -> None:
    """What people see: the counts, what can be found now, and every file that is not among it with the reason."""
    if outcome.state == "RUNNING":
        out.print(f"[bold]{escape(path)}[/]: the sync was begun [dim](operation {outcome.operation_id})[/]")
        return
    head = "would be synced" if dry_run else f"is in line with its directory after {outcome.seconds:.1f} s"
    out.print(f"[bold]{escape(path)}[/] {head}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2), show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name in COUNTED:
        if outcome.counts.get(name) or name in ("added", "changed", "moved", "pruned"):
            table.add_row(name, str(outcome.counts.get(name, 0)))
    out.print(table)
    if outcome.progress is not None:
        event = outcome.progress
        found = f"{counted(event.chunk_count, 'passage')} can be found, {event.embedded_chunk_count} of them by meaning"
        out.print(f"[dim]{found}[/]")
    if outcome.failed:
        err.print(f"[bold red]{len(outcome.failed)} could not be read[/]")
    failures = [
        (reason_of(each.failure), f"{each.file_path}: {each.failure.message}") for each in outcome.failed
    ]
    _list(failures, "red")
    _list([(notice.code, notice.message) for notice in outcome.notices], "yellow")


def _list(found: Sequence[tuple[str, str]], colour: str) -> None:
    for code, message in found[:SHOWN]:
        err.print(f"[{colour}]{escape(code)}[/] {escape(message)}")
    if len(found) > SHOWN:
        err.print(f"[dim]and {len(found) - SHOWN} more; --json lists them[/]")
