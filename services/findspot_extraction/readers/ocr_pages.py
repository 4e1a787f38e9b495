"""Reads pages from their pictures: what a worker process does for pages without a text layer."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from contextlib import closing

from findspot_extraction.readers.images_drawing import PictureFile, as_png
from findspot_extraction.readers.ocr import PageReading, PicturesWanted, SeenPage
from findspot_extraction.readers.ocr_engine import load_engine
from findspot_extraction.readers.reader import ReadLimits, Source

_DOTS_AN_INCH = 200.0
_POINTS_AN_INCH = 72.0
_MOST_PIXELS = 6_000_000
"""Of the picture that is read: an A4 page has 3.9 million; a larger one is drawn smaller."""
_SENT_SIDE = 2_000
"""Pixels of the longer side of the picture that a vision model gets."""


def see_pages(source: Source, wanted: PicturesWanted, limits: ReadLimits) -> tuple[SeenPage, ...]:
    """Draw the pages and read them. FailedPrecondition when the extra `ocr` is needed and cannot be loaded."""
    with closing(PictureFile(source, limits)) as file:
        return tuple(_seen(file, wanted))


def _seen(file: PictureFile, wanted: PicturesWanted) -> Iterator[SeenPage]:
    engine = load_engine() if wanted.recognise else None
    for number in wanted.pages:
        picture = file.draw(number, _scale(*file.size(number)), 2 * _MOST_PIXELS)
        lines = engine.read(_pixels(picture)) if engine else ()
        reading = PageReading(number, lines)
        if not wanted.pictures:
            yield SeenPage(reading)
            continue
        picture.thumbnail((_SENT_SIDE, _SENT_SIDE), reducing_gap=2.0)
        pixels = f"{picture.width} {picture.height} ".encode() + picture.tobytes()
        yield SeenPage(reading, hashlib.sha256(pixels).hexdigest(), as_png(picture))


def _scale(width: float, height: float) -> float:
    """Pixels a point."""
    scale = _DOTS_AN_INCH / _POINTS_AN_INCH
    area = max(width * height, 1.0)
    return min(scale, math.sqrt(_MOST_PIXELS / area))


def _pixels(picture: object) -> object:
    """Height by width by 3, in the order of colours that the models were trained on."""
    import numpy

    return numpy.ascontiguousarray(numpy.asarray(picture)[:, :, ::-1])
