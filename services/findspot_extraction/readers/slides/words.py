"""Words with boxes, as far as a presentation knows: it stores where shapes lie, never where lines break."""

from __future__ import annotations

from collections.abc import Iterable

from findspot.model import Words
from findspot_extraction.readers.slides.geometry import Frame

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
    frame, place = None, (0.0, 0.0, 0.0, 0.0)
    for start, end, around in places:
        if around is not frame:
            # The paragraphs of a shape follow one another.
            frame, box = around, around.on(width, height)
            place = box.x, box.y, box.width, box.height
        words = text[start:end].split()
        at = start
        for word in words:
            at = text.index(word, at)
            starts.append(at)
            at += len(word)
        lengths += map(len, words)
        boxes += place * len(words)
    if not starts:
        return None
    return Words(page, tuple(starts), tuple(lengths), tuple(boxes))
