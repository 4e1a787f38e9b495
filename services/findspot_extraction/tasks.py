"""What a worker process can be asked to do with one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from findspot.rpc.document_packing import pack

from .readers.images_values import Drawing
from .readers.ocr import PageReading, PicturesWanted
from .readers.reader import ReadLimits
from .reading import Upload, detect_type, read_document, source_of
from .registry import Registry


@dataclass(frozen=True, slots=True)
class DetectOnly:
    """Tell the type; gives a `Detection`."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """Read the file; gives a `PackedDocument`."""

    readings: Mapping[int, PageReading] = field(default_factory=dict)
    """What was read from the pictures of pages, by number."""


@dataclass(frozen=True, slots=True)
class SeePages:
    """Read pages from their pictures; gives a tuple of `SeenPage`."""

    wanted: PicturesWanted


@dataclass(frozen=True, slots=True)
class DrawPage:
    """Draw a page; gives a `PagePicture`."""

    drawing: Drawing


Task = DetectOnly | ReadText | SeePages | DrawPage


def perform(task: Task, data: bytes, upload: Upload, registry: Registry, limits: ReadLimits) -> Any:
    """Do it, in this process. Raises what the readers raise."""
    # PDFium and Pillow are loaded for those who need them only.
    match task:
        case DetectOnly():
            return detect_type(data, upload, registry)
        case ReadText(readings):
            document = read_document(data, upload, registry, limits, readings)
            return pack(document, omit_words=upload.omit_words)
        case SeePages(wanted):
            from .readers.ocr_pages import see_pages

            return see_pages(source_of(data, upload, registry), wanted, limits)
        case DrawPage(drawing):
            from .readers.images_drawing import draw_page

            return draw_page(source_of(data, upload, registry), drawing, limits)
