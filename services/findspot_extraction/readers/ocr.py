"""What was read from the picture of a page: lines of words with their places, and how sure the reader is."""

from __future__ import annotations

from dataclasses import dataclass

NO_TEXT_LAYER = "NO_TEXT_LAYER"
"""Code of the notice by which a reader says that a page may be a picture of text."""


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word and its edges as fractions of the displayed page, origin at the top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """Words on one baseline, in reading order."""

    words: tuple[RecognisedWord, ...]
    confidence: float
    """Mean over its characters, 0 to 1."""
    turn: int = 0
    """The direction it runs in on the displayed page: quarter turns clockwise."""

    @property
    def letters(self) -> int:
        """Characters of its words together."""
        return sum(len(word.text) for word in self.words)


@dataclass(frozen=True, slots=True)
class PageReading:
    """What other readers than the text layer made of one page."""

    number: int
    """Physical, from 1."""
    lines: tuple[RecognisedLine, ...] = ()
    """What optical character recognition read, from the top down."""
    transcript: str = ""
    """What a vision model wrote down; it wins over `lines` where it is not empty."""

    @property
    def confidence(self) -> float | None:
        """Mean confidence of the recognition, weighted by characters; None where it read nothing."""
        letters = sum(line.letters for line in self.lines)
        return sum(line.confidence * line.letters for line in self.lines) / letters if letters else None


@dataclass(frozen=True, slots=True)
class PicturesWanted:
    """Which pages to read from their pictures, and what to answer of each."""

    pages: tuple[int, ...]
    recognise: bool = True
    pictures: bool = False
    """Answer the pictures as well."""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One page: what was recognised, and its picture where it was asked for."""

    reading: PageReading
    picture_hash: str = ""
    """SHA-256 of the pixels."""
    png: bytes = b""
