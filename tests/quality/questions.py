"""Questions with the file that answers each: how often it is among the first documents."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from findspot.client import Client

COLLECTION = "corpus"
LATER = {"pptx", "xlsx", "docx"}
"""Styles whose formats a later version reads."""


@dataclass(frozen=True)
class Asked:
    """One question and how it went; ranks are from 1, None when the file was not among the first five."""

    id: str
    question: str
    style: str
    file: str
    rank: int | None
    first: str


def ask_all(client: Client, questions: Path) -> list[Asked]:
    """Asks every question of a JSONL file."""
    asked = []
    for line in questions.read_text().splitlines():
        item = json.loads(line)
        answer = client.search(item["question"], collection=COLLECTION, limit=5)
        files = [result.hit.file_path for result in answer.results]
        rank = files.index(item["file"]) + 1 if item["file"] in files else None
        first = files[0] if files else ""
        asked.append(Asked(item["id"], item["question"], item["style"], item["file"], rank, first))
    return asked


def within(asked: list[Asked], rank: int) -> int:
    """How many were answered at this rank or better."""
    return sum(item.rank is not None and item.rank <= rank for item in asked)
