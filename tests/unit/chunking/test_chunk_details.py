"""Locators, identifiers, options, overlap, hashes and places to cut, each by itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from composed_documents import Composer

from findspot.errors import InvalidArgument, Reason
from findspot.model import ChunkingOptions, ExtractedDocument, Page, Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.graphemes import boundary_after, boundary_at_or_before, is_boundary
from findspot_chunking.identifiers import code_identifiers, span_identifiers
from findspot_chunking.levels import Graphemes, Marks, Places, Sentences, Words
from findspot_chunking.options import ResolvedOptions, resolve


def _text(text: str, document_type: str = "text") -> ExtractedDocument:
    return ExtractedDocument(text, document_type, "text/plain")


def test_pages_are_those_on_which_a_chunk_begins() -> None:
    text = ""
    pages = []
    for number in range(1, 61):
        start = len(text)
        text += f"Page marker {number}-XYZ\n" + "filler line of the page\n" * 40
        pages.append(Page(number, start, len(text)))
    cut = chunk_document(
        ExtractedDocument(text, "pdf", "application/pdf", pages=tuple(pages)),
        ResolvedOptions(Strategy.SEMANTIC, 1000, 150),
    )
    for chunk in cut.chunks:
        expected = max(page.number for page in pages if page.start <= chunk.start)
        last = max(page.number for page in pages if page.start < chunk.end)
        assert chunk.page == expected
        assert chunk.locator == (f"p. {expected}" if expected == last else f"pp. {expected}-{last}")
    assert (cut.sections[0].page_start, cut.sections[0].page_end) == (1, 60)


def test_plain_text_is_located_by_lines() -> None:
    cut = chunk_document(
        _text("one\ntwo\r\n\r\nthree\n\n" + "four " * 11), ResolvedOptions(Strategy.PARAGRAPH, 60, 0)
    )
    assert [chunk.locator for chunk in cut.chunks][:2] == ["lines 1-4", "line 6"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("parseHTTPConfig", ("parsehttpconfig", "parse", "http", "config")),
        ("parse_http_config", ("parse_http_config", "parse", "http", "config")),
        ("os.path.join(x)", ("os.path.join", "os", "path", "join")),
        ("std::vec::Vec", ("std::vec::vec", "std", "vec")),
        ("return self.next", ("self.next", "next")),
        ("sha256Sum", ("sha256sum", "sha", "256", "sum")),
        ("読む(値)", ("読む",)),
        ("1 + 2", ()),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(code: str, names: tuple[str, ...]) -> None:
    assert code_identifiers(code) == (names, 0)


def test_identifiers_are_bounded_and_the_rest_is_told() -> None:
    text = " ".join(f"name{number:04}x" for number in range(300))
    names, lost = code_identifiers(text)
    assert len(names) == 256
    assert lost > 0
    document = ExtractedDocument(text, "python", "", category="code")
    cut = chunk_document(document, ResolvedOptions(Strategy.RECURSIVE, 5000, 0))
    assert [notice.code for notice in cut.warnings] == ["IDENTIFIERS_CUT"]


def test_inline_code_gives_identifiers_and_prose_does_not() -> None:
    assert span_identifiers("Call `maxRetries` or ``a`b`` now.") == (("maxretries", "max", "retries"), 0)
    cut = chunk_document(_text("Call `maxRetries` first."), ResolvedOptions(Strategy.PARAGRAPH, 100, 0))
    assert cut.chunks[0].identifiers == ("maxretries", "max", "retries")


def test_the_profile_gives_what_the_caller_does_not() -> None:
    markdown = resolve("markdown", ChunkingOptions())
    assert (markdown.strategy, markdown.size, markdown.overlap) == (Strategy.SEMANTIC, 1000, 100)
    sliding = resolve("python", ChunkingOptions(strategy=Strategy.SLIDING_WINDOW))
    assert (sliding.size, sliding.overlap) == (1000, 150)
    small = resolve("pdf", ChunkingOptions(size=50))
    assert (small.size, small.overlap, small.size_stated) == (50, 10, True)


@pytest.mark.parametrize(
    ("options", "reason", "fields"),
    [
        (ChunkingOptions(size=64, overlap=64), Reason.OVERLAP_NOT_BELOW_SIZE, 1),
        (ChunkingOptions(overlap=5000), Reason.OVERLAP_NOT_BELOW_SIZE, 1),
        (ChunkingOptions(size=64, overlap=-1), Reason.INVALID_FIELD, 1),
        (ChunkingOptions(size=0, overlap=-1, token_cap=3), Reason.INVALID_FIELD, 3),
    ],
)
def test_wrong_options_are_told_all_at_once(options: ChunkingOptions, reason: Reason, fields: int) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        resolve("text", options)
    assert refusal.value.reason is reason
    assert len(refusal.value.fields) == fields


def test_overlap_begins_at_a_sentence_else_a_word_else_a_grapheme() -> None:
    sentences = chunk_document(
        _text("Red kites glide. Blue tits sing. " * 20), ResolvedOptions(Strategy.PARAGRAPH, 100, 40)
    )
    assert all(chunk.text.startswith(("Red", "Blue")) and chunk.overlap > 0 for chunk in sentences.chunks[1:])
    words = chunk_document(
        _text("plain words without any break " * 20), ResolvedOptions(Strategy.PARAGRAPH, 100, 20)
    )
    assert all(10 < chunk.overlap <= 20 for chunk in words.chunks[1:])
    letters = chunk_document(_text("abcdefghij" * 30), ResolvedOptions(Strategy.RECURSIVE, 50, 10))
    assert [chunk.overlap for chunk in letters.chunks[1:]] == [10] * (len(letters.chunks) - 1)


def test_a_mark_alone_is_no_overlap() -> None:
    quote = ">\n> ".join(["Words of a quotation without a full stop in it and more words "] * 12)
    cut = chunk_document(_text(f"> {quote}"), ResolvedOptions(Strategy.PARAGRAPH, 130, 40))
    assert all(chunk.text[: chunk.overlap].strip("> \n") or not chunk.overlap for chunk in cut.chunks)


def test_sections_that_fit_do_not_overlap() -> None:
    composer = Composer()
    for number in range(5):
        composer.heading(1, f"H{number}").paragraph("A sentence of some length. " * 30)
    cut = chunk_document(composer.document(), ResolvedOptions(Strategy.SEMANTIC, 1000, 150))
    assert [chunk.overlap for chunk in cut.chunks] == [0] * 5


def test_sliding_windows_have_the_size_and_overlap_that_were_asked() -> None:
    text = "0123456789" * 190
    cut = chunk_document(_text(text), ResolvedOptions(Strategy.SLIDING_WINDOW, 1000, 150))
    assert [(chunk.start, chunk.end) for chunk in cut.chunks] == [(0, 1000), (850, 1850), (1700, 1900)]
    exact = chunk_document(_text(text[:1000]), ResolvedOptions(Strategy.SLIDING_WINDOW, 1000, 150))
    assert [(chunk.start, chunk.end) for chunk in exact.chunks] == [(0, 1000)]


def test_equal_chunks_are_told_apart_by_their_occurrence() -> None:
    composer = Composer()
    for _ in range(3):
        composer.heading(1, "Note").paragraph("Check the seal before use.")
    cut = chunk_document(composer.document(), ResolvedOptions(Strategy.SEMANTIC, 1000, 100))
    assert [chunk.occurrence for chunk in cut.chunks] == [0, 1, 2]
    assert len({chunk.chunk_hash for chunk in cut.chunks}) == 1


def test_an_edit_changes_only_the_chunks_that_it_touches() -> None:
    def handbook(word: str) -> ExtractedDocument:
        composer = Composer().heading(1, "Handbook").paragraph("What it is about. " * 20)
        for number in range(8):
            text = f"Section {number} explains a thing. " * 15
            composer.heading(2, f"Part {number}").paragraph(text + (word if number == 4 else ""))
        return composer.document()

    options = ResolvedOptions(Strategy.SEMANTIC, 1000, 100)
    before = {chunk.chunk_hash for chunk in chunk_document(handbook("old"), options).chunks}
    after = [chunk.chunk_hash for chunk in chunk_document(handbook("new words here"), options).chunks]
    assert sum(digest not in before for digest in after) == 1


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidArgument, match="surrogate at 3"):
        chunk_document(_text("ok \ud83d tail"), ResolvedOptions(Strategy.PARAGRAPH, 100, 0))


def test_a_cluster_over_the_size_is_kept_whole_and_told() -> None:
    cluster = "e" + "\u0301" * 200
    cut = chunk_document(_text(f"before {cluster} after"), ResolvedOptions(Strategy.PARAGRAPH, 60, 0))
    assert any(chunk.text == cluster for chunk in cut.chunks)
    assert [notice.code for notice in cut.warnings] == ["GRAPHEME_OVER_SIZE"]


def test_too_many_chunks_are_refused_with_the_limit() -> None:
    with pytest.raises(InvalidArgument, match="more than 20 chunks") as refusal:
        chunk_document(_text("word " * 200), ResolvedOptions(Strategy.SLIDING_WINDOW, 50, 49, max_chunks=20))
    assert refusal.value.metadata == {"max_chunks": "20"}


def test_boundaries_of_clusters() -> None:
    text = "a👩‍🔧é\r\n水e\u0301b"
    starts = [0, 1, 4, 5, 7, 8, 10]
    for position in range(len(text) + 1):
        expected = max(start for start in [*starts, len(text)] if start <= position)
        assert boundary_at_or_before(text, position, 0) == expected
        assert is_boundary(text, position) == (expected == position)
    assert [boundary_after(text, start) for start in starts] == [*starts[1:], len(text)]
    assert boundary_after("e" + "\u0301" * 5000 + "x", 0) == 5001


def test_levels_find_their_places() -> None:
    text = "One. Two, three.  Four five."
    sentences = Sentences(text, 0, len(text), "en")
    assert [sentences.first(0, 28), sentences.first(5, 28), sentences.last(0, 17), sentences.last(0, 28)] == [
        5,
        18,
        5,
        18,
    ]
    assert [Words(text).first(0, 28), Words(text).last(0, 28), Words(text).last(23, 28)] == [5, 23, None]
    assert [Marks("a,b;c").last(0, 5), Marks("a,b;c").first(0, 5), Marks("abc").first(0, 3)] == [4, 2, None]
    assert [Places([3, 9]).last(0, 8), Places([3, 9]).first(3, 9), Places([3]).first(3, 9)] == [3, 9, None]
    assert [Graphemes("ae\u0301b").last(0, 2), Graphemes("ae\u0301b").first(1, 4)] == [1, 3]


def test_a_long_text_of_sentences_is_read_in_tiles() -> None:
    text = "A sentence stands here. " * 3000
    sentences = Sentences(text, 0, len(text), "en")
    assert all(sentences.first(place, len(text)) == place + 24 for place in range(0, len(text) - 48, 24))


_SCRIPT = """
from composed_documents import Composer
from findspot.model import Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import ResolvedOptions
composer = Composer().heading(1, "Boiler").paragraph("Some words about valves. " * 80).fence("a" + "\\nb" * 9)
composer.table(("Code", "Place"), [(f"P-{n}", "bin") for n in range(99)])
for strategy in Strategy:
    print([c.chunk_hash for c in chunk_document(composer.document(), ResolvedOptions(strategy, 300, 60)).chunks])
"""


def test_every_process_cuts_alike() -> None:
    here = Path(__file__).parent
    root = here.parents[2]
    path = os.pathsep.join(str(folder) for folder in (here, root / "libs", root / "services"))

    def run(seed: str) -> str:
        environment = {"PYTHONPATH": path, "PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", _SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        return ran.stdout

    assert run("1") == run("2") != ""
