"""Which stages of a document are behind what would be made of it now, and from which one it is made anew."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from findspot.model import DocumentState
from findspot.stores.manifest.made_with import MadeWith
from findspot_indexing.stamps import Stamps

OptionsOf = Callable[[str, str], str]
"""The stamp of how a collection wants documents of a type to be cut, by its path and the type."""


class Stage(IntEnum):
    """Stages in their order: whoever begins with one does all behind it too."""

    EXTRACT = 1
    CHUNK = 2
    EMBED = 3


ON_ITS_WAY = (DocumentState.PENDING, DocumentState.EXTRACTING)


def stale_stages(made: MadeWith, stamps: Stamps, options_of: OptionsOf) -> frozenset[Stage]:
    """The stages that would give something else now. A type that extraction does not know now is left as it is."""
    extractor = stamps.extractor(made.document_type)
    if made.state == DocumentState.FAILED:
        healing = made.tried_stamp not in ("", extractor, stamps.registry)
        return frozenset({Stage.EXTRACT} if healing else ())
    stale = {Stage.EXTRACT} if extractor not in ("", made.extractor_stamp) else set()
    # Nobody cut what holds no text.
    if made.chunk_count:
        options = options_of(made.collection_path, made.document_type)
        if (made.chunker_stamp, made.options_stamp) != (stamps.chunker, options):
            stale.add(Stage.CHUNK)
        if made.behind_count:
            stale.add(Stage.EMBED)
    return frozenset(stale)


def first_stage(made: MadeWith, stale: frozenset[Stage], asked: Stage | None, *, force: bool) -> Stage | None:
    """From which stage on a document at rest is made anew; None when it is left as it is.

    Without `asked` from the earliest stage that is stale; with it from there, where that stage or a later one is stale.
    With `force` whatever is stale. One that FAILED has nothing that could be cut: only reading it again can help.
    """
    if made.state == DocumentState.FAILED:
        reads = asked in (None, Stage.EXTRACT)
        return Stage.EXTRACT if reads and (force or stale) else None
    if force:
        stage = asked or Stage.EXTRACT
        return stage if stage is Stage.EXTRACT or made.chunk_count else None
    if asked is None:
        return min(stale, default=None)
    return asked if any(stage >= asked for stage in stale) else None
