"""`findspot search`: a question, and the passages that answer it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from findspot.cli import freshness
from findspot.cli.memory import Memory, recall, remember
from findspot.cli.output import Data, Json, as_dict, counted, err, escape, out, print_json, reported
from findspot.client import connect_sync
from findspot.client.requests import At


@reported
def search(
    query: Annotated[
        list[str],
        typer.Argument(
            help="The question, in single quotes when it holds phrases, exclusions or qualifiers:"
            " 'alarm \"red lamp\" -fire lang:en'.",
            show_default=False,
        ),
    ],
    collection: Annotated[
        str, typer.Option("--collection", "-c", help="Only this collection and those below.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="At most so many results.")] = 5,
    chunks: Annotated[
        bool, typer.Option("--chunks", help="Every passage for itself, not one a document.")
    ] = False,
    mode: Annotated[str, typer.Option(help="hybrid, text or semantic.")] = "hybrid",
    kind: Annotated[list[str] | None, typer.Option(help="Only section, code or table; repeatable.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="Only this language; repeatable.")] = None,
    path: Annotated[list[str] | None, typer.Option(help="Only files that fit this glob; repeatable.")] = None,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Find the passages that answer a question."""
    options: dict[str, Any] = {
        "collection": collection,
        "limit": limit,
        "mode": mode,
        "kinds": kind or (),
        "languages": language or (),
        "paths": path or (),
    }
    with connect_sync(data) as client:
        ask = client.search_chunks if chunks else client.search
        answer = ask(" ".join(query), **options)
    hits = [result.hit for result in answer.results]
    remember(
        Memory(tuple(At(hit.collection, hit.file_path, hit.chunk_index) for hit in hits), recall().reading)
    )
    if json_:
        print_json(as_dict(answer))
    else:
        _show(answer)
    if not answer.searched:
        raise typer.Exit(1)


def _show(answer: Any) -> None:
    if not answer.searched:
        err.print(
            f"[bold red]not searched[/] {escape(answer.failure.message)} [dim]({answer.failure.name})[/]"
        )
        return
    for result in answer.results:
        _show_result(result)
    for lost in answer.degradations:
        err.print(
            f"[yellow]degraded[/] {lost.arm} arm: {escape(lost.failure.message)} [dim]({lost.failure.name})[/]"
        )
    if not answer.results:
        out.print("[bold]nothing found[/]" + (f"   {escape(answer.hint)}" if answer.hint else ""))
    _show_footer(answer)


def _show_result(result: Any) -> None:
    hit = result.hit
    where = " · ".join(part for part in (hit.locator, _matched(result)) if part)
    said = freshness.word(hit)
    mark = f"  [yellow]{said}[/]" if said else ""
    out.print(
        f"[bold cyan]{hit.rank:>2}[/] [bold]{escape(hit.document_path)}[/]  [dim]#{hit.chunk_index}[/]{mark}"
    )
    if where:
        out.print(f"   [green]{escape(where)}[/]")
    out.print(f"   {_highlighted(hit.snippet, hit.highlights)}")
    ranks = [f"text {hit.text_rank}"] if hit.HasField("text_rank") else []
    ranks += [f"vector {hit.vector_rank}"] if hit.HasField("vector_rank") else []
    out.print(f"   [dim]score {hit.score:.4f}   {'   '.join(ranks)}[/]\n")


def _matched(result: Any) -> str:
    chain = result.chain_info
    if not result.HasField("chain_info") or chain.chunks_matched < 2:
        return ""
    return f"{chain.chunks_matched} of {chain.total_chunks} passages match"


def _highlighted(snippet: str, ranges: Any) -> str:
    parts, last = [], 0
    for span in ranges:
        parts.append(escape(snippet[last : span.start]))
        parts.append(f"[bold yellow]{escape(snippet[span.start : span.end])}[/]")
        last = span.end
    return "".join(parts) + escape(snippet[last:])


def _show_footer(answer: Any) -> None:
    notes = []
    coverage = answer.coverage
    if coverage.embedded_chunk_count < coverage.total_chunk_count:
        notes.append(
            f"{coverage.embedded_chunk_count} of {coverage.total_chunk_count} passages have a vector yet"
        )
    if answer.pending_document_count:
        waiting = answer.pending_document_count
        notes.append(f"{counted(waiting, 'document')} still being indexed")
    if answer.results:
        notes.append("read one: [cyan]findspot read 1[/]")
    if notes:
        out.print("[dim]" + "   ".join(notes) + "[/]")
