"""What the last search found and where the last reading stopped, so that `findspot read 2` and `--next` are enough."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from findspot.client.requests import At
from findspot.suite.settings import load_suite_settings


@dataclass(frozen=True)
class Memory:
    """Places of the last search's hits, best first, and the place that was read last."""

    hits: tuple[At, ...] = ()
    reading: At | None = None


def recall() -> Memory:
    """What is remembered; nothing when there is nothing, or when it cannot be read any more."""
    try:
        content = json.loads(_file().read_text())
        hits = tuple(At(**hit) for hit in content["hits"])
        reading = At(**content["reading"]) if content["reading"] else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return Memory()
    return Memory(hits, reading)


def remember(memory: Memory) -> None:
    """Keeps this until the next search or reading."""
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(asdict(memory)) + "\n")


def _file() -> Path:
    return load_suite_settings().registry.parent / "last.json"
