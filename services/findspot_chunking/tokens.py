"""Counting tokens by bisection in the starts of a whole document, corrected where a cut changes the count."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

Tokenize = Callable[[Sequence[str]], Sequence[Sequence[int]]]
"""Where the tokens of each text start, in code points, ascending, special tokens left out."""

_PIECE = 200_000
_CALL = 2_000_000


class TokenCounter:
    """Tokens of any range of one text, and of the parts that contexts are made of."""

    def __init__(self, text: str, starts: Iterable[int], parts: Mapping[str, int]) -> None:
        self._text = text
        self._starts = self._whole = array("L", starts)
        self._parts = dict(parts)

    def count(self, start: int, end: int) -> int:
        """Tokens of [start, end). A range that begins inside a word counts the rest of it as one more."""
        begin = bisect_left(self._starts, start)
        return bisect_left(self._starts, end, lo=begin) - begin + self._broken(begin, start)

    def count_uncorrected(self, start: int, end: int) -> int:
        """Tokens of [start, end) in the whole text: exact for a range that cuts no word."""
        return bisect_left(self._whole, end) - bisect_left(self._whole, start)

    def furthest(self, start: int, budget: int, end: int) -> int:
        """The greatest position <= `end` such that [start, position) holds at most `budget` tokens."""
        begin = bisect_left(self._starts, start)
        beyond = begin + budget - self._broken(begin, start)
        if beyond >= len(self._starts) or self._starts[beyond] >= end:
            return end
        return self._starts[beyond]

    def part(self, part: str) -> int:
        """Tokens of a part of a context that was counted beforehand, or learned since."""
        return self._parts[part]

    def learn(self, start: int, end: int, starts: Sequence[int], weight: int) -> None:
        """Correct [start, end): cut out of the text, its tokens start at `starts`, counted `weight` times."""
        low, high = bisect_left(self._starts, start), bisect_left(self._starts, end)
        # Several tokens may begin at one character: the larger number of both counts at each.
        most = Counter(self._starts[low:high]) | Counter(starts)
        if self._starts is self._whole:
            self._starts = self._whole[:]
        self._starts[low:high] = array("L", sorted([*most.elements(), *list(starts) * (weight - 1)]))

    def learn_part(self, part: str, tokens: int) -> None:
        """Correct the count of a context: it is never taken for less than it was seen to have."""
        self._parts[part] = max(self._parts.get(part, 0), tokens)

    def known(self, part: str) -> int:
        """The learned count of a whole context, 0 when none was learned."""
        return self._parts.get(part, 0)

    def _broken(self, begin: int, start: int) -> int:
        if begin < len(self._starts) and self._starts[begin] == start:
            return 0
        inside = 0 < start < len(self._text) and not self._text[start - 1].isspace()
        return 1 if inside and not self._text[start].isspace() else 0


def count_document(text: str, parts: Iterable[str], tokenize: Tokenize) -> TokenCounter:
    """Ask once for the whole document and every part; a very long text takes several calls."""
    edges = _edges(text)
    names = sorted(set(parts))
    texts = [*(text[low:high] for low, high in pairwise(edges)), *names]
    found = [starts for call in _calls(texts) for starts in tokenize(call)]
    document = (low + start for low, starts in zip(edges[:-1], found, strict=False) for start in starts)
    counts = {name: len(starts) for name, starts in zip(reversed(names), reversed(found), strict=False)}
    return TokenCounter(text, document, counts)


def _edges(text: str) -> list[int]:
    """Where the text is cut for counting: at white space, inside a word only where there is none for long."""
    edges = [0]
    while len(text) - edges[-1] > _PIECE:
        low = edges[-1] + _PIECE // 2
        place = max(text.rfind("\n", low, edges[-1] + _PIECE), text.rfind(" ", low, edges[-1] + _PIECE))
        edges.append(place if place > 0 else edges[-1] + _PIECE)
    edges.append(len(text))
    return edges


def _calls(texts: Sequence[str]) -> Iterable[list[str]]:
    call: list[str] = []
    characters = 0
    for text in texts:
        if call and characters + len(text) > _CALL:
            yield call
            call, characters = [], 0
        call.append(text)
        characters += len(text)
    yield call
