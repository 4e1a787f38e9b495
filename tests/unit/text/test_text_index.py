"""The text index on a real Tantivy directory: one writer, many readers, hard filters, nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from findspot.errors import FailedPrecondition, Reason, Unavailable
from findspot.ids import ancestor_paths
from findspot.stores.text import schema
from findspot.stores.text.compile import glob_regex
from findspot.stores.text.query import TextFilter, TextQuery
from findspot.stores.text.reader import TextIndexReader
from findspot.stores.text.schema import TextEntry
from findspot.stores.text.writer import TextIndexWriter


def identifier(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def entry(name: str, text: str, **values: Any) -> TextEntry:
    collection = values.pop("collection_path", "acme/reports")
    defaults: dict[str, Any] = {"document_id": f"doc-{name}", "file_path": f"{name}.md"}
    return TextEntry(
        id=identifier(name),
        collection_path=collection,
        ancestors=ancestor_paths(collection),
        text=text,
        **{**defaults, **values},
    )


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[TextIndexWriter]:
    with TextIndexWriter(tmp_path / "text") as opened:
        yield opened


@pytest.fixture
def reader(tmp_path: Path) -> TextIndexReader:
    return TextIndexReader(tmp_path / "text")


def found(reader: TextIndexReader, words: str = "", **parts: Any) -> set[str]:
    wanted = TextFilter(**parts.pop("filter", {}))
    return {hit.id for hit in reader.search(TextQuery(words=words, filter=wanted, **parts), 100)}


def names(*wanted: str) -> set[str]:
    return {identifier(name) for name in wanted}


def test_an_index_that_does_not_exist_answers_nothing_and_says_so(reader: TextIndexReader) -> None:
    assert reader.search(TextQuery(words="anything"), 5) == []
    assert not reader.exists


def test_an_empty_index_exists(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    assert writer.commit() == 0
    assert reader.exists
    assert reader.count() == 0


def test_function_words_count_only_when_there_is_nothing_else(
    reader: TextIndexReader, writer: TextIndexWriter
) -> None:
    writer.add([entry("a", "how it was", title=""), entry("b", "the fox", file_path="x.md")])
    writer.commit()
    assert found(reader, "how is the fox") == names("b")
    assert found(reader, "how was it") == names("a")


def test_a_reader_sees_each_commit_and_nothing_before_it(
    reader: TextIndexReader, writer: TextIndexWriter
) -> None:
    writer.add([entry("a", "the quick brown fox")])
    assert found(reader, "foxes") == set()
    assert writer.commit() == 1
    assert found(reader, "foxes") == names("a")
    writer.add([entry("b", "another fox")])
    writer.commit()
    assert found(reader, "fox") == names("a", "b")


def test_adding_again_replaces(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    writer.add([entry("a", "first words")])
    writer.add([entry("a", "second words")])
    assert writer.commit() == 1
    writer.add([entry("a", "third words")])
    assert writer.commit() == 1
    assert found(reader, "first second") == set()
    assert found(reader, "third") == names("a")


def test_deleting_by_chunk_and_by_document(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    writer.add([entry(name, "word", document_id=doc) for name, doc in (("a", "1"), ("b", "1"), ("c", "2"))])
    writer.commit()
    writer.delete([identifier("a"), identifier("never there")])
    assert writer.commit() == 2
    writer.add([entry("d", "word", document_id="1")])
    writer.delete_document("1")
    assert writer.commit() == 1
    assert found(reader, "word") == names("c")
    assert list(writer.ids()) == [identifier("c")]


def test_ids_come_in_order_without_deleted_ones(writer: TextIndexWriter) -> None:
    writer.add([entry(str(number), "word") for number in range(300)])
    writer.commit()
    writer.delete([identifier(str(number)) for number in range(100)])
    writer.commit()
    assert list(writer.ids()) == sorted(identifier(str(number)) for number in range(100, 300))


def test_phrases_and_exclusions_are_hard(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    writer.add(
        [entry("a", "the night watch stood"), entry("b", "a watch at night"), entry("c", "night and day")]
    )
    writer.commit()
    assert found(reader, "night", required=(("night watch",),)) == names("a")
    assert found(reader, required=(("night watch", "night and day"),)) == names("a", "c")
    assert found(reader, "night", excluded=("watch",)) == names("c")
    assert found(reader, "night", excluded=("night watch",)) == names("b", "c")
    assert found(reader, required=(("!!!",),)) == set()


def test_phrases_work_in_scripts_without_spaces(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    writer.add([entry("a", "日本語の検索エンジン"), entry("b", "検索しない日本"), entry("c", "ภาษาไทยง่าย")])
    writer.commit()
    assert found(reader, "検索") == names("a", "b")
    assert found(reader, required=(("日本語",),)) == names("a")
    assert found(reader, "ไทย") == names("c")


@pytest.mark.parametrize("asked", ["parse_http_config", "parseHTTPConfig", "http", "ParseHttpConfig"])
def test_identifiers_are_found_in_any_style_and_by_part(
    asked: str, reader: TextIndexReader, writer: TextIndexWriter
) -> None:
    writer.add(
        [entry("a", "def parseHTTPConfig(): ...", kind="code", language="python"), entry("b", "nothing")]
    )
    writer.commit()
    assert found(reader, asked) == names("a")


def test_each_language_is_stemmed_by_its_own_rules(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    writer.add([entry("de", "viele Häuser", language="de"), entry("en", "many houses", language="en-GB")])
    writer.commit()
    assert found(reader, "Haus") == names("de")
    assert found(reader, "house") == names("en")
    assert found(reader, "house Haus", filter={"languages": ("en",)}) == names("en")
    assert found(reader, "house Haus", filter={"languages": ("en_GB",)}) == names("en")


def test_title_context_and_path_find_too_but_weigh_less(
    reader: TextIndexReader, writer: TextIndexWriter
) -> None:
    writer.add(
        [
            entry("text", "zebra crossing here", file_path="x.md"),
            entry("title", "nothing of it here", title="Zebra"),
            entry("context", "nothing of it here", context="Animals > Zebra"),
            entry("path", "nothing of it here", file_path="animals/zebra_notes.md"),
        ]
    )
    writer.commit()
    hits = reader.search(TextQuery(words="zebra"), 10)
    assert {hit.id for hit in hits} == names("text", "title", "context", "path")
    assert hits[0].id == identifier("text")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"subtrees": ("acme",)}, {"a", "b", "code"}),
        ({"subtrees": ("acme/re",)}, set()),
        ({"collections": ("acme",)}, set()),
        ({"collections": ("acme/reports",)}, {"a", "code"}),
        ({"collections": ("acme/reports",), "subtrees": ("other",)}, set()),
        ({"subtrees": ("acme/reports", "other")}, {"a", "code", "o"}),
        ({"subtrees": ()}, set()),
        ({"collections": ()}, set()),
        ({"document_ids": ()}, set()),
        ({"kinds": ("code",)}, {"code"}),
        ({"contains_code": True}, {"b"}),
        ({"document_types": ("markdown",)}, {"b"}),
        ({"document_ids": ("doc-a", "doc-o")}, {"a", "o"}),
        ({"file_paths": (("docs/*.md",),)}, {"a"}),
        ({"file_paths": (("docs/**",),)}, {"a", "b"}),
        ({"file_paths": (("**/b.md", "x"), ("docs/**",))}, {"b"}),
        ({"exclude_file_paths": ("docs/**",)}, {"code", "o"}),
        ({"metadata": (("team", "red"),)}, {"b"}),
        ({"metadata": (("team", "red"), ("year", "1"))}, set()),
        ({"modified_from": 100}, {"b"}),
        ({"modified_from": 50, "modified_to": 100}, {"a"}),
    ],
)
def test_filters_narrow_and_leave_scores_alone(
    wanted: dict[str, Any], expected: set[str], reader: TextIndexReader, writer: TextIndexWriter
) -> None:
    writer.add(
        [
            entry("a", "word", file_path="docs/a.md", modified=50),
            entry(
                "b",
                "word",
                file_path="docs/deep/b.md",
                collection_path="acme/notes",
                document_type="markdown",
                contains_code=True,
                metadata_terms=(schema.metadata_term("team", "red"),),
                modified=100,
            ),
            entry("code", "word", kind="code"),
            entry("o", "word", collection_path="other"),
        ]
    )
    writer.commit()
    assert found(reader, "word", filter=wanted) == names(*expected)
    free = {hit.id: hit.score for hit in reader.search(TextQuery(words="word"), 10)}
    for hit in reader.search(TextQuery(words="word", filter=TextFilter(**wanted)), 10):
        assert hit.score == pytest.approx(free[hit.id])


def test_equal_scores_are_ordered_by_id(reader: TextIndexReader, writer: TextIndexWriter) -> None:
    for number in range(20):
        writer.add([entry(str(number), "same words", document_id="d", file_path="f.md")])
        if number % 7 == 0:
            writer.commit()
    writer.commit()
    ids = [hit.id for hit in reader.search(TextQuery(words="words"), 20)]
    assert ids == sorted(ids)


@pytest.mark.parametrize("pattern", ["a.b+(c)[d]{e}^$|f", "a\\b", "#&~-", "tab\tx"])
def test_a_glob_takes_everything_but_its_wildcards_literally(
    pattern: str, reader: TextIndexReader, writer: TextIndexWriter
) -> None:
    writer.add([entry("a", "word", file_path=pattern), entry("b", "word", file_path="other")])
    writer.commit()
    assert found(reader, "word", filter={"file_paths": ((pattern,),)}) == names("a")
    assert glob_regex("*") == "[^/]*"


def test_a_second_writer_learns_who_holds_the_index(tmp_path: Path, writer: TextIndexWriter) -> None:
    with pytest.raises(FailedPrecondition) as caught:
        TextIndexWriter(tmp_path / "text")
    assert caught.value.reason is Reason.STORE_LOCKED
    assert caught.value.metadata["holder_pid"] == str(os.getpid())


def test_a_closed_writer_makes_room_for_the_next(tmp_path: Path) -> None:
    with TextIndexWriter(tmp_path / "text") as first:
        first.add([entry("lost", "word")])
    with TextIndexWriter(tmp_path / "text") as second:
        assert second.commit() == 0


def test_an_engine_error_rolls_back_and_the_writer_goes_on(
    reader: TextIndexReader, writer: TextIndexWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tantivy

    writer.add([entry("kept", "word")])
    writer.commit()
    writer.add([entry("lost", "word")])
    # `Document(modified=...)` infers unsigned: the engine takes it and its worker dies at the commit.
    poisoned = tantivy.Document(id=["x"], id_high=-1)
    writer._guarded("add", writer._require_writer().add_document, poisoned)
    with pytest.raises(Unavailable) as caught:
        writer.commit()
    assert caught.value.reason is Reason.TEXT_INDEX_UNAVAILABLE
    writer.add([entry("next", "word")])
    assert writer.commit() == 2
    assert found(reader, "word") == names("kept", "next")


def test_a_panic_of_the_engine_is_a_typed_error(writer: TextIndexWriter) -> None:
    searcher = writer._index.searcher()
    import tantivy

    with pytest.raises(Unavailable):
        writer._guarded("search", searcher.search, tantivy.Query.all_query(), 0)


def test_a_broken_index_is_unavailable_not_empty(tmp_path: Path, reader: TextIndexReader) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "meta.json").write_text("{")
    with pytest.raises(Unavailable) as caught:
        reader.search(TextQuery(words="x"), 1)
    assert caught.value.reason is Reason.TEXT_INDEX_UNAVAILABLE


_KILLED = """
import sys, uuid
from pathlib import Path
from findspot.stores.text.schema import TextEntry
from findspot.stores.text.writer import TextIndexWriter
writer = TextIndexWriter(Path(sys.argv[1]))
for batch in range(1000):
    writer.add([TextEntry(str(uuid.uuid4()), "d", "c", ("c",), "f", f"word batch{batch}") for _ in range(50)])
    print(writer.commit(), flush=True)
"""


def test_kill_minus_nine_loses_no_commit_and_keeps_no_part_of_one(tmp_path: Path) -> None:
    path = tmp_path / "text"
    command = [sys.executable, "-c", _KILLED, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}
    ) as child:
        assert child.stdout is not None
        acknowledged = [int(child.stdout.readline()) for _ in range(4)]
        child.send_signal(signal.SIGKILL)
        acknowledged.extend(int(line) for line in child.stdout)
    with TextIndexWriter(path) as writer:
        assert writer.count() >= acknowledged[-1]
        assert writer.count() % 50 == 0
        writer.add([entry("next", "word")])
        assert writer.commit() == writer.count()
