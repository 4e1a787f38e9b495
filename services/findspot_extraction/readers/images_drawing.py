"""Pictures of pages: a page of a PDF or an image file in pixels, highlights drawn over it, as PNG."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from findspot.errors import FieldViolation, InvalidArgument
from findspot.model import Box
from findspot_extraction.readers.images_opening import ImageFile
from findspot_extraction.readers.images_values import Drawing, PagePicture
from findspot_extraction.readers.pdf.opening import open_pdf
from findspot_extraction.readers.reader import ReadLimits, Source, corrupt, unsupported

if TYPE_CHECKING:
    from PIL.Image import Image

PDF = "pdf"
IMAGES = frozenset(("png", "jpeg", "gif", "tiff", "bmp", "webp"))
DEFAULT_SCALE = 2.0
SMALLEST_SCALE = 0.25
LARGEST_SCALE = 8.0
MOST_HIGHLIGHTS = 10_000

_FILL = (255, 221, 0, 88)
_BORDER = (214, 140, 0, 255)
_BORDER_SHARE = 0.0015
"""Of the picture's longer side."""
_SMALLEST_SIDE = 0.5
"""Points."""


class PictureFile:
    """A PDF or an image file, open to take pictures of its pages; the caller closes it.

    Opening raises UNSUPPORTED_TYPE for other types, and what the readers of these types raise.
    """

    def __init__(self, source: Source, limits: ReadLimits) -> None:
        self._name = source.file_name or "the file"
        self._pdf: pdfium.PdfDocument | None = None
        self._image: ImageFile | None = None
        if source.document_type == PDF:
            self._pdf = open_pdf(source, limits)
            self._pdf.init_forms()
            self.pages = len(self._pdf)
        elif source.document_type in IMAGES:
            self._image = ImageFile(source, limits)
            self.pages = self._image.pages
        else:
            raise unsupported(
                f"{self._name} is {source.document_type}: only pages of PDF files and images can be drawn.",
                document_type=source.document_type,
            )

    def close(self) -> None:
        """Close the file."""
        if self._pdf is not None:
            self._pdf.close()
        if self._image is not None:
            self._image.close()

    def draw(self, number: int, scale: float, most_pixels: int) -> Image:
        """A page in RGB, `scale` pixels a point, of an image file never more pixels than it has.

        InvalidArgument INVALID_FIELD when that is over `most_pixels`; DOCUMENT_CORRUPT for a broken page.
        """
        if self._image is not None:
            return _picture_of_image(self._image, number, scale, most_pixels)
        assert self._pdf is not None
        try:
            page = self._pdf[number - 1]
        except pdfium.PdfiumError as error:
            raise corrupt(
                f"Page {number} of {self._name} is damaged and cannot be drawn: {error}."
            ) from error
        with closing(page):
            width, height = page.get_size()
            if not (width >= _SMALLEST_SIDE and height >= _SMALLEST_SIDE):
                raise corrupt(f"Page {number} of {self._name} has no area: {width:g} by {height:g} points.")
            check_pixels(math.ceil(width * scale), math.ceil(height * scale), scale, most_pixels)
            picture: Image = page.render(scale=scale, rev_byteorder=True).to_pil()
            return picture.convert("RGB")

    def size(self, number: int) -> tuple[float, float]:
        """Width and height of a page in points; 0, 0 for a page that cannot be opened."""
        if self._image is not None:
            frame = self._image.frame(number)
            return frame.width * frame.points_a_pixel, frame.height * frame.points_a_pixel
        assert self._pdf is not None
        try:
            width, height = self._pdf.get_page_size(number - 1)
        except pdfium.PdfiumError:
            return 0.0, 0.0
        return float(width), float(height)


def draw_page(source: Source, drawing: Drawing, limits: ReadLimits) -> PagePicture:
    """The page as PNG with its highlights.

    InvalidArgument INVALID_FIELD for a page that does not exist, a scale or box out of range and a picture that
    gets too large; UNSUPPORTED_TYPE for other formats than PDF and images.
    """
    scale = _checked_scale(drawing)
    _check_highlights(drawing.highlights)
    with closing(PictureFile(source, limits)) as file:
        if not 1 <= drawing.page <= file.pages:
            pages = f"pages 1 to {file.pages:,}" if file.pages > 1 else "page 1 only"
            raise _refused("page", f"Page {drawing.page:,} does not exist: the file has {pages}.")
        picture = file.draw(drawing.page, scale, drawing.most_pixels)
    png = as_png(_highlighted(picture, drawing.highlights))
    if len(png) > drawing.most_bytes:
        raise _refused(
            "scale",
            f"The picture of {picture.width:,} by {picture.height:,} pixels takes {len(png):,} bytes as PNG; the "
            f"limit is {drawing.most_bytes:,}. Take a smaller scale than {scale:g}.",
        )
    return PagePicture(png, picture.width, picture.height)


def _picture_of_image(file: ImageFile, number: int, scale: float, most_pixels: int) -> Image:
    frame = file.frame(number)
    share = min(1.0, scale * frame.points_a_pixel)
    size = max(1, round(frame.width * share)), max(1, round(frame.height * share))
    check_pixels(*size, scale, most_pixels)
    picture = file.picture(number, size if share < 1.0 else None)
    return picture.copy() if share == 1.0 else picture.resize(size, reducing_gap=2.0)


def as_png(picture: Image) -> bytes:
    """Packed quickly: a page is looked at once."""
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=3)
    return target.getvalue()


def check_pixels(width: int, height: int, scale: float, most: int) -> None:
    """Raise INVALID_FIELD when a picture would have too many pixels."""
    if width * height > most:
        fits = scale * math.sqrt(most / (width * height))
        hint = f"a scale of {fits:.2f} fits" if fits >= SMALLEST_SCALE else "no scale fits"
        raise _refused(
            "scale",
            f"At {scale:g} pixels a point the page has {width:,} by {height:,} pixels; the limit is {most:,} "
            f"in all, {hint}.",
        )


def _checked_scale(drawing: Drawing) -> float:
    scale = drawing.scale or DEFAULT_SCALE
    if not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise _refused(
            "scale",
            f"The scale is {scale:g} pixels a point; it may be {SMALLEST_SCALE:g} to {LARGEST_SCALE:g}, or 0 for "
            f"{DEFAULT_SCALE:g}.",
        )
    return scale


def _check_highlights(boxes: Sequence[Box]) -> None:
    if len(boxes) > MOST_HIGHLIGHTS:
        raise _refused(
            "highlights", f"There are {len(boxes):,} highlights; the limit is {MOST_HIGHLIGHTS:,}."
        )
    for number, box in enumerate(boxes):
        edges = (box.x, box.y, box.width, box.height)
        # A hundredth of slack: words may touch the edge of the page, and floats on the wire are short.
        if not all(0.0 <= edge <= 1.01 for edge in (*edges, box.x + box.width, box.y + box.height)):
            shown = ", ".join(f"{edge:g}" for edge in edges)
            raise _refused(
                f"highlights[{number}]",
                f"The highlight {shown} (x, y, width, height) leaves the page: all are fractions from 0 to 1.",
            )


def _highlighted(picture: Image, boxes: Sequence[Box]) -> Image:
    if not boxes:
        return picture
    from PIL import Image as images
    from PIL import ImageDraw

    layer = images.new("RGBA", picture.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    line = max(1, round(max(picture.size) * _BORDER_SHARE))
    for box in boxes:
        left, top = box.x * picture.width, box.y * picture.height
        right, bottom = left + box.width * picture.width, top + box.height * picture.height
        corners = (
            math.floor(left) - line,
            math.floor(top) - line,
            math.ceil(right) + line,
            math.ceil(bottom) + line,
        )
        pen.rectangle(corners, fill=_FILL, outline=_BORDER, width=line)
    return images.alpha_composite(picture.convert("RGBA"), layer).convert("RGB")


def _refused(field: str, message: str) -> InvalidArgument:
    return InvalidArgument(message, fields=[FieldViolation(field, message)])
