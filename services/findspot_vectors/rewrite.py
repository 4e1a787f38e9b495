"""Writes a shard's copy anew without what deleted points left in it, in a process of its own: `python -m
findspot_vectors.rewrite DIRECTORY NAME=SIZE=DISTANCE…`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from findspot.suite.child import die_with_parent
from findspot_vectors.disk import remove_tree, sync_directory, sync_tree
from findspot_vectors.engine import engine_config
from findspot_vectors.filters import edge
from findspot_vectors.graph import NICENESS, params_in, run_over
from findspot_vectors.model import MAX_BATCH, VectorParams


async def rewrite(directory: Path, params: Mapping[str, VectorParams]) -> None:
    """Runs this module over the directory and waits for its end. Raises Internal, with its last words, when it fails."""
    await run_over(__name__, directory, params)


def main() -> None:
    """Reads every point of the shard, writes it to a new one, puts that in the place of the first, ends."""
    die_with_parent(sys.stdin.fileno())
    os.nice(NICENESS)
    directory, params = Path(sys.argv[1]), params_in(sys.argv[2:])
    fresh = directory.with_name(directory.name + ".fresh")
    remove_tree(fresh)
    _copy_points(directory, fresh, params)
    sync_tree(fresh)
    # Nobody names the copy yet: a crash between these two leaves the original serving, and this is removed.
    remove_tree(directory)
    fresh.rename(directory)
    sync_directory(directory.parent)


def _copy_points(source: Path, target: Path, params: Mapping[str, VectorParams]) -> None:
    before = edge.EdgeShard.load(str(source), engine_config(params))
    after = edge.EdgeShard.create(str(target), engine_config(params))
    offset = None
    while True:
        request = edge.ScrollRequest(
            offset=offset, limit=MAX_BATCH, filter=None, with_payload=True, with_vector=True
        )
        records, offset = before.scroll(request)
        points = [edge.Point(record.id, record.vector, record.payload or {}) for record in records]
        if points:
            after.update(edge.UpdateOperation.upsert_points(points))
        if offset is None:
            break
    after.flush()
    after.close()
    before.close()


if __name__ == "__main__":
    main()
