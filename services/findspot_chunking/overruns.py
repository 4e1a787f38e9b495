"""Chunks with more tokens than were counted: a cut inside a word makes other tokens of its halves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from findspot.payload import embedded_text
from findspot_chunking.splitter import Piece
from findspot_chunking.tokens import Tokenize
from findspot_chunking.window import Window

_CALL = 1_000_000
_BATCH = 512
_MARGIN = 8
"""Tokens by which some tokenizers count a slice otherwise than its part of the whole, though cut between words."""


PieceKey = tuple[int, int, str]
"""Start, end and context: pieces of one document that agree in these have the same tokens."""


def key_of(piece: Piece) -> PieceKey:
    """The key of a piece."""
    return piece.start, piece.end, piece.context.text


@dataclass(frozen=True, slots=True)
class Overrun:
    """A range that is over the cap, and where its tokens start once it is cut out."""

    start: int
    end: int
    starts: tuple[int, ...]
    context: str
    context_tokens: int


def find_overruns(
    text: str,
    pieces: Iterable[Piece],
    window: Window,
    tokenize: Tokenize,
    exact: dict[PieceKey, int],
) -> list[Overrun]:
    """The pieces over the cap. `exact` holds what was asked before and receives what is asked now."""
    overruns: list[Overrun] = []
    doubtful = [piece for piece in pieces if key_of(piece) not in exact and _doubtful(text, piece, window)]
    for batch in _batches(doubtful):
        texts = [embedded_text(piece.context.text, text[piece.start : piece.end]) for piece in batch]
        for piece, starts in zip(batch, tokenize(texts), strict=True):
            tokens = len(starts) + window.special_tokens
            if tokens > window.token_cap:
                overruns.append(_overrun(piece, starts))
            else:
                exact[key_of(piece)] = tokens
    return overruns


def _doubtful(text: str, piece: Piece, window: Window) -> bool:
    """True for pieces with an edge inside a word, and for those within a sixteenth of the cap or near it."""
    tokens = window.tokens(piece.start, piece.end, piece.context)
    if tokens is None:
        return False
    near = tokens + max(window.token_cap // 16, _MARGIN) > window.token_cap
    return near or _inside(text, piece.start) or _inside(text, piece.end)


def _inside(text: str, position: int) -> bool:
    return 0 < position < len(text) and not text[position - 1].isspace() and not text[position].isspace()


def _overrun(piece: Piece, starts: Sequence[int]) -> Overrun:
    joint = piece.context.characters
    own = tuple(piece.start + start - joint for start in starts if start >= joint)
    return Overrun(piece.start, piece.end, own, piece.context.text, len(starts) - len(own))


def _batches(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    batch: list[Piece] = []
    characters = 0
    for piece in pieces:
        length = piece.context.characters + piece.end - piece.start
        if batch and (len(batch) == _BATCH or characters + length > _CALL):
            yield batch
            batch, characters = [], 0
        batch.append(piece)
        characters += length
    if batch:
        yield batch
