"""Drawing pages: scale, bounds, highlights, rotation, EXIF, and files that are none."""

from __future__ import annotations

import io

import pytest
from pdf_writing import Sheet, Text, pdf_bytes
from picture_writing import encoded, picture
from PIL import Image

from findspot.errors import InvalidArgument, Reason
from findspot.model import Box
from findspot_extraction.readers.images_drawing import draw_page
from findspot_extraction.readers.images_opening import ImageFile
from findspot_extraction.readers.images_values import Drawing
from findspot_extraction.readers.reader import ReadLimits, Source

PDF = pdf_bytes([Sheet((Text(100, 700, "Hello"),)), Sheet(rotate=90), Sheet(crop=(100, 100, 300, 200))])


def draw(data: bytes, kind: str, drawing: Drawing) -> Image.Image:
    made = draw_page(Source(data, f"a.{kind}", document_type=kind), drawing, ReadLimits())
    image = Image.open(io.BytesIO(made.png), formats=["PNG"])
    assert image.size == (made.width, made.height)
    return image


@pytest.mark.parametrize(
    ("page", "scale", "size"),
    [(1, 0, (1224, 1584)), (1, 0.25, (153, 198)), (2, 1, (792, 612)), (3, 2, (400, 200))],
)
def test_a_page_as_displayed_at_a_scale(page: int, scale: float, size: tuple[int, int]) -> None:
    assert draw(PDF, "pdf", Drawing(page, scale)).size == size


def test_highlights_lie_over_the_words_and_let_them_through() -> None:
    box = Box(100 / 612, (792 - 712) / 792, 40 / 612, 16 / 792)
    plain = draw(PDF, "pdf", Drawing(1, 2)).convert("RGB")
    marked = draw(PDF, "pdf", Drawing(1, 2, (box,))).convert("RGB")
    inside = [(x, y) for x in range(202, 278) for y in range(162, 190)]
    ink = min(inside, key=lambda at: sum(plain.getpixel(at)))
    paper = max(inside, key=lambda at: sum(plain.getpixel(at)))
    assert marked.getpixel(paper)[2] < 200 < marked.getpixel(paper)[0]
    assert sum(marked.getpixel(ink)) < sum(marked.getpixel(paper)) - 200
    assert marked.getpixel((600, 600)) == plain.getpixel((600, 600)) == (255, 255, 255)
    assert marked.getpixel((240, 159)) == (214, 140, 0)


@pytest.mark.parametrize("page", [0, 4])
def test_a_page_that_does_not_exist(page: int) -> None:
    with pytest.raises(InvalidArgument, match="pages 1 to 3") as refused:
        draw(PDF, "pdf", Drawing(page))
    assert refused.value.fields[0].field == "page"


@pytest.mark.parametrize("scale", [-1, 0.2, 8.5, float("nan"), float("inf")])
def test_a_scale_out_of_range(scale: float) -> None:
    with pytest.raises(InvalidArgument, match=r"0\.25 to 8"):
        draw(PDF, "pdf", Drawing(1, scale))


def test_too_many_pixels_say_which_scale_fits() -> None:
    with pytest.raises(InvalidArgument, match=r"100,000 in all, a scale of 0\.45 fits"):
        draw(PDF, "pdf", Drawing(1, 2, most_pixels=100_000))
    assert draw(PDF, "pdf", Drawing(1, 0.45, most_pixels=100_000)).width


def test_too_many_bytes() -> None:
    with pytest.raises(InvalidArgument, match="the limit is 500") as refused:
        draw(PDF, "pdf", Drawing(1, 2, most_bytes=500))
    assert refused.value.reason is Reason.INVALID_FIELD


@pytest.mark.parametrize(
    "box", [Box(-0.1, 0, 0.1, 0.1), Box(0, 0, 1.2, 0.1), Box(0.9, 0, 0.2, 0.1), Box(0, float("nan"), 0, 0)]
)
def test_a_highlight_off_the_page(box: Box) -> None:
    with pytest.raises(InvalidArgument, match="leaves the page") as refused:
        draw(PDF, "pdf", Drawing(1, 1, (Box(0, 0, 1, 1), box)))
    assert refused.value.fields[0].field == "highlights[1]"


def test_other_formats_have_no_pages_to_draw() -> None:
    with pytest.raises(InvalidArgument) as refused:
        draw(b"# text", "markdown", Drawing(1))
    assert refused.value.reason is Reason.UNSUPPORTED_TYPE


def test_an_image_is_scaled_down_and_never_up() -> None:
    image = encoded(picture([("text", 20)], (400, 200)), "PNG", dpi=(72, 72))
    assert draw(image, "png", Drawing(1, 0.5)).size == (200, 100)
    assert draw(image, "png", Drawing(1, 8)).size == (400, 200)


def test_orientation_of_a_photograph_is_applied() -> None:
    image = Image.new("RGB", (40, 20), "white")
    image.putpixel((0, 0), (0, 0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6
    shown = draw(encoded(image, "PNG", exif=exif), "png", Drawing(1, 8)).convert("RGB")
    assert shown.size == (20, 40)
    assert shown.getpixel((19, 0)) == (0, 0, 0)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16", "I", "F"])
def test_every_kind_of_sample_becomes_colours_on_white(mode: str) -> None:
    image = Image.new(mode, (20, 20), 0)
    form = "TIFF" if mode in ("CMYK", "F", "I", "I;16") else "PNG"
    source = Source(encoded(image, form), "a", document_type=form.lower())
    shown = ImageFile(source, ReadLimits()).picture(1)
    assert (shown.mode, shown.size) == ("RGB", (20, 20))
    if mode in ("LA", "RGBA"):
        assert shown.getpixel((3, 3)) == (255, 255, 255)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP"])
def test_a_damaged_image_is_a_typed_failure(form: str) -> None:
    whole = encoded(picture([("some text", 30)]), form)
    for data in (whole[: len(whole) // 2], whole[:12], b"x" * 100):
        with pytest.raises(InvalidArgument) as refused:
            ImageFile(Source(data, "a", document_type=form.lower()), ReadLimits()).picture(1)
        assert refused.value.reason is Reason.DOCUMENT_CORRUPT
