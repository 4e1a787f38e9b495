"""Wiring of the chunking service: settings, the channel to embedding, threads, handler, server."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import Executor, ThreadPoolExecutor

import grpc

from findspot.config import load_settings
from findspot.errors import FindspotError
from findspot.logs import configure_logging
from findspot.rpc.channel import open_channel
from findspot.rpc.interceptors.tracing import configure_tracing, shutdown_tracing
from findspot.rpc.options import ServerOptions
from findspot.rpc.peers.embedding import EmbeddingPeer
from findspot.rpc.server import Server, build_server, serve_until_signal
from findspot.v1.chunking_pb2_grpc import add_ChunkingServiceServicer_to_server
from findspot_chunking.config import ChunkingSettings
from findspot_chunking.handler import SERVICE, ChunkingHandler
from findspot_chunking.service import Chunking, TokenSource


def main() -> None:
    """Serves until SIGTERM or SIGINT; ends with status 1 and one line on stderr when it cannot start."""
    try:
        settings = load_settings(ChunkingSettings)
        configure_logging("chunking", settings.log_level, settings.log_format)
        asyncio.run(serve(settings))
    except FindspotError as failure:
        sys.exit(f"findspot_chunking: {failure.message}")


async def serve(settings: ChunkingSettings) -> None:
    """Serves at once: embedding is asked when a document comes, and need not be there before."""
    configure_tracing("findspot_chunking", settings.tracing)
    channel = open_channel(settings.embedding_address) if settings.embedding_address else None
    executor = ThreadPoolExecutor(settings.workers, thread_name_prefix="chunking")

    async def close() -> None:
        if channel is not None:
            await channel.close()
        # In a thread: a document that is being cut may wait for the event loop before it can fail.
        await asyncio.to_thread(executor.shutdown, cancel_futures=True)
        shutdown_tracing()

    tokens = None if channel is None else EmbeddingPeer(channel)
    await serve_until_signal(build(settings, tokens, executor), on_stop=close)


def build(settings: ChunkingSettings, tokens: TokenSource | None, executor: Executor) -> Server:
    """The server, not yet listening; `tokens` is None where nobody counts them."""
    chunking = Chunking(
        tokens, executor, settings.max_characters, settings.max_chunks, profiles=settings.types().profiles
    )

    def register(server: grpc.aio.Server) -> None:
        add_ChunkingServiceServicer_to_server(ChunkingHandler(chunking), server)

    options = ServerOptions.of(
        settings, "findspot_chunking", method_limits={f"/{SERVICE}/Chunk": settings.max_documents}
    )
    return build_server(options, [register], [SERVICE])
