"""Chunks and boundaries drawn on terminals of a known width, and the settings that are compared."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from findspot.cli.chunk import Setting, changed
from findspot.cli.chunk_diff import Comparison, compare, show_comparison
from findspot.cli.chunk_view import Lab, show_chunks
from findspot.errors import InvalidArgument
from findspot.model import Chunk, ChunkedDocument, ChunkingOptions, ExtractedDocument, Notice, Strategy

TEXT = "The keeper lights the lamp. [red]Nobody[/red] sleeps.\x1b[2J\n\n水位が上がったので、係員はすぐに弁を閉じた。\n"


def document(text: str = TEXT) -> ExtractedDocument:
    return ExtractedDocument(text, "text", "text/plain")


def cut(*ranges: tuple[int, int], text: str = TEXT, context: str = "") -> ChunkedDocument:
    chunks, covered = [], 0
    for index, (start, end) in enumerate(ranges):
        overlap = max(covered - start, 0)
        chunks.append(
            Chunk(
                index,
                0,
                start,
                end,
                text[start:end],
                context,
                locator="Lamp\x07 > " + "Oil " * 40,
                overlap=overlap,
            )
        )
        covered = end
    notice = Notice("SIZE_ABOVE_TOKEN_CAP", "The size was not reached.")
    return ChunkedDocument((), tuple(chunks), Strategy.SENTENCE, 60, 20, warnings=(notice,))


def terminal(width: int, *, colour: bool = True) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        highlight=False,
        soft_wrap=True,
        no_color=False,
    )


def drawn(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 173])
def test_no_line_of_a_chunk_is_wider_than_the_terminal(width: int) -> None:
    console = terminal(width, colour=False)
    show_chunks(
        console, document(), Lab("lamp.txt", cut((0, 40), (28, 90), context="Lamp > " * 12), 0.1, 0.02)
    )
    lines = drawn(console).split("┆ context:")[0].splitlines()
    rules = [line for line in lines if line.startswith("── ")]
    assert [cell_len(line) for line in rules] == [width, width]
    assert all(cell_len(line) <= width for line in lines if line[:1] in "▌┆")


def test_text_is_whole_and_what_is_repeated_is_marked_without_colour() -> None:
    console = terminal(200, colour=False)
    show_chunks(
        console, document(), Lab("lamp.txt", cut((0, 40), (28, len(TEXT)), context="Lamp"), 0.1, 0.02)
    )
    shown = drawn(console)
    assert "▌ ⟪[red]Nobody[⟫/red] sleeps." in shown
    assert "┆ Lamp\n" in shown
    assert "12 repeated" in shown
    assert "2 chunks" in shown
    assert "SIZE_ABOVE_TOKEN_CAP The size was not reached." in shown
    assert "sentence 60/20" in shown
    assert "水位が上がったので" in shown


def test_nothing_in_a_document_drives_the_terminal() -> None:
    console = terminal(100, colour=False)
    lab = Lab("a\x1b]0;b.txt", cut((0, len(TEXT))), 0.1, 0.02)
    show_chunks(console, document(), lab)
    show_comparison(console, document(), (lab, lab), compare(lab.cut, lab.cut))
    assert "\x1b" not in drawn(console)
    assert "\x07" not in drawn(console)
    assert r"\x1b[2J" in drawn(console)


def test_an_empty_document_says_so() -> None:
    console = terminal(80, colour=False)
    show_chunks(console, document(""), Lab("empty.txt", cut(text=""), 0.1, 0.02))
    assert "no text, no chunks" in drawn(console)


def test_boundaries_are_where_new_text_begins() -> None:
    text = "one two. three four. five six."
    first = cut((0, 8), (9, 20), (21, 30), text=text)
    second = cut((0, 8), (4, 15), (15, 30), text=text)
    assert compare(first, second) == Comparison(both=(9,), only_first=(21,), only_second=(15,))
    assert compare(first, first) == Comparison((9, 21), (), ())


def test_a_comparison_shows_who_has_which_boundary() -> None:
    text = "one two. three four. five six."
    first, second = cut((0, 8), (9, 20), (21, 30), text=text), cut((0, 15), (15, 30), text=text)
    console = terminal(60, colour=False)
    labs = (Lab("a.txt", first, 0.1, 0.0), Lab("a.txt", second, 0.1, 0.0))
    show_comparison(console, document(text), labs, compare(first, second))
    lines = drawn(console).splitlines()
    assert [line.strip() for line in lines[:7:2]] == ["one two.", "three", "four.", "five six."]
    assert lines[1].startswith("── - only in the first ──")
    assert lines[1].endswith(" at 9 ──")
    assert lines[3].startswith("── + only in the second ──")
    assert lines[-1] == "boundaries: 0 in both, - 2 only in the first, + 1 only in the second"


def test_a_long_stretch_is_shown_by_its_ends() -> None:
    text = "\n".join(f"line {number}" for number in range(50))
    one = cut((0, len(text)), text=text)
    console = terminal(60, colour=False)
    show_comparison(console, document(text), (Lab("a", one, 0, 0), Lab("a", one, 0, 0)), compare(one, one))
    lines = drawn(console).splitlines()
    assert lines[:5] == [
        "  line 0",
        "  line 1",
        f"  … 46 lines, {len(text)} characters in all",
        "  line 48",
        "  line 49",
    ]


def test_a_comparison_changes_what_it_names_and_nothing_else() -> None:
    first = Setting(ChunkingOptions(Strategy.SEMANTIC, 900, 100, 128), False)
    assert changed(first, "strategy=paragraph, size=800") == Setting(
        ChunkingOptions(Strategy.PARAGRAPH, 800, 100, 128), False
    )
    assert changed(first, "overlap=0,token-cap=64").options == ChunkingOptions(Strategy.SEMANTIC, 900, 0, 64)
    assert changed(first, "characters-only") == Setting(ChunkingOptions(Strategy.SEMANTIC, 900, 100), True)


@pytest.mark.parametrize(
    "changes", ["strategy=best", "size=many", "colour=red", "size", "characters-only=2", "size=-1"]
)
def test_changes_that_cannot_be_are_named(changes: str) -> None:
    with pytest.raises(InvalidArgument, match=r"best|many|colour|size|characters-only"):
        changed(Setting(ChunkingOptions(), False), changes)
