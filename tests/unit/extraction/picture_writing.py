"""Pictures for tests: text in Pillow's own font, image files of it, and PDF pages that hold nothing else."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

SIZE = 480, 200


def picture(lines: Sequence[tuple[str, int]], size: tuple[int, int] = SIZE) -> Image.Image:
    """Black on white; each line with its type size in pixels, one below the other from 20, 20 on."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    top = 20
    for text, height in lines:
        pen.text((20, top), text, fill="black", font=ImageFont.load_default(height))
        top += round(height * 1.7)
    return image


def encoded(image: Image.Image, form: str, more: Sequence[Image.Image] = (), **options: object) -> bytes:
    """The file; `more` are further pages or frames."""
    target = io.BytesIO()
    pages = {"save_all": True, "append_images": list(more)} if more else {}
    image.save(target, form, **pages, **options)
    return target.getvalue()


def scanned(images: Sequence[Image.Image], dots_an_inch: float = 144.0) -> bytes:
    """A PDF with one picture a page and no text layer."""
    return encoded(images[0], "PDF", images[1:], resolution=dots_an_inch)
