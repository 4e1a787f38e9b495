"""`make quality`: prints the scores of questions and collections as tables."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from findspot.client import AsyncClient, Client
from tests.e2e.suite_process import Suite, environment, running
from tests.quality.questions import COLLECTION, LATER, ask_all, within
from tests.quality.ranking import MODES, Scores, add_collection, score

console = Console()


def main() -> None:
    """Measures what the arguments name; what is not there is said and left out."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cases", type=Path, required=True)
    arguments.add_argument("--corpus", type=Path, required=True)
    arguments.add_argument("--ir", type=Path, required=True)
    arguments.add_argument("--only", choices=["questions", "ranking"], help="measure only this")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="findspot-quality-") as folder:
        home = Path(folder)
        with running(home / "data", environment(home)) as suite:
            if given.only != "ranking":
                questions(suite, given.corpus, given.cases / "questions.jsonl")
            if given.only != "questions":
                ranking(suite, given.ir)


def questions(suite: Suite, corpus: Path, file: Path) -> None:
    """Adds the corpus and asks."""
    if not corpus.is_dir() or not file.exists():
        console.print(f"left out: {corpus} or {file} is not there")
        return
    added = suite.run("add", str(corpus), "-c", COLLECTION, "--json", timeout=3000).json
    console.print(
        f"corpus: {added['new']} files sent, {len(added['problems'])} problems, {added['seconds']:.0f} s"
    )
    with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        asked = ask_all(client, file)
    table = Table("question", "style", "rank", "file", "first instead")
    for item in asked:
        other = "" if item.rank == 1 else item.first
        table.add_row(f"{item.id} {item.question}", item.style, str(item.rank or "-"), item.file, other)
    console.print(table)
    now = [item for item in asked if item.style not in LATER]
    for name, group in (("formats of this version", now), ("all", asked)):
        console.print(
            f"{name}: {within(group, 5)} of {len(group)} among the first five, {within(group, 1)} first"
        )


def ranking(suite: Suite, folder: Path) -> None:
    """Adds each collection and scores it by mode."""
    table = Table("collection", "documents", *(f"{mode} nDCG@10" for mode in MODES), "hybrid recall@100")
    for collection in sorted(path for path in folder.glob("*") if (path / "qrels.tsv").exists()):
        documents, scores = asyncio.run(_measure(suite, collection))
        cells = [f"{100 * item.ndcg_at_10:.1f}" for item in scores]
        table.add_row(collection.name, str(documents), *cells, f"{100 * scores[-1].recall_at_100:.1f}")
    console.print(table)


async def _measure(suite: Suite, folder: Path) -> tuple[int, list[Scores]]:
    async with AsyncClient(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        documents = await add_collection(client, folder, f"ir/{folder.name}")
        return documents, [await score(client, folder, f"ir/{folder.name}", mode) for mode in MODES]


if __name__ == "__main__":
    main()
