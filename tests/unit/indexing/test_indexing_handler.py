"""The indexing service over a real gRPC server: messages in and out, failures with their names, streams that end."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from indexing_fakes import Desk

from findspot.errors import FindspotError, Reason
from findspot.rpc.channel import open_channel
from findspot.rpc.server import running
from findspot.rpc.status import from_rpc_error
from findspot.v1 import (
    collection_pb2,
    collection_pb2_grpc,
    common_pb2,
    errors_pb2,
    indexing_pb2,
    indexing_pb2_grpc,
)
from findspot_indexing.config import IndexingSettings
from findspot_indexing.main import build


@dataclass
class Remote:
    """Stubs of a served desk."""

    desk: Desk
    indexing: Any
    collections: Any

    async def upload(self, path: str, data: bytes, **header: Any) -> indexing_pb2.UploadDocumentResponse:
        values = {"collection": "acme/notes", "size_bytes": len(data), "sha256": sha256(data), **header}
        head = indexing_pb2.UploadHeader(file_path=path, **values)

        def messages() -> Iterator[indexing_pb2.UploadDocumentRequest]:
            yield indexing_pb2.UploadDocumentRequest(header=head)
            for start in range(0, len(data), 7):
                yield indexing_pb2.UploadDocumentRequest(data=data[start : start + 7])

        return await self.indexing.UploadDocument(messages())


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def at(path: str) -> indexing_pb2.DocumentName:
    return indexing_pb2.DocumentName(path=indexing_pb2.DocumentPath(collection="acme/notes", file_path=path))


async def refusal(call: Any) -> FindspotError:
    with pytest.raises(grpc.RpcError) as raised:
        await call
    return from_rpc_error(raised.value)


@pytest.fixture
async def remote(desk: Desk) -> AsyncIterator[Remote]:
    async with running(build(IndexingSettings(port=0), desk.indexing)) as server:
        channel = open_channel(server.address)
        async with channel:
            yield Remote(
                desk,
                indexing_pb2_grpc.IndexingServiceStub(channel),
                collection_pb2_grpc.CollectionServiceStub(channel),
            )


async def test_a_document_goes_in_is_waited_for_shown_listed_and_goes_out(remote: Remote) -> None:
    taken = await remote.upload(
        "a.txt", b"One.\n\nTwo.", title="Stated", metadata={"k": "v"}, request_id=str(uuid.uuid4())
    )
    assert not taken.unchanged
    assert taken.document.state == indexing_pb2.DOCUMENT_STATE_PENDING
    wait = indexing_pb2.WaitForDocumentRequest(
        name=indexing_pb2.DocumentName(document_id=taken.document.document_id),
        until=indexing_pb2.SEARCHABLE_VECTOR,
    )
    waited = await remote.indexing.WaitForDocument(wait)
    assert waited.reached
    assert waited.revision > taken.revision
    shown = (await remote.indexing.GetDocument(indexing_pb2.GetDocumentRequest(name=at("a.txt")))).document
    assert (shown.title, shown.metadata["k"], shown.generation) == ("Stated", "v", 1)
    assert (shown.chunk_count, shown.embedded_chunk_count, shown.section_count) == (2, 2, 1)
    assert shown.content_hash == shown.observed_hash == sha256(b"One.\n\nTwo.")
    assert (shown.extractor_stamp, shown.HasField("failure"), shown.HasField("retired_time")) == (
        "fake/1", False, False,
    )  # fmt: skip
    assert shown.indexed_time.ToDatetime() >= shown.created_time.ToDatetime()
    listed = await remote.indexing.ListDocuments(indexing_pb2.ListDocumentsRequest(subtree="acme"))
    assert [document.document_id for document in listed.documents] == [shown.document_id]
    deleted = await remote.indexing.DeleteDocument(
        indexing_pb2.DeleteDocumentRequest(name=at("a.txt"), if_generation=1)
    )
    assert deleted.document.state == indexing_pb2.DOCUMENT_STATE_RETIRED
    assert deleted.document.HasField("retired_time")
    purged = await remote.indexing.PurgeDocument(indexing_pb2.PurgeDocumentRequest(name=at("a.txt")))
    assert (purged.chunk_count, purged.vector_count, purged.blob_count) == (2, 2, 3)
    assert purged.revision > deleted.revision
    gone = await refusal(remote.indexing.GetDocument(indexing_pb2.GetDocumentRequest(name=at("a.txt"))))
    assert gone.reason is Reason.DOCUMENT_NOT_FOUND


async def test_refused_uploads_say_why(remote: Remote) -> None:
    data = b"some bytes"
    cases = [
        ({"sha256": "0" * 64}, Reason.UPLOAD_HASH_MISMATCH),
        ({"size_bytes": 11}, Reason.UPLOAD_SIZE_MISMATCH),
        ({"size_bytes": 9}, Reason.UPLOAD_SIZE_MISMATCH),
        ({"size_bytes": 60 * 1024 * 1024}, Reason.DOCUMENT_TOO_LARGE),
        ({"collection": "a b"}, Reason.INVALID_FIELD),
        ({"require_collection": True}, Reason.COLLECTION_NOT_FOUND),
        ({"if_generation": 3}, Reason.GENERATION_MISMATCH),
    ]
    for header, reason in cases:
        assert (await refusal(remote.upload("a.txt", data, **header))).reason is reason, header
    assert (await refusal(remote.upload("../a.txt", data))).reason is Reason.FILE_PATH_INVALID
    assert remote.desk.rows("SELECT count(*) FROM documents") == [(0,)]


async def test_what_has_to_be_sent_comes_in_order(remote: Remote) -> None:
    await remote.upload("a.txt", b"one")
    files = [
        indexing_pb2.FileHash(file_path=path, sha256=sha256(data))
        for path, data in (("a.txt", b"one"), ("a.txt", b"two"), ("b.txt", b"x"), ("../c", b"x"))
    ]
    answer = await remote.indexing.CheckDocuments(
        indexing_pb2.CheckDocumentsRequest(collection="acme/notes", files=files)
    )
    assert [check.need for check in answer.files] == [
        indexing_pb2.UPLOAD_NEED_UNCHANGED,
        indexing_pb2.UPLOAD_NEED_CHANGED,
        indexing_pb2.UPLOAD_NEED_NEW,
        indexing_pb2.UPLOAD_NEED_REFUSED,
    ]
    refused = answer.files[3].failure
    assert refused.reason == errors_pb2.ERROR_REASON_FILE_PATH_INVALID
    assert (refused.name, refused.fixed_by) == ("file-path-invalid", "operator")


async def test_failures_travel_with_the_document(remote: Remote) -> None:
    remote.desk.extractor.always["bad.txt"] = FindspotError("torn", reason=Reason.DOCUMENT_CORRUPT)
    await remote.upload("bad.txt", b"x")
    waited = await remote.indexing.WaitForDocument(indexing_pb2.WaitForDocumentRequest(name=at("bad.txt")))
    assert not waited.reached
    assert waited.document.failure.reason == errors_pb2.ERROR_REASON_DOCUMENT_CORRUPT
    assert waited.document.failure.message == "torn"
    status = await remote.indexing.GetStatus(indexing_pb2.GetStatusRequest())
    assert [(f.reason, f.document_count, f.example_file_path) for f in status.failures] == [
        (errors_pb2.ERROR_REASON_DOCUMENT_CORRUPT, 1, "bad.txt")
    ]
    assert {state.state: state.document_count for state in status.states} == {
        indexing_pb2.DOCUMENT_STATE_FAILED: 1
    }


async def test_a_deadline_ends_a_wait(remote: Remote) -> None:
    remote.desk.extractor.gate = asyncio.Event()
    await remote.upload("a.txt", b"x")
    wait = indexing_pb2.WaitForDocumentRequest(name=at("a.txt"))
    ended = await refusal(remote.indexing.WaitForDocument(wait, timeout=0.2))
    assert ended.reason is Reason.DEADLINE_EXCEEDED


async def test_the_work_is_followed_until_idle(remote: Remote) -> None:
    for number in range(4):
        await remote.upload(f"{number}.txt", f"Text {number}.".encode())
    request = indexing_pb2.WatchIndexingRequest(subtree="acme", until_idle=True)
    events = [event async for event in remote.indexing.WatchIndexing(request)]
    assert events[-1].idle
    assert (events[-1].document_count, events[-1].embedded_chunk_count) == (4, 4)
    status = await remote.indexing.GetStatus(indexing_pb2.GetStatusRequest(subtree="acme"))
    (identity,) = status.identities
    assert identity.state == indexing_pb2.IDENTITY_STATE_ACTIVE
    assert (identity.embedded_chunk_count, identity.identity.display) == (4, "fake@8")
    assert status.chunk_count == 4
    diagnosis = await remote.indexing.Diagnose(indexing_pb2.DiagnoseRequest(thorough=True))
    assert diagnosis.outcome == indexing_pb2.CHECK_OUTCOME_OK, diagnosis


async def test_following_ends_when_the_server_stops(desk: Desk) -> None:
    async with running(build(IndexingSettings(port=0), desk.indexing)) as server:
        channel = open_channel(server.address)
        async with channel:
            stub = indexing_pb2_grpc.IndexingServiceStub(channel)
            events = aiter(stub.WatchIndexing(indexing_pb2.WatchIndexingRequest()))
            await anext(events)
            desk.indexing.stopping.set()
            desk.indexing.changes.announce()
            async with asyncio.timeout(5):
                assert [event async for event in events] == []


async def test_collections_over_the_wire(remote: Remote, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    root.mkdir()
    wanted = collection_pb2.Collection(
        path="acme/docs",
        source=collection_pb2.CollectionSource(
            directory=collection_pb2.DirectorySource(root=str(root), watch=True, ignore=["*.tmp"])
        ),
        profile_overrides=[
            collection_pb2.ProfileOverride(
                document_type="markdown",
                options=common_pb2.ChunkingOptions(
                    strategy=common_pb2.CHUNKING_STRATEGY_SENTENCE, size=400, overlap=0
                ),
            )
        ],
    )
    made = (
        await remote.collections.CreateCollection(collection_pb2.CreateCollectionRequest(collection=wanted))
    ).collection
    assert made.source == wanted.source
    assert list(made.profile_overrides) == list(wanted.profile_overrides)
    got = await remote.collections.GetCollection(collection_pb2.GetCollectionRequest(path="acme/docs"))
    assert got.collection == made
    made.ClearField("source")
    updated = await remote.collections.UpdateCollection(
        collection_pb2.UpdateCollectionRequest(collection=made, etag=made.etag)
    )
    assert updated.collection.source.WhichOneof("kind") == "uploads"
    stale = collection_pb2.DeleteCollectionRequest(path="acme/docs", etag=made.etag)
    assert (await refusal(remote.collections.DeleteCollection(stale))).reason is Reason.ETAG_MISMATCH
    await remote.upload("a.txt", b"x", collection="acme/docs/deep")
    listed = await remote.collections.ListCollections(collection_pb2.ListCollectionsRequest(subtree="acme"))
    assert [c.path for c in listed.collections] == ["acme/docs", "acme/docs/deep"]
    assert [c.document_count for c in listed.collections] == [0, 1]
    whole = collection_pb2.DeleteCollectionRequest(path="acme/docs", force=True)
    assert (await remote.collections.DeleteCollection(whole)).purged_document_count == 1


async def test_odd_requests_are_refused_field_by_field(remote: Remote) -> None:
    nameless = indexing_pb2.GetDocumentRequest()
    assert (await refusal(remote.indexing.GetDocument(nameless))).fields[0].field == "name"
    odd = indexing_pb2.ListDocumentsRequest(states=[99])  # type: ignore[list-item]
    assert (await refusal(remote.indexing.ListDocuments(odd))).fields[0].field == "states"
    far = {"source_modified_time": {"seconds": 1, "nanos": -1}}
    assert (await refusal(remote.upload("a.txt", b"x", **far))).fields[0].field == "source_modified_time"


async def test_the_index_is_diagnosed_repaired_and_purged_over_the_wire(remote: Remote, desk: Desk) -> None:
    await remote.upload("a.txt", b"One.\n\nTwo.")
    await desk.until(lambda: desk.indexed("a.txt", 1))
    await desk.at_rest()
    desk.text.delete(list(desk.text.ids()))
    desk.text.commit()
    seen = await remote.indexing.Diagnose(indexing_pb2.DiagnoseRequest(thorough=True))
    assert seen.outcome == indexing_pb2.CHECK_OUTCOME_FAILED
    assert {c.name for c in seen.checks if c.outcome != indexing_pb2.CHECK_OUTCOME_OK} == {
        "text.count",
        "text.entries",
    }
    counted = await remote.indexing.Repair(indexing_pb2.RepairRequest(dry_run=True))
    assert (counted.operation_id, counted.missing_count, dict(counted.counts)) == ("", 2, {"text_missing": 2})
    begun = await remote.indexing.Repair(indexing_pb2.RepairRequest(subtree="acme"))
    ended = f"SELECT state FROM operations WHERE id = '{begun.operation_id}'"
    await desk.until(lambda: desk.rows(ended) == [("SUCCEEDED",)])
    assert desk.text.count() == 2
    refused = await refusal(
        remote.indexing.Repair(indexing_pb2.RepairRequest(subtree="acme", rebuild_text=True))
    )
    assert refused.fields[0].field == "subtree"
    purged = await remote.indexing.PurgeDocument(
        indexing_pb2.PurgeDocumentRequest(name=at("a.txt"), scrub_now=True)
    )
    scrubbed = f"SELECT kind, state FROM operations WHERE id = '{purged.scrub_operation_id}'"
    await desk.until(lambda: desk.rows(scrubbed) == [("scrub", "SUCCEEDED")])
