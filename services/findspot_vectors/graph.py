"""Builds the graph of a shard's copy, in a process of its own: `python -m findspot_vectors.graph DIRECTORY
NAME=SIZE=DISTANCE…`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from findspot.errors import Internal
from findspot.suite.child import die_with_parent
from findspot_vectors.engine import engine_config
from findspot_vectors.filters import edge
from findspot_vectors.model import Distance, VectorParams

_ABOVE_KB = 1
"""Any segment larger than this gets a graph: whether one is worth it was decided by whoever started this."""
NICENESS = 10
"""Below the services: they answer people, this only makes later answers faster."""


async def build_graph(directory: Path, params: Mapping[str, VectorParams]) -> None:
    """Runs this module over the directory and waits for its end. Raises Internal, with its last words,
    when it fails."""
    await run_over(__name__, directory, params)


async def run_over(module: str, directory: Path, params: Mapping[str, VectorParams]) -> None:
    """Runs a module over a shard that nobody has open, in a process of its own, and waits for its end.

    Raises Internal, with its last words, when it fails. A child that is no longer waited for, since the caller was
    cancelled or died, is ended.
    """
    arguments = [f"{name}={p.size}={p.distance.value}" for name, p in params.items()]
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        str(directory),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        # Not `communicate`, which closes its input: that is how the child learns that nobody waits any more.
        assert child.stderr is not None
        said = (await child.stderr.read()).decode(errors="replace").strip()
        code = await child.wait()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if code != 0:
        raise Internal(f"{module} over {directory} ended with {code}: {said[-2000:]}")


def params_in(arguments: Sequence[str]) -> dict[str, VectorParams]:
    """The vectors of a shard from the command line."""
    params = {}
    for argument in arguments:
        name, size, distance = argument.rsplit("=", 2)
        params[name] = VectorParams(int(size), Distance(distance))
    return params


def main() -> None:
    """Opens the shard, builds the graph, writes it, ends."""
    die_with_parent(sys.stdin.fileno())
    os.nice(NICENESS)
    directory, params = sys.argv[1], params_in(sys.argv[2:])
    threads = max(1, (os.cpu_count() or 1) - 1)
    shard = edge.EdgeShard.load(directory, engine_config(params, _ABOVE_KB, threads))
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    main()
