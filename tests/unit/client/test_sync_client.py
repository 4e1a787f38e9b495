"""The synchronous client sends what was meant and raises what was answered, over grpc_testing's channel."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import grpc
import grpc_testing
import pytest

from findspot.client import Client
from findspot.client.requests import At, Upload
from findspot.errors import InvalidArgument, NotFound, Reason, Unavailable
from findspot.v1 import indexing_pb2, query_pb2

QUERY = query_pb2.DESCRIPTOR.services_by_name["QueryService"]
INDEXING = indexing_pb2.DESCRIPTOR.services_by_name["IndexingService"]


class Wire:
    """A client in a thread of its own, and the two channels on which its calls arrive."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        clock = grpc_testing.strict_real_time()
        self.query = grpc_testing.channel([QUERY], clock)
        self.indexing = grpc_testing.channel([INDEXING], clock)
        self.client = Client(query=self.query, indexing=self.indexing)
        self._pool = pool

    def call(self, method: Any, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._pool.submit(method, *args, **kwargs)


@pytest.fixture
def wire() -> Iterator[Wire]:
    with ThreadPoolExecutor(1) as pool:
        yield Wire(pool)


def test_a_search_carries_its_options(wire: Wire) -> None:
    answer = wire.call(
        wire.client.search,
        "shared state",
        mode="text",
        collection="books/rust",
        kinds=["code"],
        languages=["rust"],
        limit=3,
        view="section",
        group_by="section",
        metadata={"edition": "2021"},
    )
    _, request, rpc = wire.query.take_unary_unary(QUERY.methods_by_name["Search"])
    assert request.query == "shared state"
    assert request.mode == query_pb2.SEARCH_MODE_TEXT
    assert request.scope.target.path == "books/rust"
    assert request.scope.target.qualifier == query_pb2.SCOPE_QUALIFIER_SUBTREE
    assert list(request.filters.languages) == ["rust"]
    assert dict(request.filters.metadata) == {"edition": "2021"}
    assert (request.page_size, request.view) == (3, query_pb2.RESULT_VIEW_SECTION)
    assert not request.HasField("min_similarity")
    rpc.terminate(query_pb2.SearchResponse(searched=True, count=0), (), grpc.StatusCode.OK, "")
    assert answer.result().searched


def test_a_word_that_no_option_has_is_refused_before_the_call(wire: Wire) -> None:
    with pytest.raises(
        InvalidArgument, match="mode 'fuzzy' is unknown; use one of 'hybrid', 'text', 'semantic'"
    ):
        wire.client.search("x", mode="fuzzy")


def test_a_chunk_is_named_by_id_or_by_place(wire: Wire) -> None:
    for name in ("3d0f", At("books", "a.md", 4)):
        answer = wire.call(wire.client.chunk, name)
        _, request, rpc = wire.query.take_unary_unary(QUERY.methods_by_name["GetChunk"])
        if isinstance(name, str):
            assert request.name.chunk_id == "3d0f"
        else:
            assert (request.name.at_path.collection, request.name.at_path.index) == ("books", 4)
        rpc.terminate(query_pb2.GetChunkResponse(found=True), (), grpc.StatusCode.OK, "")
        assert answer.result().found


def test_an_upload_sends_its_header_and_then_every_byte(wire: Wire) -> None:
    data = bytes(range(256)) * 3000
    answer = wire.call(wire.client.upload, Upload("c", "a.bin", data))
    _, rpc = wire.indexing.take_stream_unary(INDEXING.methods_by_name["UploadDocument"])
    header = rpc.take_request().header
    assert (header.file_path, header.size_bytes) == ("a.bin", len(data))
    assert header.sha256 == hashlib.sha256(data).hexdigest()
    received = b"".join(rpc.take_request().data for _ in range(-(-len(data) // (256 * 1024))))
    rpc.requests_closed()
    assert received == data
    rpc.terminate(indexing_pb2.UploadDocumentResponse(unchanged=True), (), grpc.StatusCode.OK, "")
    assert answer.result().unchanged


@pytest.mark.parametrize(
    ("code", "raised", "reason"),
    [
        (grpc.StatusCode.NOT_FOUND, NotFound, None),
        (grpc.StatusCode.UNAVAILABLE, Unavailable, Reason.SERVICE_UNAVAILABLE),
    ],
)
def test_a_refusal_is_raised_as_its_error(
    wire: Wire, code: grpc.StatusCode, raised: type[Exception], reason: Reason | None
) -> None:
    answer = wire.call(wire.client.document, "3d0f")
    _, _, rpc = wire.indexing.take_unary_unary(INDEXING.methods_by_name["GetDocument"])
    rpc.terminate(indexing_pb2.GetDocumentResponse(), (), code, "no such document 3d0f")
    with pytest.raises(raised, match="3d0f") as refusal:
        answer.result()
    assert reason in (None, refusal.value.reason)  # type: ignore[attr-defined]
