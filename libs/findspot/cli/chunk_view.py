"""Chunks on a terminal: a rule at each boundary, the context dim, what is repeated marked, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from findspot.cli.output import printable
from findspot.model import Chunk, ChunkedDocument, ExtractedDocument

COLOURS = ("cyan", "magenta")
"""Neighbouring chunks differ in colour, on light and on dark terminals."""
REPEATED = ("⟪", "⟫")
"""Marks around what the chunk before ends with, so that it shows without colour too."""
_LIMITS = {"CHARS": "most chunks end at the size", "TOKENS": "most chunks end at the token cap"}


@dataclass(frozen=True)
class Lab:
    """One way a file was cut, and how long it took in seconds."""

    name: str
    cut: ChunkedDocument
    read_seconds: float
    cut_seconds: float


def show_chunks(console: Console, document: ExtractedDocument, lab: Lab) -> None:
    """Every chunk in full, then the summary."""
    for chunk in lab.cut.chunks:
        for line in chunk_lines(console, chunk):
            console.print(line, soft_wrap=True)
        console.print()
    for line in (*_legend(lab.cut), *summary(document, lab)):
        console.print(line, soft_wrap=True)


def _legend(cut: ChunkedDocument) -> Iterator[Text]:
    if any(chunk.context for chunk in cut.chunks):
        yield Text("┆ context: stands before the text for embedding, and is no part of it", style="dim")
    if any(chunk.overlap for chunk in cut.chunks):
        yield Text(f"{REPEATED[0]}…{REPEATED[1]} is repeated from the chunk before", style="dim")


def chunk_lines(console: Console, chunk: Chunk) -> Iterator[Text]:
    """A rule with what there is to know of the chunk, its context, its text."""
    colour = COLOURS[chunk.index % len(COLOURS)]
    yield rule(console, f"{chunk.index}  {chunk.kind}", chunk.locator, _counts(chunk), colour)
    gutter = Text("▌ ", style=colour)
    if chunk.context:
        yield from wrapped(console, Text("┆ ", style=colour), Text(shown(chunk.context), style="dim"))
    body = Text()
    if chunk.overlap:
        body.append(REPEATED[0] + shown(chunk.text[: chunk.overlap]) + REPEATED[1], style="yellow")
    body.append(shown(chunk.text[chunk.overlap :]))
    yield from wrapped(console, gutter, body)


def rule(console: Console, left: str, middle: str, right: str, colour: str) -> Text:
    """One line of the terminal's width; `middle` is cut back where there is no room, then `right`."""
    head, tail = f"── {left} ──", f" {right} ──"
    room = console.width - cell_len(head) - cell_len(tail)
    if room < 0:
        tail, room = "", console.width - cell_len(head)
    name = printable(middle).replace("\n", " ")
    if cell_len(name) > room - 2:
        name = set_cell_size(name, room - 3).rstrip() + "…" if room > 8 else ""
    name = f" {name} " if name else ""
    fill = "─" * max(room - cell_len(name), 0)
    return Text.assemble((head, colour), (name, f"bold {colour}"), (fill + tail, colour))


def wrapped(console: Console, gutter: Text, text: Text) -> Iterator[Text]:
    """The text in lines of the terminal's width, each behind the gutter."""
    for line in text.wrap(console, max(console.width - gutter.cell_len, 8), overflow="fold"):
        line.rstrip()
        yield Text.assemble(gutter, line)


def shown(text: str) -> str:
    """Text as a terminal may show it: line ends alike, control characters spelt out."""
    return printable(text.replace("\r\n", "\n"))


def summary(document: ExtractedDocument, lab: Lab) -> Iterator[Text]:
    """How many chunks of which sizes, what bound them, and every notice."""
    cut = lab.cut
    how = f"{cut.strategy} {cut.size}/{cut.overlap}"
    cap = f", at most {cut.token_cap} tokens" if cut.token_cap is not None else ""
    yield Text.assemble(
        (printable(lab.name), "bold"),
        f"  {document.document_type}, {len(document.text):,} characters  {how}{cap}",
    )
    yield Text(
        f"{_sizes(cut)}; read in {lab.read_seconds:.2f} s, cut in {lab.cut_seconds:.2f} s", style="dim"
    )
    for notice in (*document.warnings, *cut.warnings):
        yield Text.assemble((notice.code, "yellow"), " ", printable(notice.message))


def _sizes(cut: ChunkedDocument) -> str:
    if not cut.chunks:
        return "no text, no chunks"
    told = f"{_number(len(cut.chunks), 'chunk')} in {_number(len(cut.sections), 'section')}"
    told += f"; characters: {_spread([len(chunk.text) for chunk in cut.chunks])}"
    tokens = [chunk.token_count for chunk in cut.chunks if chunk.token_count is not None]
    told += f"; tokens: {_spread(tokens)}" if tokens else ""
    return f"{told}; {_LIMITS.get(cut.effective_limit, 'structure ends every chunk')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def _spread(counts: list[int]) -> str:
    return f"mean {sum(counts) / len(counts):.0f}, largest {max(counts)}"


def _counts(chunk: Chunk) -> str:
    parts = [f"{len(chunk.text)} chars"]
    parts += [f"{chunk.token_count} tokens"] if chunk.token_count is not None else []
    parts += [f"{chunk.overlap} repeated"] if chunk.overlap else []
    return ", ".join(parts)
