"""What becomes of a document with pages that have no text layer: budgets, failures, stamps, notices."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from findspot.errors import FailedPrecondition, FindspotError, Internal, Reason, Unavailable
from findspot.model import ExtractedDocument, Notice, Page, Reader
from findspot.rpc.document_packing import PackedDocument, pack
from findspot_extraction import pictures
from findspot_extraction.pictures import PictureOptions, PictureReader
from findspot_extraction.readers.ocr import (
    NO_TEXT_LAYER,
    PageReading,
    PicturesWanted,
    RecognisedLine,
    RecognisedWord,
    SeenPage,
)
from findspot_extraction.reading import Upload

LINE = RecognisedLine((RecognisedWord("text", 0, 0, 1, 1),), 0.8)


def document(count: int, readings: Mapping[int, PageReading]) -> ExtractedDocument:
    pages = tuple(
        Page(number, 0, 0, reader=Reader.OCR, confidence=readings[number].confidence)
        if number in readings
        else Page(number, 0, 0)
        for number in range(1, count + 1)
    )
    missing = [
        Notice(NO_TEXT_LAYER, f"Page {page.number}", page.number)
        for page in pages
        if page.number not in readings
    ]
    return ExtractedDocument(
        "", "pdf", "application/pdf", pages=pages, warnings=tuple(missing), extractor_stamp="pdf/1"
    )


@dataclass
class Pool:
    """Answers each page at once, unless it is told how the page fails."""

    count: int
    failures: dict[int, FindspotError] = field(default_factory=dict)
    seen: list[int] = field(default_factory=list)
    under_way: int = 0
    most: int = 0

    async def read(
        self, data: bytes, upload: Upload, readings: Mapping[int, PageReading] | None = None
    ) -> PackedDocument:
        return pack(document(self.count, readings or {}))

    async def see(self, data: bytes, upload: Upload, wanted: PicturesWanted) -> tuple[SeenPage, ...]:
        [page] = wanted.pages
        self.seen.append(page)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        if page in self.failures:
            raise self.failures[page]
        return (SeenPage(PageReading(page, (LINE,))),)


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "installed_version", lambda: "9.9")


async def complete(pool: Pool, reader: PictureReader) -> ExtractedDocument:
    return (await reader.complete(b"", Upload("a.pdf"), pack(document(pool.count, {})))).described


def codes(found: ExtractedDocument) -> list[tuple[str, int]]:
    return [(notice.code, notice.page) for notice in found.warnings]


async def test_a_document_with_text_on_all_pages_only_gets_its_stamp() -> None:
    pool = Pool(2)
    whole = document(2, {1: PageReading(1), 2: PageReading(2)})
    found = await PictureReader(pool, PictureOptions()).complete(b"", Upload(), pack(whole))
    assert found.described == replace(whole, extractor_stamp="pdf/1+ocr/9.9")
    assert pool.seen == []


async def test_all_pages_are_read_as_many_at_a_time_as_allowed() -> None:
    pool = Pool(7)
    found = await complete(pool, PictureReader(pool, PictureOptions(at_a_time=3)))
    assert (sorted(pool.seen), pool.most) == ([1, 2, 3, 4, 5, 6, 7], 3)
    assert codes(found) == [("READ_BY_OCR", 0)]
    assert "7 of 7 pages" in found.warnings[0].message
    assert "0.80" in found.warnings[0].message
    assert found.extractor_stamp == "pdf/1+ocr/9.9"


async def test_pages_over_the_limit_are_counted_and_named() -> None:
    pool = Pool(5)
    found = await complete(pool, PictureReader(pool, PictureOptions(max_pages=3)))
    assert sorted(pool.seen) == [1, 2, 3]
    assert codes(found) == [(NO_TEXT_LAYER, 4), (NO_TEXT_LAYER, 5), ("READ_BY_OCR", 0), ("PAGES_NOT_READ", 0)]
    assert "max_picture_pages" in found.warnings[0].message
    assert "2 of 5 pages" in found.warnings[-1].message


async def test_no_page_is_begun_when_the_time_is_over() -> None:
    pool = Pool(3)
    found = await complete(pool, PictureReader(pool, PictureOptions(seconds=-1.0)))
    assert pool.seen == []
    assert codes(found) == [(NO_TEXT_LAYER, page) for page in (1, 2, 3)]
    assert all("picture_seconds" in notice.message for notice in found.warnings)


async def test_a_page_that_fails_costs_only_itself() -> None:
    crash = Internal("The process ended by SIGSEGV.", reason=Reason.EXTRACTION_CRASHED)
    pool = Pool(3, {2: crash})
    found = await complete(pool, PictureReader(pool, PictureOptions()))
    assert codes(found) == [(NO_TEXT_LAYER, 2), ("READ_BY_OCR", 0), ("PAGES_NOT_READ", 0)]
    assert "SIGSEGV" in found.warnings[0].message


async def test_an_extra_that_cannot_be_loaded_is_as_good_as_none_and_says_what_is_missing() -> None:
    missing = FailedPrecondition(
        "the extra `ocr` cannot be loaded (libGL.so.1: no such file)", reason=Reason.NOT_YET_AVAILABLE
    )
    pool = Pool(3, dict.fromkeys((1, 2, 3), missing))
    reader = PictureReader(pool, PictureOptions())
    for _ in range(2):
        found = await complete(pool, reader)
        assert codes(found) == [(NO_TEXT_LAYER, page) for page in (1, 2, 3)]
        assert all("libGL.so.1" in notice.message for notice in found.warnings)
        assert found.extractor_stamp == "pdf/1+ocr/none"
    assert pool.seen == [1]


async def test_a_service_that_stops_fails_the_document() -> None:
    pool = Pool(4, {2: Unavailable("The extraction service is stopping.")})
    with pytest.raises(Unavailable):
        await complete(pool, PictureReader(pool, PictureOptions(at_a_time=2)))
