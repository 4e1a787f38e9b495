"""From bytes to a document: empty files, typed failures, the last check."""

from __future__ import annotations

import pytest
from reading_checks import REGISTRY, read, shown

from findspot.errors import FailedPrecondition, FindspotError, InvalidArgument, Reason, ResourceExhausted
from findspot.model import Block, BlockKind, ExtractedDocument, Table
from findspot_extraction.checking import checked
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document


def refused(data: bytes, upload: Upload, limits: ReadLimits | None = None) -> FindspotError:
    with pytest.raises(FindspotError) as caught:
        read_document(data, upload, REGISTRY, limits or ReadLimits())
    return caught.value


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", "\n\n".encode("utf-16")])
@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html", "a.py", "a.csv", ""])
def test_an_empty_file_is_a_document_without_text(data: bytes, name: str) -> None:
    document = read(data, name)
    assert (document.text, document.blocks) == ("", ())
    assert document.extractor_stamp


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.png"])
@pytest.mark.parametrize(("data", "held"), [(b"", "it has no bytes"), (b" \n", "its 2 bytes are blank")])
def test_an_empty_file_of_a_format_that_never_is_was_not_copied_whole(
    data: bytes, held: str, name: str
) -> None:
    failure = refused(data, Upload(file_name=name))
    assert failure.reason is Reason.DOCUMENT_CORRUPT
    assert name in failure.message
    assert held in failure.message


def test_what_nobody_reads_is_named() -> None:
    failure = refused(b"\x7fELF" + bytes(20), Upload(file_name="notes.txt"))
    assert isinstance(failure, InvalidArgument)
    assert failure.reason is Reason.UNSUPPORTED_TYPE
    assert "recognised as executable (program)" in failure.message
    assert "named as plain text" in failure.message


def test_a_zip_that_is_named_pdf_says_what_it_is() -> None:
    failure = refused(b"PK\x03\x04" + bytes(60), Upload(file_name="report.pdf"))
    assert failure.reason is Reason.UNSUPPORTED_TYPE
    assert "ZIP archive" in failure.message


def test_unknown_binary_data_and_encrypted_office_files() -> None:
    assert refused(bytes(range(256)) * 9, Upload(file_name="x.bin")).reason is Reason.UNSUPPORTED_TYPE
    office = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    failure = refused(office, Upload(file_name="a.docx"))
    assert isinstance(failure, FailedPrecondition)
    assert failure.reason is Reason.DOCUMENT_ENCRYPTED


def test_the_caller_may_state_the_type() -> None:
    document = read(b"# not a heading\n", "a.md", document_type="text")
    assert (document.document_type, shown(document)) == ("text", [("paragraph", "# not a heading")])
    assert refused(b"x", Upload(document_type="novel")).reason is Reason.INVALID_FIELD


def test_a_text_over_the_limit_is_refused() -> None:
    failure = refused(b"x" * 101, Upload(file_name="a.txt"), ReadLimits(max_characters=100))
    assert isinstance(failure, ResourceExhausted)
    assert failure.reason is Reason.DOCUMENT_TOO_LARGE
    assert "101" in failure.message


def test_plain_text_is_unchanged_and_cut_at_blank_lines() -> None:
    source = "  one\r\ntwo\r\n \r\nthree\x0cfour\r\n"
    document = read(source, "a.txt")
    assert document.text == source
    assert shown(document) == [("paragraph", "  one\r\ntwo"), ("paragraph", "three\x0cfour")]


@pytest.mark.parametrize(
    "name", ["a.log", "a.json", "a.jsonl", "a.yaml", "a.toml", "a.xml", "a.ini", "a.rst"]
)
def test_data_reads_as_text_under_its_own_type(name: str) -> None:
    document = read("a: 1\n\nb: 2\n", name)
    assert document.document_type == (name[2:] if name != "a.log" else "log")
    assert len(document.blocks) == 2


def test_the_last_check_repairs_what_cannot_travel() -> None:
    long = "x" * 5_000
    blocks = (
        Block(BlockKind.HEADING, 0, 5_000, level=1, title=long),
        Block(BlockKind.TABLE, 5_001, 5_003, table=Table(columns=("y" * 200_000,), header_rows=1)),
    )
    document = checked(
        ExtractedDocument(
            text=long + "\n\ud83d!",
            document_type="text",
            media_type="text/plain",
            title="t\ud83d",
            blocks=blocks,
            metadata={"a": "b", "c": "d" * 50_000},
        )
    )
    assert document.text.endswith("\n\ufffd!")
    assert document.title == "t\ufffd"
    assert (document.blocks[0].kind, document.blocks[0].title) == (BlockKind.PARAGRAPH, "")
    assert document.blocks[1].table == Table()
    assert document.metadata == {"a": "b"}
    assert [n.code for n in document.warnings] == ["INVALID_CHARACTERS", "TITLE_TOO_LONG", "METADATA_CUT"]


def test_the_last_check_lets_nothing_through_that_a_manifest_cannot_hold() -> None:
    blocks = (
        Block(BlockKind.HEADING, 0, 3, level=1, title="a\0b", symbol_path=("c\0",)),
        Block(BlockKind.TABLE, 4, 6, table=Table(columns=("x\0", "y"), caption="\0", header_rows=1)),
        Block(BlockKind.PARAGRAPH, 6, 8),
    )
    made = checked(
        ExtractedDocument(
            "a\0b x\0y!", "text", "text/plain", title="\0", blocks=blocks, metadata={"k\0": "v\0"}
        )
    )
    assert made.text == "a\ufffdb x\ufffdy!"
    assert "\0" not in repr(made).replace("\\x00", "\0")
    assert made.blocks[1].table == Table(columns=("x\ufffd", "y"), caption="\ufffd", header_rows=1)
    assert [(b.start, b.end) for b in made.blocks] == [(b.start, b.end) for b in blocks]
    assert made.blocks[2] is blocks[2]
    assert made.warnings[0].message.startswith("2 characters")
