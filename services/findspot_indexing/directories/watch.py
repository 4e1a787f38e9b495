"""Following every directory that is to be watched, for as long as the service runs."""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from findspot.stores.manifest import collections
from findspot.stores.manifest.collections import Collection
from findspot_indexing.directories.follower import Follower
from findspot_indexing.directories.listen import Listener
from findspot_indexing.directories.problems import is_watched
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)

Identity = tuple[int, int]
"""(device, inode) of a root."""

_TRY_AGAIN_SECONDS = 300.0
"""Until a root that could not be listened to is tried again; it is looked at as a whole meanwhile."""


async def watch_directories(indexing: Indexing) -> None:
    """Follow the directories of all collections with `watch`, until cancelled.

    A root that goes away and comes back, or is another directory now, is noticed within `source_check_seconds`.
    """
    async with asyncio.TaskGroup() as group:
        watching = _Watching(indexing, group)
        try:
            while True:
                indexing.wake.sources.clear()
                watching.follow(await indexing.manifest.read(watched))
                await watching.listen()
                await pause(indexing.wake.sources, indexing.limits.source_check_seconds)
        finally:
            await watching.close()


def watched(connection: Connection) -> list[Collection]:
    """Collections whose directory is to be watched."""
    return [collection for collection in collections.with_directory(connection) if is_watched(collection)]


class _Watching:
    """The followers, and the one listener that tells them."""

    def __init__(self, indexing: Indexing, group: asyncio.TaskGroup) -> None:
        self._indexing = indexing
        self._group = group
        self._followers: dict[str, tuple[Follower, asyncio.Task[None]]] = {}
        self._listener: Listener | None = None
        self._roots: Mapping[str, Identity] = {}
        """The roots that were there when the listener was opened."""
        self._try_again_at = math.inf

    def follow(self, wanted: Sequence[Collection]) -> None:
        """Follow these collections and no others; one that was changed is begun anew."""
        by_id = {collection.id: collection for collection in wanted}
        for identifier, (follower, task) in list(self._followers.items()):
            now = by_id.get(identifier)
            if now is None or now.etag != follower.collection.etag:
                task.cancel()
                del self._followers[identifier]
                self._indexing.sources.note(identifier, watched=False, watch_problem="")
        for identifier, collection in by_id.items():
            if identifier not in self._followers:
                follower = Follower(self._indexing, collection)
                task = self._group.create_task(follower.run(), name=f"follow {collection.path}")
                self._followers[identifier] = (follower, task)

    async def listen(self) -> None:
        """Listen to every root that is there. What happened before is found by a look at the whole."""
        roots = await asyncio.to_thread(_identities, [follower for follower, _ in self._followers.values()])
        now = asyncio.get_running_loop().time()
        ended = self._listener is not None and self._listener.ended
        if ended and self._listener is not None:
            log.warning("Changes of directories are not heard any more: %s", self._listener.problem)
        if roots == self._roots and not ended and now < self._try_again_at:
            return
        await self._close_listener()
        problems = await self._open(sorted(roots))
        self._roots = roots
        self._try_again_at = now + _TRY_AGAIN_SECONDS if problems else math.inf
        for follower, _ in self._followers.values():
            heard = follower.root in roots and follower.root not in problems
            why = problems.get(follower.root, "" if heard else "the directory is not there")
            self._indexing.sources.note(follower.collection.id, watched=heard, watch_problem=why)
            # Between the end of one listener and the begin of the next anything may have happened anywhere.
            follower.look_at_everything()

    async def close(self) -> None:
        """End the listener; the followers end with their group."""
        await self._close_listener()
        for _, task in self._followers.values():
            task.cancel()

    async def _open(self, roots: Sequence[str]) -> dict[str, str]:
        """Listen to these roots. Why some cannot be listened to, by root: the others are heard all the same."""
        problems: dict[str, str] = {}
        while roots:
            listener = Listener(roots, self._hear)
            try:
                await listener.ready()
            except Exception as error:  # noqa: BLE001 - whatever the system says: the next look at the whole is the remedy
                await listener.close()
                if len(roots) > 1:
                    problems |= await self._find_bad(roots)
                    roots = [root for root in roots if root not in problems]
                else:
                    problems[roots[0]] = str(error) or type(error).__name__
                    roots = ()
            else:
                self._listener = listener
                break
        for root, why in problems.items():
            log.warning("Changes below %r cannot be heard, only found by looking: %s", root, why)
        return problems

    async def _find_bad(self, roots: Sequence[str]) -> dict[str, str]:
        """Which of these roots cannot be listened to by itself; the last of them when each one can."""
        problems: dict[str, str] = {}
        for root in roots:
            listener = Listener([root], lambda paths: None)
            try:
                await listener.ready()
            except Exception as error:  # noqa: BLE001 - as above
                problems[root] = str(error) or type(error).__name__
            finally:
                await listener.close()
        return problems or {roots[-1]: "the system cannot watch that many folders"}

    def _hear(self, paths: Sequence[str]) -> None:
        for follower, _ in self._followers.values():
            follower.hear(paths)

    async def _close_listener(self) -> None:
        if self._listener is not None:
            listener, self._listener = self._listener, None
            await listener.close()


def _identities(followers: Sequence[Follower]) -> dict[str, Identity]:
    found: dict[str, Identity] = {}
    for follower in followers:
        # A link to a directory may lead to another one by now.
        follower.root = os.path.realpath(follower.collection.settings.source_root)
        try:
            facts = os.stat(follower.root)
        except OSError:
            # It is not there now: its follower says so, and it is looked for again.
            continue
        found[follower.root] = (facts.st_dev, facts.st_ino)
    return found
