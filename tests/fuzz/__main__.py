"""`make fuzz`: sends damaged files through the extraction service; every one has to be read or refused by name."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.fuzz.attack import SETTINGS, Answer, Input, Run, attack, inputs
from tests.fuzz.report import keep, show
from tests.fuzz.seeds import FORMATS, collected
from tests.fuzz.service import attacked

KEPT = Path("build/fuzz")


def main() -> int:
    """The exit code is 1 when an answer has no type, the service is gone, or it holds much more memory than before."""
    given = _arguments()
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 160
    if given.replay:
        sent, count = _saved(given.replay), len(given.replay)
    else:
        folders = [folder for folder in (given.cases, given.corpus) if folder and folder.is_dir()]
        seeds = collected(folders, given.formats)
        console.print(
            "files to damage: " + ", ".join(f"{len(files)} {form}" for form, files in seeds.items())
        )
        sent, count = inputs(given.count, given.seed, seeds), given.count
    bar = Progress(
        TextColumn("damaged files"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=count)

        def told(answer: Answer) -> None:
            bar.advance(task)
            keep(answer, KEPT)

        run = asyncio.run(_run(sent, told))
    show(console, run, KEPT)
    return 1 if run.faults or any(answer.fault for answer in run.answers) else 0


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    arguments.add_argument("--count", type=int, default=2000, help="damaged files (default: 2000)")
    arguments.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    arguments.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS, metavar="FORMAT")
    arguments.add_argument("--cases", type=Path, help="folder of files to damage besides those made here")
    arguments.add_argument("--corpus", type=Path, help="another such folder")
    arguments.add_argument("--replay", type=Path, nargs="+", metavar="FILE", help="send these files instead")
    return arguments.parse_args()


def _saved(files: list[Path]) -> Iterator[Input]:
    for file in files:
        for drawn in (False, True):
            if not drawn or file.suffix in (".pdf", ".png", ".jpeg"):
                yield Input(file.name, file.suffix[1:], "replayed", file.read_bytes(), drawn)


async def _run(sent: Iterator[Input], told: Callable[[Answer], None]) -> Run:
    with tempfile.TemporaryDirectory(prefix="findspot-fuzz-") as folder:
        async with attacked(Path(folder), SETTINGS) as target:
            return await attack(target, sent, told)


if __name__ == "__main__":
    sys.exit(main())
