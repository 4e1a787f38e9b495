"""What indexing writes is what query reads: each side through its own functions, on one manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine
from sqlalchemy.dialects import postgresql

from findspot.freshness import judge
from findspot.model import DocumentState, EmbeddingIdentity, Freshness
from findspot.payload import PAYLOAD_RECIPE
from findspot.stores.manifest import (
    chunks,
    claims,
    collections,
    counters,
    documents,
    embeddings,
    evidence,
    generations,
    reading,
    revisions,
    schema,
    source_files,
    tries,
    vectors,
)
from findspot.stores.manifest.dialect import among
from findspot.stores.manifest.documents import Received
from findspot.stores.manifest.engine import open_engine, read_snapshot, write
from findspot.stores.manifest.source_files import SourceFile
from findspot.stores.manifest.tables import chunks as chunk_table
from findspot.stores.manifest.tables import documents as document_table
from findspot.stores.manifest.tries import Tried
from findspot_query import rows

IDENTITY = EmbeddingIdentity("key", "model@4", "model", 4, 256)


@dataclass
class Book:
    """A manifest that is written and read."""

    writer: Engine
    reader: Engine

    def publish(
        self, path: str, texts: list[str], collection: str = "acme/notes", *, vectors_of: int = 0
    ) -> str:
        """A document with one section and a chunk for each text, the first few with vectors."""
        with write(self.writer) as connection:
            where = collections.find(connection, collection) or collections.create(
                connection, collection, collections.CollectionSettings(), 1
            )
            known = documents.find(connection, collection, path)
            received = Received(
                where.id, collection, path, f"hash{len(texts)}", "blob", 9, 0, {"metadata": {}}
            )
            document_id = documents.receive(connection, received, known, 2)
            (document,) = claims.claim(connection, "me", 10**9, 10, 1)
            assert document.id == document_id
            self._switch(connection, document, texts)
            embeddings.register(connection, IDENTITY, "points", "ACTIVE", 1)
            embeddings.activate(connection, IDENTITY.key, 1)
            ids = [f"{document_id}-{n}" for n in range(len(texts))]
            hashes = [(chunk, f"h-{chunk}") for chunk in ids]
            vectors.want(connection, IDENTITY.key, document_id, where.id, hashes, 1)
            vectors.claim(connection, IDENTITY.key, "me", 5, 10, 99)
            vectors.mark_ready(connection, IDENTITY.key, "me", ids[:vectors_of], 6)
            claims.promote(connection, IDENTITY.key, [document_id], 7)
        return document_id

    def _switch(self, connection: Connection, document: documents.StoredDocument, texts: list[str]) -> None:
        generation = document.next_generation
        section = f"{document.id}-s{generation}"
        common = {"document_id": document.id, "generation": generation}
        sections = [
            common | {
                "id": section, "section_index": 0, "kind": "section", "start": 0, "end": 99, "page_start": 1,
                "page_end": 2, "locator": "p. 1", "heading_path": ["One"],
            }
        ]  # fmt: skip
        rows = [
            common | {
                "id": f"{document.id}-{n}", "state": "STAGED", "chunk_index": n, "section_id": section,
                "text_state": "READY", "kind": "section", "language": "en", "start": 10 * n, "end": 10 * n + 9,
                "overlap": 0, "page": 1, "contains_code": False, "token_count": 3, "chunk_hash": text,
                "occurrence": 0, "extractor_stamp": "e/1", "chunker_stamp": "c/1", "payload_recipe": PAYLOAD_RECIPE,
                "created_at": 1, "retired_at": 0, "locator": "p. 1", "heading_path": ["One", "Two"],
                "identifiers": ["read_file"], "boxes": [[1, 0.1, 0.2, 0.3, 0.4]], "context": "One", "text": text,
            }
            for n, text in enumerate(texts)
        ]  # fmt: skip
        known = {row.id: row.state for row in chunks.of_document(connection, document.id)}
        added = [row for row in rows if row["id"] not in known]
        moved = [
            {name: row[name] for name in ("id", "chunk_index", "section_id", "generation")}
            for row in rows
            if row["id"] in known
        ]
        retired = [
            key for key, state in known.items() if state == "LIVE" and key not in {r["id"] for r in rows}
        ]
        generations.stage(
            connection,
            common | {
                "content_hash": document.observed_hash, "extractor_stamp": "e/1", "chunker_stamp": "c/1",
                "options_stamp": "", "blob_key": "blob", "extraction_key": "extraction", "text_key": "text",
                "text_length": 99, "page_count": 2, "section_count": 1, "chunk_count": len(texts),
                "effective_limit": "CHARS", "warnings": [{"code": "C", "message": "m", "page": 0}], "created_at": 1,
            },
        )  # fmt: skip
        chunks.stage(connection, sections, added)
        chunks.switch(
            connection, document.id, document.collection_id, staged=[row["id"] for row in added], moved=moved,
            retired=retired, dropped=[], now=3,
        )  # fmt: skip
        generations.publish(connection, document.id, generation, 3)
        vectors.remove(connection, retired)
        values = {"generation": generation, "content_hash": document.observed_hash, "title": "Title"}
        claims.finish(connection, document, DocumentState.CHUNKED, values, 3)


@pytest.fixture
def book(manifest_place: str | Path) -> Iterator[Book]:
    made = Book(
        open_engine(manifest_place, synchronous="NORMAL"), open_engine(manifest_place, read_only=True)
    )
    yield made
    made.reader.dispose()
    made.writer.dispose()


def test_a_document_is_read_as_it_was_written(book: Book) -> None:
    document_id = book.publish("a.txt", ["one", "two"], vectors_of=2)
    with read_snapshot(book.reader) as snapshot:
        document = reading.document_by_path(snapshot, "acme/notes", "a.txt")
        assert document is not None
        assert document == reading.document_by_id(snapshot, document_id)
        assert (document.state, document.generation, document.chunk_count) == ("INDEXED", 1, 2)
        assert (document.text_key, document.page_count, document.diverged_at) == ("text", 2, 0)
        assert judge(evidence.of_document(document, 0)).freshness is Freshness.FRESH
        assert document.notices[0].code == "C"
        chunk = reading.chunk_at(snapshot, document_id, 1)
        assert chunk is not None
        assert (chunk.text, chunk.context, chunk.start, chunk.end) == ("two", "One", 10, 19)
        assert chunk.heading_path == ("One", "Two")
        assert chunk.boxes == ((1, 0.1, 0.2, 0.3, 0.4),)
        assert chunk.identifiers == ("read_file",)
        assert (chunk.title, chunk.chunk_count, chunk.vector_state) == ("Title", 2, "READY")
        assert judge(evidence.of_chunk(chunk)).freshness is Freshness.FRESH
        assert reading.chunk_count(snapshot, document_id) == 2
        assert [c.text for c in reading.chunk_range(snapshot, document_id, 0, 9)] == ["one", "two"]
        section = reading.section_of_chunk(snapshot, chunk.id)
        assert section is not None
        assert section == reading.section_by_id(snapshot, chunk.section_id)
        assert [c.id for c in reading.chunks_of_section(snapshot, document_id, section.id)] == [
            f"{document_id}-0", f"{document_id}-1",
        ]  # fmt: skip


def test_only_live_chunks_rank_and_retired_ones_are_read_by_id(book: Book) -> None:
    document_id = book.publish("a.txt", ["one", "two"])
    book.publish("a.txt", ["one"])
    with read_snapshot(book.reader) as snapshot:
        ids = [f"{document_id}-0", f"{document_id}-1", "nothing"]
        live = reading.live_ids(snapshot, ids)
        assert list(live) == ids[:1]
        assert live[ids[0]].section_id == f"{document_id}-s2"
        assert list(reading.live_chunks(snapshot, ids)) == ids[:1]
        gone = reading.chunk_by_id(snapshot, ids[1])
        assert gone is not None
        assert (gone.state, gone.retired_at, gone.generation) == ("RETIRED", 3, 1)
        assert reading.chunk_at(snapshot, document_id, 1) is None


def test_candidates_are_checked_without_reading_their_rows(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    schema.upgrade(engine)
    with read_snapshot(engine) as snapshot:
        plan = snapshot.connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT id, document_id, chunk_index, section_id FROM chunks "
            "WHERE id IN (SELECT value FROM json_each('[]')) AND state = 'LIVE'"
        ).all()
    assert any("COVERING INDEX chunks_live" in row[3] for row in plan)


def test_more_ids_than_fit_one_query_are_all_found(book: Book) -> None:
    document_id = book.publish("a.txt", [str(n) for n in range(1200)])
    with read_snapshot(book.reader) as snapshot:
        ids = [f"{document_id}-{n}" for n in range(1200)]
        assert list(reading.live_ids(snapshot, [*ids, *ids])) == ids or set(
            reading.live_ids(snapshot, ids)
        ) == set(ids)
        assert len(reading.live_chunks(snapshot, iter(ids))) == 1200


def test_what_an_open_snapshot_reads_does_not_change(book: Book) -> None:
    document_id = book.publish("a.txt", ["one", "two"])
    with read_snapshot(book.reader) as before:
        book.publish("a.txt", ["one"])
        assert len(reading.chunk_range(before, document_id, 0, 9)) == 2
        assert reading.snapshot_state(before).revision == before.revision
    with read_snapshot(book.reader) as after:
        assert after.revision > before.revision
        assert len(reading.chunk_range(after, document_id, 0, 9)) == 1


def test_coverage_is_what_the_counters_say(book: Book) -> None:
    book.publish("a.txt", ["one", "two"], vectors_of=1)
    book.publish("b.txt", ["three"], "acme/other")
    with write(book.writer) as connection:
        collection = collections.find(connection, "acme/other")
        assert collection is not None
        documents.receive(connection, Received(collection.id, "acme/other", "c", "h", "b", 1, 0, {}), None, 9)
        assert {k: v for k, v in counters.recount(connection).items() if v} == {
            (row.collection_id, row.identity, row.name): row.value
            for row in connection.exec_driver_sql("SELECT * FROM counters WHERE value != 0")
        }
    with read_snapshot(book.reader) as snapshot:
        refs = {ref.path: ref.id for ref in reading.collections_in_scope(snapshot, subtrees=None)}
        assert list(refs) == ["acme/notes", "acme/other"]
        everything = reading.coverage(snapshot)
        assert (everything.live_chunks, everything.embedded_chunks, everything.pending_documents) == (3, 1, 1)
        notes = reading.coverage(snapshot, [refs["acme/notes"]])
        assert (notes.live_chunks, notes.embedded_chunks, notes.pending_documents) == (2, 1, 0)
        assert reading.coverage(snapshot, []).live_chunks == 0


def test_counters_that_went_wrong_never_count_below_nothing(book: Book) -> None:
    book.publish("a.txt", ["one", "two"], vectors_of=1)
    with write(book.writer) as connection:
        connection.exec_driver_sql("UPDATE counters SET value = -5")
    with read_snapshot(book.reader) as snapshot:
        told = reading.coverage(snapshot)
        assert (told.live_chunks, told.embedded_chunks, told.pending_documents) == (0, 0, 0)
        assert rows.standing(snapshot, None).coverage == told
        assert set(counters.totals(snapshot.connection).values()) == {0}


def test_scopes_hold_whole_segments(book: Book) -> None:
    with write(book.writer) as connection:
        for path in ("a", "a/b", "a/b/c", "a/bc", "b"):
            collections.create(connection, path, collections.CollectionSettings(), 1)
    with read_snapshot(book.reader) as snapshot:

        def paths(**scope: object) -> list[str]:
            return [ref.path for ref in reading.collections_in_scope(snapshot, **scope)]  # type: ignore[arg-type]

        assert paths(subtrees=["a/b"]) == ["a/b", "a/b/c"]
        assert paths(exact=["a", "b"]) == ["a", "b"]
        assert paths(exact=["b"], subtrees=["a/b"]) == ["a/b", "a/b/c", "b"]
        assert paths() == []
        assert paths(subtrees=None) == ["a", "a/b", "a/b/c", "a/bc", "b"]
        assert reading.collection_exists(snapshot, "a/bc")
        assert not reading.collection_exists(snapshot, "a/")


def test_an_edit_in_waiting_makes_what_serves_stale(book: Book) -> None:
    document_id = book.publish("a.txt", ["one"])
    with write(book.writer) as connection:
        known = documents.get(connection, document_id)
        assert known is not None
        newer = Received(known.collection_id, "acme/notes", "a.txt", "new", "b", 1, 0, {"title": "Newer"})
        documents.receive(connection, newer, known, 9)
    with read_snapshot(book.reader) as snapshot:
        chunk = reading.chunk_at(snapshot, document_id, 0)
        assert chunk is not None
        verdict = judge(evidence.of_chunk(chunk))
        assert (verdict.freshness, verdict.stale) == (Freshness.ROWS_BEHIND_FILE, True)
        assert (chunk.row_hash, verdict.source_hash, verdict.diverged_at) == (known.observed_hash, "new", 9)
        assert chunk.title == "Title"


def test_since_when_file_and_rows_differ_is_kept_until_they_agree(book: Book) -> None:
    document_id = book.publish("a.txt", ["one"])
    seen = []
    for content, now in (("new", 9), ("newer", 10), ("", 11), ("newest", 12)):
        with write(book.writer) as connection:
            known = documents.get(connection, document_id)
            assert known is not None
            received = Received(
                known.collection_id, "acme/notes", "a.txt", content or known.content_hash, "b", 1, 0, {}
            )
            documents.receive(connection, received, known, now)
            stored = documents.get(connection, document_id)
            assert stored is not None
            seen.append(stored.diverged_at)
    assert seen == [9, 9, 0, 12]
    with write(book.writer) as connection:
        known = documents.get(connection, document_id)
        assert known is not None
        documents.retire(connection, known, 13)
        gone = documents.get(connection, document_id)
        assert gone is not None
        assert judge(evidence.of_document(gone, 0)).freshness is Freshness.NOT_INDEXED
        assert gone.diverged_at == 0


@pytest.mark.parametrize(
    ("content", "freshness", "stale"),
    [
        ("same", Freshness.FRESH, False),
        ("other", Freshness.ROWS_BEHIND_FILE, True),
        ("", Freshness.UNKNOWN, False),
    ],
)
def test_the_file_as_the_last_scan_saw_it_counts(
    book: Book, content: str, freshness: Freshness, stale: bool
) -> None:
    document_id = book.publish("a.txt", ["one"], vectors_of=1)
    with write(book.writer) as connection:
        known = documents.get(connection, document_id)
        assert known is not None
        seen = known.content_hash if content == "same" else content
        row = SourceFile(
            known.collection_id, "a.txt", 1, 5_000, 0, 0, seen, 1, "SOURCE_UNREADABLE", "Locked."
        )
        source_files.keep(connection, [row])
    with read_snapshot(book.reader) as snapshot:
        chunk = reading.chunk_at(snapshot, document_id, 0)
        document = reading.document_by_id(snapshot, document_id)
        assert chunk is not None
        assert document is not None
        for found in (judge(evidence.of_chunk(chunk)), judge(evidence.of_document(document, 0))):
            assert (found.freshness, found.stale) == (freshness, stale)
            assert found.diverged_at == (5 if content == "other" else 0)


def test_a_chunk_without_its_vector_is_ahead_of_the_index(book: Book) -> None:
    document_id = book.publish("a.txt", ["one", "two"], vectors_of=1)
    with read_snapshot(book.reader) as snapshot:
        found = [reading.chunk_at(snapshot, document_id, index) for index in (0, 1)]
    assert [chunk.vector_state for chunk in found if chunk] == ["READY", "PENDING"]
    assert [judge(evidence.of_chunk(chunk)).freshness for chunk in found if chunk] == [
        Freshness.FRESH,
        Freshness.INDEX_BEHIND_ROWS,
    ]


def test_the_active_identity_is_read_with_its_collection(book: Book) -> None:
    with read_snapshot(book.reader) as snapshot:
        assert reading.snapshot_state(snapshot).active is None
    book.publish("a.txt", ["one"])
    with read_snapshot(book.reader) as snapshot:
        state = reading.snapshot_state(snapshot)
        assert state.active == IDENTITY
        assert state.qdrant_collection == "points"
    other = EmbeddingIdentity("other", "other@8", "other", 8, 512)
    with write(book.writer) as connection:
        embeddings.register(connection, other, "others", "FILLING", 2)
        embeddings.activate(connection, other.key, 3)
        states = {row.key: row.state for row in embeddings.all_identities(connection)}
        assert states == {"key": "RETIRED", "other": "ACTIVE"}
        assert revisions.current(connection) > 0


def test_a_list_is_one_parameter_on_both_databases() -> None:
    expression = among(chunk_table.c.id, ["a", "b"])
    compiled = expression.compile(dialect=postgresql.dialect())
    assert "json_array_elements_text" in str(compiled)
    assert list(compiled.params.values()) == ['["a", "b"]']


def test_documents_that_gave_nothing_are_told_apart_by_what_was_tried(book: Book) -> None:
    tried = {
        "a": ("EMPTY", "NO_TEXT", "pdf", "pdf/1"),
        "b": ("EMPTY", "NO_TEXT", "pdf", "pdf/1"),
        "c": ("EMPTY", "NO_TEXT", "pdf", ""),
        "d": ("FAILED", "DOCUMENT_CORRUPT", "", "registry/1"),
        "e": ("FAILED", "NO_TEXT", "pdf", "pdf/1"),
        "f": ("INDEXED", "", "text", "text/1"),
    }
    with write(book.writer) as connection:
        where = collections.create(connection, "acme/notes", collections.CollectionSettings(), 1)
        ids = {
            name: documents.receive(
                connection, Received(where.id, "acme/notes", name, name, "b", 1, 0, {}), None, 1
            )
            for name in tried
        }
        for name, (state, reason, document_type, stamp) in tried.items():
            values = {"state": state, "error_reason": reason, "document_type": document_type}
            update = document_table.update().where(document_table.c.id == ids[name])
            connection.execute(update.values(tried_stamp=stamp, **values))
    with read_snapshot(book.reader) as snapshot:
        found = list(tries.tried(snapshot.connection))
        assert sorted(found, key=str) == sorted(
            [
                Tried("NO_TEXT", "pdf", ""),
                Tried("NO_TEXT", "pdf", "pdf/1"),
                Tried("DOCUMENT_CORRUPT", "", "registry/1"),
                Tried("NO_TEXT", "pdf", "pdf/1"),
            ],
            key=str,
        )
        same = tries.documents_tried(snapshot.connection, Tried("NO_TEXT", "pdf", "pdf/1"), 9)
        assert {(document.id, document.state) for document in same} == {
            (ids["a"], "EMPTY"),
            (ids["b"], "EMPTY"),
            (ids["e"], "FAILED"),
        }
        assert len(tries.documents_tried(snapshot.connection, Tried("NO_TEXT", "pdf", "pdf/1"), 2)) == 2
