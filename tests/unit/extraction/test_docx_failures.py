"""Packages that are no good, or hostile: a typed failure that says what was seen, and nothing read from outside."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pytest
from ooxml_writing import SPACES, package, paragraph, part, word_document
from reading_checks import REGISTRY, read

from findspot.errors import FindspotError, Reason
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document

GOOD = word_document(paragraph("words"))
MAIN = {"": [("officeDocument", "word/document.xml")]}


def failure(data: bytes, limits: ReadLimits | None = None, **said: str) -> FindspotError:
    upload = Upload(file_name="a.docx", document_type="docx", **said)
    with pytest.raises(FindspotError) as caught:
        read_document(data, upload, REGISTRY, limits or ReadLimits())
    return caught.value


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (GOOD[: len(GOOD) // 2], "cut off"),
        (b"Dear reader, no ZIP", "does not start as a ZIP"),
        (package({"word/styles.xml": part("w:styles", "")}, {}), "word/document.xml"),
        (package({"word/document.xml": b"<w:document"}, MAIN), "not well-formed"),
        (
            package({"word/document.xml": b"<?xml version='1.0' encoding='klingon'?><a/>"}, MAIN),
            "not well-formed",
        ),
        (package({"word/document.xml": part("w:other", "")}, MAIN), "no Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "OLE compound file"),
    ],
)
def test_what_is_no_document_says_what_it_is(data: bytes, seen: str) -> None:
    error = failure(data)
    assert error.reason is Reason.DOCUMENT_CORRUPT
    assert seen in error.message


def test_an_encrypted_document_is_told_from_a_damaged_one() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    assert failure(data).reason is Reason.DOCUMENT_ENCRYPTED
    flagged = bytearray(GOOD)
    central = flagged.find(b"PK\x01\x02")
    flagged[central + 8] |= 1
    assert failure(bytes(flagged)).reason is Reason.DOCUMENT_ENCRYPTED


def test_no_entity_is_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    text = "<w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body>"
    for declared in (
        f'<!ENTITY x SYSTEM "{secret.as_uri()}">',
        '<!ENTITY y "ha"><!ENTITY x "&y;&y;">',
    ):
        xml = f"<!DOCTYPE d [{declared}]><w:document {SPACES}>{text}</w:document>"
        for encoding in ("utf-8", "utf-16"):
            error = failure(package({"word/document.xml": xml.encode(encoding)}, MAIN))
            assert error.reason is Reason.DOCUMENT_CORRUPT
            assert "document type" in error.message
            assert "secret" not in error.message.replace(secret.name, "")


def test_archive_bombs_are_refused_before_they_expand() -> None:
    bomb = package(
        {"word/document.xml": part("w:document", "<w:body/>"), "word/x.bin": bytes(40 * 2**20)}, MAIN
    )
    began = time.monotonic()
    error = failure(bomb)
    assert error.reason is Reason.DOCUMENT_TOO_LARGE
    assert "archive bomb" in error.message
    error = failure(bomb, ReadLimits(max_expanded_bytes=10_000_000))
    assert error.metadata["limit"] == "10000000"
    assert time.monotonic() - began < 5


def test_too_much_text_is_refused() -> None:
    error = failure(word_document(paragraph("word " * 100)), ReadLimits(max_characters=100))
    assert error.reason is Reason.DOCUMENT_TOO_LARGE


def test_bottomless_nesting_is_refused_and_deep_nesting_read() -> None:
    def nested(depth: int) -> bytes:
        wrap = "<w:sdt><w:sdtContent>" * depth, "</w:sdtContent></w:sdt>" * depth
        return word_document(paragraph("deep").join(wrap))

    assert read(nested(120), "a.docx").text == "deep"
    assert failure(nested(50_000)).reason is Reason.DOCUMENT_CORRUPT
    runs = "<w:smartTag>" * 240 + "<w:r><w:t>deep</w:t></w:r>" + "</w:smartTag>" * 240
    assert read(word_document(f"<w:p>{runs}</w:p>"), "a.docx").text == "deep"
    boxes, tables = paragraph("deep"), paragraph("deep")
    for _ in range(50):
        boxes = f"<w:p><w:r><w:pict><w:txbxContent>{boxes}</w:txbxContent></w:pict></w:r></w:p>"
    for _ in range(80):
        tables = f"<w:tbl><w:tr><w:tc>{tables}</w:tc><w:tc/></w:tr></w:tbl>"
    for body in (boxes, tables):
        assert read(word_document(body), "a.docx").text.strip(" |\n") == "deep"


def test_a_damaged_part_that_is_not_needed_is_told_and_left_out() -> None:
    data = word_document(paragraph("words"), comments="</broken>")
    document = read(data, "a.docx")
    assert document.text == "words"
    [notice] = document.warnings
    assert notice.code == "PART_UNREADABLE"
    assert "word/comments.xml" in notice.message


def test_names_of_parts_are_compared_as_office_does() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("Word\\Document.xml", part("w:document", f"<w:body>{paragraph('words')}</w:body>"))
    assert read(buffer.getvalue(), "a.docx", document_type="docx").text == "words"


def test_the_strict_variant_reads_the_same() -> None:
    heading = paragraph("words", '<w:outlineLvl w:val="0"/>')
    xml = part("w:document", f"<w:body>{heading}</w:body>")
    strict = xml.replace(
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    assert read(package({"word/document.xml": strict}, MAIN), "a.docx") == read(
        package({"word/document.xml": xml}, MAIN), "a.docx"
    )


def test_half_a_pair_cannot_be_written_in_xml() -> None:
    assert failure(word_document(paragraph("&#xD83D;"))).reason is Reason.DOCUMENT_CORRUPT
