"""What the type sizes of a whole document say: its body size, and which sizes are headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape

_LARGER = 1.15
"""Times the body size: a heading, at least."""
_LARGER_BOLD = 1.05
"""The same for bold type, which needs less size to stand out."""
_RARE = 0.10
"""Share of all characters that one size of heading may have, at most."""
_LONGEST = 200
_MOST_LINES = 4
_LEVELS = 6
_MONO_BODY = 0.5
"""Share of characters in fixed pitch above which it is the body type and marks no code."""


@dataclass(frozen=True, slots=True)
class Typography:
    """Type sizes of a document, weighted by characters."""

    body: float
    """The size that most characters are set in; 0 for a document without text."""
    rare: frozenset[tuple[float, bool]]
    """Size and boldness of what may be headings: larger than the body and used by few characters."""
    mono_body: bool


def measure(fragments: Iterable[Fragment]) -> Typography:
    """Count all fragments of the document that belong to the text."""
    fonts = Counter[tuple[float, bool, bool]]()
    for fragment in fragments:
        font = fragment.font
        fonts[font.size, font.bold, font.mono] += fragment.letters
    total = fonts.total()
    if not total:
        return Typography(0.0, frozenset(), mono_body=False)
    sizes = Counter[float]()
    looks = Counter[tuple[float, bool]]()
    mono = 0
    for (size, bold, fixed), length in fonts.items():
        sizes[size] += length
        looks[size, bold] += length
        mono += length if fixed else 0
    body = max(sizes, key=lambda size: (sizes[size], -size))
    rare = frozenset(
        (size, bold)
        for (size, bold), count in looks.items()
        if size >= (_LARGER_BOLD if bold else _LARGER) * body and count <= _RARE * total
    )
    return Typography(body, rare, mono_body=mono > _MONO_BODY * total)


def looks_like_heading(piece: Piece, typography: Typography) -> bool:
    """True for a short run of lines in a rare, larger size that holds at least one letter."""
    if piece.shape is Shape.CODE or len(piece.lines) > _MOST_LINES:
        return False
    font = piece.lines[0].font
    if (font.size, font.bold) not in typography.rare:
        return False
    text = piece.text
    return len(text) <= _LONGEST and any(map(str.isalpha, text))


def levels_by_size(sizes: Iterable[float]) -> dict[float, int]:
    """Level of each heading size, the largest first; sizes within 5 % share a level; at most six levels."""
    levels: dict[float, int] = {}
    level = 0
    leader = 0.0
    for size in sorted(set(sizes), reverse=True):
        if not leader or size < 0.95 * leader:
            level, leader = level + 1, size
        levels[size] = min(level, _LEVELS)
    return levels
