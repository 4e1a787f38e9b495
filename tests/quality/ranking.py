"""Ranking scores on collections with judgements: nDCG@10 and recall@100, by arm and fused."""

from __future__ import annotations

import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from findspot.client import AsyncClient
from findspot.client.requests import Upload

AT_A_TIME = 4
MODES = ("text", "semantic", "hybrid")


@dataclass(frozen=True)
class Scores:
    """Means over the queries that have a relevant document, 0 to 1."""

    ndcg_at_10: float
    recall_at_100: float


def ndcg(ranked: Sequence[str], gains: Mapping[str, int], depth: int) -> float:
    """Normalised discounted cumulative gain of the first `depth` (Järvelin and Kekäläinen, 2002), binary gains."""
    found = sum(
        1 / math.log2(place + 2) for place, name in enumerate(ranked[:depth]) if gains.get(name, 0) > 0
    )
    relevant = sum(gain > 0 for gain in gains.values())
    best = sum(1 / math.log2(place + 2) for place in range(min(relevant, depth)))
    return found / best if best else 0.0


def recall(ranked: Sequence[str], gains: Mapping[str, int], depth: int) -> float:
    """Share of the relevant documents among the first `depth`."""
    relevant = {name for name, gain in gains.items() if gain > 0}
    return len(relevant & set(ranked[:depth])) / len(relevant) if relevant else 0.0


def judgements(folder: Path) -> dict[str, dict[str, int]]:
    """Gains by query and document."""
    gains: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, gain = line.split("\t")
        gains[query][document] = int(gain)
    return gains


async def add_collection(client: AsyncClient, folder: Path, collection: str) -> int:
    """Uploads every document as Markdown with its title as heading; how many there are."""
    slots = asyncio.Semaphore(AT_A_TIME)

    async def add(line: str) -> None:
        item = json.loads(line)
        title = f"# {item['title']}\n\n" if item.get("title") else ""
        async with slots:
            await client.upload(Upload(collection, f"{item['_id']}.md", (title + item["text"]).encode()))

    lines = (folder / "corpus.jsonl").read_text().splitlines()
    for start in range(0, len(lines), 500):
        async with asyncio.TaskGroup() as group:
            for line in lines[start : start + 500]:
                group.create_task(add(line))
    async for _ in client.watch(collection, until_idle=True):
        pass
    return len(lines)


async def score(client: AsyncClient, folder: Path, collection: str, mode: str) -> Scores:
    """Asks every judged query in one mode."""
    gains = judgements(folder)
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    slots = asyncio.Semaphore(AT_A_TIME)

    async def ask(item: dict[str, str]) -> tuple[float, float]:
        async with slots:
            answer = await client.search(item["text"], collection=collection, mode=mode, limit=100)
        ranked = [result.hit.file_path.removesuffix(".md") for result in answer.results]
        return ndcg(ranked, gains[item["_id"]], 10), recall(ranked, gains[item["_id"]], 100)

    judged = [item for item in queries if any(gain > 0 for gain in gains.get(item["_id"], {}).values())]
    pairs = await asyncio.gather(*(ask(item) for item in judged))
    return Scores(sum(pair[0] for pair in pairs) / len(pairs), sum(pair[1] for pair in pairs) / len(pairs))
