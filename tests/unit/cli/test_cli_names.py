"""How the commands read the names that people give to documents and passages."""

import pytest

from findspot.cli.documents import find_document, splits
from findspot.cli.read import _path_and_index
from findspot.errors import NotFound, Reason
from findspot.v1 import common_pb2, indexing_pb2, query_pb2


class Library:
    """A suite with one document, which failed."""

    def chunks(self, places: list[object]) -> query_pb2.BatchGetChunksResponse:
        return query_pb2.BatchGetChunksResponse(chunks=[query_pb2.GetChunkResponse() for _ in places])

    def document(self, place: object) -> indexing_pb2.Document:
        if getattr(place, "file_path", "") != "bad.pdf":
            raise NotFound("no such document")
        return indexing_pb2.Document(failure=common_pb2.Failure(message="it is encrypted"))


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        ("notes/a.md", ("notes/a.md", 0)),
        ("notes/a.md#3", ("notes/a.md", 3)),
        ("notes/#hash.md", ("notes/#hash.md", 0)),
        ("notes/#hash.md#2", ("notes/#hash.md", 2)),
        ("c#/notes.md", ("c#/notes.md", 0)),
    ],
)
def test_a_passage_is_a_path_and_a_position_after_the_last_hash(
    passage: str, expected: tuple[str, int]
) -> None:
    assert _path_and_index(passage) == expected


def test_a_decomposed_path_is_found_as_the_composed_one() -> None:
    assert [place.file_path for place in splits("notes/cafe\u0301.md")] == ["caf\u00e9.md"]


def test_a_document_that_failed_says_why_there_is_nothing_to_read() -> None:
    with pytest.raises(NotFound, match="it is encrypted") as raised:
        find_document(Library(), "notes/bad.pdf")  # type: ignore[arg-type]
    assert raised.value.reason is Reason.CHUNK_NOT_FOUND


def test_a_document_that_is_not_there_says_how_to_name_one() -> None:
    with pytest.raises(NotFound, match="collection, then file") as raised:
        find_document(Library(), "notes/none.md")  # type: ignore[arg-type]
    assert raised.value.reason is Reason.DOCUMENT_NOT_FOUND
