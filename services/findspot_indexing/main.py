"""Wiring of the indexing service: settings, stores, peers, sweep, handlers, server."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
import uuid
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from functools import partial

import grpc

from findspot.config import load_settings
from findspot.errors import FailedPrecondition, FindspotError
from findspot.logs import configure_logging
from findspot.rpc.channel import open_channel
from findspot.rpc.interceptors.tracing import configure_tracing, shutdown_tracing
from findspot.rpc.options import ServerOptions
from findspot.rpc.peers.chunking import ChunkingPeer
from findspot.rpc.peers.embedding import EmbeddingPeer
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.rpc.peers.text_index import TextIndexPeer
from findspot.rpc.server import Server, build_server, serve_until_signal
from findspot.stores.blobs import BlobStore
from findspot.stores.manifest import clock, schema
from findspot.stores.manifest.engine import is_local, open_engine
from findspot.stores.manifest.notices import listening
from findspot.stores.text.owned import OwnedTextIndex
from findspot.stores.text.schema import index_directory
from findspot.stores.transcripts import TranscriptStore
from findspot.stores.vectors.store import VectorStore
from findspot.suite.lock import owned
from findspot.v1.collection_pb2_grpc import add_CollectionServiceServicer_to_server
from findspot.v1.indexing_pb2_grpc import add_IndexingServiceServicer_to_server
from findspot.v1.text_index_pb2_grpc import add_TextIndexServiceServicer_to_server
from findspot_indexing.access import Manifest
from findspot_indexing.changes import Changes
from findspot_indexing.config import IndexingSettings
from findspot_indexing.embed.without import WithoutEmbedding
from findspot_indexing.handlers import collections, indexing, text_index
from findspot_indexing.outages import Outages
from findspot_indexing.ports import Embedder
from findspot_indexing.rates import Rate
from findspot_indexing.remote_text import RemoteText
from findspot_indexing.service import Indexing, TextChanges, Wake
from findspot_indexing.sweep.run import sweeping
from findspot_indexing.text_checks import still_allowed
from findspot_indexing.text_commits import TextCommits


def main() -> None:
    """Serves until SIGTERM or SIGINT; ends with status 1 and one line on stderr when it cannot start."""
    try:
        settings = load_settings(IndexingSettings)
        configure_logging("indexing", settings.log_level, settings.log_format)
        asyncio.run(serve(settings))
    except FindspotError as failure:
        sys.exit(f"findspot_indexing: {failure.message}")


async def serve(settings: IndexingSettings) -> None:
    """Owns the data folder, migrates the manifest, then serves and sweeps until told to stop."""
    configure_tracing("findspot_indexing", settings.tracing)
    with _held(settings):
        async with opened(settings) as service, sweeping(service) as sweep:
            server = build(settings, service)
            serving = asyncio.create_task(serve_until_signal(server))
            draining = asyncio.create_task(_end_waits(server, service))
            try:
                await asyncio.wait({serving, sweep}, return_when=asyncio.FIRST_COMPLETED)
                if sweep.done():
                    # Without the sweep nothing is indexed: better to end, and to be started again.
                    sweep.result()
                await serving
            finally:
                for task in (serving, draining):
                    task.cancel()
                await asyncio.gather(serving, draining, return_exceptions=True)
    shutdown_tracing()


def _held(settings: IndexingSettings) -> AbstractContextManager[None]:
    """The data folder has one owner. Workers share it, and need a manifest that more than one can write."""
    if settings.owns_text_index:
        return owned(settings.data, "indexing")
    if is_local(settings.manifest or settings.data):
        raise FailedPrecondition(
            f"text_index = {settings.text_index} makes this process a worker beside others, which a manifest in "
            "SQLite cannot serve. Set manifest to the PostgreSQL database of the owner, or text_index to `local`."
        )
    return nullcontext()


async def _end_waits(server: Server, service: Indexing) -> None:
    await server.draining.wait()
    service.stopping.set()
    service.changes.announce()


def build(settings: IndexingSettings, service: Indexing) -> Server:
    """The server over an opened service, not yet listening."""

    def register(server: grpc.aio.Server) -> None:
        add_IndexingServiceServicer_to_server(indexing.IndexingHandler(service), server)
        add_CollectionServiceServicer_to_server(collections.CollectionHandler(service), server)
        if service.membership.owner:
            add_TextIndexServiceServicer_to_server(text_index.TextIndexHandler(service), server)

    limits = {f"/{indexing.SERVICE}/UploadDocument": settings.max_uploads}
    return build_server(
        ServerOptions.of(settings, "findspot_indexing", method_limits=limits),
        [register],
        [indexing.SERVICE, collections.SERVICE, *([text_index.SERVICE] if service.membership.owner else [])],
    )


@asynccontextmanager
async def opened(settings: IndexingSettings) -> AsyncIterator[Indexing]:
    """Stores and peers, opened and at the end closed in the opposite order. The peers need not be there yet."""
    async with AsyncExitStack() as stack:
        instance = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        engine = open_engine(
            settings.manifest or settings.data, synchronous=settings.durability, writer=instance
        )
        schema.upgrade(engine)
        changes, wake = Changes(asyncio.get_running_loop()), Wake()
        manifest = Manifest(engine, on_commit=changes.announce)
        stack.callback(manifest.close)
        stack.callback(listening(engine, instance, partial(_others_wrote, changes, wake)))
        text = await _text(stack, settings, manifest)
        files = ThreadPoolExecutor(4, thread_name_prefix="files")
        stack.callback(files.shutdown)
        vectors = VectorStore(
            _url(settings.vectors_address), api_key=settings.vectors_api_key.get_secret_value()
        )
        stack.push_async_callback(vectors.close)
        extraction = await _channel(stack, settings.extraction_address)
        chunking = await _channel(stack, settings.chunking_address)
        embedder: Embedder = WithoutEmbedding()
        if settings.embedding_address and settings.vectors_address:
            embedder = EmbeddingPeer(await _channel(stack, settings.embedding_address))
        yield Indexing(
            instance=instance,
            manifest=manifest,
            blobs=BlobStore(settings.data / "blobs", durable=settings.durability == "FULL"),
            text=text,
            vectors=vectors,
            extractor=ExtractionPeer(extraction),
            chunker=ChunkingPeer(chunking),
            embedder=embedder,
            limits=settings.limits(),
            document_types=frozenset(settings.types().profiles),
            membership=settings.membership(f"process {os.getpid()} on {socket.gethostname() or 'localhost'}"),
            own_data=str(settings.data.resolve()),
            clock=clock.now,
            changes=changes,
            wake=wake,
            outages=Outages(time.monotonic),
            rate=Rate(time.monotonic),
            files=files,
            transcripts=TranscriptStore(settings.data / "transcripts"),
        )


async def _text(stack: AsyncExitStack, settings: IndexingSettings, manifest: Manifest) -> TextChanges:
    if not settings.owns_text_index:
        return RemoteText(TextIndexPeer(await _channel(stack, settings.text_index)), settings.text_index)
    index = OwnedTextIndex(index_directory(settings.data))
    stack.callback(index.close)
    text = TextCommits(index, settings.text_commit_seconds, time.monotonic, manifest.look, still_allowed)
    stack.callback(text.close)
    return text


async def _channel(stack: AsyncExitStack, address: str) -> grpc.aio.Channel:
    channel = open_channel(address)
    stack.push_async_callback(channel.close)
    return channel


def _others_wrote(changes: Changes, wake: Wake) -> None:
    """In another thread: another process has committed something, which may be work, or what somebody waits for."""
    changes.announce(also=wake.work)


def _url(address: str) -> str:
    """The URL of the vector store; without one nothing is ever asked of it."""
    return address if "://" in address else f"http://{address or '127.0.0.1:7414'}"
