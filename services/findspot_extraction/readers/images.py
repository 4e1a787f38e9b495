"""The reader of image files: one page a picture, with what was recognised on it."""

from __future__ import annotations

from contextlib import closing

from findspot.model import ExtractedDocument, Notice
from findspot_extraction.readers.images_opening import ImageFile
from findspot_extraction.readers.pdf.geometry import PageFrame
from findspot_extraction.readers.pdf.glyphs import PageWords
from findspot_extraction.readers.pdf.pages import PageContent
from findspot_extraction.readers.pdf.recognised import no_text_layer, told_of_reading, with_readings
from findspot_extraction.readers.pdf.structure import structured
from findspot_extraction.readers.reader import ReadLimits, Source, check_length
from findspot_extraction.readers.stamps import READER_STAMPS


class ImageReader:
    """Reads PNG, JPEG, GIF, TIFF, BMP and WebP. Only a TIFF has pages; of an animation the first picture is read."""

    stamp = READER_STAMPS["images"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """A page for each picture, with the text of `source.readings`; see `Reader.read` for the failures."""
        with closing(ImageFile(source, limits)) as file:
            blank = [_page(file, number) for number in range(1, file.pages + 1)]
            frames = file.frames_in_file
        pages = with_readings(blank, source.readings)
        found = structured(pages)
        check_length(found.text, limits)
        return ExtractedDocument(
            text=found.text,
            document_type=source.document_type,
            media_type=source.media_type,
            category="prose",
            title=found.printed_title,
            language=source.language,
            blocks=found.blocks,
            pages=found.pages,
            words=found.words,
            marginalia=found.marginalia,
            warnings=(*_notices(pages, source), *_left_out(frames, len(pages))),
            extractor_stamp=self.stamp,
        )


READER = ImageReader()


def _page(file: ImageFile, number: int) -> PageContent:
    """A page without words. It is decoded once, so that a broken file fails whether or not anybody reads it."""
    frame = file.frame(number)
    file.check(number)
    width, height = frame.width * frame.points_a_pixel, frame.height * frame.points_a_pixel
    return PageContent(PageFrame(0.0, 0.0, width, height), PageWords(number, width, height, False), [])


def _notices(pages: list[PageContent], source: Source) -> list[Notice]:
    found: list[Notice] = []
    for page in pages:
        if page.words.number in source.readings:
            found.extend(told_of_reading(page))
        else:
            found.append(no_text_layer(page.words.number))
    return found


def _left_out(frames: int, pages: int) -> list[Notice]:
    if frames <= pages:
        return []
    message = f"The first of {frames:,} pictures of the animation was read; the others were left out."
    return [Notice("ANIMATION", message)]
