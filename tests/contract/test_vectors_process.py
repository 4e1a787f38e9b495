"""What only findspot_vectors promises: writes that outlive kill -9, one process a folder, refusals by
name."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from vectors_process import VectorsProcess, environment

from findspot.errors import DataLoss, InvalidArgument, Unavailable
from findspot.stores.qdrant import wire
from findspot.stores.vectors import VectorFilter, VectorPoint, VectorStore
from findspot.stores.vectors.connection import Connection

RNG = np.random.default_rng(11)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[VectorStore]:
    store = VectorStore(url)
    try:
        yield store
    finally:
        await store.close()


def points(count: int, **payload: Any) -> list[VectorPoint]:
    vectors = RNG.standard_normal((count, 8)).astype(np.float32)
    return [VectorPoint(str(uuid.uuid4()), v, payload) for v in vectors]


def failed_start(data: Path) -> subprocess.CompletedProcess[str]:
    """A start that is expected to fail."""
    command = [sys.executable, "-m", "findspot_vectors"]
    return subprocess.run(
        command, env=environment(data), capture_output=True, text=True, timeout=60, check=False
    )


async def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    data, acknowledged = tmp_path / "data", set[str]()
    with VectorsProcess(data) as process:
        async with opened(process.url) as store:
            await store.ensure_collection("c", 8)

            async def write() -> None:
                while True:
                    part = points(40, document_id="d")
                    await store.upsert("c", part)
                    acknowledged.update(p.id for p in part)
                    if len(acknowledged) >= 400:
                        # In the middle of what the other writers are doing.
                        process.kill()

            ended = await asyncio.gather(*(write() for _ in range(3)), return_exceptions=True)
            assert all(isinstance(end, Unavailable) for end in ended)
    with VectorsProcess(data) as again:
        async with opened(again.url) as store:
            assert acknowledged <= set(await store.scroll_ids("c", None, 10_000))
            assert await store.count("c", VectorFilter(document_ids=("d",))) >= len(acknowledged)
            victims = sorted(acknowledged)[:10]
            await store.delete("c", victims)
            await store.set_payload("c", sorted(acknowledged)[10:20], {"document_id": "moved"})
            again.kill()
    with VectorsProcess(data) as third:
        async with opened(third.url) as store:
            left = set(await store.scroll_ids("c", None, 10_000))
            assert acknowledged - left == set(victims)
            assert await store.count("c", VectorFilter(document_ids=("moved",))) == 10
            [hit] = await store.search("c", points(1)[0].vector, 1)
            assert hit.id in left
            assert third.stop() == 0


async def test_sigterm_closes_cleanly_and_all_is_there_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with VectorsProcess(data) as process:
        async with opened(process.url) as store:
            await store.ensure_collection("c", 8)
            await store.upsert("c", points(300))
            before = await info(process.url, "c")
        assert process.stop() == 0
    with VectorsProcess(data) as again:
        async with opened(again.url) as store:
            assert await store.count("c") == 300
        assert await info(again.url, "c") == before


async def info(url: str, name: str) -> Any:
    server = Connection(url)
    request = wire.GetCollectionInfoRequest(collection_name=name)
    reply = await server.call(server.collections.Get, request, "reading")
    await server.close()
    return reply.result


async def test_a_second_process_on_the_folder_names_the_first(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with VectorsProcess(data) as process:
        async with opened(process.url) as store:
            await store.ensure_collection("c", 8)
            second = await asyncio.to_thread(failed_start, data)
            assert second.returncode == 1
            assert f"in use by process {process.pid}" in second.stderr
            assert "Traceback" not in second.stderr
            await store.upsert("c", points(10))
        assert process.stop() == 0


async def test_both_health_checks_answer(tmp_path: Path) -> None:
    with VectorsProcess(tmp_path / "data") as process:
        async with opened(process.url) as store:
            assert "qdrant-edge" in await store.ping()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{process.port}") as channel:
            health = health_pb2_grpc.HealthStub(channel)
            for service in ("", "qdrant.Points", "qdrant.Collections"):
                reply = await health.Check(health_pb2.HealthCheckRequest(service=service))
                assert reply.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_broken_shard_stops_no_other_and_can_be_deleted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with VectorsProcess(data) as process:
        async with opened(process.url) as store:
            for name in ("good", "bad"):
                await store.ensure_collection(name, 8)
                await store.upsert(name, points(5))
        process.stop()
    shutil.rmtree(data / "vectors" / "bad.1")
    with VectorsProcess(data) as again:
        async with opened(again.url) as store:
            assert await store.count("good") == 5
            with pytest.raises(DataLoss, match="rebuild it"):
                await store.count("bad")
            await store.drop_collection("bad")
            await store.ensure_collection("bad", 8)
            assert await store.count("bad") == 0
        again.stop()


async def test_a_large_collection_gets_its_graph_while_it_serves(tmp_path: Path) -> None:
    settings = {"FINDSPOT_VECTORS_GRAPH_POINTS": "200", "FINDSPOT_VECTORS_FLUSH_IDLE_SECONDS": "0.05"}
    with VectorsProcess(tmp_path / "data", **settings) as process:
        async with opened(process.url) as store:
            await store.ensure_collection("c", 8)
            written = points(300, kind="code")
            await store.upsert("c", written)
            await asyncio.to_thread(process.wait_for, re.compile("collection c serves from its copy"))
            assert (await info(process.url, "c")).indexed_vectors_count == 300
            [hit] = await store.search("c", written[7].vector, 1, VectorFilter(kinds=("code",)))
            assert hit.id == written[7].id
        assert process.stop() == 0
    assert {path.name for path in (tmp_path / "data" / "vectors").glob("c.*")} == {"c.2"}


async def test_what_is_not_served_is_refused_by_name(tmp_path: Path) -> None:
    nearest = wire.Query(nearest=wire.VectorInput(dense=wire.DenseVector(data=[1.0] * 8)))
    with VectorsProcess(tmp_path / "data") as process:
        async with opened(process.url) as store:
            await store.ensure_collection("c", 8)
        server = Connection(process.url)
        geo = wire.FieldCondition(key="x", geo_radius=wire.GeoRadius(radius=1))
        sparse = wire.SparseVectorConfig(map={"s": wire.SparseVectorParams()})
        requests = {
            "qdrant.Points/Facet": (server.points.Facet, wire.FacetCounts(collection_name="c", key="k")),
            "qdrant.Points/Recommend": (server.points.Recommend, wire.RecommendPoints()),
            "qdrant.Collections/UpdateAliases": (server.collections.UpdateAliases, wire.ChangeAliases()),
            "`prefetch`": (
                server.points.Query,
                wire.QueryPoints(collection_name="c", prefetch=[wire.PrefetchQuery(query=nearest)]),
            ),
            "`query.fusion`": (
                server.points.Query,
                wire.QueryPoints(collection_name="c", query=wire.Query(fusion=wire.Fusion.RRF)),
            ),
            "geo_radius": (
                server.points.Count,
                wire.CountPoints(collection_name="c", filter=wire.Filter(must=[wire.Condition(field=geo)])),
            ),
            "`order_by`": (
                server.points.Scroll,
                wire.ScrollPoints(collection_name="c", order_by=wire.OrderBy(key="k")),
            ),
            "`sparse_vectors_config`": (
                server.collections.Create,
                wire.CreateCollection(collection_name="d", sparse_vectors_config=sparse),
            ),
        }
        for name, (method, request) in requests.items():
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await method(request)
            assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED, name
            assert name in (refused.value.details() or "")
        await server.close()


BAD_POINTS = {
    "holds a number that is not finite": [float("nan")] + [1.0] * 7,
    "not finite": [float("inf")] + [1.0] * 7,
    "norm 0": [0.0] * 8,
    "expected dim: 8, got 0": [],
}


async def test_vectors_that_the_engine_would_take_are_refused(tmp_path: Path) -> None:
    with VectorsProcess(tmp_path / "data") as process:
        async with opened(process.url) as store:
            await store.ensure_collection("c", 8)
            for message, vector in BAD_POINTS.items():
                good = points(300)
                bad = VectorPoint(str(uuid.uuid4()), vector, {})
                with pytest.raises(InvalidArgument, match=message) as refused:
                    await store.upsert("c", [*good[:200], bad, *good[200:]])
                assert bad.id in str(refused.value) or "dim" in message
            with pytest.raises(InvalidArgument, match="norm 0"):
                await store.search("c", [0.0] * 8, 3)
            # The first request of an upsert holds 256 points, the bad one among them: nothing of it was
            # written.
            assert await store.count("c") == 0


def test_a_broken_catalogue_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "catalogue.json").write_text(json.dumps({"format": 1, "collections": {"c": {}}}))
    ended = failed_start(tmp_path)
    assert ended.returncode == 1
    assert "is no catalogue" in ended.stderr
    assert "Traceback" not in ended.stderr
