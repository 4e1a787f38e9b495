"""Whatever stands in an Office package: ranges exact, nothing lost, the same every time, and typed failures only."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ooxml_writing import group, paragraph, presentation, row, shape, styled, table, transform, word_document
from reading_checks import read

from findspot.errors import FindspotError, Reason

TYPED = frozenset((None, Reason.DOCUMENT_CORRUPT, Reason.DOCUMENT_ENCRYPTED, Reason.DOCUMENT_TOO_LARGE))
WORD = st.text("abé漢\U0001f600 \t-", min_size=1, max_size=6)
STYLES = '<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style>'
NUMBERING = (
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:lvlText w:val="%1."/></w:lvl>'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
)
PROPERTIES = st.sampled_from(
    [
        "",
        '<w:pStyle w:val="Heading1"/>',
        '<w:pStyle w:val="Title"/>',
        '<w:pStyle w:val="Code"/>',
        '<w:pStyle w:val="Caption"/>',
        '<w:numPr><w:ilvl w:val="3"/><w:numId w:val="1"/></w:numPr>',
        '<w:outlineLvl w:val="4"/>',
        "<w:rPr><w:del/></w:rPr>",
    ]
)
PARAGRAPHS = st.builds(paragraph, WORD, PROPERTIES)
BLOCKS = st.recursive(
    PARAGRAPHS,
    lambda inside: st.one_of(
        st.lists(inside, max_size=4).map("".join),
        inside.map(lambda xml: f"<w:sdt><w:sdtContent>{xml}</w:sdtContent></w:sdt>"),
        inside.map(
            lambda xml: f"<w:p><w:r><w:pict><w:txbxContent>{xml}</w:txbxContent></w:pict></w:r></w:p>"
        ),
        st.lists(st.lists(inside, min_size=1, max_size=3), min_size=1, max_size=3).map(
            lambda rows: table(*(row(*cells) for cells in rows))
        ),
    ),
    max_leaves=12,
)


def letters(xml: str) -> list[str]:
    """Every character of the runs that is no white space and no dash, which labels have too, in any order."""
    return sorted(re.sub(r"[\s-]", "", "".join(re.findall(r"<w:t [^>]*>([^<]*)", xml))))


@given(BLOCKS)
@settings(max_examples=60, deadline=None)
def test_no_letter_of_a_word_document_is_lost_or_doubled(body: str) -> None:
    data = word_document(body, styles=STYLES, numbering=NUMBERING)
    document = read(data, "a.docx")
    assert document == read(data, "a.docx")
    assert sorted(re.sub(r"[\s\-|0-9.]", "", document.text)) == letters(body)


SHAPES = st.recursive(
    st.builds(lambda words, x, y: shape(words, transform(x, y, 100, 50)), WORD, st.integers(), st.integers()),
    lambda inside: st.lists(inside, max_size=4).map(lambda shapes: group("", *shapes)),
    max_leaves=10,
)


@given(st.lists(SHAPES, max_size=4))
@settings(max_examples=40, deadline=None)
def test_no_letter_of_a_presentation_is_lost_or_doubled(slides: list[str]) -> None:
    document = read(presentation(*slides), "a.pptx")
    written = "".join(re.findall(r"<a:t>([^<]*)", "".join(slides)))
    assert sorted("".join(document.text.split())) == sorted("".join(written.split()))
    assert "".join(document.text[page.start : page.end] for page in document.pages) == document.text
    assert len(document.pages) == len(slides)


GOOD = {
    "docx": word_document(
        styled("Title", "Title") + paragraph("words ") * 5 + table(row("a", "b")), numbering=NUMBERING
    ),
    "pptx": presentation(shape("words", transform(0, 0, 10, 10)), shape("more")),
}


def refusal(data: bytes, name: str) -> Reason | None:
    """The reason that a file is refused for; None when it is read."""
    try:
        read(data, f"a.{name}", document_type=name)
    except FindspotError as error:
        return error.reason
    return None


@pytest.mark.parametrize("name", sorted(GOOD))
@given(
    edits=st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=4)), max_size=4),
    cut=st.integers(0, 10**6),
)
@settings(max_examples=50, deadline=None)
def test_damaged_packages_are_read_or_fail_with_a_type(
    name: str, edits: list[tuple[int, bytes]], cut: int
) -> None:
    data = bytearray(GOOD[name])
    for place, piece in edits:
        start = place % len(data)
        data[start : start + len(piece)] = piece
    tried = bytes(data[: len(data) - cut % len(data)] if cut % 3 == 0 else data)
    assert refusal(tried, name) in TYPED


@pytest.mark.parametrize("name", sorted(GOOD))
@given(st.data())
@settings(max_examples=50, deadline=None)
def test_damaged_parts_are_read_or_fail_with_a_type(name: str, data: st.DataObject) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(GOOD[name])) as old, zipfile.ZipFile(buffer, "w") as new:
        for info in old.infolist():
            content = old.read(info).decode()
            places = [match.start() for match in re.finditer(r"[<\"=>/:]", content)]
            for place in data.draw(st.lists(st.sampled_from(places), max_size=2)):
                piece = data.draw(
                    st.sampled_from(["", '"', "<", "-1", "w:", "9" * 30, "&#0;", "</", " ", "é"])
                )
                content = content[:place] + piece + content[place + 1 :]
            new.writestr(info.filename, content)
    assert refusal(buffer.getvalue(), name) in TYPED
