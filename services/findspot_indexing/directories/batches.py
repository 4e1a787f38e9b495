"""How much is done at a time: enough to share a transaction, little enough to hold in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from findspot_indexing.directories.seen import SeenFile

Item = TypeVar("Item")

_FILES_AT_A_TIME = 32
_BYTES_AT_A_TIME = 64 * 1024 * 1024
"""Of the files held in memory at once, unless a single one has more."""
_ROWS_TOGETHER = 100


def parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """So many at a time that a transaction stays short."""
    return (items[at : at + _ROWS_TOGETHER] for at in range(0, len(items), _ROWS_TOGETHER))


def small_batches(files: Sequence[SeenFile]) -> Iterator[list[SeenFile]]:
    """Files that are taken in together: many small ones share a transaction, large ones come alone."""
    batch: list[SeenFile] = []
    held = 0
    for file in files:
        if batch and (len(batch) == _FILES_AT_A_TIME or held + file.facts.size > _BYTES_AT_A_TIME):
            yield batch
            batch, held = [], 0
        batch.append(file)
        held += file.facts.size
    if batch:
        yield batch
