"""Wiring of the embedding service: settings, models, handler, server."""

from __future__ import annotations

import asyncio
import logging
import sys

import grpc

from findspot.config import load_settings
from findspot.errors import FindspotError
from findspot.logs import configure_logging
from findspot.rpc.interceptors.tracing import configure_tracing
from findspot.rpc.server import Server, ServerOptions, build_server, serve_until_signal
from findspot.v1.embedding_pb2_grpc import add_EmbeddingServiceServicer_to_server
from findspot_embedding.cache import QueryCache
from findspot_embedding.config import EmbeddingSettings
from findspot_embedding.engine import EngineLimits
from findspot_embedding.handler import SERVICE, EmbeddingHandler
from findspot_embedding.models import Models, ModelStatus
from findspot_embedding.sources import sources_of


def main() -> None:
    """Serves until SIGTERM or SIGINT; ends with status 1 and one line on stderr when it cannot start."""
    try:
        settings = load_settings(EmbeddingSettings)
        configure_logging("embedding", settings.log_level, settings.log_format)
        configure_tracing("embedding", settings.tracing)
        logging.getLogger("httpx").setLevel(logging.WARNING)  # a line a request
        asyncio.run(serve(settings))
    except FindspotError as failure:
        sys.exit(f"findspot_embedding: {failure.message}")


async def serve(settings: EmbeddingSettings) -> None:
    """Listens at once, NOT_SERVING until the active model is ready; without a provider that is at once."""
    models = build_models(settings)
    server = build(settings, models)
    loading: list[asyncio.Task[None]] = []

    def load(port: int) -> None:
        loading.append(asyncio.create_task(load_models(server, models)))

    async def stop() -> None:
        await models.close()
        for task in loading:
            task.cancel()
        await asyncio.gather(*loading, return_exceptions=True)

    await serve_until_signal(server, on_ready=load, on_stop=stop)


async def load_models(server: Server, models: Models) -> None:
    """Loads every model; the server is SERVING from the moment the active one is ready."""

    async def ready(status: ModelStatus) -> None:
        if status.active:
            await server.set_serving(True)

    await models.load(ready)


def build_models(settings: EmbeddingSettings) -> Models:
    """The configured models, not yet loaded."""
    limits = EngineLimits(settings.document_queue, settings.query_queue, settings.query_threads)
    return Models(sources_of(settings), limits)


def build(settings: EmbeddingSettings, models: Models) -> Server:
    """The server over these models, not yet listening."""
    cache = QueryCache(settings.query_cache_entries, settings.query_cache_seconds)

    def register(server: grpc.aio.Server) -> None:
        add_EmbeddingServiceServicer_to_server(EmbeddingHandler(models, cache), server)

    options = ServerOptions(
        host=settings.host,
        port=settings.port,
        max_message_bytes=settings.max_message_bytes,
        grace_seconds=settings.grace_seconds,
        max_concurrent=settings.max_concurrent,
        service_name="findspot_embedding",
        serving_on_start=settings.provider == "none",
        insecure=settings.insecure,
    )
    return build_server(options, [register], [SERVICE])
