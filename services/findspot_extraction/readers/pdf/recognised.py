"""Recognised lines as the words and runs that the layout of PDF pages works on, so that both are laid out alike."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from findspot.model import Notice, Reader
from findspot_extraction.readers.ocr import NO_TEXT_LAYER, PageReading, RecognisedLine
from findspot_extraction.readers.pdf.fonts import Font
from findspot_extraction.readers.pdf.fragments import fragments_of
from findspot_extraction.readers.pdf.geometry import PageFrame, to_upright
from findspot_extraction.readers.pdf.glyphs import PageWords
from findspot_extraction.readers.pdf.pages import PageContent
from findspot_extraction.readers.pdf.transcribed import transcribed

BODY_SIZE = 10.0
"""The type size that the usual line of a document is taken for, in points."""
_SAME_SIZE = 0.8, 1.14
"""Times the usual height: boxes of one type size differ by their ascenders and by the skew of the scan."""
_STEP = 1.25
"""Ratio of two type sizes that are told apart."""


def with_readings(pages: Sequence[PageContent], readings: Mapping[int, PageReading]) -> list[PageContent]:
    """The pages, with what was recognised in the place of a text layer that a page does not have."""
    found = [
        (page, readings[page.words.number])
        for page in pages
        if page.words.number in readings and not page.words.texts
    ]
    usual = _usual_height((page.frame, line) for page, reading in found for line in reading.lines)
    read = {page.words.number: _recognised(page, reading, usual) for page, reading in found}
    return [read.get(page.words.number, page) for page in pages]


def no_text_layer(number: int) -> Notice:
    """What a reader says of a page that may be a picture of text, which it was not given a reading of."""
    message = f"Page {number} has no text layer. The extra `ocr` reads scanned pages."
    return Notice(NO_TEXT_LAYER, message, number)


def told_of_reading(page: PageContent) -> Iterator[Notice]:
    """What a reader says of a page without a text layer, which was given a reading."""
    if not page.words.texts:
        message = f"Page {page.words.number} has no text layer, and no text was found in its picture."
        yield Notice("NO_TEXT_FOUND", message, page.words.number)


def _recognised(page: PageContent, reading: PageReading, usual: float) -> PageContent:
    words = page_words(reading.lines, page.frame, reading.number)
    if reading.transcript:
        found = transcribed(reading.transcript, words, Font(BODY_SIZE))
        return replace(
            page,
            words=found.words,
            reader=Reader.MODEL,
            confidence=reading.confidence,
            items=found.items,
            levels=found.levels,
        )
    fonts = [
        Font(_type_size(_height(page.frame, line) / usual)) for line in reading.lines for _ in line.words
    ]
    fragments = fragments_of(words, lambda word, _: fonts[word])
    return replace(page, words=words, fragments=fragments, reader=Reader.OCR, confidence=reading.confidence)


def page_words(lines: Sequence[RecognisedLine], frame: PageFrame, number: int) -> PageWords:
    """The words of the lines; the "character" by which layout asks for a word's font is the word's own index."""
    page = PageWords(number, frame.width, frame.height, frame.degenerate)
    for line in lines:
        for place, word in enumerate(line.words):
            rect = (
                word.x0 * frame.width,
                word.y0 * frame.height,
                word.x1 * frame.width,
                word.y1 * frame.height,
            )
            x0, y0, x1, y1 = to_upright(rect, frame.width, frame.height, line.turn)
            page.x0.append(x0)
            page.y0.append(y0)
            page.x1.append(x1)
            page.y1.append(y1)
            page.texts.append(word.text)
            page.turns.append(line.turn)
            page.breaks.append(not place)
    page.characters = array("l", range(len(page.texts)))
    return page


def _height(frame: PageFrame, line: RecognisedLine) -> float:
    """Points across the line's direction: the lowest of its words, as a slant makes a long word's box higher."""
    if line.turn % 2:
        return min(word.x1 - word.x0 for word in line.words) * frame.width
    return min(word.y1 - word.y0 for word in line.words) * frame.height


def _usual_height(lines: Iterable[tuple[PageFrame, RecognisedLine]]) -> float:
    """The height of the line in which the middle character of the document stands; 1 where there is none."""
    heights = sorted((_height(frame, line), line.letters) for frame, line in lines)
    half, seen = sum(letters for _, letters in heights) / 2, 0
    for height, letters in heights:
        seen += letters
        if seen >= half:
            return max(height, 0.1)
    return 1.0


def _type_size(ratio: float) -> float:
    low, high = _SAME_SIZE
    if low <= ratio < high or ratio <= 0:
        return BODY_SIZE
    steps = round(math.log(ratio, _STEP)) or (1 if ratio > 1 else -1)
    return round(BODY_SIZE * _STEP**steps * 4) / 4
