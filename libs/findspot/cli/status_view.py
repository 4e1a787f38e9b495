"""How `findspot status` looks: bars of documents and passages, what the work waits for, failures by reason."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from findspot.cli.output import counted, printable
from findspot.suite.layout import Endpoints
from findspot.v1 import collection_pb2, indexing_pb2

SHOWN_COLLECTIONS = 10
_WIDTH = 30
_COLOURS = {
    "INDEXED": "green",
    "CHUNKED": "cyan",
    "EXTRACTING": "blue",
    "PENDING": "yellow",
    "EMPTY": "bright_black",
    "FAILED": "red",
    "RETIRED": "bright_black",
}
_MEANS = {
    "INDEXED": "found by words and meaning",
    "CHUNKED": "found by words",
    "EXTRACTING": "being read",
    "PENDING": "waiting",
    "EMPTY": "without text",
    "FAILED": "could not be read",
    "RETIRED": "deleted, not purged",
}
_ROLES = {
    indexing_pb2.IDENTITY_STATE_ACTIVE: ("serves", "green"),
    indexing_pb2.IDENTITY_STATE_FILLING: ("is being filled", "yellow"),
    indexing_pb2.IDENTITY_STATE_RETIRED: ("served before", "bright_black"),
}


def status_view(
    answer: indexing_pb2.GetStatusResponse,
    suite: Endpoints,
    now: float | None = None,
    collections: Sequence[collection_pb2.Collection] = (),
) -> Group:
    """A `GetStatusResponse` for people, with the first of its collections; ages are counted to `now` in Unix seconds."""
    counts = state_counts(answer)
    parts: list[RenderableType] = [
        Text.assemble(
            (printable(str(suite.data)), "bold"),
            f"   revision {answer.revision}   {counted(answer.collection_count, 'collection')}",
        ),
        _documents(counts),
        *[_identity(item) for item in answer.identities],
    ]
    if not answer.identities:
        parts.append(Text("  no embedding model: passages are found by their words only", style="yellow"))
    if collections:
        parts.append(_collections(collections[:SHOWN_COLLECTIONS], answer.collection_count))
    parts += _work(answer, time.time() if now is None else now)
    parts += [_failure(failure) for failure in answer.failures]
    listening = [Text(f"{name} {address}", style="dim") for name, address in suite.addresses.items()]
    parts.append(Columns(listening, padding=(0, 3)))
    return Group(*parts)


def state_counts(answer: indexing_pb2.GetStatusResponse) -> dict[str, int]:
    """Documents by the name of their state, those that have none left out."""
    prefix = "DOCUMENT_STATE_"
    named = {
        indexing_pb2.DocumentState.Name(item.state).removeprefix(prefix): int(item.document_count)
        for item in answer.states
    }
    return {state: named[state] for state in _COLOURS if named.get(state)}


def shares(counts: dict[str, int], width: int = _WIDTH) -> dict[str, int]:
    """Cells of a bar for each count: their sum is `width`, and whatever is there has at least one cell."""
    total = sum(counts.values())
    if not total:
        return {}
    cells = {name: max(1, count * width // total) for name, count in counts.items() if count}
    largest = max(cells, key=lambda name: counts[name])
    cells[largest] += width - sum(cells.values())
    return cells


def _documents(counts: dict[str, int]) -> RenderableType:
    total = sum(counts.values())
    if not total:
        return Text("  no document yet: findspot add FOLDER", style="yellow")
    bar = Text("  ")
    for state, cells in shares(counts).items():
        bar.append("█" * cells, style=_COLOURS[state])
    bar.append(f" {counted(total, 'document')}")
    legend = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for state, count in counts.items():
        legend.add_row(
            "  ", Text(f"{count:>8}", style=_COLOURS[state]), state.lower(), f"[dim]{_MEANS[state]}[/]"
        )
    return Group(bar, legend)


def _collections(collections: Sequence[collection_pb2.Collection], total: int) -> RenderableType:
    rows = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    rows.add_column()
    rows.add_column(overflow="fold")
    rows.add_column(justify="right", no_wrap=True)
    rows.add_column(justify="right", no_wrap=True)
    rows.add_column(overflow="fold", style="dim")
    for collection in collections:
        directory = collection.source.directory
        rows.add_row(
            "  ",
            Text(printable(collection.path)),
            counted(collection.document_count, "document"),
            counted(collection.chunk_count, "passage"),
            Text(
                f"{'watches' if directory.watch else 'of'} {printable(directory.root)}"
                if directory.root
                else ""
            ),
        )
    if total > len(collections):
        rows.add_row("  ", Text(f"and {total - len(collections)} more; --json lists them", style="dim"))
    return rows


def _identity(item: indexing_pb2.IdentityStatus) -> RenderableType:
    counts = {
        "ready": item.embedded_chunk_count,
        "failed": item.failed_chunk_count,
        "waiting": item.pending_chunk_count,
    }
    total = sum(counts.values())
    role, colour = _ROLES.get(item.state, ("", ""))
    bar = Text("  ")
    looks = {"ready": ("█", colour or "cyan"), "failed": ("█", "red"), "waiting": ("░", "dim")}
    for name, cells in (shares(counts) or {"ready": _WIDTH}).items():
        sign, style = looks[name]
        bar.append(sign * cells, style=style)
    bar.append(
        f" {item.embedded_chunk_count} of {counted(total, 'passage')}   {printable(item.identity.display)} "
    )
    bar.append(role, style=colour)
    if item.failed_chunk_count:
        bar.append(f"   {item.failed_chunk_count} have no vector and will get none", style="red")
    return bar


def _work(answer: indexing_pb2.GetStatusResponse, now: float) -> list[RenderableType]:
    lines: list[RenderableType] = []
    left = sum(
        item.pending_chunk_count
        for item in answer.identities
        if item.state != indexing_pb2.IDENTITY_STATE_RETIRED
    )
    if left and answer.chunks_per_second >= 0.05:
        rest = span(left / answer.chunks_per_second)
        lines.append(Text(f"  {answer.chunks_per_second:.0f} passages/s, about {rest} left", style="dim"))
    if answer.HasField("oldest_pending_time"):
        age = span(max(0.0, now - answer.oldest_pending_time.ToMicroseconds() / 1e6))
        lines.append(Text(f"  the oldest document waits since {age}", style="dim"))
    if answer.HasField("blocked_by"):
        lines.append(Text.assemble(("  waiting ", "bold yellow"), printable(answer.blocked_by.message)))
    for problem in answer.source_problems:
        head = (f"  {problem.collection} ", "bold yellow")
        lines.append(Text.assemble(head, printable(problem.failure.message)))
    return lines


def _failure(failure: indexing_pb2.FailureCount) -> RenderableType:
    return Text.assemble(
        (f"  {failure.document_count} failed ", "red"),
        printable(f"{failure.example_file_path}: {failure.example_message}"),
    )


def span(seconds: float) -> str:
    """A length of time in one unit, as people say it."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
