"""The chunking service over real servers: the same chunks as in process, limits kept, failures with their names."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from findspot.client import AsyncClient, Client
from findspot.errors import (
    Cancelled,
    FailedPrecondition,
    InvalidArgument,
    Reason,
    ResourceExhausted,
    Unavailable,
)
from findspot.model import (
    Block,
    BlockKind,
    ChunkingOptions,
    ExtractedDocument,
    Span,
    Strategy,
    Table,
    TableRow,
)
from findspot.profiles import PROFILES
from findspot.rpc.channel import open_channel
from findspot.rpc.options import ServerOptions
from findspot.rpc.peers.chunking import ChunkingPeer
from findspot.rpc.peers.embedding import EmbeddingPeer
from findspot.rpc.server import Server, build_server, running
from findspot.v1 import chunking_pb2, chunking_pb2_grpc, common_pb2, embedding_pb2, embedding_pb2_grpc
from findspot_chunking.chunker import chunk_document
from findspot_chunking.config import ChunkingSettings
from findspot_chunking.main import build
from findspot_chunking.options import resolve
from findspot_embedding.counting import TokenCounter
from findspot_embedding.packaged import model_folder
from findspot_extraction.readers.markdown import READER
from findspot_extraction.readers.reader import ReadLimits, Source

_COUNTER = TokenCounter(model_folder() / "tokenizer.json")
INPUT_LIMIT = 256
SPECIAL_TOKENS = 2

_GUIDE = """---
title: Boiler handbook
---
# Install

Read this first. Then close the valve.

## Linux

Run the script below as root. It asks before it changes anything.

```sh
set -e
./configure
make
make install
```

| Part | Bin | Count |
|---|---|---|
""" + "".join(f"| P-{number} | row {number} bin | {number} |\n" for number in range(1, 120))


def token_starts(texts: Sequence[str]) -> list[list[int]]:
    """Token starts as the default model counts them."""
    return [_COUNTER.starts(text).tolist() for text in texts]


class CountingEmbedding(embedding_pb2_grpc.EmbeddingServiceServicer):
    """The two methods of the embedding service that chunking calls, over the real tokenizer."""

    def __init__(self) -> None:
        self.calls = 0
        self.state = embedding_pb2.MODEL_STATE_READY

    async def ListModels(self, request: Any, context: Any) -> embedding_pb2.ListModelsResponse:
        return embedding_pb2.ListModelsResponse(
            models=[embedding_pb2.EmbeddingModel(identity=_identity(), state=self.state, active=True)]
        )

    async def Tokenize(self, request: Any, context: Any) -> embedding_pb2.TokenizeResponse:
        self.calls += 1
        starts = await asyncio.to_thread(token_starts, list(request.texts))
        return embedding_pb2.TokenizeResponse(
            identity=_identity(), texts=[embedding_pb2.TokenStarts(starts=one) for one in starts]
        )


class HeldEmbedding(CountingEmbedding):
    """Holds every question until it is freed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def Tokenize(self, request: Any, context: Any) -> embedding_pb2.TokenizeResponse:
        self.asked.set()
        await self.free.wait()
        return await super().Tokenize(request, context)


class NoProvider(embedding_pb2_grpc.EmbeddingServiceServicer):
    """An embedding service that has no model."""

    async def ListModels(self, request: Any, context: Any) -> embedding_pb2.ListModelsResponse:
        return embedding_pb2.ListModelsResponse()


def _identity() -> common_pb2.EmbeddingIdentity:
    return common_pb2.EmbeddingIdentity(
        key="k1",
        display="minilm@384",
        name="minilm",
        dimension=384,
        input_limit=INPUT_LIMIT,
        special_tokens=SPECIAL_TOKENS,
    )


@contextlib.asynccontextmanager
async def embedding(servicer: embedding_pb2_grpc.EmbeddingServiceServicer) -> AsyncIterator[str]:
    """The address of a server of this embedding service."""

    def register(server: grpc.aio.Server) -> None:
        embedding_pb2_grpc.add_EmbeddingServiceServicer_to_server(servicer, server)

    async with running(build_server(ServerOptions(), [register], ["findspot.v1.EmbeddingService"])) as server:
        yield server.address


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


@contextlib.asynccontextmanager
async def chunking(
    executor: ThreadPoolExecutor, embedding_address: str = "", **more: Any
) -> AsyncIterator[Server]:
    """A started chunking service."""
    settings = ChunkingSettings(port=0, embedding_address=embedding_address, **more)
    async with contextlib.AsyncExitStack() as stack:
        tokens = None
        if embedding_address:
            tokens = EmbeddingPeer(await stack.enter_async_context(open_channel(embedding_address)))
        yield await stack.enter_async_context(running(build(settings, tokens, executor)))


@contextlib.asynccontextmanager
async def peer(server: Server) -> AsyncIterator[ChunkingPeer]:
    """A peer of a started service."""
    async with open_channel(server.address) as channel:
        yield ChunkingPeer(channel)


def _read(source: str) -> ExtractedDocument:
    return READER.read(Source(source.encode(), "guide.md", "text/markdown", "markdown"), ReadLimits())


def _plain(text: str, document_type: str = "text") -> ExtractedDocument:
    return ExtractedDocument(text, document_type, "text/plain")


async def test_a_configured_profile_is_how_documents_are_cut(executor: ThreadPoolExecutor) -> None:
    types = {
        "text": {"strategy": "sentence", "size": 60, "overlap": 0},
        "minutes": {"like": "text", "size": 100, "overlap": 0},
    }
    words = "One sentence of a few words. " * 20
    async with chunking(executor, document_types=types) as server, peer(server) as caller:
        text, minutes = [await caller.chunk(_plain(words, name)) for name in ("text", "minutes")]
        stated = await caller.chunk(_plain(words), ChunkingOptions(Strategy.PARAGRAPH, 200, 0))
    assert (text.strategy, minutes.strategy) == (Strategy.SENTENCE, Strategy.PARAGRAPH)
    assert [max(len(chunk.text) for chunk in cut.chunks) for cut in (text, minutes, stated)] == [57, 86, 173]


async def test_every_profile_is_listed_with_the_stamp_that_chunks_get(executor: ThreadPoolExecutor) -> None:
    types = {"minutes": {"like": "text", "size": 100, "overlap": 0}}
    async with chunking(executor, document_types=types) as server:
        async with AsyncClient(chunking=server.address) as client:
            listed = await client.profiles()
        with Client(chunking=server.address) as same:
            assert await asyncio.to_thread(same.profiles) == listed
        async with peer(server) as caller:
            cut = await caller.chunk(_plain("Open the valve.", "minutes"))
    assert cut.chunker_stamp == listed.chunker_stamp
    options = {profile.document_type: profile.options for profile in listed.profiles}
    assert list(options) == sorted({*PROFILES, "minutes"})
    assert options["minutes"] == ChunkingOptions(cut.strategy, cut.size, cut.overlap)
    assert options["pdf"] == ChunkingOptions(Strategy.SEMANTIC, 1200, 150)


async def test_chunks_are_those_that_are_cut_in_process(executor: ThreadPoolExecutor) -> None:
    document = _read(_GUIDE)
    servicer = CountingEmbedding()
    async with embedding(servicer) as address, chunking(executor, address) as server, peer(server) as caller:
        cut = await caller.chunk(document)
    options = resolve("markdown", ChunkingOptions(), token_cap=INPUT_LIMIT, special_tokens=SPECIAL_TOKENS)
    assert cut == chunk_document(document, options, token_starts)
    assert cut.token_cap == INPUT_LIMIT
    assert {chunk.kind for chunk in cut.chunks} == {"section", "code", "table"}
    assert all(chunk.token_count is not None and chunk.token_count <= INPUT_LIMIT for chunk in cut.chunks)


async def test_one_call_counts_a_document_that_is_cut_between_words(executor: ThreadPoolExecutor) -> None:
    servicer = CountingEmbedding()
    async with embedding(servicer) as address, chunking(executor, address) as server, peer(server) as caller:
        await caller.chunk(_read("# One\n\nA short text.\n\n## Two\n\nAnother one.\n"))
    assert servicer.calls == 1


async def test_without_an_embedding_service_characters_bind_and_a_notice_says_so(
    executor: ThreadPoolExecutor,
) -> None:
    async with chunking(executor) as server, peer(server) as caller:
        cut = await caller.chunk(_read(_GUIDE))
        asked = await caller.chunk(_read(_GUIDE), characters_only=True)
    assert [notice.code for notice in cut.warnings] == ["TOKENS_NOT_COUNTED"]
    assert asked.warnings == ()
    assert cut.token_cap is None
    assert all(chunk.token_count is None for chunk in cut.chunks)


async def test_a_suite_without_a_model_is_no_failure(executor: ThreadPoolExecutor) -> None:
    async with (
        embedding(NoProvider()) as address,
        chunking(executor, address) as server,
        peer(server) as caller,
    ):
        cut = await caller.chunk(_read(_GUIDE))
        with pytest.raises(FailedPrecondition, match="cannot be kept") as refusal:
            await caller.chunk(_read(_GUIDE), ChunkingOptions(token_cap=100))
    assert [notice.code for notice in cut.warnings] == ["TOKENS_NOT_COUNTED"]
    assert refusal.value.reason is Reason.SEARCH_NOT_PERFORMED


async def test_an_embedding_service_that_is_away_is_a_failure_to_try_again(
    executor: ThreadPoolExecutor,
) -> None:
    async with embedding(CountingEmbedding()) as address:
        pass
    async with chunking(executor, address) as server, peer(server) as caller:
        with pytest.raises(Unavailable):
            await caller.chunk(_read(_GUIDE))


async def test_a_smaller_token_cap_binds_and_a_larger_one_is_reduced_and_told(
    executor: ThreadPoolExecutor,
) -> None:
    document = _plain("One sentence after the other stands here. " * 100)
    async with (
        embedding(CountingEmbedding()) as address,
        chunking(executor, address) as server,
        peer(server) as caller,
    ):
        small = await caller.chunk(document, ChunkingOptions(token_cap=64, size=1000))
        large = await caller.chunk(document, ChunkingOptions(token_cap=9000, size=3000))
    assert small.token_cap == 64
    assert small.effective_limit == "TOKENS"
    assert [notice.code for notice in small.warnings] == ["SIZE_ABOVE_TOKEN_CAP"]
    assert all((chunk.token_count or 0) <= 64 for chunk in small.chunks)
    assert large.token_cap == INPUT_LIMIT
    assert [notice.code for notice in large.warnings] == ["SIZE_ABOVE_TOKEN_CAP", "TOKEN_CAP_REDUCED"]


async def test_an_identity_that_is_not_loaded_is_named(executor: ThreadPoolExecutor) -> None:
    async with (
        embedding(CountingEmbedding()) as address,
        chunking(executor, address) as server,
        peer(server) as caller,
    ):
        assert (await caller.chunk(_read(_GUIDE), identity="k1")).token_cap == INPUT_LIMIT
        with pytest.raises(FailedPrecondition, match=r"'k2'.*minilm@384") as refusal:
            await caller.chunk(_read(_GUIDE), identity="k2")
    assert refusal.value.reason is Reason.EMBEDDING_IDENTITY_NOT_LOADED


@pytest.mark.parametrize(
    ("options", "reason", "field"),
    [
        (ChunkingOptions(size=64, overlap=200), Reason.OVERLAP_NOT_BELOW_SIZE, "options.overlap"),
        (ChunkingOptions(size=64, overlap=64), Reason.OVERLAP_NOT_BELOW_SIZE, "options.overlap"),
        (ChunkingOptions(size=0), Reason.INVALID_FIELD, "options.size"),
        (ChunkingOptions(size=20_001), Reason.INVALID_FIELD, "options.size"),
        (ChunkingOptions(token_cap=15), Reason.INVALID_FIELD, "options.token_cap"),
    ],
)
async def test_options_that_cannot_be_are_refused(
    executor: ThreadPoolExecutor, options: ChunkingOptions, reason: Reason, field: str
) -> None:
    async with chunking(executor) as server, peer(server) as caller:
        with pytest.raises(InvalidArgument) as refusal:
            await caller.chunk(_plain("0123456789" * 500), options)
    assert refusal.value.reason is reason
    assert [violation.field for violation in refusal.value.fields] == [field]


async def test_a_long_document_goes_both_ways_in_small_messages(executor: ThreadPoolExecutor) -> None:
    document = _plain("Água corre sob a ponte. Ninguém a vê, ou quase.\n\n" * 25_000)
    async with chunking(executor) as server, open_channel(server.address) as channel:
        sizes: list[int] = []
        stub = chunking_pb2_grpc.ChunkingServiceStub(channel)

        def requests() -> Iterator[chunking_pb2.ChunkRequest]:
            yield chunking_pb2.ChunkRequest(header=chunking_pb2.ChunkHeader(characters_only=True))
            for start in range(0, len(document.text), 200_000):
                part = document.text[start : start + 200_000]
                yield chunking_pb2.ChunkRequest(text={"start": start, "text": part})

        covered = 0
        async for response in stub.Chunk(requests()):
            sizes.append(response.ByteSize())
            for passage in response.passages.passages:
                assert passage.text == document.text[passage.range.start : passage.range.end]
                covered += len(passage.text) - passage.overlap
        cut = await ChunkingPeer(channel).chunk(document)
    assert max(sizes) < 1024 * 1024
    assert covered == sum(len(chunk.text) - chunk.overlap for chunk in cut.chunks)


async def test_health_answers_while_a_long_document_is_cut(executor: ThreadPoolExecutor) -> None:
    document = _plain("Plain words without any break and without an end " * 80_000)
    async with chunking(executor) as server, open_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        cutting = asyncio.create_task(ChunkingPeer(channel).chunk(document))
        answers = 0
        while not cutting.done():
            answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=2)
            answers += answer.status == health_pb2.HealthCheckResponse.SERVING
        await cutting
    assert answers > 5


async def test_tables_of_any_length_arrive_whole(executor: ThreadPoolExecutor) -> None:
    rows: list[TableRow] = []
    text = ""
    for number in range(12_000):
        cells = (f"P-{number}", f"bin {number}", "x")
        start = len(text)
        spans = []
        for cell in cells:
            spans.append(Span(len(text), len(text) + len(cell)))
            text += cell + " | "
        text = text[:-3]
        rows.append(TableRow(start, len(text), tuple(spans)))
        text += "\n"
    table = Table(("Code", "Place", "Mark"), tuple(rows), header_rows=0)
    block = Block(BlockKind.TABLE, 0, len(text) - 1, table=table)
    document = ExtractedDocument(text, "csv", "text/csv", category="table", blocks=(block,))
    async with chunking(executor) as server, peer(server) as caller:
        cut = await caller.chunk(document)
    assert len(cut.sections) == 1
    assert all(chunk.context.endswith("Code | Place | Mark") for chunk in cut.chunks)
    assert cut.chunks[-1].locator.endswith("-12000")
    assert "\n".join(chunk.text for chunk in cut.chunks) == text.rstrip("\n")


async def test_calls_out_of_order_are_refused_with_the_reason(executor: ThreadPoolExecutor) -> None:
    header = chunking_pb2.ChunkRequest(header=chunking_pb2.ChunkHeader())
    text = chunking_pb2.ChunkRequest(text={"start": 0, "text": "abc"})
    late = chunking_pb2.ChunkRequest(text={"start": 4, "text": "abc"})
    outside = chunking_pb2.ChunkRequest(blocks={"blocks": [{"kind": 2, "range": {"start": 1, "end": 9}}]})
    async with chunking(executor) as server, open_channel(server.address) as channel:
        stub = chunking_pb2_grpc.ChunkingServiceStub(channel)
        for messages, words in [
            ([], "begins with one header"),
            ([text], "begins with one header"),
            ([header, header], "came twice"),
            ([header, text, late], "starts at 3, not 4"),
            ([header, text, outside], "no range of a text of 3"),
        ]:
            with pytest.raises(grpc.RpcError, match=words) as refusal:
                async for _ in stub.Chunk(iter(messages)):
                    pass
            assert refusal.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_texts_and_chunk_counts_over_the_limit_are_refused(executor: ThreadPoolExecutor) -> None:
    async with chunking(executor, max_characters=1000, max_chunks=10) as server, peer(server) as caller:
        with pytest.raises(ResourceExhausted, match=r"1,000") as length:
            await caller.chunk(_plain("word " * 500))
        with pytest.raises(InvalidArgument, match="more than 10 chunks") as count:
            await caller.chunk(_plain("word " * 190), ChunkingOptions(Strategy.SLIDING_WINDOW, 50, 40))
    assert length.value.reason is Reason.DOCUMENT_TOO_LARGE
    assert count.value.reason is Reason.DOCUMENT_TOO_LARGE


async def test_blank_documents_are_cut_into_nothing(executor: ThreadPoolExecutor) -> None:
    async with chunking(executor) as server, peer(server) as caller:
        for text in ("", " \n\n"):
            cut = await caller.chunk(_plain(text), characters_only=True)
            assert (cut.sections, cut.chunks, cut.warnings) == ((), (), ())


async def test_the_process_serves_and_ends_on_sigterm(tmp_path: Path) -> None:
    async with embedding(CountingEmbedding()) as address:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(sys.path),
            "FINDSPOT_DATA": str(tmp_path),
            "FINDSPOT_CHUNKING_PORT": "0",
            "FINDSPOT_CHUNKING_EMBEDDING_ADDRESS": address,
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "findspot_chunking", stderr=asyncio.subprocess.PIPE, env=environment
        )
        assert process.stderr is not None
        try:
            line = await asyncio.wait_for(process.stderr.readline(), 30)
            assert b" listens on " in line
            async with open_channel(line.decode().split()[-1]) as channel:
                assert (await ChunkingPeer(channel).chunk(_read(_GUIDE))).token_cap == INPUT_LIMIT
            process.send_signal(signal.SIGTERM)
            rest = await asyncio.wait_for(process.stderr.read(), 20)
            assert await process.wait() == 0, rest.decode()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def test_a_call_that_ends_frees_the_thread_that_waits_for_its_tokens(
    executor: ThreadPoolExecutor,
) -> None:
    held = HeldEmbedding()
    async with embedding(held) as address, chunking(executor, address) as server, peer(server) as caller:
        waiting = asyncio.create_task(caller.chunk(_read(_GUIDE)))
        await held.asked.wait()
        waiting.cancel()
        await asyncio.wait_for(asyncio.to_thread(executor.shutdown), 20)
        assert not held.free.is_set()
        held.free.set()


def test_a_document_that_nobody_waits_for_is_given_up() -> None:
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(Cancelled):
        chunk_document(
            _plain("Words of a sentence. " * 500), resolve("text", ChunkingOptions()), None, is_over
        )
    assert asked == 4
