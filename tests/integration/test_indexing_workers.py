"""Two real indexing processes on one PostgreSQL: no document or text is worked on twice, and one outlives the other."""

from __future__ import annotations

import contextlib
import hashlib
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from counting_proxy import counting
from service_processes import Service, free_ports

from findspot.rpc.channel import open_sync_channel
from findspot.stores.manifest import counters
from findspot.stores.manifest.engine import open_engine, read_snapshot
from findspot.stores.manifest.notices import listening
from findspot.stores.text.schema import index_directory
from findspot.stores.text.serving import serving_directory
from findspot.stores.text.writer import TextIndexWriter
from findspot.stores.vectors import VectorStore, collection_name
from findspot.v1 import embedding_pb2, extraction_pb2, indexing_pb2, indexing_pb2_grpc

DOCUMENTS = 120
EDITED = 30
_EMBED = "/findspot.v1.EmbeddingService/Embed"
_EXTRACT = "/findspot.v1.ExtractionService/Extract"


@dataclass
class Workers:
    """The owner of the text index, the worker beside it, and what both asked of their peers."""

    owner: Service
    worker: Service
    vectors: Service
    data: Path
    manifest: str
    extracted: Counter[str]
    embedded: Counter[str]

    def claims_were_lost(self) -> bool:
        """True when a machine under load let one of them look dead: then its work was done once more."""
        return any("were put back" in line for line in (*self.owner.lines, *self.worker.lines))

    def until(self, sql: str, wanted: list[tuple[object, ...]]) -> None:
        """Wait until the manifest holds this; looked at after every change that one of the processes tells of."""
        heard = threading.Event()
        engine = open_engine(self.manifest, pool_size=1)
        end = listening(engine, "test", heard.set)
        try:
            while True:
                heard.clear()
                if self.rows(sql) == wanted:
                    return
                assert heard.wait(60), f"nothing changed any more: {self.rows(sql)}"
        finally:
            end()
            engine.dispose()

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        engine = open_engine(self.manifest, read_only=True)
        try:
            with engine.connect() as connection:
                return [tuple(row) for row in connection.exec_driver_sql(sql)]
        finally:
            engine.dispose()


def file_of(method: str, message: bytes) -> list[str]:
    if method != _EXTRACT:
        return []
    request = extraction_pb2.ExtractRequest.FromString(message)
    return [request.header.file_name] if request.HasField("header") else []


def texts_of(method: str, message: bytes) -> list[str]:
    return list(embedding_pb2.EmbedRequest.FromString(message).texts) if method == _EMBED else []


@pytest.fixture
def workers(tmp_path: Path, empty_postgres: str, request: pytest.FixtureRequest) -> Iterator[Workers]:
    names = (
        "vectors",
        "embedding",
        "extraction",
        "chunking",
        "owner",
        "worker",
        "to_extraction",
        "to_embedding",
    )
    ports = dict(zip(names, free_ports(len(names)), strict=True))
    at = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    data = tmp_path / "data"
    data.mkdir()
    (data / "models").symlink_to(Path(request.config.cache.mkdir("findspot-models")))
    common = {"DATA": str(data)}
    indexing = common | {
        "MANIFEST": empty_postgres,
        "EXTRACTION_ADDRESS": at["to_extraction"],
        "EMBEDDING_ADDRESS": at["to_embedding"],
        "CHUNKING_ADDRESS": at["chunking"],
        "VECTORS_ADDRESS": at["vectors"],
        "HEARTBEAT_SECONDS": "0.5",
        "INSTANCE_TIMEOUT_SECONDS": "10",
        "DURABILITY": "NORMAL",
    }
    peers = [
        Service("vectors", common, ports["vectors"]),
        Service("embedding", common, ports["embedding"]),
        Service("extraction", common | {"WORKERS": "1"}, ports["extraction"]),
        Service("chunking", common | {"EMBEDDING_ADDRESS": at["embedding"]}, ports["chunking"]),
    ]
    owner = Service("indexing", indexing, ports["owner"])
    worker = Service("indexing", indexing | {"TEXT_INDEX": at["owner"]}, ports["worker"])
    with contextlib.ExitStack() as stack:
        for service in peers:
            stack.callback(service.stop)
            service.start()
        extracted = stack.enter_context(counting(at["extraction"], ports["to_extraction"], file_of))
        embedded = stack.enter_context(counting(at["embedding"], ports["to_embedding"], texts_of))
        for service in (owner, worker):
            stack.callback(service.stop)
            service.start()
        yield Workers(owner, worker, peers[0], data, empty_postgres, extracted, embedded)


def text_of(number: int, edition: int) -> bytes:
    return (
        f"# Document {number}\n\nThis paragraph stands in every document.\n\n"
        f"## Own\n\nEdition {edition} of document {number} tells of lamp {number * 7}.\n"
    ).encode()


def upload(address: str, numbers: list[int], edition: int) -> None:
    with open_sync_channel(address) as channel:
        stub = indexing_pb2_grpc.IndexingServiceStub(channel)
        for number in numbers:
            data = text_of(number, edition)
            header = indexing_pb2.UploadHeader(
                collection="shared",
                file_path=f"{number:03d}.md",
                size_bytes=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
            )
            parts = (
                indexing_pb2.UploadDocumentRequest(header=header),
                indexing_pb2.UploadDocumentRequest(data=data),
            )
            stub.UploadDocument(iter(parts), timeout=60)


def upload_through_both(workers: Workers, count: int, edition: int) -> None:
    numbers = range(count)
    shares = (
        (workers.owner.address, [n for n in numbers if n % 2]),
        (workers.worker.address, [n for n in numbers if not n % 2]),
    )
    threads = [threading.Thread(target=upload, args=(*share, edition)) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(400)


def await_idle(address: str) -> None:
    with open_sync_channel(address) as channel:
        request = indexing_pb2.WatchIndexingRequest(until_idle=True)
        events = list(indexing_pb2_grpc.IndexingServiceStub(channel).WatchIndexing(request, timeout=120))
    assert (events[-1].idle, events[-1].document_count, events[-1].failed_document_count) == (
        True,
        DOCUMENTS,
        0,
    )


@pytest.mark.timeout(600)
async def test_two_processes_share_the_work_and_one_outlives_the_other(workers: Workers) -> None:
    upload_through_both(workers, DOCUMENTS, 1)
    await_idle(workers.worker.address)
    await_idle(workers.owner.address)
    assert len(workers.extracted) == DOCUMENTS
    if not workers.claims_were_lost():
        assert set(workers.extracted.values()) == {1}
        assert set(workers.embedded.values()) == {1}
    assert workers.rows("SELECT DISTINCT generation, next_generation FROM documents") == [(1, 1)]
    both = workers.rows("SELECT role, count(*) FROM instances GROUP BY role ORDER BY role")
    assert both == [("OWNER", 1), ("WORKER", 1)]

    # Without the owner nothing becomes searchable; what the worker takes meanwhile is not lost, nor given up.
    workers.owner.stop(signal.SIGKILL)
    upload(workers.worker.address, [0], 2)
    with pytest.raises(grpc.RpcError) as waited:
        await_document(workers.worker.address, "000.md", timeout=1.5)
    assert waited.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    workers.owner.start()
    await_document(workers.worker.address, "000.md")

    upload_through_both(workers, EDITED, 3)
    workers.worker.stop(signal.SIGKILL)
    await_idle(workers.owner.address)
    workers.until("SELECT role FROM instances", [("OWNER",)])
    assert workers.rows("SELECT state, count(*) FROM documents GROUP BY state") == [("INDEXED", DOCUMENTS)]
    with open_sync_channel(workers.owner.address) as channel:
        checked = indexing_pb2_grpc.IndexingServiceStub(channel).Diagnose(
            indexing_pb2.DiagnoseRequest(), timeout=60
        )
    failed = [check for check in checked.checks if check.outcome == indexing_pb2.CHECK_OUTCOME_FAILED]
    assert not failed, failed
    workers.owner.stop()
    assert_counters(workers.manifest)
    await assert_in_step(workers)


def assert_counters(manifest: str) -> None:
    engine = open_engine(manifest, read_only=True)
    with read_snapshot(engine) as snapshot:
        counted = {key: value for key, value in counters.recount(snapshot.connection).items() if value}
        kept = {
            (row[0], row[1], row[2]): row[3]
            for row in snapshot.connection.exec_driver_sql("SELECT * FROM counters WHERE value != 0")
        }
    engine.dispose()
    assert kept == counted


async def assert_in_step(workers: Workers) -> None:
    assert not workers.rows("SELECT 1 FROM chunks WHERE state = 'STAGED'")
    live = {str(row[0]) for row in workers.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}
    retired = {str(row[0]) for row in workers.rows("SELECT id FROM chunks WHERE state = 'RETIRED'")}
    assert len(live) >= DOCUMENTS
    with TextIndexWriter(serving_directory(index_directory(workers.data))) as writer:
        held = set(writer.ids())
    # What was retired leaves the projections a minute later.
    assert live <= held <= live | retired
    (identity,) = workers.rows("SELECT identity_key FROM active_identity")
    store = VectorStore(f"http://{workers.vectors.address}")
    found = set(await store.scroll_ids(collection_name(str(identity[0])), None, 10_000))
    await store.close()
    assert live <= found <= live | retired


def await_document(address: str, file: str, timeout: float = 60.0) -> None:
    path = indexing_pb2.DocumentPath(collection="shared", file_path=file)
    request = indexing_pb2.WaitForDocumentRequest(
        name=indexing_pb2.DocumentName(path=path), until=indexing_pb2.SEARCHABLE_VECTOR
    )
    with open_sync_channel(address) as channel:
        answer = indexing_pb2_grpc.IndexingServiceStub(channel).WaitForDocument(request, timeout=timeout)
    assert answer.reached
