"""`findspot status`: how full and how fresh the index is, and where each service listens."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from findspot.cli.output import Data, Json, as_dict, err, escape, out, print_json, reported
from findspot.client.connect import local_suite
from findspot.client.sync import Client
from findspot.suite.layout import Endpoints


@reported
def status(
    collection: Annotated[
        str, typer.Option("--collection", "-c", help="Only this collection and those below.")
    ] = "",
    data: Data = None,
    json_: Json = False,
) -> None:
    """Show counts by state, vectors by model, failures by reason, and the services."""
    suite = local_suite(data)
    with Client(query=suite.of("query"), indexing=suite.of("indexing")) as client:
        answer = client.status(collection)
    if json_:
        print_json({"data": str(suite.data), "services": suite.addresses, "status": as_dict(answer)})
    else:
        _show(answer, suite)


def _show(answer: Any, suite: Endpoints) -> None:
    out.print(
        f"[bold]{escape(str(suite.data))}[/]   revision {answer.revision}   {answer.collection_count} collections"
    )
    states = as_dict(answer)["states"]
    counts = {
        state["state"].removeprefix("DOCUMENT_STATE_"): int(state["document_count"]) for state in states
    }
    out.print(_table("documents", counts))
    for item in answer.identities:
        total = item.embedded_chunk_count + item.pending_chunk_count + item.failed_chunk_count
        share = item.embedded_chunk_count / total if total else 1.0
        bar = "█" * round(share * 30) + "░" * (30 - round(share * 30))
        out.print(
            f"  [cyan]{bar}[/] {item.embedded_chunk_count} of {total} passages   {escape(item.identity.display)}"
        )
        if item.failed_chunk_count:
            out.print(f"  [red]{item.failed_chunk_count} passages have no vector and will get none[/]")
    if not answer.identities:
        out.print("  [yellow]no embedding model: passages are found by their words only[/]")
    if answer.HasField("blocked_by"):
        err.print(f"  [bold yellow]waiting[/] {escape(answer.blocked_by.message)}")
    for failure in answer.failures:
        example = f"{escape(failure.example_file_path)}: {escape(failure.example_message)}"
        out.print(f"  [red]{failure.document_count} failed[/] {example}")
    services = "   ".join(f"{name} {address}" for name, address in suite.addresses.items())
    out.print(f"[dim]{services}[/]")


def _table(title: str, counts: dict[str, int]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column(title, style="dim")
    for state in counts:
        table.add_column(state.lower(), justify="right", style="red" if state == "FAILED" else "")
    table.add_row("", *(str(count) for count in counts.values()))
    return table
