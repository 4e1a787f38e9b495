"""A watched directory on a real suite: what is edited, renamed and deleted there is what a search finds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.suite_process import Suite

from findspot.client import Client
from findspot.client.requests import Upload
from findspot.errors import FailedPrecondition, Reason
from findspot.v1 import indexing_pb2

SECONDS = 60.0


def until(condition: Callable[[], Any], client: Client) -> Any:
    """What a condition gives once it gives anything; looked at whenever the indexing came further."""
    events = client.indexing.WatchIndexing(indexing_pb2.WatchIndexingRequest(), timeout=SECONDS)
    try:
        for _ in events:
            found = condition()
            if found:
                return found
    finally:
        events.cancel()
    raise AssertionError("the service ended")


def hits(client: Client, query: str, mode: str = "hybrid") -> list[Any]:
    answer = client.search(query, mode=mode, collection="acme/notes")
    return [result.hit for result in answer.results]


def paths(client: Client, query: str, mode: str = "hybrid") -> set[str]:
    return {hit.file_path for hit in hits(client, query, mode)}


def test_a_watched_directory_is_what_a_search_finds(new_suite: Callable[[], Any], tmp_path: Path) -> None:
    root = tmp_path / "notes"
    (root / "plants").mkdir(parents=True)
    (root / "bees.md").write_text("# Bees\n\nA hive keeps through winter on stored honey.\n")
    (root / "plants/moss.md").write_text("# Moss\n\nSphagnum holds twenty times its weight in water.\n")
    (root / "salt.md").write_text("# Salt\n\nBrine freezes well below the point of fresh water.\n")
    (root / "draft.tmp").write_text("not for anybody")
    with new_suite() as suite:
        _follow(suite, root)
        with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
            _check(suite, client, root)


def _follow(suite: Suite, root: Path) -> None:
    done = suite.run("sync", "acme/notes", str(root), "--watch", "--ignore", "*.tmp", "--json")
    assert done.code == 0, done.err
    assert done.json["counts"] == {
        "added": 3, "changed": 0, "moved": 0, "pruned": 0, "unchanged": 0, "refused": 0, "ignored": 1, "unreadable": 0
    }  # fmt: skip
    assert done.json["progress"]["embedded_chunk_count"] == "3"


def _check(suite: Suite, client: Client, root: Path) -> None:
    moss = until(lambda: hits(client, "sphagnum", "text"), client)[0]
    assert moss.file_path == "plants/moss.md"

    (root / "bees.md").write_text("# Bees\n\nA swarm leaves in May with the old queen.\n")
    until(lambda: "bees.md" in paths(client, "swarm queen", "text"), client)
    assert "bees.md" not in paths(client, "honey", "text")

    (root / "plants/moss.md").rename(root / "sphagnum-moss.md")
    until(lambda: "sphagnum-moss.md" in paths(client, "sphagnum weight water"), client)
    until(lambda: client.document(moss.document_id).state == indexing_pb2.DOCUMENT_STATE_INDEXED, client)
    moved = client.document(moss.document_id)
    assert (moved.file_path, moved.document_id) == ("sphagnum-moss.md", moss.document_id)
    assert [hit.chunk_id for hit in hits(client, "sphagnum", "text")] == [moss.chunk_id]

    (root / "salt.md").unlink()
    until(lambda: "salt.md" not in paths(client, "brine freezes"), client)

    with pytest.raises(FailedPrecondition) as refused:
        client.upload(Upload("acme/notes", "x.md", b"x"))
    assert refused.value.reason is Reason.OTHER_SOURCE

    (root / "torn.pdf").write_bytes(b"%PDF-1.4\n% torn off")
    torn = suite.run("sync", "acme/notes", "--json")
    assert torn.code == 3
    assert [(each["file"], each["reason"]) for each in torn.json["failures"]] == [
        ("torn.pdf", "DOCUMENT_CORRUPT")
    ]
    (root / "torn.pdf").unlink()
    assert suite.run("sync", "acme/notes", "--json").json["failures"] == []

    shutil.move(root, root.with_name("away"))
    gone = suite.run("sync", "acme/notes", "--json")
    assert (gone.code, gone.json["error"]["reason"]) == (1, "SOURCE_UNREADABLE")
    assert paths(client, "swarm queen", "text") == {"bees.md"}
    shutil.move(root.with_name("away"), root)
    counted = client.sync_collection("acme/notes", dry_run=True)
    assert (counted.unchanged_count, counted.pruned_count, counted.ignored_count) == (2, 0, 1)
    *_, ended = client.follow(client.sync_collection("acme/notes").operation_id)
    assert (ended.kind, ended.counts["unchanged"]) == ("sync", 2)
