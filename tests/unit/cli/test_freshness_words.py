"""Freshness in a word: for each value that is not fresh, and none for what is."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from findspot.cli import freshness
from findspot.cli.document_view import document_view
from findspot.v1 import common_pb2, indexing_pb2, query_pb2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (common_pb2.FRESHNESS_FRESH, ""),
        (common_pb2.FRESHNESS_UNSPECIFIED, ""),
        (common_pb2.FRESHNESS_INDEX_BEHIND_ROWS, "pending"),
        (common_pb2.FRESHNESS_ROWS_BEHIND_FILE, "outdated"),
        (common_pb2.FRESHNESS_UNKNOWN, "unverified"),
    ],
)
def test_a_word_says_it(value: common_pb2.Freshness.ValueType, said: str) -> None:
    hit = query_pb2.SearchHit(freshness=value, evidence=common_pb2.FreshnessEvidence(message="[b] differs."))
    assert freshness.word(hit) == said
    assert freshness.line(hit) == (f"[yellow]{said}[/] \\[b] differs." if said else "")


def test_a_document_is_shown_with_what_proves_that_it_is_behind() -> None:
    document = indexing_pb2.Document(
        document_id="7",
        collection="acme",
        file_path="a.md",
        state=indexing_pb2.DOCUMENT_STATE_FAILED,
        generation=2,
        chunk_count=3,
        embedded_chunk_count=1,
        failure=common_pb2.Failure(message="It is broken.", name="document-corrupt"),
        extractor_stamp="markdown/1",
        chunker_stamp="chunking/1",
        freshness=common_pb2.FRESHNESS_ROWS_BEHIND_FILE,
        stale=True,
        evidence=common_pb2.FreshnessEvidence(
            source_hash="bb", row_hash="aa", message="It differs.", diverged_time=Timestamp(seconds=86_400)
        ),
    )
    assert document_view(document).splitlines() == [
        "[bold]acme/a.md[/]  [dim]7[/]",
        "failed   generation 2, 3 passages, 1 with a vector",
        "[red]It is broken.[/] [dim](document-corrupt)[/]",
        "[yellow]outdated[/] It differs. [dim]since 1970-01-02 00:00 UTC[/]",
        "[dim]file bb",
        "rows aa[/]",
        "[dim]read and cut by markdown/1   chunking/1[/]",
    ]
    waiting = indexing_pb2.Document(
        state=indexing_pb2.DOCUMENT_STATE_PENDING, freshness=common_pb2.FRESHNESS_NOT_INDEXED
    )
    assert "nothing published" in document_view(waiting)
