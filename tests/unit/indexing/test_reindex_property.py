"""Whatever edits, reindexings and crashes come in whatever order: the end is that of a fresh index of the last files."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from indexing_fakes import (
    QUICK,
    Desk,
    FakeChunker,
    FakeEmbedder,
    FakeExtractor,
    FakeVectors,
    desk_over,
)

from findspot.errors import NotFound
from findspot.model import EVERYTHING, Block, BlockKind
from findspot_indexing import removal
from findspot_indexing.documents import DocumentName
from findspot_indexing.reindex.calls import Asked, reindex
from findspot_indexing.reindex.stages import Stage
from findspot_indexing.sweep import run as sweep
from findspot_indexing.sweep.members import reclaim_everything

FILES = ("a", "b")
TEXTS = ("one\n\ntwo", "two\n\nthree\n\none", "one\n\none", "three")
PATIENCE = 60.0
"""Seconds: nothing here is about speed, and the machine may be busy."""
LIMITS = replace(QUICK, retired_seconds=0.0, embed_batch=2)

Step = tuple[str, Any, Any]
steps = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("put"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("reindex"), st.sampled_from([None, *Stage]), st.booleans()),
    st.tuples(st.just("reindex"), st.sampled_from([None, *Stage]), st.booleans()),
    st.tuples(st.just("version"), st.sampled_from(["extractor", "chunker"]), st.sampled_from([1, 2])),
    st.tuples(st.just("delete"), st.sampled_from(FILES), st.none()),
    st.tuples(st.just("settle"), st.none(), st.none()),
    st.tuples(st.just("crash"), st.integers(1, 120), st.none()),
)


class Extractor(FakeExtractor):
    """Version 2 reads everything in capitals."""

    async def extract(self, data: bytes, **named: Any) -> Any:
        return await super().extract(data.upper() if self.stamp == "fake/2" else data, **named)


class Chunker(FakeChunker):
    """Version 2 makes one chunk of a document."""

    async def chunk(self, document: Any, options: Any = None, **named: Any) -> Any:
        if self.stamp == "fake/2":
            whole = (Block(BlockKind.PARAGRAPH, 0, len(document.text)),)
            document = replace(document, blocks=whole)
        return await super().chunk(document, options, **named)


@dataclass
class World:
    """What outlives a crash: the stores, the other services, and what was asked for."""

    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    vectors: FakeVectors = field(default_factory=FakeVectors)
    versions: dict[str, int] = field(default_factory=lambda: {"extractor": 1, "chunker": 1})
    files: dict[str, str] = field(default_factory=dict)
    crashes: int = 0
    forced: int = 0
    """Times that the model was to be asked again."""


class Fuse:
    """Stops every task at its next step once so many steps were made: as dead as after kill -9."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.blown = asyncio.Event()

    async def step(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                self.blown.set()
        if self.blown.is_set():
            await asyncio.Event().wait()


class Stepping:
    """Any part of the service, with a step before and one after each of its calls."""

    def __init__(self, part: Any, fuse: Fuse, names: tuple[str, ...]) -> None:
        self._part, self._fuse, self._names = part, fuse, names

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if name not in self._names:
            return found

        async def call(*arguments: Any, **named: Any) -> Any:
            await self._fuse.step()
            result = await found(*arguments, **named)
            await self._fuse.step()
            return result

        return call


@asynccontextmanager
async def life(folder: Path, world: World, fuse: Fuse) -> AsyncIterator[Desk]:
    """A service from its start to its crash, or to the end of the block."""
    async with desk_over(
        folder, limits=LIMITS, sweep=False, embedder=world.embedder, vectors=world.vectors
    ) as desk:
        desk.extractor, desk.chunker = Extractor(), Chunker()
        set_versions(desk, world)
        desk.indexing = replace(desk.indexing, extractor=desk.extractor, chunker=desk.chunker)
        stepping = replace(
            desk.indexing,
            manifest=Stepping(desk.indexing.manifest, fuse, ("read", "write")),  # type: ignore[arg-type]
            text=Stepping(desk.indexing.text, fuse, ("apply",)),  # type: ignore[arg-type]
            vectors=Stepping(desk.vectors, fuse, ("upsert", "delete")),  # type: ignore[arg-type]
            embedder=Stepping(desk.embedder, fuse, ("embed",)),  # type: ignore[arg-type]
        )
        await desk.indexing.manifest.write(lambda c: reclaim_everything(c, desk.indexing.clock()))
        sweeping = asyncio.create_task(sweep._run(stepping))
        try:
            yield desk
        finally:
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)


def set_versions(desk: Desk, world: World) -> None:
    desk.extractor.stamp = f"fake/{world.versions['extractor']}"
    desk.chunker.stamp = f"fake/{world.versions['chunker']}"


async def act(desk: Desk, world: World, step: Step) -> None:
    what, first, second = step
    if what == "put":
        world.files[first] = second
        await desk.put(first, second)
    elif what == "reindex":
        world.forced += second and first is Stage.EMBED
        await reindex(EVERYTHING, desk.indexing, Asked(stage=first, force=second))
    elif what == "version":
        world.versions[first] = second
        set_versions(desk, world)
    elif what == "delete":
        world.files.pop(first, None)
        try:
            await removal.delete(
                EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path=first)
            )
        except NotFound:
            assert desk.state(first) == ""
    else:
        await settled(desk)


async def settled(desk: Desk) -> None:
    """Nothing waits any more, and no projection holds what is not live."""
    desk.indexing.wake.upkeep.set()
    await desk.until(
        lambda: (
            not desk.rows(
                "SELECT 1 FROM documents WHERE state IN ('PENDING', 'EXTRACTING') "
                "UNION ALL SELECT 1 FROM chunk_vectors WHERE state = 'PENDING' "
                "UNION ALL SELECT 1 FROM operations WHERE state = 'RUNNING'"
            )
        ),
        PATIENCE,
    )
    desk.indexing.wake.upkeep.set()
    await desk.until(
        lambda: (
            not desk.rows(
                "SELECT 1 FROM chunks WHERE state = 'STAGED' OR (state = 'RETIRED' AND text_state = 'READY') "
                "UNION ALL SELECT 1 FROM generations WHERE state = 'STAGED'"
            )
        ),
        PATIENCE,
    )


async def unless_crashed(fuse: Fuse, work: Callable[[], Any]) -> bool:
    """Do work, or as much of it as there is time for before the crash; True when it crashed."""
    doing, blown = asyncio.create_task(work()), asyncio.create_task(fuse.blown.wait())
    await asyncio.wait({doing, blown}, return_when=asyncio.FIRST_COMPLETED)
    crashed = not doing.done()
    for task in (doing, blown):
        task.cancel()
    outcome, _ = await asyncio.gather(doing, blown, return_exceptions=True)
    if isinstance(outcome, Exception):
        raise outcome
    return crashed or fuse.blown.is_set()


async def run(folder: Path, script: list[Step]) -> None:
    world, rest = World(), list(script)
    while rest:
        fuse = Fuse()
        async with life(folder, world, fuse) as desk:
            while rest and not fuse.blown.is_set():
                step = rest.pop(0)
                if step[0] == "crash":
                    fuse.left = step[1]
                    # Give it the time to come to that step, or to everything that there is to do.
                    await unless_crashed(fuse, lambda desk=desk: settled(desk))
                    world.crashes += fuse.blown.is_set()
                    fuse.left = None
                else:
                    await act(desk, world, step)
    async with life(folder, world, Fuse()) as desk:
        await settled(desk)
        # What changed since the last reindex is stale, and one more heals it.
        await reindex(EVERYTHING, desk.indexing, Asked())
        await settled(desk)
        assert (await reindex(EVERYTHING, desk.indexing, Asked(dry_run=True))).remedy == ""
        check(desk, world)
        found = content(desk)
    with tempfile.TemporaryDirectory() as other:
        fresh = World(versions=world.versions)
        async with life(Path(other), fresh, Fuse()) as desk:
            for path, text in world.files.items():
                await desk.put(path, text)
            await settled(desk)
            assert content(desk) == found


def content(desk: Desk) -> list[tuple[object, ...]]:
    """All that can be found, whatever its ids and generations."""
    return desk.rows(
        "SELECT d.file_path, c.chunk_index, c.text, c.context, c.chunk_hash, c.occurrence, c.start, c.end, "
        "c.heading_path, c.extractor_stamp, c.chunker_stamp, c.payload_recipe, d.state, g.options_stamp "
        "FROM chunks c JOIN documents d ON d.id = c.document_id "
        "JOIN generations g ON g.document_id = d.id AND g.generation = d.generation "
        "WHERE c.state = 'LIVE' AND c.generation = d.generation ORDER BY 1, 2"
    )


def check(desk: Desk, world: World) -> None:
    live = {row[0] for row in desk.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}
    assert set(desk.text.ids()) == live == set(desk.vectors.all)
    assert len(content(desk)) == len(live)
    assert desk.counters_match()
    # A crash may lose what a batch was answered: nothing else has a text embedded again.
    most = 1 + world.crashes + world.forced
    assert all(times <= most for times in Counter(desk.embedder.texts).values()), desk.embedder.texts


@settings(max_examples=6, deadline=None)
@example(
    [
        ("reindex", None, False),
        ("version", "extractor", 2),
        ("put", "b", "one\n\ntwo"),
        ("settle", None, None),
        ("version", "extractor", 1),
        ("settle", None, None),
    ]
)
@given(st.lists(steps, min_size=4, max_size=10))
def test_the_end_is_that_of_a_fresh_index_and_no_text_is_embedded_twice(script: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), script))
