"""The lines of a text with their offsets, as every reader of line-based formats counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")


@dataclass(frozen=True, slots=True)
class Lines:
    """Line ends are CR LF, CR or LF, nothing else: form feeds and Unicode separators stay inside a line."""

    text: str
    starts: tuple[int, ...]
    """Where each line starts; one more entry than lines, the last is the length of the text."""

    @classmethod
    def of(cls, text: str) -> Lines:
        """Index a text; an empty one has no line."""
        starts = [match.start() for match in _LINE.finditer(text) if match.end() > match.start()]
        return cls(text, (*starts, len(text)))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def line(self, number: int) -> str:
        """The line (from 0) without its end."""
        return self.text[self.starts[number] : self.starts[number + 1]].rstrip("\r\n")

    def end(self, number: int) -> int:
        """Where the line (from 0) ends, its line end left out."""
        return self.starts[number] + len(self.line(number))

    def is_blank(self, number: int) -> bool:
        """True when the line has only white space."""
        return not self.line(number).strip()

    def number_at(self, offset: int) -> int:
        """The line (from 0) that holds the offset."""
        return bisect_right(self.starts, offset, 0, max(len(self), 1)) - 1


def paragraphs(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Ranges of runs of non-blank lines: from the start of the first to the last visible character."""
    stop = len(text) if end is None else end
    found: list[tuple[int, int]] = []
    first, last = -1, -1
    for match in _LINE.finditer(text, start, stop):
        visible = len(match.group().rstrip())
        if visible:
            first = match.start() if first < 0 else first
            last = match.start() + visible
        elif first >= 0:
            found.append((first, last))
            first = -1
    if first >= 0:
        found.append((first, last))
    return found
