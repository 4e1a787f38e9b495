"""What any server behind `VectorStore` must do: findspot_vectors, and a Qdrant server where one is given."""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import numpy as np
import pytest
import vectors_oracle as oracle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vectors_process import VectorsProcess

from findspot.errors import FailedPrecondition, InvalidArgument, NotFound, Reason, Unavailable
from findspot.stores.qdrant import load_client, wire
from findspot.stores.vectors import VectorFilter, VectorPoint, VectorStore
from findspot.stores.vectors.connection import Connection
from findspot.stores.vectors.values import payload_message

models = load_client().models

TARGETS = ["findspot_vectors"] + (["qdrant"] if "FINDSPOT_TEST_QDRANT_URL" in os.environ else [])
RNG = np.random.default_rng(7)


@pytest.fixture(scope="session")
def vectors_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VectorsProcess]:
    with VectorsProcess(tmp_path_factory.mktemp("vectors") / "data") as process:
        yield process


@pytest.fixture(params=TARGETS)
def url(request: pytest.FixtureRequest) -> str:
    if request.param == "qdrant":
        return os.environ["FINDSPOT_TEST_QDRANT_URL"]
    return str(request.getfixturevalue("vectors_process").url)


@pytest.fixture
async def store(url: str) -> AsyncIterator[VectorStore]:
    opened = VectorStore(url)
    yield opened
    await opened.close()


@pytest.fixture
async def collection(store: VectorStore) -> AsyncIterator[str]:
    name = f"test-{uuid.uuid4().hex}"
    await store.ensure_collection(name, 8)
    yield name
    await store.drop_collection(name)


@pytest.fixture
async def client(url: str) -> AsyncIterator[Any]:
    """Qdrant's own client, as users have it."""
    port = int(url.rpartition(":")[2])
    opened = load_client().AsyncQdrantClient(
        url=url, grpc_port=port, prefer_grpc=True, check_compatibility=False
    )
    yield opened
    await opened.close()


@pytest.fixture
async def name(client: Any) -> AsyncIterator[str]:
    chosen = f"test-{uuid.uuid4().hex}"
    yield chosen
    await client.delete_collection(chosen)


def unit(rows: int, size: int = 8) -> np.ndarray:
    vectors = RNG.standard_normal((rows, size)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def chunk(number: int, vector: np.ndarray, **payload: Any) -> VectorPoint:
    return VectorPoint(str(uuid.UUID(int=number + 1)), vector, payload)


# VectorStore


async def test_search_finds_exactly_what_numpy_finds(store: VectorStore, collection: str) -> None:
    vectors = unit(700)
    await store.upsert(collection, [chunk(i, v) for i, v in enumerate(vectors)])
    for query in unit(5):
        hits = await store.search(collection, query, 20, exact=True)
        scores = vectors @ query
        best = np.argsort(-scores)[:20]
        assert [h.id for h in hits] == [str(uuid.UUID(int=int(i) + 1)) for i in best]
        np.testing.assert_allclose([h.score for h in hits], scores[best], atol=1e-5)


async def test_what_is_written_is_read_back(store: VectorStore, collection: str) -> None:
    vectors = unit(3) * 5
    points = [chunk(i, v, document_id="d", kind="code") for i, v in enumerate(vectors)]
    await store.upsert(collection, points)
    assert await store.count(collection) == 3
    found = await store.retrieve_vectors(collection, [points[2].id, str(uuid.uuid4()), points[0].id])
    assert set(found) == {points[0].id, points[2].id}
    np.testing.assert_allclose(found[points[2].id], vectors[2] / 5, atol=1e-6)
    asked = [points[1].id, str(uuid.uuid4()), *(str(uuid.uuid4()) for _ in range(300)), points[0].id]
    assert await store.present(collection, asked) == {points[0].id, points[1].id}
    assert await store.present(collection, []) == set()


async def test_an_upsert_replaces(store: VectorStore, collection: str) -> None:
    one, two = unit(2)
    await store.upsert(collection, [chunk(0, one, kind="code", language="en")])
    await store.upsert(collection, [chunk(0, two, kind="table")])
    [hit] = await store.search(collection, two, 5)
    assert hit.score == pytest.approx(1.0, abs=1e-5)
    assert await store.count(collection, VectorFilter(languages=("en",))) == 0
    assert await store.count(collection, VectorFilter(kinds=("table",))) == 1


async def test_a_move_changes_payloads_and_leaves_the_rest(store: VectorStore, collection: str) -> None:
    vectors = unit(2)
    points = [chunk(i, v, file_path="a.md", kind="section") for i, v in enumerate(vectors)]
    await store.upsert(collection, points)
    await store.set_payload(collection, [points[0].id], {"file_path": "b.md"})
    assert await store.count(collection, VectorFilter(exclude_file_paths=("a.md",))) == 1
    assert await store.count(collection, VectorFilter(kinds=("section",))) == 2
    found = await store.retrieve_vectors(collection, [points[0].id])
    np.testing.assert_allclose(found[points[0].id], vectors[0], atol=1e-6)


async def test_deletes_by_id_and_by_document(store: VectorStore, collection: str) -> None:
    points = [chunk(i, v, document_id=f"d{i % 3}") for i, v in enumerate(unit(9))]
    await store.upsert(collection, points)
    await store.delete(collection, [points[0].id, str(uuid.uuid4())])
    await store.delete_document(collection, "d1")
    await store.delete_document(collection, "nobody")
    left = [p.id for i, p in enumerate(points) if i % 3 != 1 and i]
    assert await store.scroll_ids(collection, None, 100) == sorted(left)


async def test_ids_are_listed_once_each_page_by_page(store: VectorStore, collection: str) -> None:
    points = [VectorPoint(str(uuid.uuid4()), v, {}) for v in unit(23)]
    await store.upsert(collection, points)
    listed: list[str] = []
    while page := await store.scroll_ids(collection, listed[-1] if listed else None, 5):
        assert len(page) <= 5
        listed += page
    assert listed == sorted(p.id for p in points)


async def test_each_filter_limits_by_its_field(store: VectorStore, collection: str) -> None:
    payloads: list[dict[str, Any]] = [
        {
            "document_id": f"d{i}",
            "collection": f"t{i % 2}/c",
            "ancestors": [f"t{i % 2}", f"t{i % 2}/c"],
            "kind": ("section", "code", "table")[i % 3],
            "language": ("en", "de")[i // 6],
            "document_type": ("pdf", "md")[i % 2],
            "file_path": f"f{i % 4}",
            "metadata": [f"n={i % 2}", "all=yes"],
            "modified": 1000 + i,
            "contains_code": i % 3 == 1,
        }
        for i in range(12)
    ]
    await store.upsert(
        collection, [chunk(i, v, **p) for i, (v, p) in enumerate(zip(unit(12), payloads, strict=True))]
    )

    async def found(**limits: Any) -> list[int]:
        hits = await store.search(collection, unit(1)[0], 50, VectorFilter(**limits))
        assert len(hits) == await store.count(collection, VectorFilter(**limits))
        return sorted(uuid.UUID(h.id).int - 1 for h in hits)

    every = list(range(12))
    assert await found() == every
    assert await found(ancestors_any=("t1",)) == every[1::2]
    assert await found(ancestors_any=("t1/c", "t0/c")) == every
    assert await found(ancestors_any=()) == []
    assert await found(collections_any=("t0/c",)) == every[::2]
    assert await found(collections_any=("t0",)) == []
    assert await found(document_ids=("d3", "d5", "d99")) == [3, 5]
    assert await found(document_ids=()) == []
    assert await found(exclude_document_ids=("d0", "d11")) == every[1:11]
    assert await found(exclude_file_paths=("f0",)) == [i for i in every if i % 4]
    assert await found(kinds=("code", "table")) == [i for i in every if i % 3]
    assert await found(languages=("de",)) == every[6:]
    assert await found(document_types=("md",)) == every[1::2]
    assert await found(metadata=("n=1", "all=yes")) == every[1::2]
    assert await found(metadata=("n=1", "n=0")) == []
    assert await found(modified_from=1004) == every[4:]
    assert await found(modified_to=1004) == every[:5]
    assert await found(modified_from=1003, modified_to=1003) == [3]
    assert await found(contains_code=True) == every[1::3]
    assert await found(ancestors_any=("t1",), kinds=("code",), exclude_document_ids=("d1",)) == [7]


async def test_a_collection_of_another_dimension_is_refused(store: VectorStore, collection: str) -> None:
    await store.ensure_collection(collection, 8)
    with pytest.raises(FailedPrecondition, match=r"8 numbers.*not of 9"):
        await store.ensure_collection(collection, 9)


async def test_failures_are_named(store: VectorStore, collection: str) -> None:
    with pytest.raises(NotFound, match="doesn't exist") as missing:
        await store.search("test-nowhere", [1.0] * 8, 5)
    assert missing.value.reason is Reason.COLLECTION_NOT_FOUND
    with pytest.raises(InvalidArgument, match="expected dim: 8, got 3"):
        await store.search(collection, [1.0] * 3, 5)
    with pytest.raises(InvalidArgument, match="expected dim: 8, got 3"):
        await store.upsert(collection, [chunk(0, np.ones(3, dtype=np.float32))])
    with pytest.raises(InvalidArgument, match="'when' holds"):
        await store.upsert(collection, [chunk(0, unit(1)[0], when=float("nan"))])
    assert await store.count(collection) == 0


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    store = VectorStore("http://127.0.0.1:9", timeout=5)
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9") as failure:
        await store.search("any", [1.0], 1)
    assert failure.value.reason is Reason.VECTOR_STORE_UNAVAILABLE
    await store.close()


async def test_a_server_that_does_not_answer_in_time_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        store = VectorStore(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(Unavailable, match="searching any") as failure:
            await store.search("any", [1.0], 1, within=0.2)
        await store.close()
    assert failure.value.reason is Reason.VECTOR_STORE_UNAVAILABLE


async def test_many_clients_at_once(url: str, store: VectorStore, collection: str) -> None:
    vectors = unit(800)

    async def work(worker: int) -> None:
        own = VectorStore(url)
        mine = range(worker, 800, 8)
        for start in range(0, 100, 20):
            part = [chunk(i, vectors[i], document_id=f"w{worker}") for i in mine[start : start + 20]]
            await own.upsert(collection, part)
            [best, *_] = await own.search(collection, part[-1].vector, 3)
            assert best.id == part[-1].id
        await own.close()

    await asyncio.gather(*(work(worker) for worker in range(8)))
    assert await store.count(collection) == 800
    assert await store.count(collection, VectorFilter(document_ids=("w3",))) == 100


# Qdrant's own client


async def test_qdrants_client_makes_lists_and_deletes_collections(client: Any, name: str) -> None:
    assert not await client.collection_exists(name)
    await client.create_collection(name, models.VectorParams(size=4, distance=models.Distance.DOT))
    assert await client.collection_exists(name)
    assert name in [c.name for c in (await client.get_collections()).collections]
    await client.create_payload_index(name, "k", models.PayloadSchemaType.KEYWORD)
    info = await client.get_collection(name)
    assert info.config.params.vectors.size == 4
    assert info.config.params.vectors.distance is models.Distance.DOT
    assert info.payload_schema["k"].data_type is models.PayloadSchemaType.KEYWORD
    assert info.points_count == 0
    assert info.status is models.CollectionStatus.GREEN
    with pytest.raises(grpc.aio.AioRpcError, match="already exists"):
        await client.create_collection(name, models.VectorParams(size=4, distance=models.Distance.DOT))
    assert await client.delete_collection(name)
    assert not await client.collection_exists(name)
    with pytest.raises(grpc.aio.AioRpcError, match="doesn't exist"):
        await client.count(name)


@pytest.mark.parametrize("kind", ["keyword", "integer", "float", "bool", "datetime", "uuid", "text"])
async def test_every_kind_of_index_answers_as_without(client: Any, name: str, kind: str) -> None:
    values: dict[str, list[Any]] = {
        "keyword": ["a", "b", "a"],
        "integer": [1, 2, 1],
        "float": [0.5, 1.5, 0.7],
        "bool": [True, False, True],
        "datetime": ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-01-02T00:00:00Z"],
        "uuid": [str(uuid.UUID(int=1)), str(uuid.UUID(int=2)), str(uuid.UUID(int=1))],
        "text": ["red fox", "blue whale", "a fox"],
    }
    limit: dict[str, Any] = {
        "float": {"range": models.Range(lt=1.0)},
        "datetime": {"range": models.DatetimeRange(lt="2026-01-15T00:00:00Z")},
        "text": {"match": models.MatchText(text="fox")},
    }
    matching = limit.get(kind) or {"match": models.MatchValue(value=values[kind][0])}
    where = models.Filter(must=[models.FieldCondition(key="v", **matching)])
    await client.create_collection(name, models.VectorParams(size=2, distance=models.Distance.COSINE))
    points = [models.PointStruct(id=i, vector=[1, i], payload={"v": v}) for i, v in enumerate(values[kind])]
    await client.upsert(name, points)
    assert (await client.count(name, where)).count == 2
    await client.create_payload_index(name, "v", models.PayloadSchemaType(kind))
    assert (await client.count(name, where)).count == 2
    assert (await client.get_collection(name)).payload_schema["v"].points == 3


async def test_named_vectors_are_searched_each_for_itself(client: Any, name: str) -> None:
    await client.create_collection(
        name,
        {
            "title": models.VectorParams(size=2, distance=models.Distance.COSINE),
            "body": models.VectorParams(size=3, distance=models.Distance.EUCLID),
        },
    )
    await client.upsert(
        name,
        [
            models.PointStruct(id=1, vector={"title": [1, 0], "body": [0, 0, 0]}),
            models.PointStruct(id=2, vector={"title": [0, 1], "body": [3, 4, 0]}),
            models.PointStruct(id=3, vector={"body": [9, 9, 9]}),
        ],
    )
    by_title = await client.query_points(name, [0.0, 1.0], using="title")
    assert [p.id for p in by_title.points] == [2, 1]
    by_body = await client.query_points(name, [0.0, 0.0, 0.0], using="body", with_vectors=["body"])
    assert [(p.id, round(p.score, 3)) for p in by_body.points][:2] == [(1, 0.0), (2, 5.0)]
    assert by_body.points[1].vector == {"body": [3, 4, 0]}
    with pytest.raises(grpc.aio.AioRpcError, match="Not existing vector name"):
        await client.query_points(name, [0.0, 1.0], using="nothing")


@pytest.mark.parametrize("distance", ["Cosine", "Dot", "Euclid", "Manhattan"])
async def test_every_distance_scores_as_numpy(client: Any, name: str, distance: str) -> None:
    vectors, query = RNG.standard_normal((50, 6)), RNG.standard_normal(6)
    scores = {
        "Cosine": vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query),
        "Dot": vectors @ query,
        "Euclid": np.linalg.norm(vectors - query, axis=1),
        "Manhattan": np.abs(vectors - query).sum(axis=1),
    }[distance]
    order = np.argsort(scores if distance in ("Euclid", "Manhattan") else -scores)
    await client.create_collection(name, models.VectorParams(size=6, distance=models.Distance(distance)))
    await client.upsert(name, [models.PointStruct(id=i, vector=v.tolist()) for i, v in enumerate(vectors)])
    exact = models.SearchParams(exact=True)
    found = (await client.query_points(name, query.tolist(), limit=10, offset=5, search_params=exact)).points
    assert [p.id for p in found] == order[5:15].tolist()
    np.testing.assert_allclose([p.score for p in found], scores[order[5:15]], atol=1e-4)
    threshold = float(scores[order[7]])
    within = (await client.query_points(name, query.tolist(), limit=50, score_threshold=threshold)).points
    assert {p.id for p in within} >= set(order[:7].tolist())
    assert len(within) <= 8


async def test_points_are_searched_by_id_and_in_batches(client: Any, name: str) -> None:
    await client.create_collection(name, models.VectorParams(size=2, distance=models.Distance.COSINE))
    await client.upsert(
        name, [models.PointStruct(id=i, vector=[1, i / 10], payload={"i": i}) for i in range(9)]
    )
    near = await client.query_points(name, 4, limit=2)
    assert {p.id for p in near.points} == {3, 5}
    odd = models.Filter(must=[models.FieldCondition(key="i", match=models.MatchAny(any=[1, 7]))])
    batch = await client.query_batch_points(
        name,
        [
            models.QueryRequest(query=[1.0, 0.0], limit=1, with_payload=["i"]),
            models.QueryRequest(query=4, limit=5, filter=odd),
            models.QueryRequest(filter=odd, limit=5),
        ],
    )
    assert [[p.id for p in answer.points] for answer in batch] == [[0], [7, 1], [1, 7]]
    assert batch[0].points[0].payload == {"i": 0}
    with pytest.raises(grpc.aio.AioRpcError, match="No point with id 77"):
        await client.query_points(name, 77)


async def test_payloads_come_back_as_they_went(client: Any, name: str) -> None:
    payload: dict[str, Any] = {
        "null": None, "true": True, "int": -(2**53) - 1, "real": 0.1, "text": "ä\n\u0000日", "empty": [],
        "nested": {"list": [1, "two", {"three": [3.5, None]}]},
    }  # fmt: skip
    await client.create_collection(name, models.VectorParams(size=2, distance=models.Distance.COSINE))
    key = str(uuid.uuid4())
    await client.upsert(name, [models.PointStruct(id=key, vector=[1, 0], payload=payload)])
    [whole] = await client.retrieve(name, [key])
    assert whole.payload == payload
    [some] = await client.retrieve(name, [key], with_payload=["true", "nested.list"])
    assert some.payload == {"true": True, "nested": payload["nested"]}
    leave_out = models.PayloadSelectorExclude(exclude=[k for k in payload if k != "int"])
    [rest] = (await client.query_points(name, [1.0, 0.0], with_payload=leave_out)).points
    assert rest.payload == {"int": -(2**53) - 1}
    await client.set_payload(name, {"text": "new"}, [key])
    await client.set_payload(name, {"more": 1}, [key], key="nested")
    [changed] = await client.retrieve(name, [key])
    assert changed.payload == {**payload, "text": "new", "nested": {**payload["nested"], "more": 1}}
    await client.overwrite_payload(
        name, {"only": 1}, models.Filter(must=[models.HasIdCondition(has_id=[key])])
    )
    [replaced] = await client.retrieve(name, [key])
    assert replaced.payload == {"only": 1}


async def test_points_are_scrolled_and_deleted_by_filter(client: Any, name: str) -> None:
    await client.create_collection(name, models.VectorParams(size=2, distance=models.Distance.COSINE))
    await client.upsert(name, [models.PointStruct(id=i, vector=[1, i], payload={"i": i}) for i in range(30)])
    from_20 = models.Filter(must=[models.FieldCondition(key="i", range=models.Range(gte=20))])
    page, following = await client.scroll(name, from_20, limit=4, with_vectors=True)
    assert [p.id for p in page] == [20, 21, 22, 23]
    assert following == 24
    assert page[0].vector is not None
    page, following = await client.scroll(name, from_20, limit=100, offset=following)
    assert [p.id for p in page] == list(range(24, 30))
    assert following is None
    await client.delete(name, models.FilterSelector(filter=from_20))
    await client.delete(name, [0, 1, 999])
    assert (await client.count(name)).count == 18


@pytest.mark.parametrize("form", ["dense", "data"])
async def test_both_forms_of_a_dense_vector_are_read(url: str, name: str, client: Any, form: str) -> None:
    await client.create_collection(name, models.VectorParams(size=2, distance=models.Distance.DOT))
    vector = wire.Vector(data=[3, 4]) if form == "data" else wire.Vector(dense=wire.DenseVector(data=[3, 4]))
    point = wire.PointStruct(id=wire.PointId(num=1), vectors=wire.Vectors(vector=vector))
    server = Connection(url)
    request = wire.UpsertPoints(collection_name=name, wait=True, points=[point])
    reply = await server.call(server.points.Upsert, request, "writing")
    assert reply.result.status == wire.UpdateStatus.Completed
    await server.close()
    [hit] = (await client.query_points(name, [1.0, 1.0], with_vectors=True)).points
    assert (hit.score, hit.vector) == (7.0, [3.0, 4.0])


async def test_nested_filters_hold_for_one_element(client: Any, name: str) -> None:
    await client.create_collection(name, models.VectorParams(size=2, distance=models.Distance.DOT))
    diets = [
        [{"food": "leaves", "likes": False}, {"food": "meat", "likes": True}],
        [{"food": "leaves", "likes": True}, {"food": "meat", "likes": False}],
    ]
    await client.upsert(
        name, [models.PointStruct(id=i, vector=[1, 1], payload={"diet": d}) for i, d in enumerate(diets)]
    )
    likes_meat = models.Filter(
        must=[
            models.FieldCondition(key="food", match=models.MatchValue(value="meat")),
            models.FieldCondition(key="likes", match=models.MatchValue(value=True)),
        ]
    )
    nested = models.Filter(must=[models.NestedCondition(nested=models.Nested(key="diet", filter=likes_meat))])
    page, _ = await client.scroll(name, nested)
    assert [p.id for p in page] == [0]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_filters_mean_what_plain_python_means(
    vectors_process: VectorsProcess, data: st.DataObject
) -> None:
    payloads = data.draw(st.lists(oracle.payloads(), min_size=1, max_size=12))
    wanted = data.draw(st.lists(oracle.filters(), min_size=4, max_size=4))
    server = Connection(vectors_process.url)
    name = "test-oracle"
    try:
        await _write(server, name, payloads)
        for where in wanted:
            request = wire.ScrollPoints(collection_name=name, filter=where, limit=100)
            page = await server.call(server.points.Scroll, request, "scrolling")
            expected = [i for i, payload in enumerate(payloads) if oracle.passes(i, payload, where)]
            assert [p.id.num for p in page.result] == expected, where
    finally:
        await server.close()


async def _write(server: Connection, name: str, payloads: list[dict[str, Any]]) -> None:
    """The same collection each time, emptied: making one costs more than all the rest."""
    exists = wire.CollectionExistsRequest(collection_name=name)
    if not (await server.call(server.collections.CollectionExists, exists, "looking")).result.exists:
        vectors = wire.VectorsConfig(params=wire.VectorParams(size=1, distance=wire.Distance.Dot))
        create = wire.CreateCollection(collection_name=name, vectors_config=vectors)
        await server.call(server.collections.Create, create, "creating")
        for field, kind in (("word", "Keyword"), ("number", "Integer")):
            index = wire.CreateFieldIndexCollection(
                collection_name=name, field_name=field, field_type=getattr(wire.FieldType, f"FieldType{kind}")
            )
            await server.call(server.points.CreateFieldIndex, index, "indexing")
    everything = wire.PointsSelector(filter=wire.Filter())
    await server.call(
        server.points.Delete, wire.DeletePoints(collection_name=name, points=everything), "emptying"
    )
    points = [
        wire.PointStruct(
            id=wire.PointId(num=i),
            vectors=wire.Vectors(vector=wire.Vector(dense=wire.DenseVector(data=[1.0]))),
            payload=payload_message(payload),
        )
        for i, payload in enumerate(payloads)
    ]
    await server.call(server.points.Upsert, wire.UpsertPoints(collection_name=name, points=points), "writing")
