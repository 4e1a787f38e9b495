"""A real indexing process among real services, killed over and over: nothing acknowledged is lost, nothing doubled."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from service_processes import Service, free_ports

from findspot.errors import FindspotError, Unavailable
from findspot.rpc.channel import open_sync_channel
from findspot.rpc.status import from_rpc_error
from findspot.stores.manifest import counters
from findspot.stores.manifest.engine import open_engine, read_snapshot
from findspot.stores.text.schema import index_directory
from findspot.stores.text.serving import serving_directory
from findspot.stores.text.writer import TextIndexWriter
from findspot.stores.vectors import VectorStore, collection_name
from findspot.v1 import indexing_pb2, indexing_pb2_grpc

DOCUMENTS = 24
KILLS = 4


@pytest.fixture
def services(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[dict[str, Service]]:
    names = ("vectors", "embedding", "extraction", "chunking", "indexing")
    ports = dict(zip(names, free_ports(len(names)), strict=True))
    data = tmp_path / "data"
    data.mkdir()
    # Built once for all tests of a run.
    (data / "models").symlink_to(Path(request.config.cache.mkdir("findspot-models")))
    addresses = {f"{name.upper()}_ADDRESS": f"127.0.0.1:{port}" for name, port in ports.items()}
    common = {"DATA": str(data)}
    own = {
        "vectors": common,
        "embedding": common,
        "extraction": common | {"WORKERS": "1"},
        "chunking": common | {"EMBEDDING_ADDRESS": addresses["EMBEDDING_ADDRESS"]},
        "indexing": common
        | {name: value for name, value in addresses.items() if not name.startswith("INDEXING")},
    }
    started = {name: Service(name, own[name], ports[name]) for name in names}
    with contextlib.ExitStack() as stack:
        for service in started.values():
            stack.callback(service.stop)
            service.start()
        yield started


def text_of(number: int) -> bytes:
    paragraphs = [
        f"Paragraph {part} of document {number} tells of the lamp and the tide. " * 4 for part in range(4)
    ]
    shared = "This paragraph stands in every document, so it is embedded once. " * 4
    return "\n\n".join([f"# Document {number}", shared, "## Rest", *paragraphs, ""]).encode()


def upload(stub: indexing_pb2_grpc.IndexingServiceStub, number: int) -> None:
    data = text_of(number)
    header = indexing_pb2.UploadHeader(
        collection="crash",
        file_path=f"{number:03d}.md",
        size_bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
    )
    messages = [
        indexing_pb2.UploadDocumentRequest(header=header),
        indexing_pb2.UploadDocumentRequest(data=data),
    ]
    stub.UploadDocument(iter(messages), timeout=30, wait_for_ready=True)


def upload_all(address: str, acknowledged: set[int]) -> None:
    """Each document until it is acknowledged, whatever happens to the service meanwhile."""
    for number in range(DOCUMENTS):
        while number not in acknowledged:
            with open_sync_channel(address) as channel:
                try:
                    upload(indexing_pb2_grpc.IndexingServiceStub(channel), number)
                except grpc.RpcError as error:
                    # Killed while it was sent: whether it was taken nobody knows, so it is sent again.
                    failure: FindspotError = from_rpc_error(error)
                    assert isinstance(failure, Unavailable), failure
                else:
                    acknowledged.add(number)


def rows(data: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(f"file:{data}/manifest.sqlite?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.timeout(240)
async def test_killed_in_mid_work_it_loses_and_doubles_nothing(
    services: dict[str, Service], tmp_path: Path
) -> None:
    data, indexing = tmp_path / "data", services["indexing"]
    acknowledged: set[int] = set()
    uploading = threading.Thread(target=upload_all, args=(indexing.address, acknowledged))
    uploading.start()
    for kill in range(KILLS):
        await_progress(indexing, at_least=(kill + 1) * DOCUMENTS // (KILLS + 2))
        before = len(acknowledged)
        indexing.stop(signal.SIGKILL)
        # What was acknowledged is there, though the process had no moment to say goodbye.
        assert rows(data, "SELECT count(*) FROM documents")[0][0] >= before  # type: ignore[operator]
        indexing.start()
    uploading.join(120)
    assert len(acknowledged) == DOCUMENTS
    await_end(indexing)
    indexing.stop()
    assert_in_step(data)
    await assert_projections(data, services["vectors"])


def await_progress(indexing: Service, at_least: int) -> None:
    """Returns once so many chunks have a vector: there is always work under way when the kill comes."""
    with open_sync_channel(indexing.address) as channel:
        events = indexing_pb2_grpc.IndexingServiceStub(channel).WatchIndexing(
            indexing_pb2.WatchIndexingRequest(), timeout=60
        )
        next(event for event in events if event.embedded_chunk_count >= at_least)


def await_end(indexing: Service) -> None:
    with open_sync_channel(indexing.address) as channel:
        request = indexing_pb2.WatchIndexingRequest(until_idle=True)
        events = list(indexing_pb2_grpc.IndexingServiceStub(channel).WatchIndexing(request, timeout=120))
    assert events[-1].idle
    assert events[-1].document_count == DOCUMENTS
    assert events[-1].failed_document_count == 0


def assert_in_step(data: Path) -> None:
    assert rows(data, "SELECT state, count(*) FROM documents GROUP BY 1") == [("INDEXED", DOCUMENTS)]
    assert not rows(data, "SELECT 1 FROM chunks WHERE state = 'STAGED'")
    assert not rows(data, "SELECT 1 FROM generations WHERE state = 'STAGED'")
    twice = "SELECT 1 FROM chunks WHERE state = 'LIVE' GROUP BY document_id, chunk_index HAVING count(*) > 1"
    assert not rows(data, twice)
    assert not rows(data, "SELECT embed_hash FROM embeddings GROUP BY 1 HAVING count(*) > 1")
    engine = open_engine(data, read_only=True)
    with read_snapshot(engine) as snapshot:
        counted = {key: value for key, value in counters.recount(snapshot.connection).items() if value}
        kept = {
            (row[0], row[1], row[2]): row[3]
            for row in snapshot.connection.exec_driver_sql("SELECT * FROM counters WHERE value != 0")
        }
    engine.dispose()
    assert kept == counted


async def assert_projections(data: Path, vectors: Service) -> None:
    live = {str(row[0]) for row in rows(data, "SELECT id FROM chunks WHERE state = 'LIVE'")}
    assert len(live) > DOCUMENTS
    with TextIndexWriter(serving_directory(index_directory(data))) as writer:
        assert set(writer.ids()) == live
    (identity,) = rows(data, "SELECT identity_key FROM active_identity")
    store = VectorStore(f"http://{vectors.address}")
    found = await store.scroll_ids(collection_name(str(identity[0])), None, 10_000)
    await store.close()
    assert sorted(found) == sorted(live)


def test_a_second_process_is_refused_and_told_who_has_the_folder(tmp_path: Path) -> None:
    (port, other) = free_ports(2)
    first = Service("indexing", {"DATA": str(tmp_path)}, port)
    first.start()
    try:
        second = subprocess.run(
            [sys.executable, "-m", "findspot_indexing"],
            env=os.environ | {"FINDSPOT_DATA": str(tmp_path), "FINDSPOT_INDEXING_PORT": str(other)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert second.returncode == 1
        assert first.process is not None
        assert f"process {first.process.pid}" in second.stderr
        assert "Traceback" not in second.stderr
    finally:
        first.stop()
    assert first.process.returncode == 0
