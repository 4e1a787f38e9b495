"""A service of the suite that accepts calls and never answers: searches go on without it, and soon without waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.integration.query_library import embed

from findspot.errors import Unavailable
from findspot.stores.vectors.filters import EVERYTHING
from findspot.stores.vectors.store import VectorStore
from findspot_query.main import BudgetedVectors


@asynccontextmanager
async def silent_server() -> AsyncIterator[str]:
    """Takes connections and reads them; no byte comes back."""

    taken: list[asyncio.StreamWriter] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken.append(writer)
        while await reader.read(65_536):
            pass

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in taken:
            writer.close()
            await writer.wait_closed()


async def test_a_hanging_vector_store_is_left_alone_after_two_searches() -> None:
    async with silent_server() as url:
        store = VectorStore(url)
        search = BudgetedVectors(store, 0.2)
        for _ in range(2):
            with pytest.raises(Unavailable):
                await search.search("findspot-x", embed("a question"), 10, EVERYTHING)
        began = time.monotonic()
        with pytest.raises(Unavailable, match="2 times in a row"):
            await search.search("findspot-x", embed("a question"), 10, EVERYTHING)
        assert time.monotonic() - began < 0.1
        await store.close()
