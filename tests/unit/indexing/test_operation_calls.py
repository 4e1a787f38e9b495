"""Reindexing and operations over a real gRPC server, with both clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from indexing_fakes import Desk

from findspot.client import AsyncClient, Client
from findspot.client.requests import At
from findspot.errors import InvalidArgument, NotFound, Reason
from findspot.rpc.server import running
from findspot.v1 import indexing_pb2
from findspot_indexing.config import IndexingSettings
from findspot_indexing.main import build


@pytest.fixture
async def address(desk: Desk) -> AsyncIterator[str]:
    await desk.put("a.txt", "One.\n\nTwo.")
    await desk.until(lambda: desk.indexed("a.txt", 1))
    async with running(build(IndexingSettings(port=0), desk.indexing)) as server:
        yield server.address


async def test_a_stale_document_is_counted_made_anew_and_followed(desk: Desk, address: str) -> None:
    desk.chunker.stamp = "fake/2"
    async with AsyncClient(indexing=address) as client:
        planned = await client.reindex("acme", dry_run=True)
        assert (planned.extract_count, planned.chunk_count, planned.embed_count) == (0, 1, 2)
        assert planned.remedy == indexing_pb2.REINDEX_STAGE_CHUNK
        assert planned.operation_id == ""
        begun = await client.reindex(document=At("acme/notes", "a.txt"), stage="chunk")
        seen = [operation async for operation in client.follow(begun.operation_id)]
        assert seen[-1].state == indexing_pb2.OPERATION_STATE_SUCCEEDED
        assert (seen[-1].kind, seen[-1].scope) == ("reindex", "acme/notes/a.txt")
        assert (seen[-1].done_count, seen[-1].total_count, dict(seen[-1].counts)) == (1, 1, {"cut": 1})
        assert seen[-1].ended_time.ToNanoseconds() >= seen[-1].started_time.ToNanoseconds()
        fresh = await client.reindex(dry_run=True)
        assert (fresh.fresh_count, fresh.remedy) == (1, indexing_pb2.REINDEX_STAGE_UNSPECIFIED)
    assert desk.indexed("a.txt", 2)


async def test_operations_are_listed_filtered_and_cancelled(desk: Desk, address: str) -> None:
    desk.extractor.gate = asyncio.Event()

    def calls() -> None:
        with Client(indexing=address) as client:
            begun = [client.reindex(force=True).operation_id for _ in range(3)]
            listed = [operation.operation_id for operation in client.operations(limit=2)]
            assert listed == begun[:0:-1]
            assert [operation.operation_id for operation in client.operations("running")] == begun[::-1]
            assert client.operations("failed") == []
            for identifier in begun:
                client.cancel(identifier)
            assert [list(client.follow(identifier))[-1].state for identifier in begun] == [
                indexing_pb2.OPERATION_STATE_CANCELLED
            ] * 3
            with pytest.raises(NotFound) as missing:
                client.operation("00000000-0000-0000-0000-000000000000")
            assert missing.value.reason is Reason.OPERATION_NOT_FOUND
            with pytest.raises(InvalidArgument, match="extract"):
                client.reindex(stage="read")
            with pytest.raises(InvalidArgument):
                client.operation("seven")

    await asyncio.to_thread(calls)
    desk.extractor.gate.set()


async def test_values_that_are_none_of_the_api_are_refused(desk: Desk, address: str) -> None:
    async with AsyncClient(indexing=address) as client:
        for call in (
            client.indexing.Reindex(indexing_pb2.ReindexRequest(from_stage=9)),  # type: ignore[arg-type]
            client.indexing.ListOperations(indexing_pb2.ListOperationsRequest(state=9)),  # type: ignore[arg-type]
            client.indexing.ListOperations(indexing_pb2.ListOperationsRequest(page_size=-1)),
            client.indexing.Reindex(indexing_pb2.ReindexRequest(request_id="seven")),
        ):
            with pytest.raises(Exception, match=r"9|-1|UUID"):
                await call
