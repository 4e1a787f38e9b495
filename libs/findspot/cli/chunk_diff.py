"""Two ways to cut one text: which boundaries both have, and which only one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console
from rich.text import Text

from findspot.cli.chunk_view import Lab, rule, shown, summary, wrapped
from findspot.model import ChunkedDocument, ExtractedDocument

FIRST, SECOND, BOTH = "first", "second", "both"
_MARKS = {FIRST: "- ", SECOND: "+ ", BOTH: "  "}
_COLOURS = {FIRST: "red", SECOND: "green", BOTH: "cyan"}
_EDGE_LINES = 2
"""Lines of a stretch that are shown at each of its ends."""


@dataclass(frozen=True)
class Comparison:
    """Where new text begins in a chunk, in characters; the start of the text is no boundary."""

    both: tuple[int, ...]
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]


def compare(first: ChunkedDocument, second: ChunkedDocument) -> Comparison:
    """The boundaries of both ways; what a chunk repeats of the one before does not move its boundary."""
    a, b = boundaries(first), boundaries(second)
    return Comparison(tuple(sorted(a & b)), tuple(sorted(a - b)), tuple(sorted(b - a)))


def boundaries(cut: ChunkedDocument) -> set[int]:
    """Where the text of each chunk goes on from the one before, blanks left out."""
    return {_fresh(cut, place) for place in range(1, len(cut.chunks))}


def _fresh(cut: ChunkedDocument, place: int) -> int:
    chunk = cut.chunks[place]
    fresh = chunk.text[chunk.overlap :]
    return chunk.start + chunk.overlap + len(fresh) - len(fresh.lstrip())


def show_comparison(
    console: Console, document: ExtractedDocument, labs: tuple[Lab, Lab], comparison: Comparison
) -> None:
    """The text in stretches between boundaries, each boundary with who has it, then both summaries."""
    for line in comparison_lines(console, document, comparison):
        console.print(line, soft_wrap=True)
    for name, lab in zip((FIRST, SECOND), labs, strict=True):
        console.print(Text(f"{_MARKS[name]}{name}", style=_COLOURS[name]), soft_wrap=True)
        for line in summary(document, lab):
            console.print(line, soft_wrap=True)
    console.print(
        f"boundaries: [bold]{len(comparison.both)} in both[/], [red]- {len(comparison.only_first)} only in the first[/], "
        f"[green]+ {len(comparison.only_second)} only in the second[/]"
    )


def comparison_lines(console: Console, document: ExtractedDocument, comparison: Comparison) -> Iterator[Text]:
    """A rule for each boundary; between two of them the first and the last lines of the text."""
    whose = dict.fromkeys(comparison.both, BOTH)
    whose |= dict.fromkeys(comparison.only_first, FIRST) | dict.fromkeys(comparison.only_second, SECOND)
    edges = [0, *sorted(whose), len(document.text)]
    for start, end in pairwise(edges):
        if start:
            told = "in both" if whose[start] == BOTH else f"only in the {whose[start]}"
            yield rule(
                console,
                f"{_MARKS[whose[start]].strip()} {told}".strip(),
                "",
                f"at {start:,}",
                _COLOURS[whose[start]],
            )
        yield from _stretch(console, document.text[start:end].strip("\r\n"))


def _stretch(console: Console, text: str) -> Iterator[Text]:
    lines = list(wrapped(console, Text("  "), Text(shown(text))))
    if len(lines) <= 2 * _EDGE_LINES + 1:
        yield from lines
        return
    yield from lines[:_EDGE_LINES]
    yield Text(f"  … {len(lines) - 2 * _EDGE_LINES} lines, {len(text):,} characters in all", style="dim")
    yield from lines[-_EDGE_LINES:]
