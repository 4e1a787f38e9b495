"""Importing qdrant-client through `findspot.stores.qdrant` loads neither fastembed nor what comes with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PROGRAMS = {
    "messages alone": (
        "from findspot.stores.qdrant import wire; wire.PointId(num=1)",
        {"fastembed", "onnxruntime", "pydantic", "qdrant_client.http", "httpx"},
    ),
    "vector store": (
        "import findspot.stores.vectors",
        {"fastembed", "onnxruntime", "pydantic", "qdrant_client.http", "httpx"},
    ),
    "vectors service": ("import findspot_vectors.main", {"fastembed", "onnxruntime", "qdrant_client.http"}),
    "whole client": (
        "import importlib.util\n"
        "from findspot.stores.qdrant import load_client, wire\n"
        "before = importlib.util.find_spec('fastembed')\n"
        "client = load_client()\n"
        "import qdrant_client, qdrant_client.grpc\n"
        "from qdrant_client import grpc\n"
        "assert client.AsyncQdrantClient and client.grpc is wire\n"
        "assert qdrant_client.grpc.PointId is wire.PointId and grpc is wire\n"
        # What was hidden can be imported again by whoever wants it.
        "assert importlib.util.find_spec('fastembed') == before",
        {"fastembed", "onnxruntime"},
    ),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_loads_only_what_is_needed(program: str) -> None:
    code, unwanted = PROGRAMS[program]
    check = f"\nimport sys; loaded = {unwanted!r} & set(sys.modules); assert not loaded, loaded"
    ended = subprocess.run(
        [sys.executable, "-c", code + check],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "libs"), str(ROOT / "services")))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
