"""Opening image files with Pillow: the one decoder of the detected type, bounded pixels, upright, on white."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from findspot_extraction.readers.reader import ReadLimits, Source, corrupt, too_large

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 120_000_000
"""Pixels of one picture; more is DOCUMENT_TOO_LARGE. An A3 sheet at 600 dots an inch has 70 million."""
_FORMATS = {"png": "PNG", "jpeg": "JPEG", "gif": "GIF", "tiff": "TIFF", "bmp": "BMP", "webp": "WEBP"}
_PAGED = "tiff"
"""The one type whose pictures are pages; those of the others are frames of an animation."""
_SANE_DENSITY = 50.0, 4_800.0
_USUAL_DENSITY = 96.0
_POINTS = 72.0
_SIDEWAYS = (5, 6, 7, 8)
"""Orientations of EXIF that swap width and height."""
_ORIENTATION = 0x0112
_DECODERS_FAIL = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""Decoders walk damaged bytes with plain Python operations: any of these means "not readable"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a file as it is displayed."""

    number: int
    width: int
    """Pixels."""
    height: int
    points_a_pixel: float


class ImageFile:
    """An open file; pages are decoded when they are asked for. The caller closes it.

    What the decoder trips over becomes DOCUMENT_CORRUPT; too many pages or pixels are DOCUMENT_TOO_LARGE.
    """

    def __init__(self, source: Source, limits: ReadLimits) -> None:
        from PIL import Image as images

        # Pixels are checked below, with a message of its own; Pillow would warn first and fail later.
        images.MAX_IMAGE_PIXELS = None
        self._type = source.document_type
        self._name = source.file_name or "the file"
        with self._decoding():
            self._image = images.open(io.BytesIO(source.data), formats=[_FORMATS[self._type]])
            self.frames_in_file = int(getattr(self._image, "n_frames", 1))
        self.pages = self.frames_in_file if self._type == _PAGED else 1
        if self.pages > limits.max_pages:
            self.close()
            raise too_large(
                f"{self._name} has {self.pages:,} pages; the limit is {limits.max_pages:,}. Split the file.",
                pages=str(self.pages),
                limit=str(limits.max_pages),
            )

    def close(self) -> None:
        """Let go of the bytes."""
        self._image.close()

    def frame(self, number: int) -> Frame:
        """Size and density of a page, from 1, without decoding it."""
        with self._decoding():
            if self._image.tell() != number - 1:
                self._image.seek(number - 1)
            width, height = self._image.size
            turned = self._image.getexif().get(_ORIENTATION) in _SIDEWAYS
            density = _density(self._image.info.get("dpi"))
        if width < 1 or height < 1:
            raise corrupt(f"{self._name} states {width} by {height} pixels on page {number}.")
        if width * height > MOST_PIXELS:
            raise too_large(
                f"{self._name} has {width:,} by {height:,} pixels on page {number}; the limit is "
                f"{MOST_PIXELS:,} in all. Scale it down or split it.",
                pixels=str(width * height),
                limit=str(MOST_PIXELS),
            )
        return Frame(number, *((height, width) if turned else (width, height)), _POINTS / density)

    def check(self, number: int) -> None:
        """Decode a page, from 1, so that what is wrong with it comes to light."""
        self.frame(number)
        with self._decoding():
            self._image.load()

    def picture(self, number: int, least: tuple[int, int] | None = None) -> Image:
        """A page, from 1, as it is displayed: RGB, turned as EXIF says, transparent parts white.

        With `least` it may come smaller, but not below these pixels as displayed: a JPEG is decoded in less memory
        so. Asked for once a page; it may be the file's own, which ends with it: the caller copies what it keeps.
        """
        from PIL import Image as images
        from PIL import ImageOps

        self.frame(number)
        with self._decoding():
            turn = self._image.getexif().get(_ORIENTATION, 1)
            if least is not None:
                self._image.draft(None, least[::-1] if turn in _SIDEWAYS else least)
            shown = self._image if turn == 1 else ImageOps.exif_transpose(self._image)
            if shown.mode.startswith("I") or shown.mode == "F":
                shown = _eight_bits(shown)
            if shown.has_transparency_data:
                layer = shown.convert("RGBA")
                ground = images.new("RGBA", layer.size, "white")
                ground.alpha_composite(layer)
                shown = ground
            if shown.mode == "RGB":
                shown.load()
                return shown
            return shown.convert("RGB")

    @contextmanager
    def _decoding(self) -> Iterator[None]:
        try:
            with warnings.catch_warnings():
                # Pillow warns of damage and goes on; what matters ends in an exception or in the picture.
                warnings.simplefilter("ignore")
                yield
        except _DECODERS_FAIL as error:
            # What Pillow says of a file that it does not know names an address in memory.
            what = "no such header" if "cannot identify" in str(error) else f"{type(error).__name__}: {error}"
            raise corrupt(
                f"{self._name} is damaged and cannot be shown as {self._type}: {what[:200]}."
            ) from error


def _density(stated: object) -> float:
    """Dots an inch across, as stated if that can be true."""
    try:
        across = float(stated[0]) if isinstance(stated, tuple) else 0.0
    except (ArithmeticError, TypeError, ValueError):
        across = 0.0
    low, high = _SANE_DENSITY
    return across if low <= across <= high else _USUAL_DENSITY


def _eight_bits(image: Image) -> Image:
    """Samples that are no bytes, spread from black to white."""
    numbers = image.convert("F")
    low, high = numbers.getextrema()
    if not (isinstance(low, float) and isinstance(high, float)) or not high > low:
        return image.convert("L")
    step = 255.0 / (high - low)
    return numbers.point(lambda value: value * step - low * step).convert("L")
