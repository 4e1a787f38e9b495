"""`make conformance`: prints which facts hold, by format and kind, and every miss."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from findspot.errors import FindspotError, Reason
from findspot.model import ExtractedDocument
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.suite.ports import choose_ports
from tests.conformance.facts import CHECKS, MUST_FAIL

console = Console()
SECONDS_A_FILE = 60.0
UNTYPED = frozenset({Reason.INTERNAL, Reason.SERVICE_UNAVAILABLE, Reason.DEADLINE_EXCEEDED})
"""Reasons that no file may cause."""


@dataclass
class Tally:
    """How the facts fared."""

    held: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    later: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str, str]] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)


def main() -> int:
    """The exit code is 1 when a file made the service fail without a type, 0 otherwise."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cases", type=Path, required=True)
    arguments.add_argument("--corpus", type=Path)
    cases = arguments.parse_args().cases
    if not (cases / "manifest.jsonl").exists():
        console.print(f"left out: {cases / 'manifest.jsonl'} is not there")
        return 0
    port = choose_ports(["extraction"], {}, {}, "127.0.0.1")["extraction"]
    with tempfile.TemporaryDirectory(prefix="findspot-conformance-") as folder:
        settings = {**os.environ, "FINDSPOT_EXTRACTION_PORT": str(port), "FINDSPOT_DATA": folder}
        log = (Path(folder) / "log").open("w")
        with (
            log,
            subprocess.Popen(
                [sys.executable, "-m", "findspot_extraction"], env=settings, stderr=log
            ) as service,
        ):
            try:
                tally = asyncio.run(run_all(cases, f"127.0.0.1:{port}"))
            finally:
                service.terminate()
    show(tally)
    return 1 if tally.crashes else 0


async def run_all(cases: Path, address: str) -> Tally:
    """Reads every file of the manifest through the service."""
    tally = Tally()
    async with open_channel(address) as channel:
        await asyncio.wait_for(channel.channel_ready(), 30)
        peer = ExtractionPeer(channel)
        readable = {item.name for item in await peer.document_types() if item.readable}
        for line in (
            (cases / "manifest.jsonl").read_text(encoding="utf-8", errors="surrogatepass").splitlines()
        ):
            await run_one(peer, cases / "files", json.loads(line), readable, tally)
    return tally


async def run_one(
    peer: ExtractionPeer, files: Path, item: dict[str, Any], readable: set[str], tally: Tally
) -> None:
    """Reads one file and compares its facts."""
    began = time.monotonic()
    document, failure = None, None
    try:
        data = (files / item["file"]).read_bytes()
        document = await peer.extract(data, file_name=item["file"], timeout=SECONDS_A_FILE)
    except FindspotError as error:
        failure = error
        if error.reason in UNTYPED:
            tally.crashes.append(f"{item['file']}: {error.message}")
    seconds = time.monotonic() - began
    if (
        failure is not None
        and failure.reason is Reason.UNSUPPORTED_TYPE
        and item["format"] not in readable_formats(readable)
    ):
        tally.later[item["format"]] += len(item["facts"])
        return
    for fact in item["facts"]:
        wrong = compare(document, failure, fact, seconds)
        if wrong is None:
            continue
        (tally.missed if wrong else tally.held)[item["format"], fact["kind"]] += 1
        if wrong:
            tally.misses.append((item["file"], fact["kind"], wrong))


def readable_formats(readable: set[str]) -> set[str]:
    """The manifest's names of formats, as far as this version reads them."""
    names = {"markdown": "md", "text": "txt", "python": "code", "csv": "csv", "html": "html", "pdf": "pdf"}
    return readable | {names[name] for name in readable & set(names)}


def compare(
    document: ExtractedDocument | None, failure: FindspotError | None, fact: dict[str, Any], seconds: float
) -> str | None:
    """What is wrong; empty when the fact holds, None when it only describes the file."""
    if fact["kind"] in MUST_FAIL:
        opens = fact.get("opens_with_empty_password", False)
        return "" if (failure is None) == opens else f"{'was read' if failure is None else failure.message}"
    if fact["kind"] == "time_limit":
        return "" if seconds <= fact["seconds"] else f"{seconds:.1f} s"
    check = CHECKS.get(fact["kind"])
    if check is None:
        return None
    if document is None:
        return f"failed: {failure.message if failure else 'nothing came'}"
    return check(document, fact)


def show(tally: Tally) -> None:
    """Prints the tables."""
    table = Table("format", "fact", "hold", "miss")
    for key in sorted(set(tally.held) | set(tally.missed)):
        table.add_row(*key, str(tally.held[key]), f"[red]{tally.missed[key]}[/]" if tally.missed[key] else "")
    console.print(table)
    for file, kind, wrong in tally.misses:
        console.print(f"  {file}  {kind}: {wrong}"[:240], markup=False, soft_wrap=True)
    if tally.later:
        later = ", ".join(f"{count} of {name}" for name, count in sorted(tally.later.items()))
        console.print(f"formats that a later version reads, facts left out: {later}")
    for crash in tally.crashes:
        console.print(f"no typed failure: {crash}", style="red", markup=False)
    console.print(f"{tally.held.total()} facts hold, {tally.missed.total()} miss")


if __name__ == "__main__":
    sys.exit(main())
