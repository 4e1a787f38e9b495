"""A change of the model of 20,000 passages while searches run: none may fail, none may mix two models.

Both models are tiny, so the figures tell what the change itself costs, not what a model does. That no answer mixes
them is seen in its similarities: each is computed again with both models, and all of an answer have to be of one.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from findspot.client import Client
from findspot.errors import FindspotError
from findspot.model import InputType
from findspot.v1 import query_pb2
from findspot_embedding.loading import load_folder
from findspot_embedding.local import LocalModel
from tests.e2e.suite_process import Suite, environment
from tests.fixtures.tiny_models import write_tiny_model

CHUNKS = 20_000
PER_FILE = 100
CALLERS = 2
LOOKED_AT = 5
"""Passages of each answer whose similarity is computed again."""
_WORDS = (
    *("valve", "gauge", "boiler", "turbine", "pressure", "station", "shift"),
    *("repair", "copper", "flange", "ledger", "tunnel", "bridge", "lantern"),
)


@dataclass
class Searches:
    """What callers saw: milliseconds of each answer, its passages, and what went wrong."""

    milliseconds: list[float] = field(default_factory=list)
    answers: list[tuple[str, list[tuple[str, float]]]] = field(default_factory=list)
    degraded: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)


def main(console: Console, chunks: int = CHUNKS) -> None:
    """Index with one model, start again with the other, search all the while, switch, and go back."""
    with tempfile.TemporaryDirectory(prefix="findspot-bench-") as folder:
        home = Path(folder)
        first = write_tiny_model(home / "models" / "first", dimension=16, limit=2048)
        second = write_tiny_model(home / "models" / "second", dimension=24, limit=2048)
        write_library(home / "library", chunks)
        suite = Suite(home / "data", environment(home))
        suite.environment["FINDSPOT_EMBEDDING_MODEL"] = str(first)
        suite.start()
        added = suite.run("add", str(home / "library"), "-c", "bench", "--json", timeout=3000).json
        console.print(f"indexed with the first model in {added['seconds']} s")
        idle = search_while(suite, _some(300))
        suite.stop()
        suite.environment["FINDSPOT_EMBEDDING_MODEL"] = str(second)
        began = time.perf_counter()
        suite.start()
        console.print(f"started with the second model in {time.perf_counter() - began:.1f} s")
        change(console, suite, idle)
        suite.stop()
        both = load_folder(first), load_folder(second)
        mixed = Counter(who(answer, both) for answer in _seen)
        told = ", ".join(f"{count} of the {name}" for name, count in sorted(mixed.items()))
        console.print(f"answers by the model that their similarities are of: {told}")


_seen: list[tuple[str, list[tuple[str, float]]]] = []


def change(console: Console, suite: Suite, idle: Searches) -> None:
    """The time from the start to the switch, and what searches saw of it; then the way back, timed."""
    began = time.perf_counter()
    searches = Searches()
    stop = threading.Event()
    callers = [threading.Thread(target=ask, args=(suite, searches, stop)) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        total = client.status().chunk_count
        while client.status().identities[0].identity.name != "second":
            time.sleep(0.1)
        spent = time.perf_counter() - began
        back = time.perf_counter()
        assert client.activate_identity("first@16").switched
        back = time.perf_counter() - back
        client.activate_identity("second@24")
        # A while more, so that answers of both sides of each switch are seen.
        enough = len(searches.milliseconds) + 200
        while len(searches.milliseconds) < enough:
            time.sleep(0.05)
    stop.set()
    for caller in callers:
        caller.join()
    _seen.extend([*idle.answers, *searches.answers])
    console.print(
        f"{total} passages filled and switched in {spent:.1f} s ({total / spent:.0f}/s) with {CALLERS} callers searching; "
        f"back in {back * 1000:.0f} ms"
    )
    console.print(
        f"{len(searches.milliseconds)} searches meanwhile: {sum(searches.failed.values())} failed "
        f"{dict(searches.failed)}, {sum(searches.degraded.values())} degraded {dict(searches.degraded)}"
    )
    for name, seen in (("idle", idle), ("while filling and switching", searches)):
        cuts = statistics.quantiles(seen.milliseconds, n=100)
        console.print(f"search {name}: p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms")


def _some(count: int) -> threading.Event:
    """An event that is set once it was looked at so often."""

    class Countdown(threading.Event):
        left = count

        def is_set(self) -> bool:
            self.left -= 1
            return self.left < 0

    return Countdown()


def search_while(suite: Suite, stop: threading.Event) -> Searches:
    """Searches by one caller until told to stop."""
    searches = Searches()
    ask(suite, searches, stop)
    return searches


def ask(suite: Suite, searches: Searches, stop: threading.Event) -> None:
    """Search by meaning, and every other time by words too; each question is new."""
    with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        for number in itertools.count(threading.get_ident() % 100_000):
            if stop.is_set():
                return
            question = f"{_WORDS[number % 14]} {_WORDS[number // 14 % 14]} {number}"
            began = time.perf_counter()
            try:
                answer = client.search_chunks(
                    question, mode=("semantic", "hybrid")[number % 2], view="text", limit=10
                )
            except FindspotError as failure:
                searches.failed[failure.reason.value] += 1
                continue
            searches.milliseconds.append((time.perf_counter() - began) * 1000)
            note(searches, question, answer)


def note(searches: Searches, question: str, answer: query_pb2.SearchResponse) -> None:
    """Keep what has to be looked at afterwards."""
    if not answer.searched:
        searches.failed["NOT_SEARCHED"] += 1
    for degradation in answer.degradations:
        searches.degraded[f"{degradation.arm}: {degradation.failure.name}"] += 1
    found = [
        (result.hit.text, result.hit.similarity)
        for result in answer.results
        if result.hit.HasField("similarity")
    ]
    searches.answers.append((question, found[:LOOKED_AT]))


def who(answer: tuple[str, list[tuple[str, float]]], models: Sequence[LocalModel]) -> str:
    """Whose similarities an answer has: of the first model, of the second, or of nobody alone."""
    question, found = answer
    if not found:
        return "text alone"
    for name, at in (("first model", 0), ("second model", 1)):
        asked = embedded(models[at], question, InputType.QUERY)
        if all(
            abs(float(asked @ embedded(models[at], text, InputType.DOCUMENT)) - similarity) < 1e-3
            for text, similarity in found
        ):
            return name
    return "two models mixed"


@cache
def embedded(model: LocalModel, text: str, side: InputType) -> NDArray[np.float32]:
    """The vector of a text."""
    (vector,) = model.embed([text], side)
    assert isinstance(vector, np.ndarray)
    return vector


def write_library(folder: Path, chunks: int) -> None:
    """Plain text whose paragraphs are too long for two to make one passage."""
    folder.mkdir(parents=True)
    for first in range(0, chunks, PER_FILE):
        paragraphs = [paragraph(number) for number in range(first, min(first + PER_FILE, chunks))]
        (folder / f"part-{first // PER_FILE:04}.txt").write_text("\n\n".join(paragraphs) + "\n")


def paragraph(number: int) -> str:
    """About 750 characters that no other paragraph has."""
    words = [_WORDS[(number * step + step * step) % 14] for step in range(1, 90)]
    sentences = [
        f"Entry {number} line {at} tells of the {' '.join(words[at * 9 : at * 9 + 9])}." for at in range(9)
    ]
    return " ".join(sentences)
