"""Wiring of the query service: settings, stores, peers, handler, server."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import grpc
from sqlalchemy import Engine

from findspot.config import load_settings
from findspot.errors import FindspotError, Reason
from findspot.logs import configure_logging
from findspot.rpc.channel import govern, open_channel
from findspot.rpc.interceptors.tracing import configure_tracing, shutdown_tracing
from findspot.rpc.options import ServerOptions
from findspot.rpc.peers.embedding import EmbeddingPeer
from findspot.rpc.server import Server, build_server, serve_until_signal
from findspot.stores.blobs import BlobStore
from findspot.stores.manifest import blob_rows
from findspot.stores.manifest.engine import is_local, open_engine
from findspot.stores.manifest.outages import unavailable_when_away
from findspot.stores.manifest.schema import require_schema
from findspot.stores.text.reader import TextIndexReader
from findspot.stores.text.schema import index_directory
from findspot.stores.vectors.filters import VectorFilter
from findspot.stores.vectors.model import VectorHit
from findspot.stores.vectors.store import VectorStore
from findspot.v1.inspection_pb2_grpc import InspectionServiceServicer, add_InspectionServiceServicer_to_server
from findspot.v1.query_pb2_grpc import add_QueryServiceServicer_to_server
from findspot_query.arms import Arms
from findspot_query.breaker import Breaker
from findspot_query.config import QuerySettings
from findspot_query.handler import SERVICE, QueryHandler
from findspot_query.page_tokens import PageTokens
from findspot_query.ports import QueryEmbedder, QueryVector
from findspot_query.query_vectors import QueryVectors, VectorCacheLimits
from findspot_query.ranking import WindowLimits
from findspot_query.reading import ReadSources
from findspot_query.search import SearchSources
from findspot_query.signing import signing_key
from findspot_query.texts import DocumentTexts
from findspot_query.windows import RecentWindows

log = logging.getLogger(__name__)

INSPECTION = "findspot.v1.InspectionService"


def main() -> None:
    """Serves until SIGTERM or SIGINT; ends with status 1 and one line on stderr when it cannot start."""
    try:
        settings = load_settings(QuerySettings)
        configure_logging("query", settings.log_level, settings.log_format)
        asyncio.run(serve(settings))
    except FindspotError as failure:
        sys.exit(f"findspot_query: {failure.message}")


async def serve(settings: QuerySettings) -> None:
    """Listens at once, NOT_SERVING until indexing has made a manifest that this version reads."""
    configure_tracing("findspot_query", settings.tracing)
    parts = open_parts(settings)
    server = build(settings, parts)
    waiting: list[asyncio.Task[None]] = []

    def started(port: int) -> None:
        waiting.append(asyncio.create_task(serve_when_stores_fit(server, parts, settings)))

    async def stop() -> None:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await parts.close()
        shutdown_tracing()

    await serve_until_signal(server, on_ready=started, on_stop=stop)


@dataclass
class Parts:
    """What the service opened; closed in the opposite order."""

    engine: Engine
    searching: SearchSources
    reading: ReadSources
    threads: ThreadPoolExecutor
    vectors: VectorStore | None = None
    channels: list[grpc.aio.Channel] = field(default_factory=list)

    async def close(self) -> None:
        """Ends connections and threads."""
        if self.vectors is not None:
            await self.vectors.close()
        for channel in self.channels:
            await channel.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()


def open_parts(settings: QuerySettings) -> Parts:
    """Opens stores and peers; none of them has to be there yet."""
    engine = open_engine(
        settings.manifest or settings.data, read_only=True, pool_size=settings.manifest_connections
    )
    threads = ThreadPoolExecutor(settings.text_threads, thread_name_prefix="text")
    channels: list[grpc.aio.Channel] = []
    embedder: QueryEmbedder | None = None
    if settings.embedding_address:
        channels.append(open_channel(settings.embedding_address))
        embedder = QueryVectors(EmbeddingPeer(channels[0]), _cache_limits(settings))
    vectors = _vector_store(settings)
    search = None if vectors is None else BudgetedVectors(vectors, settings.vectors_budget_seconds)
    blobs = BlobStore(settings.data / "blobs")
    texts = DocumentTexts(blobs, settings.text_cache_characters)
    searching = SearchSources(
        engine=engine,
        arms=Arms(TextIndexReader(index_directory(settings.data)), search, embedder, threads),
        texts=texts,
        tokens=PageTokens(signing_key(settings.page_token_key.get_secret_value(), settings.data)),
        windows=RecentWindows(settings.recent_windows),
        limits=WindowLimits(settings.window, max(settings.window, settings.max_window)),
        slots=asyncio.Semaphore(2 * settings.manifest_connections - 1),
    )
    return Parts(engine, searching, ReadSources(engine, texts, blobs), threads, vectors, channels)


def build(settings: QuerySettings, parts: Parts) -> Server:
    """The server over open parts, not yet listening."""

    def register(server: grpc.aio.Server) -> None:
        add_QueryServiceServicer_to_server(QueryHandler(parts.searching, parts.reading), server)
        # All of it answers UNIMPLEMENTED by name: a caller learns that it is to come, not that it is unknown.
        add_InspectionServiceServicer_to_server(InspectionServiceServicer(), server)  # type: ignore[abstract]

    return build_server(
        ServerOptions.of(settings, "findspot_query", serving_on_start=False),
        [register],
        [SERVICE, INSPECTION],
    )


async def serve_when_stores_fit(server: Server, parts: Parts, settings: QuerySettings) -> None:
    """SERVING from the moment the manifest has a schema that this version reads, and belongs to the data folder."""
    told = ""
    while True:
        problem = await asyncio.to_thread(store_problem, parts, settings)
        if problem is None:
            await server.set_serving(True)
            return
        if problem != told:
            log.info("not serving yet: %s", problem)
            told = problem
        await asyncio.sleep(settings.schema_check_seconds)


def store_problem(parts: Parts, settings: QuerySettings) -> str | None:
    """Why searches would find nothing; None when the stores fit together."""
    try:
        require_schema(parts.engine)
        if is_local(settings.manifest or settings.data):
            return None
        with unavailable_when_away(parts.engine), parts.engine.connect() as connection:
            blob_rows.require_some(connection, parts.reading.blobs.exists, str(settings.data))
    except FindspotError as error:
        return error.message
    return None


class BudgetedVectors:
    """The vector store with the time that a search gives it."""

    def __init__(self, store: VectorStore, within: float) -> None:
        self._store = store
        self._within = within
        self._breaker = Breaker("The vector store", Reason.VECTOR_STORE_UNAVAILABLE, within, time.monotonic)

    async def search(
        self, name: str, vector: QueryVector, limit: int, filter: VectorFilter, /
    ) -> Sequence[VectorHit]:
        return await self._breaker.call(
            lambda: self._store.search(name, vector, limit, filter, within=self._within)
        )


def _vector_store(settings: QuerySettings) -> VectorStore | None:
    where = settings.vectors_address
    if not where:
        return None
    url = where if "://" in where else f"http://{where}"
    return VectorStore(url, api_key=settings.vectors_api_key.get_secret_value(), govern=govern)


def _cache_limits(settings: QuerySettings) -> VectorCacheLimits:
    return VectorCacheLimits(
        settings.embedding_budget_seconds, settings.vector_cache_seconds, settings.vector_cache_entries
    )
