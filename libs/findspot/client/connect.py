"""Clients of the suite that runs on this machine, found by its data folder."""

from __future__ import annotations

from pathlib import Path

from findspot.client.aio import AsyncClient
from findspot.client.sync import Client
from findspot.suite.layout import Endpoints, find_suite
from findspot.suite.settings import load_suite_settings


def connect_sync(data: Path | str | None = None) -> Client:
    """A client of the suite in `data`, else of the one in the default folder, else of the only one that runs."""
    suite = local_suite(data)
    return Client(query=suite.of("query"), indexing=suite.of("indexing"), chunking=suite.of("chunking"))


def connect_async(data: Path | str | None = None) -> AsyncClient:
    """The same over asyncio, for all services of the suite."""
    suite = local_suite(data)
    return AsyncClient(
        query=suite.of("query"),
        indexing=suite.of("indexing"),
        extraction=suite.of("extraction"),
        chunking=suite.of("chunking"),
        embedding=suite.of("embedding"),
    )


def local_suite(data: Path | str | None = None) -> Endpoints:
    """Where the services of that suite listen; Unavailable when none runs."""
    settings = load_suite_settings()
    return find_suite(Path(data) if data is not None else None, settings.data, settings.registry)
