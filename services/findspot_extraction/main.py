"""Wiring of the extraction service: settings, registry, worker processes, handler, server."""

from __future__ import annotations

import asyncio
import logging
import sys
from functools import partial

from findspot.config import load_settings
from findspot.errors import FindspotError
from findspot.logs import configure_logging
from findspot.rpc.server import Server, ServerOptions, build_server, serve_until_signal
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.extraction import Extraction, ExtractionLimits
from findspot_extraction.handler import ExtractionHandler, register
from findspot_extraction.pictures import PictureReader, Vision
from findspot_extraction.registry import Registry
from findspot_extraction.vision import VisionEndpoint
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
    registry = Registry(settings.types().rows)
    vision = open_vision(settings)
    pool = WorkerPool(settings.pool_options(), registry.rows)
    pool.start()

    async def stop() -> None:
        await pool.close()
        if vision is not None:
            await vision.close()

    await serve_until_signal(build(settings, registry, pool, vision), on_stop=stop)


def open_vision(settings: ExtractionSettings) -> VisionEndpoint | None:
    """The endpoint that sees, for the running event loop; None when there is none."""
    options = settings.vision_options()
    if options is None:
        return None
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line a request
    return VisionEndpoint(options, settings.data / "transcripts")


def build(
    settings: ExtractionSettings, registry: Registry, pool: WorkerPool, vision: Vision | None = None
) -> Server:
    """The server over a registry, its workers and a model that sees, if any; not yet listening."""
    limits = ExtractionLimits(
        max_bytes=settings.max_document_mib * 1024**2,
        max_render_pixels=settings.max_render_pixels,
        # What is left of a message holds the other fields.
        max_render_bytes=settings.max_message_bytes - 32 * 1024,
    )
    pictures = PictureReader(pool, settings.picture_options(), vision)
    extraction = Extraction(registry, pool, pictures, limits)

    options = ServerOptions(
        host=settings.host,
        port=settings.port,
        max_message_bytes=settings.max_message_bytes,
        grace_seconds=settings.grace_seconds,
        max_concurrent=settings.max_concurrent,
        service_name="findspot_extraction",
        insecure=settings.insecure,
    )
    return build_server(options, [partial(register, ExtractionHandler(extraction))], SERVICES)
