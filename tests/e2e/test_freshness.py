"""An edit that cannot be read: its predecessor goes on serving, and every view says that it is outdated."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from tests.e2e.suite_process import LIBRARY, Suite

from findspot.client import AsyncClient, Client
from findspot.client.requests import At
from findspot.v1 import common_pb2, indexing_pb2

PLACE = At("fresh", "survey.pdf")
BROKEN = b"%PDF-1.7\nnothing of this is a document\n"


def clients(suite: Suite) -> Client:
    return Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"])


async def test_an_edit_that_fails_is_told_wherever_its_predecessor_is_found(
    suite: Suite, tmp_path: Path
) -> None:
    file = tmp_path / "survey.pdf"
    shutil.copy(LIBRARY / "harbour-wall-survey.pdf", file)
    assert suite.run("add", str(tmp_path), "--collection", "fresh", "--json").code == 0
    with clients(suite) as client:
        before = client.document(PLACE)
        [hit] = [result.hit for result in client.search("lime mortar", collection="fresh").results]
        assert (before.freshness, before.stale) == (common_pb2.FRESHNESS_FRESH, False)
        assert before.evidence.row_fingerprint == before.evidence.index_fingerprint != ""
        assert (hit.freshness, hit.stale, hit.HasField("evidence")) == (
            common_pb2.FRESHNESS_FRESH,
            False,
            False,
        )

    file.write_bytes(BROKEN)
    assert suite.run("add", str(tmp_path), "--collection", "fresh", "--json").code == 3
    hashes = (hashlib.sha256(BROKEN).hexdigest(), before.content_hash)
    with clients(suite) as client:
        now = client.document(PLACE)
        [hit] = [result.hit for result in client.search("lime mortar", collection="fresh").results]
        chunk = client.chunk(hit.chunk_id).chunk
        listed = client.indexing.ListDocuments(indexing_pb2.ListDocumentsRequest(subtree="fresh")).documents
    assert now.state == indexing_pb2.DOCUMENT_STATE_FAILED
    assert now.generation == before.generation
    for found in (now, hit, chunk):
        assert (found.freshness, found.stale) == (common_pb2.FRESHNESS_ROWS_BEHIND_FILE, True)
        assert (found.evidence.source_hash, found.evidence.row_hash) == hashes
        assert found.evidence.diverged_time.ToMicroseconds() >= before.updated_time.ToMicroseconds()
    assert [(found.stale, found.HasField("evidence")) for found in listed] == [(True, False)]


def test_people_are_told_in_a_word(suite: Suite) -> None:
    searched = suite.run("search", "lime mortar", "-c", "fresh")
    assert searched.code == 0, searched.err
    shown = searched.out
    assert "fresh/survey.pdf" in shown.splitlines()[0]
    assert shown.splitlines()[0].endswith("outdated")
    assert "outdated Newer content was received and is not published. since 20" in suite.run("read", "1").out
    status = suite.run("status", "fresh/survey.pdf")
    assert status.code == 0
    assert "outdated" in status.out
    assert hashlib.sha256(BROKEN).hexdigest() in status.out
    told = suite.run("status", "fresh/survey.pdf", "--json").json["document"]
    assert (told["freshness"], told["stale"]) == ("FRESHNESS_ROWS_BEHIND_FILE", True)
    assert told["evidence"]["message"]
    fresh = suite.run("status", "demo/library/station-log.txt").out
    assert "fresh Index, rows and file agree." in fresh
    assert "outdated" not in suite.run("search", "lamp", "-c", "demo/library").out
    assert suite.run("status", "demo/nothing.txt").code == 4
    assert suite.run("status", "demo/nothing.txt", "--watch").code == 2


async def test_profiles_and_stamps_are_those_of_what_is_stored(suite: Suite) -> None:
    async with AsyncClient(
        chunking=suite.addresses["chunking"],
        extraction=suite.addresses["extraction"],
        indexing=suite.addresses["indexing"],
    ) as client:
        types = {row.name: row.extractor_stamp for row in await client.document_types()}
        profiles = await client.profiles()
        request = indexing_pb2.ListDocumentsRequest(subtree="demo/library")
        documents = (await client.indexing.ListDocuments(request)).documents
    assert len(documents) == sum(path.is_file() for path in LIBRARY.rglob("*"))
    for document in documents:
        assert document.extractor_stamp == types[document.document_type]
        assert document.chunker_stamp == profiles.chunker_stamp
    shown = suite.run("types", "--stamps").out
    assert types["pdf"] in shown
