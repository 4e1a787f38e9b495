"""Sections: headings decide, small siblings are packed, tables stand apart, no heading is left alone."""

from __future__ import annotations

from composed_documents import Composer

from findspot.model import BlockKind, Chunk, ChunkedDocument, ExtractedDocument, Page, PageKind, Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import ResolvedOptions

_LONG = "A sentence that takes its place in the window and says little. " * 6


def _cut(document: ExtractedDocument, size: int = 1000, overlap: int = 100) -> ChunkedDocument:
    return chunk_document(document, ResolvedOptions(Strategy.SEMANTIC, size, overlap))


def _holding(cut: ChunkedDocument, text: str) -> Chunk:
    (chunk,) = [chunk for chunk in cut.chunks if text in chunk.text]
    return chunk


def test_each_heading_body_is_a_section_with_its_path() -> None:
    composer = Composer().heading(1, "Boiler").paragraph(_LONG).heading(2, "Valve").paragraph(_LONG)
    composer.heading(2, "Pump").paragraph(_LONG).heading(1, "Stove").paragraph(_LONG)
    cut = _cut(composer.document())
    assert [section.heading_path for section in cut.sections] == [
        ("Boiler",),
        ("Boiler", "Valve"),
        ("Boiler", "Pump"),
        ("Stove",),
    ]
    assert [chunk.locator for chunk in cut.chunks] == ["Boiler", "Boiler > Valve", "Boiler > Pump", "Stove"]


def test_small_siblings_are_packed_with_the_lead_of_their_parent() -> None:
    composer = Composer().heading(1, "Boiler").paragraph("Intro.").heading(2, "Valve").paragraph("Turn left.")
    cut = _cut(composer.heading(2, "Pump").paragraph("Prime it.").document())
    assert [section.heading_path for section in cut.sections] == [("Boiler",)]
    assert cut.chunks[0].text.count("#") == 5
    assert cut.chunks[0].context == ""


def test_chapters_are_not_packed_with_each_other() -> None:
    composer = Composer().heading(1, "Build").paragraph("Make it.").heading(1, "Run").paragraph("Start it.")
    cut = _cut(composer.document())
    assert [section.heading_path for section in cut.sections] == [("Build",), ("Run",)]


def test_cousins_are_not_packed() -> None:
    composer = Composer().heading(1, "T").heading(2, "A").paragraph("a").heading(3, "A1").paragraph("a1")
    composer.heading(2, "B").paragraph("b").heading(3, "B1").paragraph("b1")
    paths = [section.heading_path for section in _cut(composer.document()).sections]
    assert paths == [("T", "A"), ("T", "B")]


def test_large_siblings_stay_apart() -> None:
    composer = Composer().heading(1, "T").heading(2, "A").paragraph(_LONG).heading(2, "B").paragraph(_LONG)
    cut = _cut(composer.document())
    assert [section.heading_path for section in cut.sections] == [("T", "A"), ("T", "B")]
    # The bare heading goes with what follows it, and is not repeated in its context.
    assert cut.chunks[0].text.startswith("# T\n\n## A\n\nA sentence")
    assert cut.chunks[0].context == ""
    assert cut.chunks[1].context == "T"


def test_a_later_chunk_of_a_split_section_repeats_all_its_headings() -> None:
    composer = Composer().heading(1, "Boiler").heading(2, "Valve").paragraph(_LONG * 6)
    cut = _cut(composer.document(title="Handbook"))
    first, *later = cut.chunks
    assert first.context == "Handbook"
    assert later
    assert {chunk.context for chunk in later} == {"Handbook > Boiler > Valve"}
    assert {chunk.heading_path for chunk in cut.chunks} == {("Boiler", "Valve")}
    assert all(chunk.overlap > 0 for chunk in later)


def test_a_title_that_is_a_heading_is_not_said_twice() -> None:
    composer = Composer().heading(1, "Boiler  Guide").paragraph(_LONG).heading(2, "Valve").paragraph(_LONG)
    cut = _cut(composer.document(title="boiler guide"))
    assert [chunk.context for chunk in cut.chunks] == ["", "Boiler Guide"]


def test_a_heading_without_body_goes_with_its_sibling_and_a_last_one_with_what_came_before() -> None:
    composer = (
        Composer().heading(1, "T").paragraph(_LONG).heading(2, "Empty").heading(2, "Full").paragraph(_LONG)
    )
    cut = _cut(composer.heading(3, "End").document())
    assert [section.heading_path for section in cut.sections] == [("T",), ("T", "Full")]
    assert cut.chunks[1].text.startswith("## Empty\n\n## Full")
    assert cut.chunks[1].text.endswith("### End")


def test_an_empty_heading_is_not_carried_to_another_chapter() -> None:
    composer = Composer().heading(1, "A").paragraph(_LONG).heading(2, "A1").heading(1, "B").paragraph(_LONG)
    cut = _cut(composer.document())
    assert cut.chunks[0].text.endswith("## A1")
    assert cut.chunks[1].text.startswith("# B")


def test_a_document_of_headings_only_is_one_chunk() -> None:
    cut = _cut(Composer().heading(1, "A").heading(2, "B").heading(1, "C").document())
    assert [chunk.text for chunk in cut.chunks] == ["# A\n\n## B\n\n# C"]


def test_tables_are_sections_of_their_own_under_their_heading() -> None:
    composer = Composer().heading(2, "North").table(("a", "b"), [("n1", "n2")])
    cut = _cut(composer.heading(2, "South").table(("a", "b"), [("s1", "s2")]).document())
    assert [(section.kind, section.heading_path) for section in cut.sections] == [
        ("table", ("North",)),
        ("table", ("South",)),
    ]
    assert _holding(cut, "n1").text.startswith("## North\n\n| a | b |")


def test_prose_around_a_table_keeps_its_own_sections() -> None:
    composer = Composer().heading(1, "T").paragraph("Before.").table(("a",), [("x",)]).paragraph("After.")
    cut = _cut(composer.document())
    assert [(section.kind, section.heading_path) for section in cut.sections] == [
        ("section", ("T",)),
        ("table", ("T",)),
        ("section", ("T",)),
    ]
    assert _holding(cut, "After.").context == "T"


def test_a_caption_goes_with_its_table_whether_before_or_after() -> None:
    before = Composer().paragraph("Text.").block(BlockKind.CAPTION, "Table 1: levels").table(("a",), [("x",)])
    after = Composer().table(("a",), [("x",)]).block(BlockKind.CAPTION, "Table 1: levels").paragraph("Text.")
    for composer in (before, after):
        assert _holding(_cut(composer.document()), "Table 1: levels").kind == "table"


def test_a_slide_begins_anew() -> None:
    composer = Composer().heading(1, "Plan").paragraph("First slide.")
    second = len(composer.text) + 2
    composer.paragraph("Second slide, without a title.")
    third = len(composer.text) + 2
    document = (
        composer.heading(1, "End")
        .paragraph("Third slide.")
        .document(
            "pptx",
            pages=(
                Page(1, 0, second - 2, PageKind.SLIDE),
                Page(2, second, third - 2, PageKind.SLIDE),
                Page(3, third, len(composer.text), PageKind.SLIDE),
            ),
        )
    )
    cut = _cut(document)
    assert [(chunk.locator, chunk.heading_path, chunk.page) for chunk in cut.chunks] == [
        ("slide 1", ("Plan",), 1),
        ("slide 2", (), 2),
        ("slide 3", ("End",), 3),
    ]


def test_a_slide_with_a_title_only_leads_the_next_one() -> None:
    composer = Composer().paragraph("First slide.")
    second = len(composer.text) + 2
    composer.heading(1, "Part two")
    third = len(composer.text) + 2
    document = (
        composer.heading(1, "Detail")
        .paragraph("Third slide.")
        .document(
            "pptx",
            pages=(
                Page(1, 0, second - 2, PageKind.SLIDE),
                Page(2, second, third - 2, PageKind.SLIDE),
                Page(3, third, len(composer.text), PageKind.SLIDE),
            ),
        )
    )
    cut = _cut(document)
    assert [(chunk.locator, chunk.text) for chunk in cut.chunks] == [
        ("slide 1", "First slide."),
        ("slides 2-3", "# Part two\n\n# Detail\n\nThird slide."),
    ]


def test_text_that_no_block_claims_is_cut_too() -> None:
    composer = Composer().heading(1, "T")
    composer.text += "\n\nLoose text without a block."
    cut = _cut(composer.document())
    assert [(chunk.text, chunk.heading_path) for chunk in cut.chunks] == [
        ("# T\n\nLoose text without a block.", ("T",))
    ]


def test_sliding_windows_know_the_heading_in_force_where_they_begin() -> None:
    composer = Composer().heading(1, "A").paragraph(_LONG * 3).heading(1, "B").paragraph(_LONG * 3)
    cut = chunk_document(composer.document(), ResolvedOptions(Strategy.SLIDING_WINDOW, 300, 50))
    assert len(cut.sections) == 1
    assert {chunk.heading_path for chunk in cut.chunks} == {("A",), ("B",)}
    assert all(chunk.overlap in range(40, 51) for chunk in cut.chunks[1:])
