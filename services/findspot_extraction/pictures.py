"""Pages without a text layer: has them read from their pictures, page by page, and says what came of it.

A page is a task of a worker process of its own: it has limits of its own, several are read at a time, a page
that fails costs only itself, and documents with text get their turn between two pages. What a vision model is
asked goes out from here, since worker processes have no business with the network.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from findspot.errors import FindspotError, Reason, Unavailable
from findspot.model import ExtractedDocument, Notice, Page, Reader
from findspot.rpc.document_packing import PackedDocument

from .readers.ocr import NO_TEXT_LAYER, PageReading, PicturesWanted, SeenPage
from .readers.ocr_engine import EXTRA, installed_version
from .readers.stamps import has_pictures
from .reading import Upload

log = logging.getLogger(__name__)

_VISION_TRIES = 3
"""Failures of the vision model in a row, after which the rest of a document is not sent to it."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """Who reads pictures, and how much of one document."""

    ocr: Literal["auto", "off"] = "auto"
    """`auto` reads when the extra is installed."""
    max_pages: int = 200
    """Pages of one document that are read from their pictures."""
    seconds: float = 400.0
    """After so long no further page of a document is begun."""
    at_a_time: int = 1
    """Pages of one document that are read at the same time."""


class VisionFailed(Exception):
    """A page that the vision model did not read: `code` of the notice, and what happened."""

    def __init__(self, code: str, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.final = final
        """True when no other page will fare better, now."""


class Vision(Protocol):
    """A model that writes down what a picture shows."""

    @property
    def model(self) -> str:
        """Its name."""
        ...

    async def transcript(self, seen: SeenPage, *, is_image: bool) -> str:
        """The text of a page, or the text or description of an image; empty for a blank one. Raises `VisionFailed`."""
        ...


class PicturePool(Protocol):
    """What is asked of `WorkerPool`."""

    async def read(
        self, data: bytes, upload: Upload, readings: Mapping[int, PageReading] | None = None
    ) -> PackedDocument:
        """Read a file anew, with what was read from its pictures."""
        ...

    async def see(self, data: bytes, upload: Upload, wanted: PicturesWanted) -> tuple[SeenPage, ...]:
        """Read pages from their pictures."""
        ...


@dataclass(slots=True)
class _Progress:
    """What came of the pages of one document so far."""

    readings: dict[int, PageReading] = field(default_factory=dict)
    unread: dict[int, str] = field(default_factory=dict)
    """By page: why it was not read, as a sentence."""
    vision_failures: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By code: pages and what happened."""
    vision_failed_in_a_row: int = 0


class PictureReader:
    """Completes documents that have pages without a text layer."""

    def __init__(self, pool: PicturePool, options: PictureOptions, vision: Vision | None = None) -> None:
        self._pool = pool
        self._options = options
        self._vision = vision
        self._version = installed_version() if options.ocr == "auto" else ""
        self._unusable = ""

    async def complete(self, data: bytes, upload: Upload, read: PackedDocument) -> PackedDocument:
        """The document with the text of its pictures, where a page lacks a text layer, and with its whole stamp."""
        document = read.described
        pages = [notice.page for notice in document.warnings if notice.code == NO_TEXT_LAYER]
        if not pages:
            described = replace(document, extractor_stamp=self.stamp(document.extractor_stamp))
            return replace(read, described=described)
        progress = _Progress()
        if self._version or self._vision:
            await self._see_all(data, upload, document, pages, progress)
        if progress.readings:
            read = await self._pool.read(data, upload, progress.readings)
            document = read.described
        for page in pages:
            if page not in progress.readings:
                progress.unread.setdefault(page, self._why_not())
        warnings = (*_explained(document.warnings, progress.unread), *_told(document.pages, progress))
        stamp = self.stamp(document.extractor_stamp, vision_failed=bool(progress.vision_failures))
        return replace(read, described=replace(document, warnings=warnings, extractor_stamp=stamp))

    def stamp(self, reader_stamp: str, *, vision_failed: bool = False) -> str:
        """The stamp of whatever a reader reads here: for formats with pictures it says who reads those.

        It is the same for each file of a type, blank ones and those without a picture too, so that stamps can be
        compared by type; only where the vision model failed it says so. It changes when the extra is installed or
        another model is configured.
        """
        if not has_pictures(reader_stamp):
            return reader_stamp
        stamp = f"{reader_stamp}+ocr/{'none' if self._unusable else self._version or 'none'}"
        if self._vision:
            stamp += f"+vision/{'failed' if vision_failed else self._vision.model}"
        return stamp

    def _why_not(self) -> str:
        if self._options.ocr == "off":
            return "Reading pictures is switched off (`ocr` of the extraction service)."
        return (
            f"It was not read: {self._unusable}."
            if self._unusable
            else f"The extra `{EXTRA}` reads such pages."
        )

    async def _see_all(
        self,
        data: bytes,
        upload: Upload,
        document: ExtractedDocument,
        pages: Sequence[int],
        progress: _Progress,
    ) -> None:
        most = self._options.max_pages
        for page in pages[most:]:
            progress.unread[page] = (
                f"A document has {most:,} pages read from their pictures at most (`max_picture_pages`)."
            )
        is_image = not document.media_type.endswith("pdf")
        waiting = iter(pages[:most])
        end = asyncio.get_running_loop().time() + self._options.seconds

        async def read_on() -> None:
            for page in waiting:
                if asyncio.get_running_loop().time() > end:
                    progress.unread[page] = (
                        f"Reading pictures took {self._options.seconds:g} s by then (`picture_seconds`)."
                    )
                    continue
                await self._see(data, upload, page, progress, is_image=is_image)

        tasks = [asyncio.create_task(read_on()) for _ in range(min(self._options.at_a_time, len(pages)))]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _see(
        self, data: bytes, upload: Upload, page: int, progress: _Progress, *, is_image: bool
    ) -> None:
        vision = self._vision if progress.vision_failed_in_a_row < _VISION_TRIES else None
        recognise = bool(self._version) and not self._unusable
        if not recognise and vision is None:
            return
        wanted = PicturesWanted((page,), recognise, pictures=vision is not None)
        try:
            [seen] = await self._pool.see(data, upload, wanted)
        except Unavailable:
            raise
        except FindspotError as failure:
            if failure.reason is Reason.NOT_YET_AVAILABLE and recognise:
                self._unusable = failure.message
                log.warning("pages without a text layer are not recognised: %s", failure.message)
                await self._see(data, upload, page, progress, is_image=is_image)
                return
            progress.unread[page] = f"It could not be read from its picture: {failure.message}"
            return
        transcript = await _transcript(vision, seen, progress, is_image) if vision is not None else None
        if recognise or transcript is not None:
            progress.readings[page] = replace(seen.reading, transcript=transcript or "")


async def _transcript(vision: Vision, seen: SeenPage, progress: _Progress, is_image: bool) -> str | None:
    """The transcript; None when there is none, with the failure noted."""
    try:
        transcript = await vision.transcript(seen, is_image=is_image)
    except VisionFailed as failure:
        progress.vision_failures.setdefault(failure.code, []).append((seen.reading.number, failure.message))
        progress.vision_failed_in_a_row += _VISION_TRIES if failure.final else 1
        return None
    progress.vision_failed_in_a_row = 0
    return transcript


def _explained(warnings: Sequence[Notice], unread: Mapping[int, str]) -> Iterator[Notice]:
    for notice in warnings:
        if notice.code == NO_TEXT_LAYER and notice.page in unread:
            message = f"Page {notice.page} has no text layer. {unread[notice.page]}"
            yield Notice(notice.code, message, notice.page)
        else:
            yield notice


def _told(pages: Sequence[Page], progress: _Progress) -> Iterator[Notice]:
    """What is said of the document as a whole."""
    asked = len(progress.readings) + len(progress.unread)
    recognised = [page for page in pages if page.reader is Reader.OCR and page.confidence is not None]
    if recognised:
        mean = sum(page.confidence or 0.0 for page in recognised) / len(recognised)
        message = (
            f"{len(recognised):,} of {asked:,} pages without a text layer were read by optical character "
            f"recognition, with a mean confidence of {mean:.2f}."
        )
        yield Notice("READ_BY_OCR", message)
    transcribed = sum(page.reader is Reader.MODEL for page in pages)
    if transcribed:
        message = f"{transcribed:,} of {asked:,} pages without a text layer were read by a vision model."
        yield Notice("READ_BY_MODEL", message)
    if progress.unread and progress.readings:
        message = f"{len(progress.unread):,} of {asked:,} pages without a text layer were not read."
        yield Notice("PAGES_NOT_READ", message)
    for code, failures in sorted(progress.vision_failures.items()):
        numbers = ", ".join(str(number) for number, _ in failures[:10])
        more = f" and {len(failures) - 10:,} more" if len(failures) > 10 else ""
        message = f"The vision model did not read pages {numbers}{more}: {failures[0][1]} Recognised text stands instead."
        yield Notice(code, message)
