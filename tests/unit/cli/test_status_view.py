"""What `findspot status` shows of an answer."""

from __future__ import annotations

import io
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from findspot.cli.status_view import shares, span, status_view
from findspot.suite.layout import Endpoints
from findspot.v1 import collection_pb2, common_pb2, indexing_pb2

SUITE = Endpoints(Path("data"), 1, {"query": "127.0.0.1:7416"})


def _shown(answer: indexing_pb2.GetStatusResponse, now: float = 1_000.0) -> str:
    page = io.StringIO()
    Console(file=page, width=200, color_system=None).print(status_view(answer, SUITE, now))
    return page.getvalue()


def test_an_index_that_is_at_work_shows_how_far_it_is_and_what_fails() -> None:
    answer = indexing_pb2.GetStatusResponse(
        states=[
            indexing_pb2.StateCount(state=indexing_pb2.DOCUMENT_STATE_FAILED, document_count=1),
            indexing_pb2.StateCount(state=indexing_pb2.DOCUMENT_STATE_INDEXED, document_count=39),
        ],
        chunk_count=100,
        identities=[
            indexing_pb2.IdentityStatus(
                identity=common_pb2.EmbeddingIdentity(display="small@8"),
                state=indexing_pb2.IDENTITY_STATE_FILLING,
                embedded_chunk_count=40,
                pending_chunk_count=60,
            )
        ],
        failures=[
            indexing_pb2.FailureCount(
                document_count=1, example_file_path="a\x1b[2J.pdf", example_message="no PDF"
            )
        ],
        oldest_pending_time=Timestamp(seconds=880),
        chunks_per_second=30.0,
        revision=7,
        collection_count=1,
    )
    page = _shown(answer)
    assert "1 collection\n" in page
    assert all(words in page for words in ("40 documents", "indexed", "found by words and meaning"))
    assert "40 of 100 passages   small@8 is being filled" in page
    assert "30 passages/s, about 2 s left" in page
    assert "waits since 2 min" in page
    assert "1 failed a\\x1b[2J.pdf: no PDF" in page
    assert "query 127.0.0.1:7416" in page


def test_an_empty_index_says_what_to_do_and_that_no_model_is_there() -> None:
    page = _shown(indexing_pb2.GetStatusResponse())
    assert "no document yet: findspot add FOLDER" in page
    assert "no embedding model" in page


def test_an_outage_is_named() -> None:
    blocked = common_pb2.Failure(message="embedding: nobody answers")
    assert "waiting embedding: nobody answers" in _shown(indexing_pb2.GetStatusResponse(blocked_by=blocked))


def test_a_directory_that_is_not_followed_is_named_with_the_reason() -> None:
    gone = indexing_pb2.SourceProblem(
        collection="acme/notes", failure=common_pb2.Failure(message="The directory '/n' is not there.")
    )
    shown = _shown(indexing_pb2.GetStatusResponse(source_problems=[gone]))
    assert "acme/notes The directory '/n' is not there." in shown


def test_the_collections_are_listed_with_what_they_follow_and_those_left_out_counted() -> None:
    listed = [
        collection_pb2.Collection(path=f"acme/n{n}", document_count=n, chunk_count=1) for n in range(12)
    ]
    listed[0].source.directory.MergeFrom(collection_pb2.DirectorySource(root="/notes", watch=True))
    page = io.StringIO()
    answer = indexing_pb2.GetStatusResponse(collection_count=12)
    Console(file=page, width=80, color_system=None).print(status_view(answer, SUITE, 0.0, listed))
    rows = [row.split() for row in page.getvalue().splitlines()]
    assert ["acme/n0", "0", "documents", "1", "passage", "watches", "/notes"] in rows
    assert ["acme/n9", "9", "documents", "1", "passage"] in rows
    assert "acme/n10" not in page.getvalue()
    assert "and 2 more" in page.getvalue()


def test_services_are_not_torn_at_the_edge_of_a_terminal() -> None:
    names = ("vectors", "embedding", "extraction", "chunking", "indexing", "query")
    addresses = {name: f"127.0.0.1:{40_000 + at}" for at, name in enumerate(names)}
    page = io.StringIO()
    view = status_view(indexing_pb2.GetStatusResponse(), Endpoints(Path("data"), 1, addresses))
    Console(file=page, width=80, color_system=None, soft_wrap=True).print(view)
    assert all(f"{name} {address}" in page.getvalue() for name, address in addresses.items())
    assert max(map(len, page.getvalue().splitlines())) <= 80


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 10**9), max_size=7))
def test_the_cells_of_a_bar_fill_it_and_nothing_that_is_there_goes_unseen(counts: dict[str, int]) -> None:
    cells = shares(counts)
    assert sum(cells.values()) == (30 if any(counts.values()) else 0)
    assert set(cells) == {name for name, count in counts.items() if count}
    assert all(count >= 1 for count in cells.values())


def test_spans_are_said_in_one_unit() -> None:
    assert [span(s) for s in (0, 119, 120, 7_199, 7_200, 172_800)] == [
        "0 s",
        "119 s",
        "2 min",
        "120 min",
        "2 h",
        "2 d",
    ]
