"""EmbeddingService over a real server: the wire, readiness, failures, and the process from start to end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from threading import Event

import grpc
import numpy as np
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from findspot.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotYetAvailable,
    Reason,
    ResourceExhausted,
    Unavailable,
)
from findspot.model import EmbeddingIdentity, InputType
from findspot.rpc.channel import ChannelOptions, open_channel
from findspot.rpc.peers.embedding import EmbeddingPeer
from findspot.rpc.server import Server
from findspot.rpc.status import from_rpc_error
from findspot.v1 import embedding_pb2, embedding_pb2_grpc
from findspot_embedding import packaged
from findspot_embedding.build import ensure_built
from findspot_embedding.config import EmbeddingSettings
from findspot_embedding.engine import EngineLimits
from findspot_embedding.main import build, build_models, load_models
from findspot_embedding.models import Models, Progress, Source
from findspot_embedding.provider import Provider, Refusal

IDENTITY = EmbeddingIdentity("key", "small@3", "small", 3, input_limit=8)
NO_RETRIES = ChannelOptions(retry_attempts=1)


class SmallProvider:
    """Three dimensions by the length of the text; documents wait for `open`."""

    kind = "test"
    texts_per_call = 1
    document_threads = 1

    def __init__(self) -> None:
        self.identity = IDENTITY
        self.arrived, self.open = Event(), Event()
        self.open.set()
        self.queries: list[str] = []

    def embed(self, texts: Sequence[str], side: InputType) -> Sequence[np.ndarray | Refusal]:
        if side is InputType.QUERY:
            self.queries += texts
        else:
            self.arrived.set()
            assert self.open.wait(10)
        too_long = Refusal(Reason.EMBEDDING_INPUT_TOO_LONG, "over 8")
        return [too_long if len(text) > 8 else np.eye(3, dtype=np.float32)[len(text) % 3] for text in texts]

    def token_starts(self, texts: Sequence[str]) -> Sequence[np.ndarray]:
        return [np.arange(0, len(text), 2, dtype=np.uint32) for text in texts]

    def close(self) -> None:
        """Nothing to let go of."""


@contextlib.asynccontextmanager
async def listening(models: Models, settings: EmbeddingSettings | None = None) -> AsyncIterator[Server]:
    server = build(settings or EmbeddingSettings(), models)
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0)
        await models.close()


@contextlib.asynccontextmanager
async def serving(
    load: Callable[[Progress], Provider], limits: EngineLimits | None = None
) -> AsyncIterator[EmbeddingPeer]:
    models = Models([Source("small", "test", load, IDENTITY)], limits or EngineLimits())
    async with listening(models) as server, open_channel(server.address, NO_RETRIES) as channel:
        await load_models(server, models)
        yield EmbeddingPeer(channel)


async def test_vectors_and_failures_cross_the_wire_by_item() -> None:
    provider = SmallProvider()
    async with serving(lambda progress: provider) as peer:
        batch = await peer.embed(["a", "too long a text", " ", "bb", "ccc"], InputType.DOCUMENT)
    assert batch.identity == IDENTITY
    assert batch.vectors.dtype == np.float32
    assert batch.vectors.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert [(failure.index, failure.reason) for failure in batch.failures] == [
        (1, Reason.EMBEDDING_INPUT_TOO_LONG),
        (2, Reason.INVALID_FIELD),
    ]
    assert batch.failures[0].message == "over 8"


async def test_tokens_and_models_cross_the_wire() -> None:
    async with serving(lambda progress: SmallProvider()) as peer:
        starts = await peer.tokenize(["abcd", "", "é"])
        assert [list(each) for each in starts] == [[0, 2], [], [0]]
        assert await peer.identities() == (IDENTITY,)
        assert await peer.active_identity() == IDENTITY


async def test_repeated_queries_are_answered_from_memory_and_documents_are_not() -> None:
    provider = SmallProvider()
    async with serving(lambda progress: provider) as peer:
        first = await peer.embed(["a", "bb"], InputType.QUERY)
        again = await peer.embed(["bb", "a", "c"], InputType.QUERY)
    assert provider.queries == ["a", "bb", "c"]
    assert again.vectors[:2].tolist() == first.vectors[::-1].tolist()


@pytest.mark.parametrize("count", [0, 129])
async def test_a_call_takes_1_to_128_texts(count: int) -> None:
    async with serving(lambda progress: SmallProvider()) as peer:
        with pytest.raises(InvalidArgument, match=f"{count} texts") as refused:
            await peer.embed(["a"] * count, InputType.DOCUMENT)
    assert refused.value.fields[0].field == "texts"


async def test_a_side_has_to_be_named_and_an_identity_loaded() -> None:
    models = Models([Source("small", "test", lambda progress: SmallProvider(), IDENTITY)], EngineLimits())
    async with listening(models) as server, open_channel(server.address, NO_RETRIES) as channel:
        await load_models(server, models)
        with pytest.raises(grpc.RpcError) as refused:
            await embedding_pb2_grpc.EmbeddingServiceStub(channel).Embed(
                embedding_pb2.EmbedRequest(texts=["a"])
            )
        assert from_rpc_error(refused.value).fields[0].field == "input_type"
        peer = EmbeddingPeer(channel)
        assert (await peer.embed(["a"], InputType.QUERY, IDENTITY.key)).identity == IDENTITY
        with pytest.raises(FailedPrecondition) as unknown:
            await peer.embed(["a"], InputType.QUERY, "another")
    assert unknown.value.reason is Reason.EMBEDDING_IDENTITY_NOT_LOADED


async def test_overload_is_refused_with_a_time_to_wait_while_queries_go_on() -> None:
    provider = SmallProvider()
    provider.open.clear()
    async with serving(lambda progress: provider, EngineLimits(document_queue=4)) as peer:
        accepted = asyncio.create_task(peer.embed(["a"] * 4, InputType.DOCUMENT))
        await asyncio.to_thread(provider.arrived.wait, 10)
        with pytest.raises(ResourceExhausted) as refused:
            await peer.embed(["b"], InputType.DOCUMENT)
        assert refused.value.reason is Reason.OVERLOADED
        assert refused.value.retry_after
        assert (await peer.embed(["query"], InputType.QUERY)).failures == ()
        provider.open.set()
        assert len((await accepted).vectors) == 4


async def test_reranking_is_not_offered_yet() -> None:
    models = Models([], EngineLimits())
    async with listening(models) as server, open_channel(server.address) as channel:
        with pytest.raises(grpc.RpcError) as refused:
            await embedding_pb2_grpc.EmbeddingServiceStub(channel).Rerank(embedding_pb2.RerankRequest())
    assert isinstance(from_rpc_error(refused.value), NotYetAvailable)


async def health(channel: grpc.aio.Channel) -> int:
    answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
    return int(answer.status)


async def test_no_provider_is_a_state_to_serve_in() -> None:
    settings = EmbeddingSettings(provider="none")
    models = build_models(settings)
    async with listening(models, settings) as server, open_channel(server.address, NO_RETRIES) as channel:
        await load_models(server, models)
        assert await health(channel) == health_pb2.HealthCheckResponse.SERVING
        peer = EmbeddingPeer(channel)
        assert await peer.identities() == ()
        calls: list[Callable[[], Awaitable[object]]] = [
            lambda: peer.embed(["a"], InputType.QUERY),
            lambda: peer.tokenize(["a"]),
            peer.active_identity,
        ]
        for call in calls:
            with pytest.raises(FailedPrecondition) as refused:
                await call()
            assert refused.value.reason is Reason.SEARCH_NOT_PERFORMED


async def test_health_turns_when_the_active_model_is_ready_and_the_identity_is_known_before() -> None:
    building, go_on = Event(), Event()

    def slow(progress: Progress) -> Provider:
        progress("quantizing")
        building.set()
        assert go_on.wait(10)
        return SmallProvider()

    models = Models([Source("small", "test", slow, IDENTITY)], EngineLimits())
    async with listening(models) as server, open_channel(server.address, NO_RETRIES) as channel:
        loading = asyncio.create_task(load_models(server, models))
        await asyncio.to_thread(building.wait, 10)
        peer = EmbeddingPeer(channel)
        assert await health(channel) == health_pb2.HealthCheckResponse.NOT_SERVING
        assert await peer.identities() == ()
        assert await peer.active_identity() == IDENTITY
        with pytest.raises(Unavailable, match="quantizing") as refused:
            await peer.embed(["a"], InputType.QUERY)
        assert refused.value.reason is Reason.EMBEDDING_UNAVAILABLE
        go_on.set()
        await loading
        assert await health(channel) == health_pb2.HealthCheckResponse.SERVING
        assert await peer.identities() == (IDENTITY,)


async def test_the_process_serves_the_default_model_and_ends_on_sigterm(pytestconfig: pytest.Config) -> None:
    data = Path(pytestconfig.cache.mkdir("findspot-models"))
    await asyncio.to_thread(ensure_built, data / "models", lambda phase: None)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "FINDSPOT_DATA": str(data),
        "FINDSPOT_EMBEDDING_PORT": "0",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "findspot_embedding", stderr=asyncio.subprocess.PIPE, env=environment
    )
    assert process.stderr is not None
    try:
        address = ""
        async for line in process.stderr:
            if b" listens on " in line:
                address = line.decode().split()[-1]
            if b" is ready " in line:
                break
        async with open_channel(address) as channel:
            peer = EmbeddingPeer(channel)
            batch = await peer.embed(["A trowel cuts a clean section."] * 2, InputType.DOCUMENT)
            assert batch.identity == packaged.DEFAULT.identity
            assert batch.failures == ()
            assert (batch.vectors[0] == batch.vectors[1]).all()
            assert float(np.linalg.norm(batch.vectors[0])) == pytest.approx(1, abs=1e-5)
            assert [list(each) for each in await peer.tokenize(["cut section"])] == [[0, 4]]
        process.send_signal(signal.SIGTERM)
        rest = await asyncio.wait_for(process.stderr.read(), 20)
        assert await process.wait() == 0, rest.decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
