"""`make race`: 8 clients upload, edit and delete the same 50 paths for N seconds; then all is examined."""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from rich.console import Console

from findspot.client import AsyncClient
from findspot.errors import FindspotError
from findspot.v1 import indexing_pb2
from tests.crash import examine
from tests.crash.book import Book
from tests.crash.world import World
from tests.race.clients import CLIENTS, COLLECTION, PATHS, Record, work
from tests.race.history import Ending, Write, lost_updates, possible_ends
from tests.stub_calls import call


def main() -> int:
    """The exit code is 1 when something is wrong; the folder is kept and named then."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--seed", type=int, help="the same choices again; random when left out")
    given = arguments.parse_args()
    seed = given.seed if given.seed is not None else random.randrange(1_000_000)
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="findspot-race-"))
    console.print(f"seed {seed}, {CLIENTS} clients, {len(PATHS)} paths, {given.seconds:.0f} s, in {folder}")
    record, faults = asyncio.run(race_in(folder, given.seconds, seed))
    show(console, record, given.seconds)
    for fault in faults[:30]:
        console.print(f"wrong: {fault}", style="red", markup=False, soft_wrap=True)
    if faults:
        console.print(f"{len(faults)} faults; kept: {folder}; again: --seed {seed}", style="red")
        return 1
    console.print("every end has a serial order, no duplicate, no orphan", style="green")
    shutil.rmtree(folder)
    return 0


async def race_in(folder: Path, seconds: float, seed: int) -> tuple[Record, list[str]]:
    """A suite in a folder, raced for so long: what was done, and what is wrong."""
    world = World.made(folder)
    await world.start()
    try:
        record = await race(world, seconds, seed)
        async with world.client() as client:
            return record, record.faults + await faults_at_rest(client, world, record)
    finally:
        await asyncio.to_thread(world.suite.stop, signal.SIGTERM)


async def race(world: World, seconds: float, seed: int) -> Record:
    """The clients, each with a connection of its own, for so many seconds."""
    record = Record()
    until = time.monotonic() + seconds

    async def one(number: int) -> None:
        async with world.client() as client:
            await work(client, random.Random(f"{seed}/{number}"), until, record)

    await asyncio.gather(*(one(number) for number in range(CLIENTS)))
    return record


async def faults_at_rest(client: AsyncClient, world: World, record: Record, before: int = 0) -> list[str]:
    """What has no explanation once nothing waits any more; `before` documents are there that nobody raced for."""
    book = booked(record)
    try:
        faults = await examine.rest(client)
        faults += lost_updates(record.writes)
        faults += await examine.documents(client, book)
        faults += await examine.counts(client, world, len(book.present()) + before)
        faults += await _duplicates(client)
    except FindspotError as failure:
        return [f"at rest, a call was refused: {failure.reason} {failure.message}"]
    return faults


def booked(record: Record) -> Book:
    """For each path all that it may hold in the end, and some of what it may not."""
    by_path: dict[str, list[Write]] = defaultdict(list)
    for write in record.writes:
        by_path[write.path].append(write)
    book = Book(COLLECTION)
    for path, writes in by_path.items():
        certain, *others = possible_ends(writes)
        entry = book.of(path)
        entry.certain, entry.possible = certain, others
        allowed = entry.allowed()
        entry.former = [write.version for write in writes if write.version and write.version not in allowed][
            -5:
        ]
    return book


async def _duplicates(client: AsyncClient) -> list[str]:
    listed = indexing_pb2.ListDocumentsRequest(subtree=COLLECTION, page_size=1000)
    documents = (await call(client.indexing.ListDocuments, listed)).documents
    counted = Counter(document.file_path for document in documents)
    return [f"{path} is listed {count} times" for path, count in counted.items() if count > 1]


def show(console: Console, record: Record, seconds: float) -> None:
    """What was done, in two lines."""
    endings = Counter(write.ending for write in record.writes)
    told = ", ".join(f"{endings[ending]} {ending.value}" for ending in Ending)
    console.print(f"{len(record.writes)} writes ({len(record.writes) / seconds:.0f} a second): {told}")
    conflicts = ", ".join(f"{count} {reason}" for reason, count in Counter(record.refusals).most_common())
    console.print(f"conflicts: {conflicts or 'none'}")


if __name__ == "__main__":
    sys.exit(main())
