"""`findspot reindex` and `findspot operations` against a real suite."""

from pathlib import Path

import pytest
from tests.e2e.suite_process import Suite

from findspot.client import Client
from findspot.v1 import collection_pb2, common_pb2

COLLECTION = "reindexed"
TEXT = "# {0}\n\nA heron stands in the {0} pond.\n\n## Tides\n\nThe tide turns at noon in {0}.\n"


@pytest.fixture(scope="module")
def filled(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("reindexed")
    for name in ("north", "south"):
        (folder / f"{name}.md").write_text(TEXT.format(name))
    added = suite.run("add", str(folder), "--collection", COLLECTION, "--json")
    assert added.code == 0, added.err
    return suite


def embedded(suite: Suite) -> int:
    status = suite.run("status", "--collection", COLLECTION, "--json").json["status"]
    return int(status["identities"][0]["embedded_chunk_count"])


def test_fresh_documents_are_left_alone_and_changed_overrides_are_found(filled: Suite) -> None:
    fresh = filled.run("reindex", COLLECTION, "--dry-run", "--json").json["planned"]
    assert (fresh["fresh_count"], fresh["remedy"]) == ("2", "REINDEX_STAGE_UNSPECIFIED")
    with Client(indexing=filled.addresses["indexing"]) as client:
        got = client.collections.GetCollection(collection_pb2.GetCollectionRequest(path=COLLECTION))
        options = common_pb2.ChunkingOptions(size=60, overlap=0)
        override = collection_pb2.ProfileOverride(document_type="markdown", options=options)
        got.collection.profile_overrides.append(override)
        client.collections.UpdateCollection(
            collection_pb2.UpdateCollectionRequest(collection=got.collection, etag=got.collection.etag)
        )
    stale = filled.run("reindex", COLLECTION, "--dry-run", "--json").json["planned"]
    assert (stale["extract_count"], stale["chunk_count"], stale["remedy"]) == (
        "0",
        "2",
        "REINDEX_STAGE_CHUNK",
    )
    assert "2  documents to cut again" in filled.run("reindex", COLLECTION, "--dry-run").out
    before = embedded(filled)
    ran = filled.run("reindex", COLLECTION, "--json")
    assert ran.code == 0, ran.err
    operation = ran.json["operation"]
    assert (operation["state"], operation["done_count"]) == ("OPERATION_STATE_SUCCEEDED", "2")
    assert operation["counts"] == {"cut": "2"}
    assert embedded(filled) > before
    hit = filled.run("search", "when does the tide turn in the south", "-c", COLLECTION, "--json").json
    assert hit["results"][0]["hit"]["file_path"] == "south.md"
    assert hit["degradations"] == []


def test_one_document_is_made_anew_and_the_operation_is_listed(filled: Suite) -> None:
    begun = filled.run("reindex", f"{COLLECTION}/north.md", "--force", "--no-wait", "--json").json["planned"]
    assert begun["extract_count"] == "1"
    watched = filled.run("operations", "--watch", begun["operation_id"])
    assert watched.code == 0
    assert watched.out.startswith(f"succeeded   reindex {COLLECTION}/north.md   1 of 1 done")
    listed = filled.run("operations", "--state", "succeeded", "--json").json["operations"]
    assert listed[0]["operation_id"] == begun["operation_id"]
    assert begun["operation_id"] in filled.run("operations").out
    asked = filled.run("operations", "--cancel", begun["operation_id"], "--json").json["operation"]
    assert asked["state"] == "OPERATION_STATE_SUCCEEDED"


def test_from_embed_on_by_force_the_model_is_asked_again(filled: Suite) -> None:
    before = embedded(filled)
    ran = filled.run("reindex", COLLECTION, "--from", "embed", "--force", "--json").json
    assert (ran["planned"]["embed_count"], ran["planned"]["stored_vector_count"]) == (str(before), "0")
    assert ran["operation"]["counts"] == {"embedded": "2"}
    assert embedded(filled) == before


def test_what_is_not_there_is_named(filled: Suite, tmp_path: Path) -> None:
    missing = filled.run("reindex", "no/such/thing.md")
    assert missing.code == 4
    assert "no/such/thing.md" in missing.err
    assert filled.run("reindex", "--from", "read").code == 2
    assert filled.run("operations", "--cancel", "0192f0aa-0000-7000-8000-000000000000").code == 4
