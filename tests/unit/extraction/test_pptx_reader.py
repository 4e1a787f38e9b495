"""Presentations: a page for each slide, titles, lists, tables, notes, and what stands around."""

from __future__ import annotations

import io

import pptx
import pytest
from ooxml_writing import part, presentation, shape, transform
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from reading_checks import REGISTRY, cells, headings, read, shown, words

from findspot.errors import FindspotError, Reason
from findspot.model import BlockKind, MarginaliaKind, OutlineEntry, PageKind
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document


def saved(built: pptx.presentation.Presentation) -> bytes:
    buffer = io.BytesIO()
    built.save(buffer)
    return buffer.getvalue()


def test_a_presentation_as_the_library_writes_it() -> None:
    built = pptx.Presentation()
    first = built.slides.add_slide(built.slide_layouts[1])
    first.shapes.title.text = "Boiler\vmanual"
    first.placeholders[1].text = "Safety\nValves"
    first.placeholders[1].text_frame.paragraphs[1].level = 1
    first.notes_slide.notes_text_frame.text = "Speak slowly.\nPause."
    second = built.slides.add_slide(built.slide_layouts[6])
    grid = second.shapes.add_table(3, 2, Inches(1), Inches(1), Inches(4), Inches(3)).table
    for number, value in enumerate(("Part", "Mass", "Lid", "2 kg", "Both", "")):
        grid.cell(number // 2, number % 2).text = value
    grid.cell(2, 0).merge(grid.cell(2, 1))
    built.slides.add_slide(built.slide_layouts[6])
    document = read(saved(built), "a.pptx")
    assert [(block.page, *entry) for block, entry in zip(document.blocks, shown(document), strict=True)] == [
        (1, "heading", "Boiler manual"),
        (1, "list_item", "- Safety"),
        (1, "list_item", "- Valves"),
        (1, "note", "Speak slowly.\nPause."),
        (2, "table", "Part | Mass\nLid | 2 kg\nBoth"),
    ]
    assert [block.level for block in document.blocks[:3]] == [1, 1, 2]
    assert cells(document, document.blocks[-1])[2] == ["Both", "Both"]
    assert (document.title, document.outline) == ("Boiler manual", (OutlineEntry(1, "Boiler manual", 1),))
    assert [(page.number, page.kind, page.width, page.height) for page in document.pages] == [
        (number, PageKind.SLIDE, 720, 540) for number in (1, 2, 3)
    ]
    assert [document.text[page.start : page.end].strip()[:6] for page in document.pages] == [
        "Boiler",
        "Part |",
        "",
    ]
    assert "".join(document.text[page.start : page.end] for page in document.pages) == document.text
    assert [block.page for block in document.blocks if block.kind is BlockKind.NOTE] == [1]


def test_a_chart_is_a_table() -> None:
    built = pptx.Presentation()
    slide = built.slides.add_slide(built.slide_layouts[5])
    slide.shapes.title.text = "Ducks"
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("Lake", (120, 130.5))
    data.add_series("Sea", (80, 95))
    place = (Inches(1), Inches(2), Inches(6), Inches(4))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Ducks by year"
    document = read(saved(built), "a.pptx")
    assert shown(document) == [
        ("heading", "Ducks"),
        ("caption", "Ducks by year"),
        ("table", " | Lake | Sea\n2023 | 120 | 80\n2024 | 130.5 | 95"),
    ]
    assert document.blocks[-1].table.columns == ("", "Lake", "Sea")


def test_the_title_comes_first_and_page_frames_stay_outside() -> None:
    tree = (
        shape("Body", transform(0, 0, 900, 100))
        + shape("The title", transform(0, 300, 900, 100), 'type="ctrTitle"')
        + shape("7", transform(900, 450, 100, 50), 'type="sldNum" idx="12"')
        + shape("Confidential", "", 'type="ftr" idx="11"')
    )
    document = read(presentation(tree), "a.pptx")
    assert shown(document) == [("heading", "The title"), ("paragraph", "Body")]
    number, footer = document.marginalia
    assert (number.page, number.kind, number.text) == (1, MarginaliaKind.PAGE_NUMBER, "7")
    assert number.box is not None
    assert (number.box.x, number.box.y) == (0.9, 0.9)
    assert (footer.kind, footer.text, footer.box) == (MarginaliaKind.FOOTER, "Confidential", None)


def test_bullets_and_numbers_are_those_that_are_shown() -> None:
    def entry(words: str, properties: str) -> str:
        return f"<a:p><a:pPr {properties}</a:pPr><a:r><a:t>{words}</a:t></a:r></a:p>"

    paragraphs = (
        entry("plain", ">")
        + entry("dash", '><a:buChar char="•"/>')
        + entry("four", '><a:buAutoNum type="arabicParenR" startAt="4"/>')
        + entry("a", 'lvl="1"><a:buAutoNum type="alphaLcPeriod"/>')
        + entry("b", 'lvl="1"><a:buAutoNum type="alphaLcPeriod"/>')
        + entry("five", '><a:buAutoNum type="arabicParenR" startAt="4"/>')
        + entry("again", 'lvl="1"><a:buAutoNum type="romanUcParenBoth"/>')
        + entry("off", "><a:buNone/>")
        + entry("anew", '><a:buAutoNum type="arabicParenR" startAt="4"/>')
    )
    document = read(presentation(shape(paragraphs)), "a.pptx")
    assert [text for _, text in shown(document)] == [
        "plain",
        "- dash",
        "4) four",
        "a. a",
        "b. b",
        "5) five",
        "(I) again",
        "off",
        "4) anew",
    ]


def test_line_breaks_fields_and_equations_inside_a_paragraph() -> None:
    equation = (
        '<mc:AlternateContent><mc:Choice Requires="a14" xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main">'
        "<a14:m><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></a14:m></mc:Choice>"
        "<mc:Fallback><a:r><a:t>picture</a:t></a:r></mc:Fallback></mc:AlternateContent>"
    )
    paragraph = (
        "<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:fld><a:t>two</a:t></a:fld><a:r><a:t>_x000B_three&#xAD; </a:t></a:r>"
        f"{equation}</a:p>"
    )
    assert read(presentation(shape(paragraph)), "a.pptx").text == "one\ntwo\nthree x=1"


def test_hidden_and_damaged_slides_are_told() -> None:
    data = presentation(shape("one"), "", shape("three"))
    document = read(data, "a.pptx")
    assert [notice.code for notice in document.warnings] == ["SLIDE_UNREADABLE"]
    assert len(document.pages) == 3
    assert [block.page for block in document.blocks] == [1, 3]
    built = pptx.Presentation()
    built.slides.add_slide(built.slide_layouts[0]).shapes.title.text = "shown not"
    built.slides[0]._element.set("show", "0")
    [notice] = read(saved(built), "a.pptx").warnings
    assert (notice.code, notice.page) == ("HIDDEN_SLIDE", 1)


def test_smart_art_is_a_list_in_the_order_of_its_outline() -> None:
    def point(identity: str, words: str, kind: str = "node") -> str:
        text = f"<dgm:t><a:p><a:r><a:t>{words}</a:t></a:r></a:p></dgm:t>" if words else ""
        return f'<dgm:pt modelId="{identity}" type="{kind}">{text}</dgm:pt>'

    def link(above: str, below: str, place: int) -> str:
        return f'<dgm:cxn srcId="{above}" destId="{below}" srcOrd="{place}"/>'

    points = point("0", "", "doc") + point("b", "second") + point("a", "first") + point("a1", "below first")
    points += point("t", "no text", "parTrans")
    links = link("0", "a", 0) + link("0", "b", 1) + link("a", "a1", 0) + link("a1", "a", 0)
    data = part("dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst>")
    graphic = '<a:graphic><a:graphicData><dgm:relIds r:dm="rId1"/></a:graphicData></a:graphic>'
    frame = f"<p:graphicFrame>{graphic}</p:graphicFrame>"
    document = read(presentation(frame, diagramData={"ppt/diagrams/data1.xml": data}), "a.pptx")
    assert [(block.level, words(document, block)) for block in document.blocks] == [
        (1, "- first"),
        (2, "- below first"),
        (1, "- second"),
    ]


def test_comments_and_notes_stand_on_their_slide() -> None:
    pages = shape("5", "", 'type="sldNum"') + shape("Say it", "", 'type="body"')
    notes = part("p:notes", f"<p:cSld><p:spTree>{pages}</p:spTree></p:cSld>")
    comments = part("p:cmLst", '<p:cm authorId="0"><p:text>Why?</p:text></p:cm>')
    data = presentation(shape("text"), notesSlide={"ppt/n1.xml": notes}, comments={"ppt/c1.xml": comments})
    assert shown(read(data, "a.pptx")) == [("paragraph", "text"), ("note", "Say it"), ("note", "Why?")]


@pytest.mark.parametrize(
    ("data", "limits", "reason"),
    [
        (presentation(shape("a"))[:300], ReadLimits(), Reason.DOCUMENT_CORRUPT),
        (presentation("", ""), ReadLimits(), Reason.DOCUMENT_CORRUPT),
        (presentation(shape("a"), shape("b")), ReadLimits(max_pages=1), Reason.DOCUMENT_TOO_LARGE),
        (presentation(shape("a" * 99)), ReadLimits(max_characters=50), Reason.DOCUMENT_TOO_LARGE),
    ],
)
def test_failures_are_typed(data: bytes, limits: ReadLimits, reason: Reason) -> None:
    with pytest.raises(FindspotError) as caught:
        read_document(data, Upload(file_name="a.pptx", document_type="pptx"), REGISTRY, limits)
    assert caught.value.reason is reason


def test_a_presentation_without_slides_or_words_is_empty() -> None:
    assert read(presentation(), "a.pptx").pages == ()
    document = read(presentation(shape(" "), ""), "a.pptx")
    assert (document.text, len(document.pages), headings(document)) == ("", 2, [])
