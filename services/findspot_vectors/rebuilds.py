"""When a collection gets a graph or is written anew, and how: on a copy, by another process, while the original
serves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from findspot.errors import FindspotError
from findspot_vectors.disk import remove_tree
from findspot_vectors.engine import Engine
from findspot_vectors.model import VectorParams
from findspot_vectors.rewrite import rewrite
from findspot_vectors.shards import Shard

_log = logging.getLogger(__name__)

Build = Callable[[Path, Mapping[str, VectorParams]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class GraphPolicy:
    """When a graph is worth its building."""

    points: int = 20_000
    """So many vectors outside of a graph are searched one by one, exactly, in a few milliseconds."""
    share: float = 0.25
    """Nor is a graph built anew before this part of all vectors is outside of it."""

    def wants(self, points: int, in_graph: int) -> bool:
        """Whether a collection should get a graph over all of its points now."""
        outside = max(0, points - in_graph)
        return outside > self.points and outside > self.share * points


class Rebuilds:
    """Builds graphs one after another, for they take all of a core each."""

    def __init__(self, policy: GraphPolicy, build: Build, rewrite: Build = rewrite) -> None:
        """`build` is `graph.build_graph`, `rewrite` that of the module of this name."""
        self._policy = policy
        self._build = build
        self._rewrite = rewrite
        self._running: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, Callable[[], None]] = {}
        self._failed_at: dict[str, int] = {}
        self._one = asyncio.Lock()

    def consider(
        self,
        shard: Shard,
        params: Mapping[str, VectorParams],
        target: Callable[[], Path],
        load: Callable[[Path], Engine],
        commit: Callable[[Path], None],
    ) -> None:
        """Starts a rebuild where the policy wants one and none is under way.

        After a failure the next is tried when as many points have come again.
        """
        if shard.name in self._running:
            return
        held = shard.engine.statistics()
        since_failure = held.points - self._failed_at.get(shard.name, -self._policy.points)
        if not self._policy.wants(held.points, held.in_graph) or since_failure < self._policy.points:
            return
        self._start(shard, params, target(), load, commit, self._build, lambda: None)

    def rewrite(
        self,
        shard: Shard,
        params: Mapping[str, VectorParams],
        target: Callable[[], Path],
        load: Callable[[Path], Engine],
        commit: Callable[[Path], None],
        after: Callable[[], None],
    ) -> None:
        """Starts writing a collection anew without what deleted points left behind, after what is under way.

        `after` is called when the copy serves: a graph that the collection had is not in it.
        """

        def start() -> None:
            self._wanted.pop(shard.name, None)
            self._start(shard, params, target(), load, commit, self._rewrite, after)

        if shard.name in self._running:
            self._wanted[shard.name] = start
        else:
            start()

    def busy(self, name: str) -> bool:
        """True while a collection is being built or written anew."""
        return name in self._running or name in self._wanted

    def _start(
        self,
        shard: Shard,
        params: Mapping[str, VectorParams],
        target: Path,
        load: Callable[[Path], Engine],
        commit: Callable[[Path], None],
        build: Build,
        after: Callable[[], None],
    ) -> None:
        points = shard.engine.statistics().points
        task = asyncio.create_task(self._rebuild(shard, params, target, load, commit, build), name=shard.name)
        self._running[shard.name] = task
        task.add_done_callback(lambda done: self._ended(shard.name, points, done, after))

    async def stop(self, name: str | None = None) -> None:
        """Ends the rebuild of a collection, or all; their copies are removed."""
        for key in [key for key in self._wanted if name is None or key == name]:
            del self._wanted[key]
        tasks = [task for key, task in self._running.items() if name is None or key == name]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def done(self, name: str) -> None:
        """Waits for the rebuild of a collection, when one is under way. Raises what it failed with."""
        if name in self._running:
            await asyncio.shield(self._running[name])

    async def _rebuild(
        self,
        shard: Shard,
        params: Mapping[str, VectorParams],
        target: Path,
        load: Callable[[Path], Engine],
        commit: Callable[[Path], None],
        build: Build,
    ) -> None:
        async with self._one:
            _log.info("making a copy of collection %s ready", shard.name)
            copy: Engine | None = None
            try:
                await shard.copy_to(target)
                await build(target, params)
                copy = load(target)
                left = await shard.become(copy, lambda: commit(target))
            except BaseException:
                if shard.engine is not copy:
                    await self._discard(shard, target, copy)
                raise
            await asyncio.to_thread(remove_tree, left)
            _log.info("collection %s serves from its copy", shard.name)

    async def _discard(self, shard: Shard, target: Path, copy: Engine | None) -> None:
        await shard.give_up_copy()
        if copy is not None:
            copy.close()
        await asyncio.to_thread(remove_tree, target)

    def _ended(self, name: str, points: int, task: asyncio.Task[None], after: Callable[[], None]) -> None:
        del self._running[name]
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self._failed_at[name] = points
            text = failure.message if isinstance(failure, FindspotError) else repr(failure)
            _log.error("collection %s stays as it is, without a copy that takes its place: %s", name, text)
        elif not task.cancelled():
            self._failed_at.pop(name, None)
            after()
        if name in self._wanted:
            self._wanted[name]()
