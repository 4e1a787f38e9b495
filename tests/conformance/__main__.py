"""`make conformance`: prints which facts and checks hold, every expected difference with its reason, and every fault."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from tests.conformance.manifest import run_manifest
from tests.conformance.reading import connected
from tests.conformance.records import run_records
from tests.conformance.services import services
from tests.conformance.suite_records import run_suite_records
from tests.conformance.tally import Tally, expected, judge, show


def main() -> int:
    """The exit code is 1 when a miss is not expected, an expected one holds, or a failure has no type; 0 otherwise."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cases", type=Path, required=True)
    arguments.add_argument("--corpus", type=Path)
    cases = arguments.parse_args().cases
    console = Console(highlight=False)
    if not cases.is_dir():
        console.print(f"left out: {cases} is not there")
        return 0
    with services() as addresses:
        tally = asyncio.run(run(cases, addresses))
    if (cases / "bugs.jsonl").exists():
        run_suite_records(cases / "bugs.jsonl", tally)
    reasons = expected()
    faults = judge(tally, reasons)
    show(console, tally, reasons, faults)
    return 1 if faults else 0


async def run(cases: Path, addresses: Mapping[str, str]) -> Tally:
    """Runs what lies in the folder: the files with their facts, and the records."""
    tally = Tally()
    async with connected(addresses) as path:
        if (cases / "manifest.jsonl").exists():
            await run_manifest(path, cases, tally)
        if (cases / "bugs.jsonl").exists():
            await run_records(path, cases / "bugs.jsonl", tally)
    return tally


if __name__ == "__main__":
    sys.exit(main())
