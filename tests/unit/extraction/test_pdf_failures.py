"""What cannot be read fails with a reason; what is damaged or scanned says so and gives what there is."""

from __future__ import annotations

import io

import pypdfium2 as pdfium
import pytest
from pdf_reading import check_exact, read
from pdf_writing import Mark, Sheet, Text, pdf_bytes
from pypdf import PdfReader, PdfWriter

from findspot.errors import FailedPrecondition, FindspotError, InvalidArgument, Reason, ResourceExhausted

GOOD = pdf_bytes([Sheet([Text(72, 700, "Readable words")])])


def encrypted(user: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(GOOD)))
    writer.encrypt(user_password=user, owner_password="owner", algorithm=algorithm)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_encryption(algorithm: str) -> None:
    assert read(encrypted("", algorithm)).text == "Readable words"
    locked = encrypted("secret", algorithm)
    assert read(locked, password="secret").text == "Readable words"
    for password in ("", "wrong"):
        with pytest.raises(FailedPrecondition, match=r"test\.pdf is encrypted") as caught:
            read(locked, password=password)
        assert caught.value.reason is Reason.DOCUMENT_ENCRYPTED


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"no pdf at all", b"\x00" * 4096, GOOD[:60]])
def test_what_is_no_pdf_is_corrupt(data: bytes) -> None:
    with pytest.raises(InvalidArgument) as caught:
        read(data)
    assert caught.value.reason is Reason.DOCUMENT_CORRUPT
    assert "test.pdf" in caught.value.message


def test_a_page_count_beyond_the_bytes_of_the_file_is_corrupt() -> None:
    with pytest.raises(InvalidArgument, match="claims 9,999,999,999 pages") as caught:
        read(GOOD.replace(b"/Count 1 ", b"/Count 9999999999 "))
    assert caught.value.reason is Reason.DOCUMENT_CORRUPT


def test_a_broken_cross_reference_table_is_repaired() -> None:
    damaged = GOOD.replace(b"0000000000 65535 f", b"9999999999 65535 f").replace(b"startxref", b"startxxxx")
    assert read(damaged).text == "Readable words"


@pytest.mark.parametrize("step", [7, 13])
def test_damage_anywhere_ends_in_a_document_or_a_reason(step: int) -> None:
    reasons: set[Reason] = set()
    for place in range(9, len(GOOD) - 8, step * 8):
        damaged = GOOD[:place] + b"\xff\x00(<<[" + GOOD[place + 6 :]
        try:
            check_exact(read(damaged))
        except FindspotError as error:
            reasons.add(error.reason)
    assert reasons <= {Reason.DOCUMENT_CORRUPT}


def test_a_file_that_pdfium_refuses_is_rewritten_by_pypdf() -> None:
    damaged = GOOD.replace(b"/Root 1 0 R", b"/Root 88 0 R")
    with pytest.raises(pdfium.PdfiumError):
        pdfium.PdfDocument(damaged)
    assert read(damaged).text == "Readable words"


def test_a_file_without_a_trailer_gets_one() -> None:
    assert read(GOOD.replace(b"trailer", b"tra\x00ler")).text == "Readable words"


def test_a_bookmark_on_a_page_without_text_stays_inside_the_text() -> None:
    document = read(pdf_bytes([Sheet([Text(72, 700, "words")]), Sheet()], [Mark("A", 0, 10), Mark("B", 1)]))
    check_exact(document)
    assert [block.title for block in document.blocks if block.title] == ["A", "B"]


def test_limits() -> None:
    three = pdf_bytes([Sheet([Text(72, 700, "ten chars!")])] * 3)
    with pytest.raises(ResourceExhausted, match=r"3 pages; the limit is 2") as caught:
        read(three, max_pages=2)
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE
    with pytest.raises(
        ResourceExhausted, match=r"Page 3 brings the text to 27 characters; the limit is 20"
    ) as caught:
        read(three, max_characters=20)
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE


def test_pages_without_a_text_layer_say_which_extra_reads_them() -> None:
    scan = Sheet(drawing="0.5 g 100 100 200 300 re f")
    document = read(pdf_bytes([scan, Sheet([Text(72, 700, "words")]), scan], [Mark("Scan", 0)]))
    check_exact(document)
    assert document.text == "words"
    assert [(n.code, n.page) for n in document.warnings] == [("NO_TEXT_LAYER", 1), ("NO_TEXT_LAYER", 3)]
    assert "`ocr`" in document.warnings[0].message
    empty = read(pdf_bytes([scan], [Mark("Scan", 0)]))
    assert (empty.text, empty.blocks, len(empty.pages)) == ("", (), 1)


def test_properties_labels_and_language() -> None:
    data = pdf_bytes(
        [Sheet([Text(72, 700, f"page {n}")]) for n in range(4)],
        info={"Title": "Microsoft Word - The Title", "Author": "Somebody"},
        labels="0 << /S /r >> 2 << /S /D /St 1 /P (A-) >>",
        lang="de-CH",
    )
    document = read(data)
    assert document.title == "The Title"
    assert document.metadata["author"] == "Somebody"
    assert document.language == "de-CH"
    assert [page.label for page in document.pages] == ["i", "ii", "A-1", "A-2"]
    assert [page.number for page in document.pages] == [1, 2, 3, 4]


@pytest.mark.parametrize("title", ["Untitled", "report_final.docx", "untitled document 3", "Slide 1"])
def test_a_title_that_a_program_wrote_is_none(title: str) -> None:
    assert read(pdf_bytes([Sheet([Text(72, 700, "words")])], info={"Title": title})).title == ""


def test_two_thousand_bookmarks_that_point_in_circles_end() -> None:
    data = pdf_bytes([Sheet([Text(72, 700, "words")])], [Mark(f"m{n}", 0) for n in range(50)])
    looping = data.replace(b"/Prev", b"/Next", 30)
    assert len(read(looping).outline) <= 50
