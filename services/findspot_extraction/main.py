"""Wiring of the extraction service: settings, registry, worker processes, handler, server."""

from __future__ import annotations

import asyncio
import sys

import grpc

from findspot.config import load_settings
from findspot.errors import FindspotError
from findspot.logs import configure_logging
from findspot.rpc.server import Server, ServerOptions, build_server, serve_until_signal
from findspot.v1 import extraction_pb2_grpc
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.extraction import Extraction
from findspot_extraction.handler import ExtractionHandler
from findspot_extraction.registry import Registry
from findspot_extraction.worker import quiet_collector
from findspot_extraction.workers import WorkerPool

SERVICES = ("findspot.v1.ExtractionService",)


def main() -> None:
    """Serves until SIGTERM or SIGINT; ends with status 1 and one line on stderr when it cannot start."""
    try:
        settings = load_settings(ExtractionSettings)
        quiet_collector()
        configure_logging("extraction", settings.log_level, settings.log_format)
        asyncio.run(serve(settings))
    except FindspotError as failure:
        sys.exit(f"findspot_extraction: {failure.message}")


async def serve(settings: ExtractionSettings) -> None:
    """Starts the first worker, serves, and ends the workers."""
    registry = Registry()
    pool = WorkerPool(settings.pool_options(), registry.rows)
    pool.start()
    await serve_until_signal(build(settings, registry, pool), on_stop=pool.close)


def build(settings: ExtractionSettings, registry: Registry, pool: WorkerPool) -> Server:
    """The server over a registry and its workers, not yet listening."""
    extraction = Extraction(registry, pool, max_bytes=settings.max_document_mib * 1024**2)

    def register(server: grpc.aio.Server) -> None:
        extraction_pb2_grpc.add_ExtractionServiceServicer_to_server(ExtractionHandler(extraction), server)

    options = ServerOptions(
        host=settings.host,
        port=settings.port,
        max_message_bytes=settings.max_message_bytes,
        grace_seconds=settings.grace_seconds,
        max_concurrent=settings.max_concurrent,
        service_name="findspot_extraction",
        insecure=settings.insecure,
    )
    return build_server(options, [register], SERVICES)
