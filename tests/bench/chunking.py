"""How fast documents are cut, by format and strategy: read beforehand, megabytes of UTF-8 a second of processor."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Column, Table

from findspot.errors import FindspotError
from findspot.model import ChunkingOptions, ExtractedDocument, Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import resolve
from findspot_chunking.tokens import Tokenize
from findspot_embedding.counting import TokenCounter
from findspot_embedding.packaged import model_folder
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.registry import Registry

BYTES = 1_000_000
"""Text of each format: enough to measure, and little enough to wait for."""
INPUT_LIMIT, SPECIAL_TOKENS = 256, 2
"""Of the default model."""
SUFFIXES = {
    "markdown": ".md",
    "rust": ".rs",
    "java": ".java",
    "python": ".py",
    "html": ".html",
    "pdf": ".pdf",
}


@dataclass(frozen=True)
class Sample:
    """Documents of one format."""

    name: str
    documents: tuple[ExtractedDocument, ...]

    @property
    def size(self) -> int:
        """Bytes of UTF-8."""
        return sum(len(document.text.encode()) for document in self.documents)


def main(console: Console, corpus: Path) -> None:
    """Prints a column for each format: every strategy by size alone, then its own with the tokens counted."""
    counter = TokenCounter(model_folder() / "tokenizer.json")
    columns = {sample.name: _column(sample, counter) for sample in samples(corpus)}
    table = Table(Column("", no_wrap=True), *columns, box=None)
    for row in next(iter(columns.values())):
        table.add_row(row, *(column[row] for column in columns.values()))
    console.print("cutting, MB of UTF-8 a second of processor, one thread, by size alone unless it says so")
    console.print(table)


def _column(sample: Sample, counter: TokenCounter) -> dict[str, str]:
    own = resolve(sample.documents[0].document_type, ChunkingOptions()).strategy
    clock = _Clock(counter)
    cells = {"kB": f"{sample.size / 1e3:.0f}"}
    for strategy in Strategy:
        cells[strategy] = f"{sample.size / seconds(sample, strategy) / 1e6:.2f}" + "*" * (strategy is own)
    counted = seconds(sample, own, clock.tokenize)
    cells["* with tokens"] = f"{sample.size / counted / 1e6:.2f}"
    cells["  tokenizer's part"] = f"{100 * clock.seconds / counted:.0f} %"
    return cells


def samples(corpus: Path) -> Iterator[Sample]:
    """The corpus by format, and its Markdown once more as plain text and as rows of a table."""
    for name, suffix in SUFFIXES.items():
        documents = tuple(_documents(sorted(corpus.rglob(f"*{suffix}"))))
        if documents:
            yield Sample(name, documents)
        if documents and name == "markdown":
            words = [document.text for document in documents]
            yield Sample("text", tuple(_read(text.encode(), "a.txt") for text in words))
            rows = ("".join(f"{n},{line!r}\n" for n, line in enumerate(text.splitlines())) for text in words)
            yield Sample("csv", tuple(_read(f"Line,Text\n{row}".encode(), "a.csv") for row in rows))


def seconds(sample: Sample, strategy: Strategy, tokenize: Tokenize | None = None) -> float:
    """Seconds for the whole sample, the better of two rounds by size alone, of one with tokens."""
    best = float("inf")
    for _ in range(2 if tokenize is None else 1):
        began = time.process_time()
        for document in sample.documents:
            options = resolve(
                document.document_type,
                ChunkingOptions(strategy=strategy),
                token_cap=INPUT_LIMIT if tokenize is not None else None,
                special_tokens=SPECIAL_TOKENS,
            )
            chunk_document(document, options, tokenize)
        best = min(best, time.process_time() - began)
    return best


class _Clock:
    """Counts tokens, and the seconds that it takes."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self.seconds = 0.0

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        began = time.process_time()
        starts = [self._counter.starts(text).tolist() for text in texts]
        self.seconds += time.process_time() - began
        return starts


def _documents(files: Sequence[Path]) -> Iterator[ExtractedDocument]:
    """Files that read, from the start of the list, until there is text enough."""
    size = 0
    for file in files:
        try:
            document = _read(file.read_bytes(), file.name)
        except FindspotError:
            continue
        size += len(document.text.encode())
        yield document
        if size > BYTES:
            return


def _read(data: bytes, name: str) -> ExtractedDocument:
    return read_document(data, Upload(name), _REGISTRY, ReadLimits())


_REGISTRY = Registry()
