"""Words with boxes, as far as a presentation knows: it stores where shapes lie, never where lines break."""

from __future__ import annotations

import re
from collections.abc import Iterable

from findspot.model import Words
from findspot_extraction.readers.slides.geometry import Frame

_WORD = re.compile(r"\S+")
Place = tuple[int, int, Frame]
"""Start and end of a range of the full text, and where it stands on the slide."""


def words_of_slide(
    text: str, page: int, places: Iterable[Place], width: float, height: float
) -> Words | None:
    """The words in the ranges: each has the box of its shape, or of its cell. None when there are none.

    `text` is the full text; `width` and `height` are the slide's, in the units of the frames.
    """
    starts: list[int] = []
    lengths: list[int] = []
    boxes: list[float] = []
    for start, end, frame in places:
        box = frame.on(width, height)
        for word in _WORD.finditer(text, start, end):
            starts.append(word.start())
            lengths.append(word.end() - word.start())
            boxes += (box.x, box.y, box.width, box.height)
    if not starts:
        return None
    return Words(page, tuple(starts), tuple(lengths), tuple(boxes))
