"""A whole suite on a manifest in PostgreSQL: what `findspot up` does with SQLite it does there too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import grpc
from tests.e2e.suite_process import Suite, running
from tests.postgres import PASSWORD, PostgresServer

from findspot.v1 import indexing_pb2
from findspot.v1.indexing_pb2_grpc import IndexingServiceStub

COLLECTION = "demo/notes"


def found(suite: Suite, question: str) -> list[str]:
    """The files of the hits, by words and by meaning."""
    ran = suite.run("search", question, "-c", COLLECTION, "--json")
    assert ran.code == 0, ran.err
    assert "degradation" not in ran.json
    return [result["hit"]["file_path"] for result in ran.json["results"]]


def test_add_search_edit_delete_and_purge_on_postgresql(
    postgres_server: PostgresServer,
    empty_postgres: str,
    new_environment: Callable[[], dict[str, str]],
    tmp_path: Path,
    models: Path,
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "kiln.md").write_text("# Kilns\n\nThe kiln was fired with juniper wood.\n")
    (files / "coins.txt").write_text("A hoard of silver coins lay under the hearth.\n")
    (files / "zero.txt").write_bytes(b"Nul\0 and text go well together.\n")
    env = new_environment() | {"FINDSPOT_INDEXING_MANIFEST": empty_postgres}
    with running(tmp_path / "data", env, models) as suite:
        assert not list((tmp_path / "data").glob("manifest.sqlite*"))
        added = suite.run("add", str(files), "--collection", COLLECTION, "--json")
        assert added.code == 0, added.err
        assert found(suite, "juniper")[0] == "kiln.md"
        assert found(suite, "silver coins")[0] == "coins.txt"
        assert found(suite, "text together")[0] == "zero.txt"
        (files / "kiln.md").write_text("# Kilns\n\nThe kiln was fired with cedar wood.\n")
        assert suite.run("add", str(files), "-c", COLLECTION, "--json").code == 0
        assert found(suite, "cedar")[0] == "kiln.md"
        status = suite.run("status", "--json").json
        assert status
        with grpc.insecure_channel(suite.addresses["indexing"]) as channel:
            indexing = IndexingServiceStub(channel)
            for remove, request, path in (
                (indexing.DeleteDocument, indexing_pb2.DeleteDocumentRequest, "coins.txt"),
                (indexing.PurgeDocument, indexing_pb2.PurgeDocumentRequest, "kiln.md"),
            ):
                place = indexing_pb2.DocumentPath(collection=COLLECTION, file_path=path)
                name = indexing_pb2.DocumentName(path=place)
                remove(request(name=name), timeout=30)
        assert "coins.txt" not in found(suite, "silver coins")
        assert "kiln.md" not in found(suite, "cedar")
        postgres_server.stop()
        refused = suite.run("search", "text", "--collection", COLLECTION, "--json")
        assert refused.code != 0
        assert "manifest cannot be used now" in refused.out + refused.err
        postgres_server.start()
        assert found(suite, "text together")[0] == "zero.txt"
    logs = "".join(file.read_text() for file in (tmp_path / "data" / "logs").iterdir())
    assert PASSWORD not in logs
    assert empty_postgres not in logs
