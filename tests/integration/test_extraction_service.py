"""The extraction service through a real server: uploads, documents in parts, the registry, typed failures."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import grpc
import pytest
import pytest_asyncio
from pypdf import PdfWriter

from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.errors import (
    FailedPrecondition,
    FindspotError,
    InvalidArgument,
    Reason,
    ResourceExhausted,
)
from findspot.model import BlockKind, Strategy
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.rpc.server import running
from findspot.rpc.status import from_rpc_error
from findspot.v1 import extraction_pb2, extraction_pb2_grpc
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.main import build
from findspot_extraction.registry import Registry
from findspot_extraction.workers import WorkerPool

HOSTILE = DocumentType("hostile", "hostile file", (".hostile",), reader="hostile_reader")
MARKDOWN = "---\ntitle: Pumps\n---\n# Start\n\nOpen the valve.\n\n| a | b |\n|---|---|\n| 1 | é |\n"
SETTINGS = ExtractionSettings(port=0, workers=1, max_document_mib=2, worker_wall_seconds=60)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    registry = Registry((*DOCUMENT_TYPES, HOSTILE))
    pool = WorkerPool(SETTINGS.pool_options(), registry.rows)
    pool.start()
    async with running(build(SETTINGS, registry, pool)) as server:
        opened = open_channel(server.address)
        yield opened
        await opened.close()
    await pool.close()


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(
    channel: grpc.aio.Channel, requests: Iterator[extraction_pb2.ExtractRequest]
) -> FindspotError:
    stub = extraction_pb2_grpc.ExtractionServiceStub(channel)
    with pytest.raises(grpc.RpcError) as caught:
        async for _ in stub.Extract(requests, timeout=60):
            pass
    return from_rpc_error(caught.value)


def upload(data: bytes, **header: object) -> Iterator[extraction_pb2.ExtractRequest]:
    yield extraction_pb2.ExtractRequest(
        header=extraction_pb2.ExtractHeader(**{"file_name": "a.md", "size_bytes": len(data), **header})
    )
    for start in range(0, len(data), 262_144):
        yield extraction_pb2.ExtractRequest(data=data[start : start + 262_144])


async def test_a_document_arrives_whole(channel: grpc.aio.Channel) -> None:
    document = await ExtractionPeer(channel).extract(MARKDOWN.encode(), file_name="pumps.md")
    assert document.text == MARKDOWN.split("---\n", 2)[2]
    assert (document.title, document.document_type, document.category) == ("Pumps", "markdown", "prose")
    assert document.metadata == {"title": "Pumps"}
    assert [block.kind for block in document.blocks] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.TABLE,
    ]
    table = document.blocks[-1].table
    assert table is not None
    assert [document.text[cell.start : cell.end] for row in table.rows for cell in row.cells] == [
        "a",
        "b",
        "1",
        "é",
    ]
    assert document.extractor_stamp == "markdown/1"


async def test_every_message_of_a_large_document_is_small(channel: grpc.aio.Channel) -> None:
    rows = "".join(f"{number},{'word ' * 5}é,{number * 7}\n" for number in range(40_000))
    data = ("id,text,value\n" + rows).encode()
    stub = extraction_pb2_grpc.ExtractionServiceStub(channel)
    parts = [part async for part in stub.Extract(upload(data, file_name="a.csv"), timeout=60)]
    assert max(part.ByteSize() for part in parts) < 1024**2
    kinds = [part.WhichOneof("part") for part in parts]
    assert (kinds[0], kinds[-1]) == ("header", "summary")
    assert kinds.count("text") > 1
    assert kinds.count("blocks") > 1
    document = await ExtractionPeer(channel).extract(data, file_name="a.csv", timeout=60)
    [block] = document.blocks
    assert block.table is not None
    assert len(block.table.rows) == 40_001
    last = block.table.rows[-1].cells[-1]
    assert document.text[last.start : last.end] == str(39_999 * 7)


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.csv", "a.py"])
async def test_an_empty_file_is_no_failure(channel: grpc.aio.Channel, name: str) -> None:
    document = await ExtractionPeer(channel).extract(b"", file_name=name)
    assert (document.text, document.blocks) == ("", ())


async def test_uploads_are_checked(channel: grpc.aio.Channel) -> None:
    wrong_size = await refused(channel, upload(b"text", size_bytes=5))
    assert (type(wrong_size), wrong_size.reason) == (InvalidArgument, Reason.UPLOAD_SIZE_MISMATCH)
    wrong_hash = await refused(channel, upload(b"text", sha256=hashlib.sha256(b"other").hexdigest()))
    assert wrong_hash.reason is Reason.UPLOAD_HASH_MISMATCH
    no_header = await refused(channel, iter([extraction_pb2.ExtractRequest(data=b"x")]))
    assert no_header.reason is Reason.UPLOAD_HEADER_MISSING


async def test_a_file_over_the_limit_is_refused_before_it_is_whole(channel: grpc.aio.Channel) -> None:
    announced = await refused(channel, upload(b"x", size_bytes=10**9))
    assert (type(announced), announced.reason) == (ResourceExhausted, Reason.DOCUMENT_TOO_LARGE)
    with pytest.raises(ResourceExhausted, match=str(2 * 1024**2)):
        await ExtractionPeer(channel).extract(b"x" * (2 * 1024**2 + 1), file_name="a.txt")


async def test_failures_are_typed_and_the_service_goes_on(channel: grpc.aio.Channel) -> None:
    peer = ExtractionPeer(channel)
    for command, reason in (
        (b"signal SIGSEGV", Reason.EXTRACTION_CRASHED),
        (b"raise it", Reason.EXTRACTION_CRASHED),
        (b"corrupt", Reason.DOCUMENT_CORRUPT),
    ):
        with pytest.raises(FindspotError) as caught:
            await peer.extract(command, file_name="a.hostile")
        assert caught.value.reason is reason
    with pytest.raises(InvalidArgument, match="recognised as executable") as unreadable:
        await peer.extract(b"\x7fELF" + bytes(40), file_name="a.txt")
    assert unreadable.value.reason is Reason.UNSUPPORTED_TYPE
    office = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(FailedPrecondition):
        await peer.extract(office, file_name="a.docx")
    with pytest.raises(InvalidArgument) as unknown:
        await peer.extract(b"x", file_name="a.md", document_type="novel")
    assert unknown.value.fields[0].field == "document_type"
    assert (await peer.extract(b"fine", file_name="a.txt")).text == "fine"


async def test_sixteen_callers_get_their_own_documents(channel: grpc.aio.Channel) -> None:
    peer = ExtractionPeer(channel)
    texts = [f"# Document {number}\n\n" + "word " * number for number in range(16)]
    documents = await asyncio.gather(*[peer.extract(t.encode(), file_name="a.md", timeout=60) for t in texts])
    assert [document.text for document in documents] == texts


async def test_types_are_detected(channel: grpc.aio.Channel) -> None:
    peer = ExtractionPeer(channel)
    found = await peer.detect(b"%PDF-1.7\n", file_name="notes.txt")
    assert (found.document_type, found.decided_by, found.readable) == ("pdf", "magic", True)
    assert [notice.code for notice in found.notices] == ["TYPE_MISMATCH"]
    unknown = await peer.detect(bytes(range(256)) * 9)
    assert (unknown.document_type, unknown.readable) == ("", False)


async def test_the_registry_is_listed(channel: grpc.aio.Channel) -> None:
    peer = ExtractionPeer(channel)
    rows = {row.name: row for row in await peer.document_types()}
    assert list(rows) == sorted(rows)
    assert rows["markdown"].strategy is Strategy.SEMANTIC
    assert (rows["python"].grammar, rows["python"].size, rows["python"].overlap) == ("python", 800, 0)
    assert ".md" in rows["markdown"].extensions
    assert not rows["zip"].readable
    tables = await peer.document_types("table")
    assert {row.category for row in tables} == {"table"}


async def test_settings_become_limits() -> None:
    options = replace(SETTINGS.pool_options(), workers=3)
    assert options.limits.memory_bytes == 2_048 * 1024**2
    assert options.limits.read.max_characters == 50_000_000
    assert (options.wall_seconds, options.workers) == (60, 3)


async def test_the_command_serves_and_ends_on_a_signal() -> None:
    environment = {
        **os.environ,
        "FINDSPOT_EXTRACTION_PORT": "0",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "findspot_extraction"), env=environment, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    lines = []
    while b"listens on" not in (line := await process.stderr.readline()):
        assert line, lines
        lines.append(line)
    async with open_channel(line.decode().split()[-1].strip()) as channel:
        document = await ExtractionPeer(channel).extract(b"fine", file_name="a.txt", timeout=60)
    assert document.text == "fine"
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0


async def test_a_password_opens_an_encrypted_file_and_is_asked_for_by_name(channel: grpc.aio.Channel) -> None:
    peer = ExtractionPeer(channel)
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt(user_password="heron", algorithm="AES-256")
    target = io.BytesIO()
    writer.write(target)
    with pytest.raises(FailedPrecondition, match=r"locked\.pdf is encrypted") as refused:
        await peer.extract(target.getvalue(), file_name="locked.pdf")
    assert refused.value.reason is Reason.DOCUMENT_ENCRYPTED
    opened = await peer.extract(target.getvalue(), file_name="locked.pdf", password="heron")
    assert len(opened.pages) == 1
