"""Where words lie on a slide: groups that scale, turn and mirror, inherited places, cells, reading order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ooxml_writing import group, part, presentation, shape, transform
from reading_checks import read

from findspot.model import ExtractedDocument


def boxes(document: ExtractedDocument) -> dict[str, tuple[float, ...]]:
    """The box of each word."""
    return {
        document.text[start : start + length]: tuple(
            round(value, 4) for value in page.boxes[4 * place : 4 * place + 4]
        )
        for page in document.words
        for place, (start, length) in enumerate(zip(page.starts, page.lengths, strict=True))
    }


def child(x: int, y: int, width: int, height: int) -> str:
    """What a group's place says about the units inside of it."""
    return f'<a:chOff x="{x}" y="{y}"/><a:chExt cx="{width}" cy="{height}"/>'


def test_words_have_the_box_of_their_shape() -> None:
    document = read(presentation(shape("two words", transform(100, 50, 300, 100))), "a.pptx")
    assert boxes(document) == {"two": (0.1, 0.1, 0.3, 0.2), "words": (0.1, 0.1, 0.3, 0.2)}


def test_groups_scale_and_move_what_they_hold_at_any_depth() -> None:
    inner = group(
        transform(0, 0, 50, 50, inside=child(0, 0, 100, 100)), shape("deep", transform(20, 20, 40, 40))
    )
    outer = group(transform(500, 100, 200, 200, inside=child(0, 0, 100, 100)), inner)
    # 20 units inside are 10 of the middle, and 20 of the slide.
    assert boxes(read(presentation(outer), "a.pptx")) == {"deep": (0.52, 0.24, 0.04, 0.08)}


@pytest.mark.parametrize(
    ("attributes", "box"),
    [
        ('rot="5400000"', (0.45, 0.2, 0.1, 0.8)),
        ('rot="10800000"', (0.3, 0.5, 0.4, 0.2)),
        ('rot="-5400000" flipV="1"', (0.45, 0.2, 0.1, 0.8)),
        ('flipH="1"', (0.3, 0.5, 0.4, 0.2)),
    ],
)
def test_a_turned_shape_has_the_upright_box_around_it(attributes: str, box: tuple[float, ...]) -> None:
    tree = shape("turned", transform(300, 250, 400, 100, attributes))
    assert boxes(read(presentation(tree), "a.pptx")) == {"turned": box}


def test_a_mirrored_group_mirrors_places() -> None:
    tree = group(
        transform(0, 0, 1000, 500, 'flipH="1"', child(0, 0, 1000, 500)),
        shape("left", transform(0, 0, 100, 100)),
    )
    assert boxes(read(presentation(tree), "a.pptx")) == {"left": (0.9, 0.0, 0.1, 0.2)}


def test_what_lies_outside_of_the_slide_is_cut_at_its_edge() -> None:
    tree = shape("half", transform(-100, 400, 200, 200)) + shape("off", transform(5000, 0, 10, 10))
    assert boxes(read(presentation(tree), "a.pptx")) == {"half": (0, 0.8, 0.1, 0.2), "off": (1, 0, 0, 0.02)}


def test_a_placeholder_inherits_its_place_and_its_bullets_from_its_layout() -> None:
    bullets = '<a:lstStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr></a:lstStyle>'
    known = shape(f"{bullets}<a:p/>", transform(100, 100, 500, 200), 'type="body" idx="1"')
    layout = part("p:sldLayout", f"<p:cSld><p:spTree>{known}</p:spTree></p:cSld>")
    tree = shape("inherited", "", 'idx="1"') + shape("unknown", "", 'type="chart" idx="7"')
    document = read(presentation(tree, slideLayout={"ppt/l.xml": layout}), "a.pptx")
    assert document.text == "- inherited\n\nunknown"
    assert boxes(document) == {"-": (0.1, 0.2, 0.5, 0.4), "inherited": (0.1, 0.2, 0.5, 0.4)}


def test_cells_have_boxes_of_their_own() -> None:
    def cell(words: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{words}</a:t></a:r></a:p></a:txBody></a:tc>"

    grid = '<a:tblGrid><a:gridCol w="100"/><a:gridCol w="300"/></a:tblGrid>'
    rows = f'<a:tr h="50">{cell("A")}{cell("B")}</a:tr><a:tr h="150">{cell("wide", "gridSpan=" + chr(34) + "2" + chr(34))}'
    rows += f"{cell('', 'hMerge=' + chr(34) + '1' + chr(34))}</a:tr>"
    frame = (
        f"<p:graphicFrame>{transform(200, 100, 400, 200).replace('a:xfrm', 'p:xfrm')}<a:graphic><a:graphicData>"
        f"<a:tbl>{grid}{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    assert boxes(read(presentation(frame), "a.pptx")) == {
        "A": (0.2, 0.2, 0.1, 0.1),
        "B": (0.3, 0.2, 0.3, 0.1),
        "wide": (0.2, 0.3, 0.4, 0.3),
    }


def test_columns_are_read_one_after_the_other_and_rows_from_the_top() -> None:
    def at(words: str, x: int, y: int, width: int = 380) -> str:
        return shape(words, transform(x, y, width, 90))

    columns = (
        at("r1", 550, 120)
        + at("l2", 50, 230)
        + at("top", 50, 0, 880)
        + at("r2", 550, 230)
        + at("l1", 50, 120)
    )
    assert read(presentation(columns), "a.pptx").text.split() == ["top", "l1", "l2", "r1", "r2"]
    rows = at("d", 510, 350, 450) + at("a", 50, 50, 450) + at("c", 50, 350, 450) + at("b", 510, 50, 450)
    assert read(presentation(rows), "a.pptx").text.split() == ["a", "b", "c", "d"]


NUMBER = st.integers(-2000, 2000)


@given(
    st.lists(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER, st.integers(0, 21_600_000)), min_size=1, max_size=12)
)
@settings(max_examples=60, deadline=None)
def test_any_places_give_words_inside_of_the_slide_and_lose_none(places: list[tuple[int, ...]]) -> None:
    shapes = [
        shape(f"w{number}", transform(x, y, width, height, f'rot="{turn}"'))
        for number, (x, y, width, height, turn) in enumerate(places)
    ]
    nested = group(transform(10, 10, 500, 0, inside=child(0, 0, 0, 7)), *shapes)
    for tree in ("".join(shapes), nested):
        data = presentation(tree)
        document = read(data, "a.pptx")
        assert document == read(data, "a.pptx")
        found = boxes(document)
        assert sorted(document.text.split()) == sorted(found) == sorted(f"w{n}" for n in range(len(places)))
        for x, y, width, height in found.values():
            assert 0 <= x <= x + width <= 1.0001
            assert 0 <= y <= y + height <= 1.0001


def test_deep_groups_are_read_or_refused() -> None:
    tree = shape("deep", transform(1, 1, 10, 10))
    for _ in range(200):
        tree = group(transform(0, 0, 100, 100, inside=child(0, 0, 100, 100)), tree)
    assert read(presentation(tree), "a.pptx").text == "deep"
