"""Wiring of the vectors service: settings, collections, handlers, server."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version
from typing import Any

import grpc

from findspot.config import load_settings
from findspot.errors import FindspotError
from findspot.logs import configure_logging
from findspot.rpc.interceptors.tracing import configure_tracing, shutdown_tracing
from findspot.rpc.options import ServerOptions
from findspot.rpc.server import Server, build_server, serve_until_signal
from findspot.stores.qdrant import wire
from findspot_vectors.config import VectorsSettings
from findspot_vectors.flushing import FlushPolicy
from findspot_vectors.graph import build_graph
from findspot_vectors.handler_collections import CollectionsHandler, HealthHandler
from findspot_vectors.handler_points import PointsHandler
from findspot_vectors.rebuilds import GraphPolicy, Rebuilds
from findspot_vectors.store import Collections

SERVICES = ("qdrant.Points", "qdrant.Collections", "qdrant.Snapshots", "qdrant.Qdrant")


def main() -> None:
    """Serves until SIGTERM or SIGINT; ends with status 1 and one line on stderr when it cannot start."""
    try:
        settings = load_settings(VectorsSettings)
        configure_logging("vectors", settings.log_level, settings.log_format)
        asyncio.run(serve(settings))
    except FindspotError as failure:
        sys.exit(f"findspot_vectors: {failure.message}")


async def serve(settings: VectorsSettings) -> None:
    """Opens the folder, serves, and closes it."""
    configure_tracing("findspot_vectors", settings.tracing)
    policy = FlushPolicy(settings.flush_points, settings.flush_idle_seconds)
    rebuilds = Rebuilds(GraphPolicy(settings.graph_points), build_graph)
    collections = Collections(settings.data / "vectors", policy, rebuilds)
    collections.consider_graphs()

    async def close() -> None:
        await collections.close()
        shutdown_tracing()

    await serve_until_signal(build(settings, collections), on_stop=close)


def build(settings: VectorsSettings, collections: Collections) -> Server:
    """The server over open collections, not yet listening."""

    def register(server: grpc.aio.Server) -> None:
        add: Any = wire  # its functions that add servicers are untyped
        add.add_PointsServicer_to_server(PointsHandler(collections), server)
        add.add_CollectionsServicer_to_server(CollectionsHandler(collections), server)
        # All of it unimplemented: a caller learns that by name, not that the service is unknown.
        add.add_SnapshotsServicer_to_server(wire.SnapshotsServicer(), server)
        add.add_QdrantServicer_to_server(HealthHandler(version("qdrant-client")), server)

    options = ServerOptions(
        host=settings.host,
        port=settings.port,
        max_message_bytes=settings.max_message_bytes,
        grace_seconds=settings.grace_seconds,
        max_concurrent=settings.max_concurrent,
        service_name="findspot_vectors",
        insecure=settings.insecure,
    )
    return build_server(options, [register], SERVICES)
