"""One trace follows a search over every hop: client, query, embedding and vectors, in memory over real servers."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.e2e.suite_process import Suite

from findspot.client import AsyncClient
from findspot.rpc.interceptors.tracing import configure_tracing, shutdown_tracing
from findspot_embedding import main as embedding
from findspot_embedding.config import EmbeddingSettings
from findspot_query import main as query
from findspot_query.config import QuerySettings


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    configure_tracing("test", exporter)
    yield exporter
    shutdown_tracing()


@asynccontextmanager
async def embedding_server(suite: Suite) -> AsyncIterator[str]:
    settings = EmbeddingSettings(data=suite.data)
    models = embedding.build_models(settings)
    server = embedding.build(settings, models)
    port = await server.start()
    await embedding.load_models(server, models)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop()
        await models.close()


@asynccontextmanager
async def query_server(suite: Suite, embedding_address: str) -> AsyncIterator[str]:
    settings = QuerySettings(
        data=suite.data, embedding_address=embedding_address, vectors_address=suite.addresses["vectors"]
    )
    parts = query.open_parts(settings)
    server = query.build(settings, parts)
    port = await server.start()
    await query.serve_when_stores_fit(server, parts, settings)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop()
        await parts.close()


def named(spans: InMemorySpanExporter, name: str, kind: str) -> ReadableSpan:
    (found,) = [span for span in spans.get_finished_spans() if span.name == name and span.kind.name == kind]
    return found


def parent_of(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None


async def test_every_hop_of_a_search_is_in_one_trace(suite: Suite, spans: InMemorySpanExporter) -> None:
    async with (
        embedding_server(suite) as embedding_address,
        query_server(suite, embedding_address) as query_address,
        AsyncClient(query=query_address) as client,
    ):
        answer = await client.search("who leaves the lantern room", collection="demo/library")
    assert answer.results[0].hit.HasField("vector_rank")

    asked = named(spans, "findspot.v1.QueryService/Search", "CLIENT")
    served = named(spans, "findspot.v1.QueryService/Search", "SERVER")
    embed_asked = named(spans, "findspot.v1.EmbeddingService/Embed", "CLIENT")
    embed_served = named(spans, "findspot.v1.EmbeddingService/Embed", "SERVER")
    nearest = named(spans, "qdrant.Points/Query", "CLIENT")
    assert parent_of(asked) is None
    assert parent_of(served) == asked.context.span_id
    assert parent_of(embed_asked) == served.context.span_id
    assert parent_of(embed_served) == embed_asked.context.span_id
    assert parent_of(nearest) == served.context.span_id
    traces = {span.context.trace_id for span in (asked, served, embed_asked, embed_served, nearest)}
    assert len(traces) == 1
    assert not any("lantern" in str(span.attributes) for span in spans.get_finished_spans())
