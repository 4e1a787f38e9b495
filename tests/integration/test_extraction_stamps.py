"""The registry tells the stamp that files get: each type's is compared with that of a file that was read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.fuzz import seeds
from tests.unit.extraction.picture_writing import encoded, picture

from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.model import Reader
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.rpc.server import running
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.main import build, open_vision
from findspot_extraction.readers import ocr_engine
from findspot_extraction.readers.stamps import UNREAD_STAMP, reader_stamp
from findspot_extraction.reading import _reader
from findspot_extraction.registry import Registry
from findspot_extraction.workers import WorkerPool

VERSION = ocr_engine.installed_version() or "none"
READABLE = {row.name: row for row in DOCUMENT_TYPES if row.readable}
SURVEY = Path(__file__).parents[1] / "fixtures" / "library" / "harbour-wall-survey.pdf"
TEXTS = {
    "eml": b"From: a@example.org\nSubject: Pump\n\nOpen the valve.\n",
    "notebook": b'{"cells": [{"cell_type": "markdown", "source": "Open"}], "nbformat": 4, "metadata": {}}',
}
PICTURES = {"pdf", "png", "jpeg", "gif", "tiff", "bmp", "webp"}


def file_of(name: str) -> bytes:
    """A file of a type, from the writers of the tests where it is a binary format."""
    if name in PICTURES - {"pdf"}:
        return encoded(picture([("Tides", 28)]), name.upper())
    built = "xlsx" if name == "xls" else name
    return seeds.built(built)[0] if built in seeds.FORMATS else TEXTS.get(name, b"Open the valve.\n")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(ExtractionSettings(workers=1).pool_options(), Registry().rows)
    pool.start()
    yield pool
    await pool.close()


pytestmark = pytest.mark.asyncio(loop_scope="module")


@asynccontextmanager
async def service(pool: WorkerPool, folder: Path, **settings: Any) -> AsyncIterator[ExtractionPeer]:
    chosen = ExtractionSettings(port=0, workers=1, data=folder, **settings)
    vision = open_vision(chosen)
    async with (
        running(build(chosen, Registry(), pool, vision)) as server,
        open_channel(server.address) as channel,
    ):
        yield ExtractionPeer(channel)
    if vision is not None:
        await vision.close()


@pytest.mark.parametrize("row", READABLE.values(), ids=READABLE)
async def test_the_table_says_what_the_reader_says(row: DocumentType) -> None:
    assert reader_stamp(row.reader) == _reader(row.reader).stamp


async def test_a_document_of_each_type_has_the_stamp_that_is_listed(pool: WorkerPool, tmp_path: Path) -> None:
    async with service(pool, tmp_path, ocr="off") as peer:
        rows = {row.name: row for row in await peer.document_types()}
        for name in READABLE:
            document = await peer.extract(file_of(name), file_name="a", document_type=name)
            assert (document.document_type, document.extractor_stamp) == (name, rows[name].extractor_stamp)
            assert document.text or name in PICTURES
    assert {rows[name].extractor_stamp for name in PICTURES} == {"pdf/1+ocr/none", "image/1+ocr/none"}
    assert (rows["python"].reader, rows["docx"].reader, rows["rtf"].reader) == ("code", "word", "")


async def test_a_blank_file_has_the_stamp_of_its_type(pool: WorkerPool, tmp_path: Path) -> None:
    blank = [row for row in DOCUMENT_TYPES if row.extensions and not row.magic and not row.members]
    async with service(pool, tmp_path) as peer:
        rows = {row.name: row for row in await peer.document_types()}
        for row in blank:
            document = await peer.extract(b" \n", file_name=f"a{row.extensions[0]}")
            assert (document.text, document.extractor_stamp) == ("", rows[row.name].extractor_stamp)
    assert rows["markdown"].extractor_stamp == "markdown/1"
    assert {row.extractor_stamp for row in rows.values() if not row.readable} == {UNREAD_STAMP}


async def test_who_reads_pictures_is_in_the_stamp_of_files_without_any(
    pool: WorkerPool, tmp_path: Path
) -> None:
    sees = {"vision_endpoint": "http://127.0.0.1:9/v1", "vision_model": "eyes"}
    for settings, stamp in (({}, f"pdf/1+ocr/{VERSION}"), (sees, f"pdf/1+ocr/{VERSION}+vision/eyes")):
        async with service(pool, tmp_path, **settings) as peer:
            [listed] = [row for row in await peer.document_types() if row.name == "pdf"]
            document = await peer.extract(SURVEY.read_bytes(), file_name="a.pdf")
        assert all(page.reader is Reader.TEXT_LAYER for page in document.pages)
        assert document.extractor_stamp == listed.extractor_stamp == stamp
