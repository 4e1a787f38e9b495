"""A scan that nobody could read is found by its words once the extraction service reads pictures: nobody asks for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from tests.unit.extraction.picture_writing import encoded, picture, scanned
from tests.unit.indexing.indexing_fakes import QUICK, Desk, desk_over, replace

from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.rpc.server import running
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.main import build
from findspot_extraction.readers import ocr_engine
from findspot_extraction.registry import Registry
from findspot_extraction.workers import WorkerPool
from findspot_indexing.sweep.run import sweeping

VERSION = ocr_engine.installed_version()
OFTEN = replace(QUICK, sweep_seconds=0.5)


@asynccontextmanager
async def extraction(port: int, ocr: Literal["auto", "off"]) -> AsyncIterator[int]:
    """A real extraction service with its own workers; gives the port."""
    settings = ExtractionSettings(port=port, workers=1, ocr=ocr)
    pool = WorkerPool(settings.pool_options(), Registry().rows)
    pool.start()
    try:
        async with running(build(settings, Registry(), pool)) as server:
            yield int(server.address.rpartition(":")[2])
    finally:
        await pool.close()


@asynccontextmanager
async def desk_with(data: Path, port: int) -> AsyncIterator[Desk]:
    """An indexing service that asks the extraction service on that port, however often it is started again."""
    async with (
        desk_over(data, sweep=False, limits=OFTEN) as desk,
        open_channel(f"127.0.0.1:{port}") as channel,
    ):
        indexing = replace(desk.indexing, extractor=ExtractionPeer(channel))
        async with sweeping(indexing):
            yield replace(desk, indexing=indexing)


@pytest.mark.skipif(
    not VERSION, reason="the extra `ocr` is not installed here, and so nothing reads pictures"
)
async def test_a_scan_becomes_searchable_when_extraction_is_started_with_ocr(tmp_path: Path) -> None:
    page = picture([("Valve 4711", 60)])
    async with extraction(0, "off") as port:
        pass
    async with desk_with(tmp_path, port) as desk:
        async with extraction(port, "off"):
            await desk.put_bytes("scan.pdf", scanned([page]))
            await desk.put_bytes("photo.png", encoded(page, "PNG"))
            await desk.put_bytes("blank.md", b" \n")
            await desk.until(
                lambda: {desk.state(name) for name in ("scan.pdf", "photo.png", "blank.md")} == {"EMPTY"}, 60
            )
            stamps = desk.rows("SELECT file_path, tried_stamp FROM documents ORDER BY file_path")
            assert stamps == [
                ("blank.md", "markdown/1"),
                ("photo.png", "image/1+ocr/none"),
                ("scan.pdf", "pdf/1+ocr/none"),
            ]
        async with extraction(port, "auto"):
            await desk.until(lambda: desk.state("scan.pdf") == desk.state("photo.png") == "INDEXED", 60)
    found = desk.rows(
        "SELECT d.file_path, d.tried_stamp, c.text FROM documents d JOIN chunks c ON c.document_id = d.id "
        "WHERE c.state = 'LIVE' ORDER BY d.file_path"
    )
    assert found == [
        ("photo.png", f"image/1+ocr/{VERSION}", "Valve 4711"),
        ("scan.pdf", f"pdf/1+ocr/{VERSION}", "Valve 4711"),
    ]
    assert desk.rows("SELECT state, generation FROM documents WHERE file_path = 'blank.md'") == [("EMPTY", 1)]
