"""What to draw of a file, and the picture that comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.model import Box


@dataclass(frozen=True, slots=True)
class Drawing:
    """What to draw."""

    page: int
    """Physical, from 1."""
    scale: float = 0.0
    """Pixels a point, 0.25 to 8; 0 means 2."""
    highlights: tuple[Box, ...] = ()
    """Fractions of the page as displayed."""
    most_pixels: int = 40_000_000
    most_bytes: int = 15 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as PNG."""

    png: bytes
    width: int
    """Pixels."""
    height: int
