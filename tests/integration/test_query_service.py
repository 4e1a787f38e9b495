"""The query service through its own gRPC server, over a real manifest, text index and blobs."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status
from query_library import Library, Piece

from findspot.rpc.server import Server
from findspot.v1 import common_pb2, inspection_pb2, inspection_pb2_grpc, query_pb2, query_pb2_grpc
from findspot_query.config import QuerySettings
from findspot_query.main import build, open_parts, serve_when_stores_fit, store_problem


@dataclass
class Running:
    library: Library
    server: Server
    stub: query_pb2_grpc.QueryServiceStub
    channel: grpc.aio.Channel


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    """The whole service as `main` wires it, without peers: what it answers is by text alone."""
    library = Library(tmp_path)
    settings = QuerySettings(data=tmp_path)
    parts = open_parts(settings)
    server = build(settings, parts)
    port = await server.start()
    await serve_when_stores_fit(server, parts, settings)
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
    yield Running(library, server, query_pb2_grpc.QueryServiceStub(channel), channel)
    await channel.close()
    await server.stop(0)
    await parts.close()
    library.close()


def reason(error: grpc.aio.AioRpcError) -> str:
    status = rpc_status.from_call(error)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status.details)
    return info.reason


async def refused(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), reason(caught.value)


def fields(message: Message) -> set[str]:
    return {descriptor.name for descriptor, _ in message.ListFields()}


async def test_a_search_is_answered_whole(service: Running) -> None:
    service.library.add(
        "acme",
        "guide.md",
        Piece("Bring the red kettle to the boil.", page=3),
        Piece("Then pour.", section=1),
        title="Tea",
    )
    service.library.commit()
    answer = await service.stub.Search(query_pb2.SearchRequest(query="boiling kettles"))
    assert (answer.searched, answer.count, answer.count_is_lower_bound) == (True, 1, False)
    (result,) = answer.results
    hit = result.hit
    assert (hit.rank, hit.text_rank) == (1, 1)
    assert not hit.HasField("vector_rank")
    assert not hit.HasField("similarity")
    assert hit.document_path == "acme/guide.md"
    assert (hit.title, hit.page, hit.locator, list(hit.heading_path)) == (
        "Tea",
        3,
        "part 1",
        ["Chapter", "Section 0"],
    )
    assert hit.boxes[0].page == 3
    assert hit.boxes[0].box.width == pytest.approx(0.3)
    assert hit.snippet == "Bring the red kettle to the boil."
    assert [hit.snippet[mark.start : mark.end] for mark in hit.highlights] == ["kettle", "boil"]
    assert hit.freshness == common_pb2.FRESHNESS_FRESH
    assert result.chain_info.total_chunks == 2
    assert answer.degradations[0].failure.name == "search-not-performed"
    assert answer.degradations[0].effective_mode == query_pb2.SEARCH_MODE_TEXT
    assert answer.coverage.total_chunk_count == 2
    assert list(answer.understood.terms) == ["boiling", "kettles"]
    assert answer.strength == query_pb2.STRENGTH_STRONG


async def test_no_count_when_nothing_was_searched(service: Running) -> None:
    service.library.add("acme", "a", "word")
    service.library.commit()
    answer = await service.stub.Search(
        query_pb2.SearchRequest(query="word", mode=query_pb2.SEARCH_MODE_SEMANTIC)
    )
    assert not answer.searched
    assert not answer.HasField("count")
    assert answer.failure.name == "search-not-performed"
    nothing = await service.stub.Search(
        query_pb2.SearchRequest(query="absent", mode=query_pb2.SEARCH_MODE_TEXT)
    )
    assert nothing.searched
    assert nothing.HasField("count")
    assert nothing.count == 0
    assert not nothing.HasField("failure")


async def test_chunk_level_search_is_not_deduplicated(service: Running) -> None:
    service.library.add("acme", "a", "word one", "word two")
    service.library.commit()
    request = query_pb2.SearchChunksRequest(search=query_pb2.SearchRequest(query="word"))
    answer = (await service.stub.SearchChunks(request)).search
    assert answer.count == 2
    assert [result.hit.rank for result in answer.results] == [1, 2]
    assert not any(result.HasField("chain_info") for result in answer.results)


async def test_page_sizes_are_brought_down_and_negative_ones_refused(service: Running) -> None:
    for number in range(3):
        service.library.add("acme", f"f{number}", "word")
    service.library.commit()
    answer = await service.stub.Search(query_pb2.SearchRequest(query="word", page_size=100_000))
    assert len(answer.results) == 3
    code, why = await refused(service.stub.Search(query_pb2.SearchRequest(query="word", page_size=-1)))
    assert (code, why) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


async def test_refusals_have_reasons(service: Running) -> None:
    search = service.stub.Search
    target = query_pb2.Scope(target=query_pb2.TargetScope(path="nowhere"))
    for request, expected in (
        (query_pb2.SearchRequest(), "QUERY_BLANK"),
        (query_pb2.SearchRequest(query="x" * 9_000), "QUERY_TOO_LONG"),
        (query_pb2.SearchRequest(query="x", scope=target), "COLLECTION_NOT_FOUND"),
        (query_pb2.SearchRequest(query="x", page_token="forged"), "PAGE_TOKEN_INVALID"),
        (query_pb2.SearchRequest(query="x", min_revision=10_000), "REVISION_NOT_VISIBLE"),
        (query_pb2.SearchRequest(query="x", mode=99), "INVALID_FIELD"),
        (
            query_pb2.SearchRequest(
                query="x", fusion=query_pb2.Fusion(formula=query_pb2.FUSION_FORMULA_RRF, text_weight=2)
            ),
            "INVALID_FIELD",
        ),
    ):
        assert (await refused(search(request)))[1] == expected


async def test_stepping_through_a_document(service: Running) -> None:
    document = service.library.add("acme", "docs/a.md", "zero", "one", "two")
    place = query_pb2.ChunkAtPath(collection="acme", file_path="docs/a.md", index=0)
    request = query_pb2.GetChunkRequest(name=query_pb2.ChunkName(at_path=place))
    seen = []
    while True:
        answer = await service.stub.GetChunk(request)
        assert answer.found
        assert answer.total_chunks == 3
        seen.append(answer.chunk.text)
        assert answer.HasField("prev_index") == (answer.chunk.chunk_index > 0)
        if not answer.HasField("next_index"):
            break
        request.name.at_path.index = answer.next_index
    assert seen == ["zero", "one", "two"]
    inside = query_pb2.ChunkInDocument(document_id=document, index=1)
    by_document = await service.stub.GetChunk(
        query_pb2.GetChunkRequest(name=query_pb2.ChunkName(in_document=inside))
    )
    assert (by_document.prev_index, by_document.next_index) == (0, 2)
    by_id = await service.stub.GetChunk(
        query_pb2.GetChunkRequest(name=query_pb2.ChunkName(chunk_id=by_document.chunk.chunk_id))
    )
    assert by_id == by_document


@pytest.mark.parametrize("index", [-1, 3, 2_000_000_000])
async def test_a_position_outside_is_an_answer_with_the_valid_range(service: Running, index: int) -> None:
    document = service.library.add("acme", "a.md", "zero", "one", "two")
    for name in (
        query_pb2.ChunkName(at_path=query_pb2.ChunkAtPath(collection="acme", file_path="a.md", index=index)),
        query_pb2.ChunkName(in_document=query_pb2.ChunkInDocument(document_id=document, index=index)),
    ):
        answer = await service.stub.GetChunk(query_pb2.GetChunkRequest(name=name))
        assert (answer.found, answer.total_chunks) == (False, 3)
        assert not answer.HasField("chunk")
        assert "0 to 2" in answer.message


async def test_what_never_was_is_no_error_either(service: Running) -> None:
    for name in (
        query_pb2.ChunkName(chunk_id="00000000-0000-5000-8000-000000000000"),
        query_pb2.ChunkName(at_path=query_pb2.ChunkAtPath(collection="acme", file_path="no.md")),
        query_pb2.ChunkName(in_document=query_pb2.ChunkInDocument(document_id="no")),
    ):
        answer = await service.stub.GetChunk(query_pb2.GetChunkRequest(name=name))
        assert (answer.found, answer.total_chunks) == (False, 0)
        assert answer.message
    code, _ = await refused(service.stub.GetChunk(query_pb2.GetChunkRequest()))
    assert code == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_retired_chunk_is_readable_by_id_without_neighbours(service: Running) -> None:
    document = service.library.add("acme", "a.md", "zero", "one", "two")
    retired = service.library.chunk_ids(document)[1]
    service.library.retire(retired)
    answer = await service.stub.GetChunk(
        query_pb2.GetChunkRequest(name=query_pb2.ChunkName(chunk_id=retired))
    )
    assert (answer.found, answer.chunk.text) == (True, "one")
    assert answer.chunk.HasField("retired_time")
    assert not answer.HasField("prev_index")
    assert not answer.HasField("next_index")


async def test_several_chunks_at_once_each_for_itself(service: Running) -> None:
    document = service.library.add("acme", "a.md", "zero", "one")
    names = [
        query_pb2.ChunkName(in_document=query_pb2.ChunkInDocument(document_id=document, index=index))
        for index in (1, 7, 0)
    ]
    answer = await service.stub.BatchGetChunks(query_pb2.BatchGetChunksRequest(names=names))
    assert [(chunk.found, chunk.chunk.text) for chunk in answer.chunks] == [
        (True, "one"),
        (False, ""),
        (True, "zero"),
    ]
    code, _ = await refused(service.stub.BatchGetChunks(query_pb2.BatchGetChunksRequest()))
    assert code == grpc.StatusCode.INVALID_ARGUMENT


PIECES = (
    Piece("Äpfel und Birnen. Dann"),
    Piece("Dann Pflaumen 🎉. Und", overlap=4),
    Piece("Und Kirschen.", overlap=3),
    Piece("Neuer Abschnitt.", section=1),
)
TEXT = "Äpfel und Birnen. Dann Pflaumen 🎉. Und Kirschen.\n\nNeuer Abschnitt."


async def test_a_range_is_the_text_without_repetition(service: Running) -> None:
    document = service.library.add("acme", "a.md", *PIECES)
    name = query_pb2.ChunkName(in_document=query_pb2.ChunkInDocument(document_id=document, index=1))
    whole = await service.stub.GetChunkRange(query_pb2.GetChunkRangeRequest(name=name, before=50, after=50))
    assert whole.text == TEXT
    assert [chunk.text for chunk in whole.chunks] == [""] * 4
    section = await service.stub.GetChunkRange(
        query_pb2.GetChunkRangeRequest(name=name, before=50, after=50, within_section=True)
    )
    assert section.text == TEXT[: section.range.end]
    assert section.text.endswith("Kirschen.")
    code, _ = await refused(service.stub.GetChunkRange(query_pb2.GetChunkRangeRequest(name=name, before=51)))
    assert code == grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("unit", "encoding", "width"),
    [
        (common_pb2.OFFSET_UNIT_CODE_POINT, "utf-32-le", 4),
        (common_pb2.OFFSET_UNIT_UTF8_BYTE, "utf-8", 1),
        (common_pb2.OFFSET_UNIT_UTF16_UNIT, "utf-16-le", 2),
    ],
)
async def test_ranges_in_every_unit_cut_the_text_exactly(
    service: Running, unit: Any, encoding: str, width: int
) -> None:
    document = service.library.add("acme", "a.md", *PIECES)
    encoded = TEXT.encode(encoding)
    listed = await service.stub.ListChunks(
        query_pb2.ListChunksRequest(document_id=document, offset_unit=unit)
    )
    for chunk in listed.chunks:
        assert encoded[chunk.range.start * width : chunk.range.end * width].decode(encoding) == chunk.text
    found = await service.stub.GetSection(
        query_pb2.GetSectionRequest(section_id=listed.chunks[3].section_id, offset_unit=unit)
    )
    section = found.section
    assert encoded[section.range.start * width : section.range.end * width].decode(encoding) == section.text
    start, pieces = 0, []
    while True:
        part = await service.stub.GetDocumentText(
            query_pb2.GetDocumentTextRequest(
                document_id=document, start=start, max_length=7, offset_unit=unit
            )
        )
        assert encoded[part.range.start * width : part.range.end * width].decode(encoding) == part.text
        assert part.total_length == len(encoded) // width
        pieces.append(part.text)
        if not part.HasField("next_start"):
            break
        start = part.next_start
    assert "".join(pieces) == TEXT


async def test_chunks_are_listed_page_by_page(service: Running) -> None:
    document = service.library.add("acme", "a.md", *[f"number {index}" for index in range(7)], title="Seven")
    request = query_pb2.ListChunksRequest(document_id=document, page_size=3)
    indices = []
    while True:
        page = await service.stub.ListChunks(request)
        assert (page.chain_id, page.title, page.total_chunks) == (document, "Seven", 7)
        indices += [chunk.chunk_index for chunk in page.chunks]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert indices == list(range(7))
    other = service.library.add("acme", "b.md", "x")
    request.document_id = other
    assert (await refused(service.stub.ListChunks(request)))[1] == "PAGE_TOKEN_INVALID"


async def test_a_section_by_id_and_by_chunk(service: Running) -> None:
    document = service.library.add("acme", "a.md", *PIECES)
    name = query_pb2.ChunkName(in_document=query_pb2.ChunkInDocument(document_id=document, index=1))
    section = (await service.stub.GetSection(query_pb2.GetSectionRequest(chunk=name))).section
    assert (section.first_chunk_index, section.last_chunk_index) == (0, 2)
    assert section.text == TEXT.partition("\n")[0]
    by_id = await service.stub.GetSection(query_pb2.GetSectionRequest(section_id=section.section_id))
    assert by_id.section == section
    assert "retired_time" not in fields(section)
    code, why = await refused(service.stub.GetSection(query_pb2.GetSectionRequest(section_id="no")))
    assert (code, why) == (grpc.StatusCode.NOT_FOUND, "SECTION_NOT_FOUND")


async def test_original_bytes_arrive_in_frames(service: Running) -> None:
    document = service.library.add("acme", "docs/big.txt", "word " * 120_000)
    request = query_pb2.DownloadDocumentRequest(document_id=document)
    header, data = None, b""
    async for message in service.stub.DownloadDocument(request):
        if message.WhichOneof("part") == "header":
            assert header is None
            header = message.header
        else:
            assert len(message.data) <= 256 * 1024
            data += message.data
    assert header is not None
    assert (header.file_name, header.media_type, header.size_bytes) == ("big.txt", "text/plain", len(data))
    assert header.sha256 == hashlib.sha256(data).hexdigest()


async def test_unknown_documents_are_not_found(service: Running) -> None:
    place = query_pb2.ChunkAtPath(collection="acme", file_path="no.md")
    for call in (
        service.stub.ListChunks(query_pb2.ListChunksRequest(at_path=place)),
        service.stub.GetDocumentText(query_pb2.GetDocumentTextRequest(document_id="no")),
    ):
        assert await refused(call) == (grpc.StatusCode.NOT_FOUND, "DOCUMENT_NOT_FOUND")


async def test_a_damaged_blob_is_said_to_be_one(service: Running) -> None:
    document = service.library.add("acme", "a.md", "some text")
    for blob in (service.library.data / "blobs").rglob("*.zst"):
        blob.write_bytes(b"not what was written")
    call = service.stub.GetDocumentText(query_pb2.GetDocumentTextRequest(document_id=document))
    assert (await refused(call))[0] == grpc.StatusCode.DATA_LOSS


async def test_not_serving_until_the_schema_fits(tmp_path: Path) -> None:
    settings = QuerySettings(data=tmp_path, schema_check_seconds=0.01)
    parts = open_parts(settings)
    server = build(settings, parts)
    port = await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        health = health_pb2_grpc.HealthStub(channel)
        before = await health.Check(health_pb2.HealthCheckRequest())
        assert before.status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert store_problem(parts, settings)
        Library(tmp_path).close()
        await serve_when_stores_fit(server, parts, settings)
        after = await health.Check(health_pb2.HealthCheckRequest(service="findspot.v1.QueryService"))
        assert after.status == health_pb2.HealthCheckResponse.SERVING
    await server.stop(0)
    await parts.close()


async def test_a_reranker_that_is_not_there_is_said_to_be_missing(service: Running) -> None:
    service.library.add("acme", "guide.md", Piece("Bring the red kettle to the boil."))
    service.library.commit()
    answer = await service.stub.Search(
        query_pb2.SearchRequest(query="kettle", mode="SEARCH_MODE_TEXT", rerank=True)
    )
    assert len(answer.results) == 1
    (lost,) = answer.degradations
    assert (lost.arm, lost.failure.name) == ("rerank", "reranker-unavailable")
    assert lost.effective_mode == query_pb2.SEARCH_MODE_TEXT


async def test_inspection_is_known_and_says_that_it_is_to_come(service: Running) -> None:
    stub = inspection_pb2_grpc.InspectionServiceStub(service.channel)
    code, why = await refused(stub.ExplainSearch(inspection_pb2.ExplainSearchRequest()))
    assert (code, why) == (grpc.StatusCode.UNIMPLEMENTED, "NOT_YET_AVAILABLE")


def test_a_data_folder_that_is_not_that_of_the_manifest_is_told(
    postgres_manifest: str, tmp_path: Path
) -> None:
    library = Library(tmp_path, postgres_manifest)
    blob = library.blobs.put(b"one")
    library.add("acme", "a.txt", "one", blob_key=blob)
    for data, problem in ((tmp_path, False), (tmp_path / "other", True)):
        settings = QuerySettings(data=data, manifest=postgres_manifest)
        parts = open_parts(settings)
        said = store_problem(parts, settings)
        assert ("not in the data folder" in (said or "")) is problem
        parts.engine.dispose()
        parts.threads.shutdown()
    library.close()
