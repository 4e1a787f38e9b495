"""Kinds of places at which a text may be cut, from the strongest (a block) to the weakest (a grapheme).

Each level answers two questions about the half-open range (low, high]: its last place, and its first place.
A place is where the next chunk would begin. Nothing is computed outside of what is asked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Protocol

import sentencex

from findspot_chunking.blanks import ink_start
from findspot_chunking.graphemes import boundary_after, boundary_at_or_before, is_boundary


class Level(Protocol):
    """One kind of place. `low` is always a grapheme boundary."""

    def last(self, low: int, high: int) -> int | None:
        """The greatest place p with low < p <= high."""
        ...

    def first(self, low: int, high: int) -> int | None:
        """The smallest place p with low < p <= high."""
        ...


class Places:
    """Places that are known beforehand: block starts, paragraphs, lines, rows."""

    def __init__(self, places: Iterable[int]) -> None:
        self._places = sorted(set(places))

    def last(self, low: int, high: int) -> int | None:
        index = bisect_right(self._places, high) - 1
        return self._places[index] if index >= 0 and self._places[index] > low else None

    def first(self, low: int, high: int) -> int | None:
        index = bisect_right(self._places, low)
        return self._places[index] if index < len(self._places) and self._places[index] <= high else None


class Words:
    """Places where a word begins after white space."""

    _BEFORE = re.compile(r"\s")
    """What the character before such a place is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, low: int, high: int) -> int | None:
        high = min(high, len(self._text) - 1)
        if self._BEFORE.search(self._text, low, high) is None:
            return None
        for place in range(high, low, -1):
            if self._is_place(place, low):
                return place
        return None

    def first(self, low: int, high: int) -> int | None:
        high = min(high, len(self._text) - 1)
        for before in self._BEFORE.finditer(self._text, low, high):
            if self._is_place(before.end(), low):
                return before.end()
        return None

    def _is_place(self, place: int, low: int) -> bool:
        text = self._text
        if not text[place - 1].isspace() or text[place].isspace():
            return False
        return is_boundary(text, place, max(low, place - 1))


class Marks(Words):
    """Places after a mark that separates: for minified data and scripts that write without spaces."""

    _MARKS = ",;:)]}>|/。、，；：！？」』）】…"
    _BEFORE = re.compile(f"[{re.escape(_MARKS)}]")

    def _is_place(self, place: int, low: int) -> bool:
        text = self._text
        if text[place - 1] not in self._MARKS or text[place] in self._MARKS or text[place].isspace():
            return False
        return is_boundary(text, place, low)


class Graphemes:
    """Every place that cuts no grapheme cluster."""

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, low: int, high: int) -> int | None:
        place = boundary_at_or_before(self._text, high, low)
        return place if place > low else None

    def first(self, low: int, high: int) -> int | None:
        if low >= len(self._text):
            return None
        place = boundary_after(self._text, low)
        return place if place <= high else None


class Sentences:
    """Places where a sentence begins, by the rules of the document's language, found tile by tile."""

    _TILE = 8_192
    _RUN_UP = 1_024

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        language: str,
        starts: Sequence[int] = (),
        code: Sequence[tuple[int, int]] = (),
    ) -> None:
        """`starts` are further places (blocks), `code` ranges without sentences, in order."""
        self._text = text
        self._language = (language or "en").split("-")[0].lower()
        self._tiles = _tiles(text, start, end, self._TILE)
        self._found: dict[int, list[int]] = {}
        self._starts = Places(starts)
        self._code_starts = [low for low, _ in code]
        self._code_ends = [high for _, high in code]

    def last(self, low: int, high: int) -> int | None:
        best = self._starts.last(low, high)
        index = min(bisect_right(self._tiles, high) - 1, len(self._tiles) - 2)
        while index >= 0 and self._tiles[index + 1] > low:
            places = self._places(index)
            at = bisect_right(places, high) - 1
            if at >= 0:
                if places[at] > low:
                    return max(places[at], best or 0)
                return best
            index -= 1
        return best

    def first(self, low: int, high: int) -> int | None:
        best = self._starts.first(low, high)
        index = max(bisect_right(self._tiles, low) - 1, 0)
        while index < len(self._tiles) - 1 and self._tiles[index] <= high:
            places = self._places(index)
            at = bisect_right(places, low)
            if at < len(places):
                place = places[at]
                if place > high:
                    return best
                return place if best is None else min(place, best)
            index += 1
        return best

    def _places(self, index: int) -> list[int]:
        if index not in self._found:
            low, high = self._tiles[index], self._tiles[index + 1]
            # A tile begins anywhere: what comes before it tells whether a sentence does too.
            run_up = max(low - self._RUN_UP, self._tiles[0])
            floor = self._tiles[max(index - 1, 0)]
            places: list[int] = []
            for sentence in sentencex.get_sentence_boundaries(self._language, self._text[run_up:high]):
                end = run_up + sentence["end_index"]
                place = ink_start(self._text, run_up + sentence["start_index"], end)
                if max(low, run_up + 1) <= place < end and self._begins(place, floor):
                    places.append(place)
            self._found[index] = places
        return self._found[index]

    def _begins(self, place: int, floor: int) -> bool:
        at = bisect_right(self._code_starts, place) - 1
        if at >= 0 and place < self._code_ends[at]:
            return False
        return is_boundary(self._text, place, floor)


_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"\s"))


def _tiles(text: str, start: int, end: int, size: int) -> list[int]:
    """Cut [start, end) into tiles of about `size`, at paragraphs, else lines, else words."""
    edges = [start]
    while end - edges[-1] > 2 * size:
        low = edges[-1] + size
        for break_ in _BREAKS:
            found = break_.search(text, low, low + size)
            if found is not None:
                edges.append(found.end())
                break
        else:
            before = boundary_at_or_before(text, low + size, edges[-1])
            # One cluster may be longer than a tile.
            edges.append(before if before > edges[-1] else min(boundary_after(text, edges[-1]), end))
    edges.append(max(end, start))
    return edges


_LINE = re.compile(r"\r\n?|\n")
_PARAGRAPH = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)\s*")


def lines(text: str, start: int, end: int) -> list[int]:
    """Where each line with text begins, white space left out, the first excepted."""
    return _after(_LINE, text, start, end)


def paragraphs(text: str, start: int, end: int) -> list[int]:
    """Where text begins again after a blank line."""
    return _after(_PARAGRAPH, text, start, end)


def outer_lines(text: str, start: int, end: int) -> list[int]:
    """Of the lines that follow a blank line, those indented least: statements of the outer body in code."""
    found = [(place, _indent(text, place)) for place in paragraphs(text, start, end)]
    least = min((indent for _, indent in found), default=0)
    return [place for place, indent in found if indent == least]


def _indent(text: str, place: int) -> int:
    line = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    return len(text[line:place].expandtabs(4))


def _after(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[int]:
    places: list[int] = []
    for found in pattern.finditer(text, start, end):
        place = ink_start(text, found.end(), end)
        if place < end and (not places or places[-1] != place):
            places.append(place)
    return places
