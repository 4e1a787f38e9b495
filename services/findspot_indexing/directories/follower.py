"""Following one directory: what changed is looked at soon, the whole from time to time."""

from __future__ import annotations

import asyncio
import logging
import os
import unicodedata
from collections.abc import Iterable

from findspot.errors import FindspotError
from findspot.stores.manifest.collections import Collection
from findspot_indexing.directories.counting import Tally
from findspot_indexing.directories.ignore import RULE_FILES
from findspot_indexing.directories.reading import inside
from findspot_indexing.directories.scope import WHOLE, Scope
from findspot_indexing.directories.sync import SyncWish, sync
from findspot_indexing.outages import backoff
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)

MOST_PATHS = 500
"""With more changes than this, looking at everything costs less, and some may have been lost."""
SETTLING_SECONDS = 1.0
"""Until a file that was being written, or that is missing, is looked at again."""


class Follower:
    """Keeps one collection in line with its directory until cancelled."""

    def __init__(self, indexing: Indexing, collection: Collection) -> None:
        self._indexing = indexing
        self.collection = collection
        self.root = os.path.realpath(collection.settings.source_root)
        self._asked: set[str] = set()
        self._whole = True
        self._wake = asyncio.Event()
        self._missing: dict[str, float] = {}
        """Documents whose file was not there, and since when."""

    def look_at_everything(self) -> None:
        """The whole directory is to be looked at."""
        self._whole = True
        self._wake.set()

    def hear(self, paths: Iterable[str]) -> None:
        """Absolute paths that changed; those of other directories are passed over."""
        own = self._indexing.own_data
        for path in paths:
            if not inside(self.root, path) or (own and inside(own, path)):
                continue
            relative = unicodedata.normalize("NFC", path[len(self.root.rstrip("/")) + 1 :])
            if not relative or relative.rpartition("/")[2] in RULE_FILES or len(self._asked) >= MOST_PATHS:
                self._whole = True
            else:
                self._asked.add(relative)
            self._wake.set()

    async def run(self) -> None:
        """Look at what is asked for, one look after another."""
        failures = 0
        due = 0.0
        loop = asyncio.get_running_loop()
        while True:
            if not (self._whole or self._asked):
                await pause(self._wake, max(0.0, due - loop.time()))
            self._wake.clear()
            whole = self._whole or loop.time() >= due
            scope = WHOLE if whole else Scope.of(self._asked | self._missing.keys())
            if whole:
                due = loop.time() + self._indexing.limits.rescan_seconds
            self._whole, self._asked = False, set()
            if await self._look(scope):
                failures = 0
            else:
                failures += 1
                self._whole = self._whole or scope.whole
                self._asked |= scope.paths - WHOLE.paths
                limits = self._indexing.limits
                wait = backoff(failures, limits.retry_first_seconds, limits.retry_longest_seconds)
                await pause(self._wake, wait)

    async def _look(self, scope: Scope) -> bool:
        """True when it was looked at; what is not settled is looked at again."""
        loop = asyncio.get_running_loop()
        tally, now = Tally(), loop.time()
        # The two halves of a rename may be told one after the other, and a scan may see neither: a document whose
        # file is missing waits for a moment, together with whatever appears meanwhile, before it is pruned.
        missing = frozenset(path for path, at in self._missing.items() if now - at >= SETTLING_SECONDS)
        wish = SyncWish(scope, go_on=True, prune_only=missing)
        try:
            done = await sync(self._indexing, self.collection, wish, tally)
        except FindspotError as failure:
            log.warning("Collection %s cannot be synced now: %s", self.collection.path, failure.message)
            return False
        except Exception:
            log.exception("The sync of collection %s failed.", self.collection.path)
            return False
        self._missing = {path: self._missing.get(path, now) for path in done.spared}
        again = (*tally.left, *self._missing)
        if again:
            loop.call_later(SETTLING_SECONDS, self._look_again, again)
        return True

    def _look_again(self, paths: tuple[str, ...]) -> None:
        self._asked.update(paths)
        self._wake.set()
