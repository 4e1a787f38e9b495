"""Cuts one run into pieces that fit the window: at the strongest place in reach, with overlap where asked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from findspot.errors import Cancelled, InvalidArgument, Reason
from findspot.model import Span
from findspot_chunking.blanks import ink_end, ink_start
from findspot_chunking.graphemes import boundary_after, boundary_at_or_before
from findspot_chunking.levels import Level
from findspot_chunking.window import Context, Limit, Window

_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a run is cut: levels from the strongest to the weakest, and where an overlap may begin."""

    levels: Sequence[Level]
    overlap_levels: Sequence[Level] = ()
    overlap: int = 0
    """Characters; 0 repeats nothing."""
    glued: tuple[Span, ...] = ()
    """Ranges of places, in order and ends included, at which it is cut only if there is no other place."""
    balanced: bool = True
    """Leave at least a quarter of a window to the last piece, where a place allows it."""
    whole: int = 0
    """Levels below this one cut no unit that is to stay whole (a row of a table); 0 says nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk's range, how it came to its end, and what it shares with the piece before."""

    start: int
    end: int
    overlap: int
    context: Context
    limit: Limit = Limit.STRUCTURE
    inside_unit: bool = False
    """True when its end lies in a unit that should have stayed whole."""
    oversize: bool = False
    """True when it is one grapheme that is longer than the size."""


@dataclass(slots=True)
class PieceLimit:
    """Counts the pieces of one document, so that it cannot have chunks without end, nor for nobody."""

    limit: int
    is_over: Callable[[], bool]
    """True when nobody waits for the document any more."""
    count: int = 0

    def add(self) -> None:
        """Count one more; raises `InvalidArgument` DOCUMENT_TOO_LARGE past the limit, `Cancelled` when over."""
        self.count += 1
        if self.is_over():
            raise Cancelled("The caller went away while its document was cut.")
        if self.count > self.limit:
            raise InvalidArgument(
                f"The document makes more than {self.limit:,} chunks, the limit for one document. "
                "Ask for a larger size or a smaller overlap, or split the document.",
                reason=Reason.DOCUMENT_TOO_LARGE,
                metadata={"max_chunks": str(self.limit)},
            )


@dataclass(frozen=True, slots=True)
class Splitter:
    """Cuts one run of a text."""

    text: str
    start: int
    end: int
    window: Window
    manner: Manner
    context_at: Callable[[int], Context]
    """The context of a piece by where it begins."""

    def pieces(self, limit: PieceLimit) -> Iterator[Piece]:
        """The pieces in order. Starts and ends rise strictly, so this ends for every size of at least 1."""
        begin = ink_start(self.text, self.start, self.end)
        end = ink_end(self.text, begin, self.end)
        fresh = shared = begin
        while begin < end:
            limit.add()
            context = self.context_at(begin)
            reach, bound = self.window.furthest(begin, end, context)
            if reach >= end:
                yield Piece(begin, end, shared - begin, context)
                return
            cut, level, oversize = self._cut(begin, fresh, reach, end)
            stop = ink_end(self.text, begin, cut)
            inside = self.manner.whole > 0 and level >= self.manner.whole
            yield Piece(begin, stop, shared - begin, context, bound, inside, oversize)
            fresh = ink_start(self.text, cut, end)
            begin = self._overlap_start(begin, stop, fresh, end, level)
            shared = max(stop, begin)

    def _past_blanks(self, reach: int, end: int) -> int:
        return ink_start(self.text, reach, end) if self.text[reach].isspace() else reach

    def _cut(self, begin: int, fresh: int, reach: int, end: int) -> tuple[int, int, bool]:
        """The place to cut at, behind `fresh`, its level, and whether one grapheme had to go over."""
        high = self._past_blanks(reach, end)
        found = self._strongest(begin, fresh, high, end, self.manner.glued)
        lack = (reach - begin) // 4 - (end - reach)
        if found is not None and self.manner.balanced and lack > 0 and reach - lack > fresh:
            sooner = self._strongest(begin, fresh, reach - lack, end, self.manner.glued)
            # Only at a place as strong: a row is not cut to give the last piece more.
            found = sooner if sooner is not None and sooner[1] <= found[1] else found
        if found is None and self.manner.glued:
            # A heading fills the window, or nearly so: then it is cut like any other text.
            found = self._strongest(begin, fresh, high, end, ())
        if found is not None:
            return *found, False
        place = min(boundary_after(self.text, fresh), end)
        tokens = self.window.tokens(begin, place, self.context_at(begin))
        if tokens is not None and tokens > self.window.token_cap:
            place = max(reach, fresh + 1)
        return place, len(self.manner.levels), place > reach

    def _strongest(
        self, begin: int, fresh: int, high: int, end: int, glued: Sequence[Span]
    ) -> tuple[int, int] | None:
        """The place to cut at and its level: the strongest that fills half of the window or spares a unit."""
        best: tuple[int, int] | None = None
        for number, level in enumerate(self.manner.levels):
            place = _last_free(level, fresh, high, glued)
            if place is None:
                continue
            if (place - begin) * 2 >= high - begin or self._next_fits(level, place, end):
                return place, number
            best = (place, number)
        return best

    def _next_fits(self, level: Level, place: int, end: int) -> bool:
        """True when the unit that begins at `place` fits a window of its own: then it is not begun here."""
        reach, _ = self.window.furthest(place, end, self.context_at(place))
        return reach >= end or level.first(place, self._past_blanks(reach, end)) is not None

    def _overlap_start(self, begin: int, stop: int, fresh: int, end: int, level: int) -> int:
        """Where the next piece begins: before `stop` when it repeats the end of this one, else at `fresh`."""
        if self.manner.overlap == 0 or fresh >= end:
            return fresh
        nearest = max(begin, stop - self.manner.overlap - 1)
        low = boundary_at_or_before(self.text, nearest, begin)
        for overlap_level in self.manner.overlap_levels:
            place = overlap_level.first(low, stop - 1)
            while place is not None and place <= nearest:
                place = overlap_level.first(place, stop - 1)
            # A quote mark or a bullet alone repeats nothing: then a weaker level may find words.
            last = overlap_level is self.manner.overlap_levels[-1]
            if place is not None and (last or _WORD.search(self.text, place, stop)):
                place = ink_start(self.text, place, stop)
                return place if self._still_fits(level, place, fresh, end) else fresh
        return fresh

    def _still_fits(self, number: int, place: int, fresh: int, end: int) -> bool:
        """True when a piece from `place` still takes the unit that a piece from `fresh` would take whole."""
        reach, _ = self.window.furthest(place, end, self.context_at(place))
        if reach >= end:
            return True
        high = self._past_blanks(reach, end)
        if high <= fresh:
            return False
        if number >= len(self.manner.levels):
            return True
        alone, _ = self.window.furthest(fresh, end, self.context_at(fresh))
        if alone >= end:
            unit = self.manner.levels[number].first(fresh, end)
            return unit is not None and unit <= high
        unit = self.manner.levels[number].first(fresh, self._past_blanks(alone, end))
        return unit is None or unit <= high


def _last_free(level: Level, low: int, high: int, glued: Sequence[Span]) -> int | None:
    place = level.last(low, high)
    while place is not None:
        at = bisect_right(glued, place, key=lambda span: span.start) - 1
        if at < 0 or place > glued[at].end:
            return place
        place = level.last(low, glued[at].start - 1)
    return None
