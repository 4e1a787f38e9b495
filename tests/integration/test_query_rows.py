"""The compiled reads of the query service answer as the manifest's own reading functions do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from query_library import Library, Piece
from sqlalchemy import select

from findspot.freshness import judge
from findspot.model import Freshness
from findspot.payload import PAYLOAD_RECIPE
from findspot.stores.manifest import evidence, reading, source_files, tables
from findspot.stores.manifest.engine import read_snapshot, write
from findspot.stores.manifest.source_files import SourceFile
from findspot.stores.manifest.stored import FileRow
from findspot_query import rows


@pytest.fixture(params=["sqlite", "postgresql"])
def library(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Library]:
    url = request.getfixturevalue("postgres_manifest") if request.param == "postgresql" else ""
    made = Library(tmp_path, url)
    for number in range(7):
        code = Piece(
            "x = 1", kind="code", language="python", identifiers=("x", "parseIt"), contains_code=True
        )
        pieces = [f"text {number} {index}" for index in range(100)]
        made.add(
            f"a/{number % 2}",
            f"f{number}",
            Piece("with a page", page=3),
            code,
            *pieces,
            metadata={"team": "red"},
        )
    retired = made.add("a/1", "retired", "gone", "still here")
    made.retire(made.chunk_ids(retired)[0])
    _make_stale(made)
    yield made
    made.close()


def test_both_ways_of_reading_agree(library: Library) -> None:
    with read_snapshot(library.engine) as snapshot:
        documents = [found.document_id for found in reading.live_chunks(snapshot, _all_ids(library)).values()]
        ids = ["00000000-0000-5000-8000-000000000000", *_all_ids(library)]
        for some in ([], ids[:1], ids[:20], ids[:129], ids):
            assert rows.live_positions(snapshot, some) == reading.live_ids(snapshot, some)
            assert rows.live_chunks(snapshot, some) == reading.live_chunks(snapshot, some)
        for identifier in ids[:3] + ids[-3:]:
            assert rows.chunk_by_id(snapshot, identifier) == reading.chunk_by_id(snapshot, identifier)
        for index in (-1, 0, 5, 101, 102):
            assert rows.chunk_at(snapshot, documents[0], index) == reading.chunk_at(
                snapshot, documents[0], index
            )
        assert rows.chunk_range(snapshot, documents[0], 3, 9) == reading.chunk_range(
            snapshot, documents[0], 3, 9
        )
        chunk = reading.chunk_at(snapshot, documents[0], 4)
        assert chunk is not None
        place = (chunk.collection_path, chunk.file_path)
        assert rows.chunk_at_path(snapshot, *place, 4) == chunk
        assert rows.chunk_at_path(snapshot, *place, 1_000) is None
        scopes = [
            None,
            *([collection.id] for collection in reading.collections_in_scope(snapshot, subtrees=("a",))),
            [],
        ]
        for scope in scopes:
            found = rows.standing(snapshot, scope)
            assert found.coverage == reading.coverage(snapshot, scope)
            assert found.state == reading.snapshot_state(snapshot)


def _make_stale(made: Library) -> None:
    """Every fact that freshness stands on, for some documents and not for others."""
    with write(made.engine) as connection:
        d, v = tables.documents.c, tables.chunk_vectors.c
        update = tables.documents.update()
        connection.execute(
            update.where(d.file_path == "f2").values(observed_hash="newer", diverged_at=1_700_000)
        )
        for file_path, content_hash, message in (("f1", "f" * 64, ""), ("f3", "", "It cannot be read.")):
            row = SourceFile(
                made.collections["a/1"], file_path, 1, 2_000_000, 0, 0, content_hash, 1, "", message
            )
            source_files.keep(connection, [row])
        some = select(tables.chunks.c.id).where(tables.chunks.c.chunk_index == 4)
        states = tables.chunk_vectors
        connection.execute(states.update().where(v.chunk_id.in_(some)).values(state="FAILED"))
        c = tables.chunks.c
        connection.execute(tables.chunks.update().where(c.chunk_index == 6).values(payload_recipe=1))
        others = select(tables.chunks.c.id).where(tables.chunks.c.chunk_index == 5)
        connection.execute(states.delete().where(v.chunk_id.in_(others)))


def test_what_is_read_tells_every_kind_of_freshness(library: Library) -> None:
    with read_snapshot(library.engine) as snapshot:
        chunks = rows.live_chunks(snapshot, _all_ids(library)).values()
    assert {chunk.vector_state for chunk in chunks} == {"READY", "FAILED", "NONE"}
    assert {chunk.file for chunk in chunks} == {
        None,
        FileRow("f" * 64, 2_000_000, ""),
        FileRow("", 2_000_000, "It cannot be read."),
    }
    assert {chunk.payload_recipe for chunk in chunks} == {1, PAYLOAD_RECIPE}
    verdicts = {judge(evidence.of_chunk(chunk)) for chunk in chunks}
    assert {verdict.freshness for verdict in verdicts} == set(Freshness) - {Freshness.NOT_INDEXED}


def _all_ids(library: Library) -> list[str]:
    with library.engine.connect() as connection:
        return [
            row[0]
            for row in connection.exec_driver_sql("SELECT id FROM chunks ORDER BY document_id, chunk_index")
        ]


def test_without_an_active_identity_no_vector_is_missing(library: Library) -> None:
    with write(library.engine) as connection:
        connection.execute(tables.active_identity.delete())
    with read_snapshot(library.engine) as snapshot:
        some = _all_ids(library)[:20]
        chunks = rows.live_chunks(snapshot, some)
        assert chunks == reading.live_chunks(snapshot, some)
        assert {chunk.vector_state for chunk in chunks.values()} == {""}
        assert {evidence.of_chunk(chunk).missing_vectors for chunk in chunks.values()} == {0}
