"""Every kind of long operation, and the function that does it: one line a kind.

How such a function has to behave is told in `findspot_indexing.operations.runner`.
"""

from __future__ import annotations

from collections.abc import Mapping

from findspot.stores.manifest import scrubs
from findspot_indexing.directories import operation as directories
from findspot_indexing.operations.runner import Work
from findspot_indexing.reindex import work as reindexing
from findspot_indexing.repair import run as repairing
from findspot_indexing.scrubbing import scrub

KINDS: Mapping[str, Work] = {
    directories.KIND: directories.run_sync,
    reindexing.KIND: reindexing.reindex,
    repairing.KIND: repairing.repair,
    scrubs.KIND: scrub,
}
