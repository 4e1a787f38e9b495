"""Which chunks of a new generation were there before: those keep their id, and their vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from findspot.ids import chunk_id, text_hash
from findspot.model import Chunk
from findspot.stores.manifest.chunks import LIVE, RETIRED, STAGED


@dataclass(frozen=True, slots=True)
class NamedChunk:
    """A chunk of the new generation with what it is known by."""

    id: str
    chunk_hash: str
    occurrence: int
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What becomes of each chunk, new and stored, when a generation replaces the one before."""

    added: tuple[NamedChunk, ...]
    """Never seen: rows to be made."""
    kept: tuple[NamedChunk, ...]
    """Live now and live after; only where they stand may have changed."""
    revived: tuple[NamedChunk, ...]
    """Retired now, live again after."""
    retired: tuple[str, ...]
    """Live now and not part of the new generation."""
    dropped: tuple[str, ...]
    """Staged by a try that never ended, and not part of the new generation."""


def name_chunks(document_id: str, chunks: Iterable[Chunk]) -> list[NamedChunk]:
    """Give each chunk its id. Equal chunks of a document are told apart by how many came before."""
    seen: dict[tuple[str, str], int] = {}
    named: list[NamedChunk] = []
    for chunk in chunks:
        hashed = text_hash(chunk.context, chunk.text)
        key = (chunk.kind.value, hashed)
        occurrence = seen.get(key, 0)
        seen[key] = occurrence + 1
        identifier = chunk_id(document_id, chunk.kind.value, hashed, occurrence)
        named.append(NamedChunk(identifier, hashed, occurrence, chunk))
    return named


def reconcile(named: Sequence[NamedChunk], states: Mapping[str, str]) -> Reconciled:
    """Compare the new chunks with the states (LIVE, RETIRED, STAGED) of the stored ones, by id."""
    wanted = {chunk.id for chunk in named}
    gone = [(identifier, state) for identifier, state in states.items() if identifier not in wanted]
    return Reconciled(
        added=tuple(chunk for chunk in named if states.get(chunk.id, STAGED) == STAGED),
        kept=tuple(chunk for chunk in named if states.get(chunk.id) == LIVE),
        revived=tuple(chunk for chunk in named if states.get(chunk.id) == RETIRED),
        retired=tuple(identifier for identifier, state in gone if state == LIVE),
        dropped=tuple(identifier for identifier, state in gone if state == STAGED),
    )
