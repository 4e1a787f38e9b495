"""How fast `Extract` reads: a real service with one worker; PDF beside pypdf's plain text, file by file in turn."""

from __future__ import annotations

import asyncio
import io
import itertools
import logging
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.errors import PyPdfError
from rich.console import Console
from rich.table import Table

from tests.fuzz.service import Target, attacked, watched

SETTINGS = {"workers": "1", "ocr": "off", "documents_per_worker": "100000"}
ROUNDS = 5
PAGES = 1_000
MOST_FILES = 150
"""Of one format."""
FORMATS = {
    "Markdown": ".md",
    "HTML": ".html",
    "DOCX": ".docx",
    "PPTX": ".pptx",
    "XLSX": ".xlsx",
    "CSV": ".csv",
    "Python": ".py",
    "Rust": ".rs",
    "Java": ".java",
}


@dataclass(slots=True)
class Spent:
    """Seconds: as the clock went, and of processor in every process that took part."""

    wall: float = 0.0
    processor: float = 0.0


class Meter:
    """Reads what this process, the service and its worker, which has to run, have used of the processor."""

    def __init__(self, service: psutil.Process) -> None:
        self._others = [service, *service.children(recursive=True)]

    def processor(self) -> float:
        """Seconds so far; other processes count in hundredths."""
        times = [process.cpu_times() for process in self._others]
        return time.process_time() + sum(used.user + used.system for used in times)


def main(console: Console, corpus: Path) -> None:
    """Prints pages a second of PDF, megabytes a second of other formats, and what a long PDF takes of memory."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    formats = {name: _files(corpus, suffix) for name, suffix in FORMATS.items()}
    documents = [data for _, data in _files(corpus, ".pdf")]
    asyncio.run(_measure(console, formats, documents))


def _files(corpus: Path, suffix: str) -> list[tuple[str, bytes]]:
    return [(file.name, file.read_bytes()) for file in sorted(corpus.rglob(f"*{suffix}"))[:MOST_FILES]]


async def _measure(
    console: Console, formats: Mapping[str, Sequence[tuple[str, bytes]]], documents: Sequence[bytes]
) -> None:
    with tempfile.TemporaryDirectory(prefix="findspot-bench-") as folder:
        async with attacked(Path(folder), SETTINGS) as service:
            await _formats(console, service, formats)
            await _pdf_beside_pypdf(console, service, documents)
            await _long_pdf(console, service, documents)


async def _formats(
    console: Console, service: Target, formats: Mapping[str, Sequence[tuple[str, bytes]]]
) -> None:
    table = Table("format", "files", "MB", "MB/s", "files/s", "MB/s of processor", box=None)
    for name, files in formats.items():
        if not files:
            continue
        size = sum(len(data) for _, data in files) / 1e6
        await _read_all(service, files)
        rounds = [await _read_all(service, files) for _ in range(ROUNDS)]
        wall = min(spent.wall for spent in rounds)
        processor = sum(spent.processor for spent in rounds) / ROUNDS
        cells = (size / wall, len(files) / wall, size / processor)
        table.add_row(
            name, str(len(files)), f"{size:.2f}", f"{cells[0]:.2f}", f"{cells[1]:.0f}", f"{cells[2]:.2f}"
        )
    console.print(f"Extract, one worker, one caller, best of {ROUNDS} rounds")
    console.print(table)


async def _read_all(service: Target, files: Sequence[tuple[str, bytes]]) -> Spent:
    meter = Meter(service.process)
    used, began = meter.processor(), time.perf_counter()
    for name, data in files:
        await service.extraction.extract(data, file_name=name)
    return Spent(time.perf_counter() - began, meter.processor() - used)


async def _pdf_beside_pypdf(console: Console, service: Target, files: Sequence[bytes]) -> None:
    """Each file by both in turn, so that a busy moment of the machine meets both; the best time of each file counts."""
    meter = Meter(service.process)
    pages = [len((await service.extraction.extract(data, file_name="a.pdf")).pages) for data in files]
    ours = [Spent(float("inf")) for _ in files]
    theirs = [Spent(float("inf")) for _ in files]
    for _, (number, data) in itertools.product(range(ROUNDS), enumerate(files)):
        used, began = meter.processor(), time.perf_counter()
        await service.extraction.extract(data, file_name="a.pdf")
        _add(ours[number], time.perf_counter() - began, meter.processor() - used)
        used, began = time.process_time(), time.perf_counter()
        _plain_text(data)
        _add(theirs[number], time.perf_counter() - began, time.process_time() - used)
    for what, of in (("the clock", lambda spent: spent.wall), ("processor", lambda spent: spent.processor)):
        extract, pypdf = sum(map(of, ours)), sum(map(of, theirs))
        times = ROUNDS if what == "processor" else 1
        console.print(
            f"PDF, {len(files)} files, {sum(pages)} pages, a second of {what}: Extract with boxes "
            f"{times * sum(pages) / extract:.1f} pages, pypdf {times * sum(pages) / pypdf:.1f} pages, "
            f"ratio {pypdf / extract:.2f}"
        )


def _add(spent: Spent, wall: float, processor: float) -> None:
    spent.wall = min(spent.wall, wall)
    spent.processor += processor


def _plain_text(data: bytes) -> None:
    try:
        for page in PdfReader(io.BytesIO(data)).pages:
            page.extract_text()
    except PyPdfError:
        # A file that pypdf gives up is counted with the time that it took until then.
        return


async def _long_pdf(console: Console, service: Target, files: Sequence[bytes]) -> None:
    """The pages of all files over and over, so that fonts and pictures are as many as in a book."""
    data = _book(files)
    async with watched(service.process) as peak:
        began = time.perf_counter()
        document = await service.extraction.extract(data, file_name="long.pdf", timeout=600)
        seconds = time.perf_counter() - began
    words = sum(len(page.starts) for page in document.words)
    console.print(
        f"PDF of {len(document.pages):,} pages and {words:,} words ({len(data) / 1e6:.1f} MB): {seconds:.1f} s, "
        f"{len(document.pages) / seconds:.1f} pages/s, worker at most {peak.worker / 2**20:.0f} MiB, "
        f"service {service.resident() / 2**20:.0f} MiB"
    )


def _book(files: Sequence[bytes]) -> bytes:
    writer, written = PdfWriter(), io.BytesIO()
    for page in itertools.islice(_pages(files), PAGES):
        writer.add_page(page)
    writer.write(written)
    return written.getvalue()


def _pages(files: Sequence[bytes]) -> Iterator[PageObject]:
    readers = [PdfReader(io.BytesIO(data)) for data in files]
    for reader in itertools.cycle([reader for reader in readers if not reader.is_encrypted]):
        yield from reader.pages
