"""`make bench`: prints what was measured; ratios are within this run."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
from rich.console import Console
from rich.table import Table

from findspot.client import Client
from findspot.payload import embedded_text
from findspot.v1 import embedding_pb2, embedding_pb2_grpc, indexing_pb2, query_pb2, query_pb2_grpc
from tests.bench import chunking, extraction, lifecycle, switch
from tests.bench.raw_model import texts_per_second
from tests.e2e.suite_process import Suite, environment, running

console = Console()
COLLECTION = "books/rust"
QUESTIONS = (
    "how do I share state between threads",
    "what happens to an overflowing integer in release mode",
    "why can I not implement a foreign trait on a foreign type",
    "how do I run the tests one after another",
    "what is the difference between length and capacity",
    "when does a panic unwind the stack",
    "how are closures captured by move",
    "what does the question mark operator do",
)


@dataclass(frozen=True)
class Latency:
    """Milliseconds of one kind of call."""

    p50: float
    p99: float


def main() -> None:
    """Measures reading and cutting, then ingest, search, start and memory."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--corpus", type=Path, required=True, help="folder that holds rust-book")
    arguments.add_argument(
        "--only",
        choices=("extraction", "chunking", "suite", "lifecycle", "switch"),
        help="one part; all when left out",
    )
    arguments.add_argument(
        "--chunks", type=int, default=switch.CHUNKS, help="passages of the change of the model"
    )
    given = arguments.parse_args()
    if given.only in (None, "extraction"):
        extraction.main(console, given.corpus)
    if given.only in (None, "chunking"):
        chunking.main(console, given.corpus)
    if given.only in (None, "suite"):
        measure_suite(given.corpus / "rust-book")
    if given.only in (None, "lifecycle"):
        lifecycle.main(console)
    if given.only in (None, "switch"):
        switch.main(console, given.chunks)


def measure_suite(book: Path) -> None:
    """A suite of its own, started twice: the first time makes the graph of the model."""
    with tempfile.TemporaryDirectory(prefix="findspot-bench-") as folder:
        home = Path(folder)
        env, models = environment(home), home / "models"
        with running(home / "first", env, models):
            console.print("the embedding graph is built")
        began = time.perf_counter()
        with running(home / "data", env, models) as suite:
            console.print(f"start to ready: {time.perf_counter() - began:.1f} s")
            texts = ingest(suite, book, models)
            search(suite)
            memory(suite)
            console.print(f"{len(texts)} passages")


def ingest(suite: Suite, book: Path, models: Path) -> list[str]:
    """Adds the book; passages a second against the raw model on the same texts, and a second add of the same folder."""
    before = processor_seconds(suite)
    added = suite.run("add", str(book), "-c", COLLECTION, "--json", timeout=1000).json
    spent = processor_seconds(suite)
    again = suite.run("add", str(book), "-c", COLLECTION, "--json").json
    texts = passages(suite)
    ours = len(texts) / added["seconds"]
    raw = texts_per_second(models, texts)
    console.print(f"ingest: {ours:.0f} passages/s, raw onnxruntime {raw:.0f}/s, ratio {ours / raw:.2f}")
    shares(suite, texts, {name: spent[name] - before[name] for name in before})
    console.print(
        f"second add: {again['sent']} of {again['unchanged'] + again['sent']} files sent in {again['seconds']} s"
    )
    return texts


def processor_seconds(suite: Suite) -> dict[str, float]:
    """Seconds of processor that each process of the suite has used, its children included."""
    assert suite.process is not None
    used = {}
    for process in psutil.Process(suite.process.pid).children():
        family = [process, *process.children(recursive=True)]
        times = [member.cpu_times() for member in family]
        used[process.cmdline()[-1]] = sum(time.user + time.system for time in times)
    return used


def shares(suite: Suite, texts: Sequence[str], spent: dict[str, float]) -> None:
    """What each service costs of an ingest, and what of embedding is counting tokens for chunking."""
    with grpc.insecure_channel(suite.addresses["embedding"]) as channel:
        stub = embedding_pb2_grpc.EmbeddingServiceStub(channel)
        before = processor_seconds(suite)["embedding"]
        for start in range(0, len(texts), 64):
            stub.Tokenize(embedding_pb2.TokenizeRequest(texts=texts[start : start + 64]))
        counting = processor_seconds(suite)["embedding"] - before
    total = sum(spent.values())
    told = ", ".join(f"{name} {100 * used / total:.1f} %" for name, used in sorted(spent.items()))
    console.print(f"processor time of ingest: {total:.1f} s: {told}")
    console.print(
        f"chunking with the tokens counted for it: {100 * (spent['chunking'] + counting) / total:.1f} %"
    )


def passages(suite: Suite) -> list[str]:
    """What was embedded, in the order of the documents."""
    texts = []
    with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        listed = client.indexing.ListDocuments(
            indexing_pb2.ListDocumentsRequest(subtree=COLLECTION, page_size=1000)
        )
        for document in listed.documents:
            request = query_pb2.ListChunksRequest(document_id=document.document_id, page_size=1000)
            chunks = client.query.ListChunks(request).chunks
            texts += [embedded_text(chunk.context, chunk.text) for chunk in chunks]
    return texts


def search(suite: Suite, rounds: int = 40) -> None:
    """Hybrid search by one caller against the embedding of the same kind of text; every text is new, so no cache helps."""
    query = grpc.insecure_channel(suite.addresses["query"])
    embedding = grpc.insecure_channel(suite.addresses["embedding"])
    with query, embedding:
        find, embed = (
            query_pb2_grpc.QueryServiceStub(query),
            embedding_pb2_grpc.EmbeddingServiceStub(embedding),
        )
        texts = [f"{question} {number}" for number in range(rounds) for question in QUESTIONS]
        searched = timed(lambda text: find.Search(query_pb2.SearchRequest(query=text)), texts)
        again = timed(lambda text: find.Search(query_pb2.SearchRequest(query=text)), texts)
        side = embedding_pb2.INPUT_TYPE_QUERY
        embedded = timed(
            lambda text: embed.Embed(embedding_pb2.EmbedRequest(texts=[text + "?"], input_type=side)), texts
        )
    table = Table("call", "p50 ms", "p99 ms")
    for name, latency in (
        ("Embed, one query", embedded),
        ("Search, hybrid", searched),
        ("Search, vector cached", again),
    ):
        table.add_row(name, f"{latency.p50:.2f}", f"{latency.p99:.2f}")
    console.print(table)
    console.print(f"Search p50 / Embed p50: {searched.p50 / embedded.p50:.2f}")


def timed(call: Callable[[str], object], texts: Sequence[str]) -> Latency:
    """One caller, one call at a time, after a few that are not counted."""
    for text in texts[:5]:
        call(text + " warm")
    took = []
    for text in texts:
        began = time.perf_counter()
        call(text)
        took.append(1000 * (time.perf_counter() - began))
    cuts = statistics.quantiles(took, n=100)
    return Latency(statistics.median(took), cuts[98])


def memory(suite: Suite) -> None:
    """Resident memory of each process."""
    assert suite.process is not None
    supervisor = psutil.Process(suite.process.pid)
    table = Table("process", "resident MB", "unique MB")
    for process in [supervisor, *supervisor.children(recursive=True)]:
        facts = process.memory_full_info()
        name = process.cmdline()[-1] if process != supervisor else "supervisor"
        table.add_row(name[:40], f"{facts.rss / 1e6:.0f}", f"{facts.uss / 1e6:.0f}")
    console.print(table)


if __name__ == "__main__":
    main()
