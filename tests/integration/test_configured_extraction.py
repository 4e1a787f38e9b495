"""Types that configuration adds or changes, through a real extraction server and its worker processes."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from pypdf import PdfWriter

from findspot.model import BlockKind, Strategy
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.rpc.server import running
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.main import build
from findspot_extraction.registry import Registry
from findspot_extraction.workers import WorkerPool

TYPES = {
    "notes": {"extensions": [".notes"], "media_types": ["text/x-notes"], "like": "markdown", "size": 600},
    "scan": {"extensions": [".scan"], "like": "pdf"},
    "recipe": {"file_names": ["recipe"], "category": "code"},
    "rst": {"like": "markdown", "strategy": "sentence"},
    "cython": {"extensions": [".pyx"], "like": "python"},
}
SETTINGS = ExtractionSettings(port=0, workers=1, ocr="off", document_types=TYPES)
TEXT = b"# Start\n\nOpen the valve.\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def peer() -> AsyncIterator[ExtractionPeer]:
    registry = Registry(SETTINGS.types().rows)
    pool = WorkerPool(SETTINGS.pool_options(), registry.rows)
    async with running(build(SETTINGS, registry, pool)) as server, open_channel(server.address) as channel:
        yield ExtractionPeer(channel)
    await pool.close()


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_file_of_a_new_type_is_read_like_the_other(peer: ExtractionPeer) -> None:
    for said in ({"file_name": "a.notes"}, {"file_name": "a", "media_type": "text/x-notes"}):
        document = await peer.extract(TEXT, **said)
        assert [block.kind for block in document.blocks] == [BlockKind.HEADING, BlockKind.PARAGRAPH]
        assert (document.document_type, document.media_type, document.category) == (
            "notes",
            "text/x-notes",
            "prose",
        )
        assert (document.extractor_stamp, document.warnings) == ("markdown/1", ())


async def test_a_known_type_is_read_like_another(peer: ExtractionPeer) -> None:
    document = await peer.extract(TEXT, file_name="a.rst")
    assert (document.document_type, document.extractor_stamp) == ("rst", "markdown/1")


async def test_a_binary_format_has_another_name(peer: ExtractionPeer) -> None:
    writer, data = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.write(data)
    document = await peer.extract(data.getvalue(), file_name="a.scan")
    assert (document.document_type, document.media_type) == ("scan", "application/pdf")
    assert "TYPE_MISMATCH" not in {notice.code for notice in document.warnings}
    other = await peer.extract(data.getvalue(), file_name="a.notes")
    assert other.document_type == "pdf"
    assert "TYPE_MISMATCH" in {notice.code for notice in other.warnings}


async def test_category_and_grammar_reach_the_readers(peer: ExtractionPeer) -> None:
    recipe = await peer.extract(b"mix\n", file_name="recipe")
    assert [(block.kind, block.language) for block in recipe.blocks] == [(BlockKind.CODE, "recipe")]
    cython = await peer.extract(b"def stir():\n    pass\n", file_name="a.pyx")
    assert [block.symbol_path for block in cython.blocks] == [("stir",)]
    assert (cython.document_type, cython.category) == ("cython", "code")


async def test_the_registry_lists_them(peer: ExtractionPeer) -> None:
    rows = {row.name: row for row in await peer.document_types()}
    notes = rows["notes"]
    assert (notes.extensions, notes.media_types, notes.readable) == ((".notes",), ("text/x-notes",), True)
    assert (notes.strategy, notes.size, notes.overlap) == (Strategy.SEMANTIC, 600, 100)
    assert rows["rst"].strategy is Strategy.SENTENCE
    assert rows["cython"].grammar == "python"
    assert {"recipe", "cython"} <= {row.name for row in await peer.document_types("code")}
