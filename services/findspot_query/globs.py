"""Path globs matched in time linear in the path: no pattern can make a search hang, as backtracking would."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECES = re.compile(r"\*\*/|\*\*|[\s\S]")
_MOST_STEPS = 20_000
"""Remembered steps of one pattern; beyond them they are worked out anew."""

States = frozenset[int]


class Glob:
    """A path pattern: `*` and `?` stay within a segment, `**` goes over segments, `**/` may be no segment at all.

    State `i` stands before piece `i`. The set of states after each character is worked out once and remembered, so
    that paths alike cost one look-up a character.
    """

    def __init__(self, pattern: str) -> None:
        self._pieces: list[str] = _PIECES.findall(pattern)
        self._steps: dict[tuple[States, str], States] = {}
        self._start = self._closed({0})

    def matches(self, path: str) -> bool:
        """True when the whole path fits."""
        states = self._start
        for char in path:
            after = self._steps.get((states, char))
            if after is None:
                after = self._step(states, char)
            if not after:
                return False
            states = after
        return len(self._pieces) in states

    def _step(self, states: States, char: str) -> States:
        after: set[int] = set()
        for state in states:
            after |= self._after(state, char)
        if len(self._steps) >= _MOST_STEPS:
            self._steps.clear()
        found = self._steps[(states, char)] = self._closed(after)
        return found

    def _after(self, state: int, char: str) -> set[int]:
        if (
            state < 0
        ):  # inside the `**/` before state -state: any number of segments, and it may end after a slash
            return {state, -state} if char == "/" else {state}
        if state == len(self._pieces):
            return set()
        match self._pieces[state]:
            case "**":
                return {state}
            case "**/":
                inside = -(state + 1)
                return {inside, -inside} if char == "/" else {inside}
            case "*":
                return {state} if char != "/" else set()
            case "?":
                return {state + 1} if char != "/" else set()
            case literal:
                return {state + 1} if char == literal else set()

    def _closed(self, states: set[int]) -> States:
        closed = set(states)
        for state in states:
            while 0 <= state < len(self._pieces) and self._pieces[state] in ("*", "**", "**/"):
                state += 1
                closed.add(state)
        return frozenset(closed)


@lru_cache(maxsize=1_024)
def compiled(pattern: str) -> Glob:
    """The glob of a pattern, with what earlier searches have worked out for it."""
    return Glob(pattern)
