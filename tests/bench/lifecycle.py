"""What an index that is kept up to date costs: a folder added again, and one paragraph of a long document edited."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from findspot.client import Client
from findspot.client.requests import At, Upload
from findspot.v1 import query_pb2
from tests.e2e.suite_process import Suite, environment, running

FILES = 1_000
EDITS = 7
DOCUMENT = At("bench/long", "handbook.md")
_WORDS = (
    *(
        "valve",
        "gauge",
        "boiler",
        "turbine",
        "pressure",
        "reading",
        "engineer",
        "station",
        "morning",
        "shift",
    ),
    *(
        "repair",
        "drawing",
        "copper",
        "flange",
        "gasket",
        "ledger",
        "inspector",
        "tunnel",
        "bridge",
        "lantern",
    ),
)


@dataclass(frozen=True)
class Edit:
    """One edit: chunks before, chunks that are new after it, and seconds until the new words are found."""

    chunks: int
    fresh: int
    text: float
    vector: float


def main(console: Console) -> None:
    """Both measurements, in a suite of their own."""
    with tempfile.TemporaryDirectory(prefix="findspot-bench-") as folder:
        home = Path(folder)
        with running(home / "data", environment(home), home / "models") as suite:
            add_again(console, suite, home / "folder")
            edit(console, suite)


def add_again(console: Console, suite: Suite, folder: Path) -> None:
    """A folder of short files, added twice."""
    for number in range(FILES):
        file = folder / f"{number // 100:02}" / f"note-{number:04}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Note {number}\n\n{sentence(number)}\n")
    first = suite.run("add", str(folder), "-c", "bench/notes", "--json", timeout=1000).json
    began = time.perf_counter()
    again = suite.run("add", str(folder), "-c", "bench/notes", "--json").json
    whole = time.perf_counter() - began
    console.print(
        f"folder of {FILES} files: added in {first['seconds']} s; unchanged, added again in {again['seconds']} s, "
        f"{whole:.2f} s with the start of the command ({again['unchanged']} unchanged, {again['sent']} sent)"
    )


def edit(console: Console, suite: Suite) -> None:
    """One paragraph in the middle of a document of 300 KB, several times."""
    paragraphs = [
        f"{sentence(number)} {sentence(number + 7)} {sentence(number + 13)}" for number in range(990)
    ]
    with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        size = len(write(client, paragraphs))
        edits = [one_edit(client, paragraphs, number) for number in range(EDITS)]
    table = Table("chunks", "new chunks", "text ms", "vector ms")
    for name, pick in (("median", statistics.median), ("worst", max)):
        table.add_row(
            f"{edits[-1].chunks} ({name})",
            f"{pick([one.fresh for one in edits]):.0f}",
            f"{1000 * pick([one.text for one in edits]):.0f}",
            f"{1000 * pick([one.vector for one in edits]):.0f}",
        )
    console.print(f"one paragraph edited in a document of {size / 1000:.0f} KB, {EDITS} times")
    console.print(table)


def one_edit(client: Client, paragraphs: list[str], number: int) -> Edit:
    """Puts a word that was never there into one paragraph and searches until both arms find it."""
    before = chunk_ids(client)
    word = f"zinnober{'abcdefghij'[number]}"
    paragraphs[100 + 80 * number] += f" The {word} was painted last."
    began = time.perf_counter()
    upload(client, paragraphs)
    client.wait(DOCUMENT, "text")
    found(client, word, "text")
    by_text = time.perf_counter() - began
    client.wait(DOCUMENT, "vector")
    found(client, f"the {word} was painted last", "semantic")
    by_vector = time.perf_counter() - began
    after = chunk_ids(client)
    return Edit(len(after), len(after - before), by_text, by_vector)


def found(client: Client, query: str, mode: str) -> None:
    """Raises unless the document is among the results."""
    answer = client.search(query, mode=mode, collection=DOCUMENT.collection)
    if not any(result.hit.file_path == DOCUMENT.file_path for result in answer.results):
        raise AssertionError(f"{query!r} is not found ({mode}), although the document is said to be")


def write(client: Client, paragraphs: list[str]) -> bytes:
    """The document as it is before any edit."""
    data = upload(client, paragraphs)
    client.wait(DOCUMENT, "vector", timeout=600)
    return data


def upload(client: Client, paragraphs: list[str]) -> bytes:
    """Sends the document; its bytes."""
    parts = [
        f"## Chapter {number // 20}\n\n{text}" if number % 20 == 0 else text
        for number, text in enumerate(paragraphs)
    ]
    data = "\n\n".join(["# Handbook", *parts]).encode()
    client.upload(Upload(DOCUMENT.collection, DOCUMENT.file_path, data))
    return data


def chunk_ids(client: Client) -> set[str]:
    """The ids of the live chunks."""
    document_id, token, ids = client.document(DOCUMENT).document_id, "", set()
    while True:
        request = query_pb2.ListChunksRequest(document_id=document_id, page_size=1000, page_token=token)
        page = client.query.ListChunks(request)
        ids |= {chunk.chunk_id for chunk in page.chunks}
        token = page.next_page_token
        if not token:
            return ids


def sentence(number: int) -> str:
    """A sentence that no other number gives."""
    chosen = [_WORDS[(number * step + step) % len(_WORDS)] for step in (3, 5, 7, 11, 13, 17, 19)]
    return f"In entry {number} the {' '.join(chosen[:4])} was noted beside the {' '.join(chosen[4:])} of that day."
