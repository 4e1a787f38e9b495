"""Which stamps extraction and chunking give documents now: what a document has to be compared with."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from findspot.errors import FindspotError

if TYPE_CHECKING:
    from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)

_KEPT_SECONDS = 5.0
_TIMEOUT_SECONDS = 10.0


@dataclass(frozen=True)
class Stamps:
    """The stamps of this moment.

    A document is behind when its extractor's stamp differs from the one of its type, or its chunker's from
    `chunker`; one without text was cut by nobody and has no chunker's stamp.
    """

    extractors: Mapping[str, str]
    """By document type."""
    chunker: str

    def extractor(self, document_type: str) -> str:
        """The stamp that a file of a type gets now; empty for a type that is not known."""
        return self.extractors.get(document_type, "")

    @cached_property
    def registry(self) -> str:
        """Another value whenever any type's stamp is another: for files of which the type was never told."""
        listed = "\n".join(f"{name} {stamp}" for name, stamp in sorted(self.extractors.items()))
        return f"registry/{hashlib.sha256(listed.encode()).hexdigest()[:16]}"


class KnownStamps:
    """The stamps as last answered, for some seconds and not beyond the end of an outage.

    Whoever is started again may read differently, and its being away is how that is noticed in between.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._stamps: Stamps | None = None
        self._until = 0.0
        self._outages = 0

    def get(self, outages_ended: int) -> Stamps | None:
        """What is still known; None when it has to be asked for."""
        if self._clock() >= self._until or self._outages != outages_ended:
            return None
        return self._stamps

    def keep(self, stamps: Stamps, outages_ended: int) -> None:
        """Remember an answer."""
        self._stamps, self._outages = stamps, outages_ended
        self._until = self._clock() + _KEPT_SECONDS


async def current_stamps(indexing: Indexing) -> Stamps:
    """What both services say, asked at most once in 5 s. Raises PartAway when one of them is away."""
    known = indexing.stamps.get(indexing.outages.ended)
    return known if known is not None else await stamps_of_now(indexing)


async def stamps_of_now(indexing: Indexing) -> Stamps:
    """The same, asked anew: for a caller who has just changed something. Raises PartAway when one of them is away."""
    outages = indexing.outages
    ended = outages.ended
    with outages.recognised("extraction"):
        types = await indexing.extractor.document_types(timeout=_TIMEOUT_SECONDS)
    with outages.recognised("chunking"):
        profiles = await indexing.chunker.profiles(timeout=_TIMEOUT_SECONDS)
    stamps = Stamps({row.name: row.extractor_stamp for row in types}, profiles.chunker_stamp)
    indexing.stamps.keep(stamps, ended)
    return stamps


async def stamps_if_told(indexing: Indexing) -> Stamps | None:
    """The same, for work that can do without: None when they are not told, and the work meets what is wrong itself."""
    try:
        return await current_stamps(indexing)
    except FindspotError as failure:
        log.debug("What extraction and chunking stand at is not known: %s", failure.message)
        return None
