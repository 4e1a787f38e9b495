"""`make crash`: kills the processes of a live suite N times while it works, and looks for anything that was lost."""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.crash.report import show, tell
from tests.crash.rounds import Outcome, Siege
from tests.crash.world import World

TOLD_EVERY = 20
"""Runs between two lines where no bar can be drawn."""


def main() -> int:
    """The exit code is 1 when a run failed; its folder is kept and named."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=200)
    arguments.add_argument("--seed", type=int, help="the same choices again; random when left out")
    arguments.add_argument("--keep-going", action="store_true", help="go on behind a run that failed")
    given = arguments.parse_args()
    seed = given.seed if given.seed is not None else random.randrange(1_000_000)
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="findspot-crash-"))
    console.print(f"seed {seed}, {given.runs} runs, in {folder}")
    began = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("killed", total=given.runs)

        def done(outcome: Outcome) -> None:
            progress.update(bar, advance=1, description=f"killed {outcome.victim}")
            if not console.is_terminal and outcome.number % TOLD_EVERY == 0:
                console.print(f"{outcome.number} runs in {time.monotonic() - began:.0f} s")
            if outcome.faults:
                tell(console, outcome, seed)

        outcomes = asyncio.run(besiege(folder, given.runs, seed, done, keep_going=given.keep_going))
    show(console, outcomes, time.monotonic() - began)
    failed = any(outcome.faults for outcome in outcomes)
    if failed:
        console.print(
            f"kept: {folder} (logs in {folder / 'data' / 'logs'}); again: --seed {seed}", style="red"
        )
    else:
        shutil.rmtree(folder)
    return 1 if failed else 0


async def besiege(
    folder: Path, runs: int, seed: int, done: Callable[[Outcome], None], *, keep_going: bool = False
) -> list[Outcome]:
    """The runs, the last of them the first that failed unless `keep_going`; the suite is ended behind them."""
    siege = Siege.of(World.made(folder), seed)
    await siege.world.start()
    outcomes: list[Outcome] = []
    try:
        await siege.begin()
        for number in range(1, runs + 1):
            outcomes.append(await siege.run(number))
            done(outcomes[-1])
            if outcomes[-1].faults and not keep_going:
                break
    finally:
        await asyncio.to_thread(siege.world.suite.stop, signal.SIGTERM)
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
