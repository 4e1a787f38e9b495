"""How `findspot status PATH` looks: one document, where it stands, and how fresh it is."""

from __future__ import annotations

from findspot.cli import freshness
from findspot.cli.output import counted, escape
from findspot.v1 import indexing_pb2


def document_view(document: indexing_pb2.Document) -> str:
    """Markup of a document that `GetDocument` answered."""
    state = indexing_pb2.DocumentState.Name(document.state).removeprefix("DOCUMENT_STATE_")
    lines = [
        f"[bold]{escape(document.collection)}/{escape(document.file_path)}[/]  [dim]{document.document_id}[/]",
        f"{state.lower()}   {_counts(document)}",
    ]
    if document.HasField("failure"):
        lines.append(f"[red]{escape(document.failure.message)}[/] [dim]({document.failure.name})[/]")
    lines.append(freshness.line(document) or f"[green]fresh[/] {escape(document.evidence.message)}")
    if differs := freshness.hashes(document):
        lines.append(differs)
    stamps = "   ".join(filter(None, (document.extractor_stamp, document.chunker_stamp)))
    if stamps:
        lines.append(f"[dim]read and cut by {escape(stamps)}[/]")
    lines += [f"[yellow]{escape(notice.message)}[/]" for notice in document.notices]
    return "\n".join(lines)


def _counts(document: indexing_pb2.Document) -> str:
    if not document.generation:
        return "nothing published"
    return (
        f"generation {document.generation}, {counted(document.chunk_count, 'passage')}, "
        f"{document.embedded_chunk_count} with a vector"
    )
