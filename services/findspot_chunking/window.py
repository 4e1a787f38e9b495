"""The window: how far a chunk that begins at a place may reach, in characters and in tokens."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from findspot.payload import JOINT
from findspot_chunking.tokens import TokenCounter


class Limit(StrEnum):
    """What ended a chunk."""

    STRUCTURE = ""
    CHARS = "CHARS"
    TOKENS = "TOKENS"


@dataclass(frozen=True, slots=True)
class Context:
    """What stands before the text of a chunk for embedding, with its tokens (0 when nobody counts)."""

    text: str = ""
    tokens: int = 0

    @property
    def characters(self) -> int:
        """Its share of the window: what joins context and text is part of it."""
        return len(self.text) + len(JOINT) if self.text else 0


@dataclass(frozen=True, slots=True)
class Window:
    """Both limits: a range fits when its characters and its tokens do, with context and special tokens."""

    size: int
    counter: TokenCounter | None = None
    token_cap: int = 0
    special_tokens: int = 0

    def furthest(self, start: int, end: int, context: Context) -> tuple[int, Limit]:
        """The greatest position <= `end` up to which a chunk from `start` fits, and what stops it there."""
        reach, limit = end, Limit.STRUCTURE
        characters = start + max(self.size - context.characters, 1)
        if characters < reach:
            reach, limit = characters, Limit.CHARS
        if self.counter is not None:
            budget = self.token_cap - self.special_tokens - context.tokens
            tokens = self.counter.furthest(start, max(budget, 1), reach)
            if tokens < reach:
                reach, limit = tokens, Limit.TOKENS
        return reach, limit

    def fits(self, start: int, end: int, context: Context) -> bool:
        """True when [start, end) fits with `context`."""
        return self.furthest(start, end, context)[0] >= end

    def tokens(self, start: int, end: int, context: Context) -> int | None:
        """Tokens of a chunk, context and special tokens included; None when nobody counts."""
        if self.counter is None:
            return None
        return self.counter.count(start, end) + context.tokens + self.special_tokens
