"""What a file is: bytes before names, names before media types, content where nothing else says."""

from __future__ import annotations

import io
import zipfile

import pytest
from reading_checks import REGISTRY

from findspot_extraction.detect import Detection, detect

PYTHON = b"import os\n\n\ndef walk(path):\n    for name in os.listdir(path):\n        yield os.path.join(path, name)\n"
RUST = (
    b"use std::fmt;\n\nimpl fmt::Display for Point {\n    fn fmt(&self, f: &mut fmt::Formatter) {}\n}\n" * 3
)


def package(*members: str, mimetype: str = "") -> bytes:
    buffer = io.BytesIO()
    # A fixed time, so that the bytes, and with them the names of the tests, are the same in every worker.
    with zipfile.ZipFile(buffer, "w") as archive:
        if mimetype:
            archive.writestr(zipfile.ZipInfo("mimetype"), mimetype)
        for member in members:
            archive.writestr(zipfile.ZipInfo(member), "x" * 50)
    return buffer.getvalue()


def ole(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + stream.encode("utf-16-le") + bytes(100)


def found(data: bytes, name: str = "", media_type: str = "") -> tuple[str, str]:
    detection = detect(data, name, media_type, REGISTRY)
    return detection.row.name if detection.row else "", detection.decided_by


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "pdf"),
        (b"\r\n\n%PDF-1.4 plain ascii", "pdf"),
        (b"\x00\x01junk" * 20 + b"%PDF-1.4\n" + bytes(50), "pdf"),
        (package("[Content_Types].xml", "word/document.xml"), "docx"),
        (package("[Content_Types].xml", "ppt/presentation.xml"), "pptx"),
        (package("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        (package("META-INF/container.xml", mimetype="application/epub+zip"), "epub"),
        (package("content.xml", mimetype="application/vnd.oasis.opendocument.text"), "odt"),
        (package("a.txt"), "zip"),
        (package("word/document.xml")[:80], "docx"),
        (ole("WordDocument"), "doc"),
        (ole("Workbook"), "xls"),
        (ole("EncryptedPackage"), "encrypted-office"),
        (ole("Nothing"), "ole"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "png"),
        (b"\xff\xd8\xff\xe0" + bytes(20), "jpeg"),
        (b"RIFF\x24\0\0\0WEBPVP8 " + bytes(20), "webp"),
        (b"\0\0\0\x18ftypmp42" + bytes(20), "video"),
        (b"\x1f\x8b\x08\0" + bytes(20), "archive"),
        (bytes(257) + b"ustar\x0000" + bytes(300), "archive"),
        (b"{\\rtf1\\ansi text}", "rtf"),
        (b"\x7fELF\x02\x01\x01" + bytes(60), "executable"),
    ],
)
@pytest.mark.parametrize("file_name", ["", "notes.txt", "x.unknown"])
def test_magic_bytes_decide_whatever_the_name(data: bytes, name: str, file_name: str) -> None:
    assert found(data, file_name) == (name, "magic")


def test_a_wrong_extension_is_told() -> None:
    detection = detect(b"%PDF-1.7\n", "notes.txt", "text/plain", REGISTRY)
    assert [notice.code for notice in detection.notices] == ["TYPE_MISMATCH"]
    assert "'notes.txt'" in detection.notices[0].message
    assert detection.media_type == "application/pdf"
    assert detect(b"%PDF-1.7\n", "notes.pdf", "", REGISTRY).notices == ()


@pytest.mark.parametrize(
    "text", [b"The header of a PDF is %PDF-1.7, as everybody knows.\n", b"GIF89a is a format.", b"ID3 tags\n"]
)
def test_a_text_that_mentions_a_signature_is_a_text(text: bytes) -> None:
    assert found(text, "notes.md") == ("markdown", "name")
    assert found(text) == ("text", "content")


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.md", b"x", "markdown"),
        ("a.h", b"int f(void);\n", "c"),
        ("a.h", b"namespace a { class B; }\n", "cpp"),
        ("a.csv", b"a,b\n", "csv"),
        ("a.txt", "\ufeffwide".encode("utf-16-le"), "text"),
        ("a.txt", b"pump\0station nine\n", "text"),
        ("a.json", b"{", "json"),
    ],
)
def test_names_decide_for_text(name: str, data: bytes, expected: str) -> None:
    assert found(data, name) == (expected, "name")


def test_binary_data_named_as_text_is_unknown() -> None:
    assert found(bytes(range(256)) * 4, "a.txt") == ("", "content")


def test_a_named_binary_type_without_its_signature_keeps_its_name() -> None:
    assert found(bytes(range(256)) * 4, "a.pdf") == ("pdf", "name")


def test_text_named_as_a_binary_type_is_read_as_what_it_is() -> None:
    detection = detect(b"<!DOCTYPE html><p>x", "report.docx", "", REGISTRY)
    assert detection.row is not None
    assert detection.row.name == "html"
    assert [notice.code for notice in detection.notices] == ["TYPE_MISMATCH"]


def test_media_type_decides_without_a_name() -> None:
    assert found(b"a,b\n1,2\n", "", "text/csv; charset=utf-8") == ("csv", "media_type")
    assert found(b"a,b\n1,2\n", "upload", "text/csv") == ("csv", "media_type")
    assert found(b"\x01\x02\x03\x00" * 9, "", "image/png") == ("png", "media_type")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"#!/usr/bin/env python3\nprint()\n", "python"),
        (b"#!/bin/sh -e\nls\n", "bash"),
        (b"<!doctype html>\n<p>x", "html"),
        (b"<?xml version='1.0'?>\n<!-- c -->\n<html><p>x</p></html>", "html"),
        (b"<?xml version='1.0'?>\n<feed/>", "xml"),
        (b'{"a": [1, 2]}', "json"),
        (b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        (b"diff --git a/x b/x\n", "diff"),
        (b"From: a@b\nTo: c@d\nSubject: x\n\nText\n", "eml"),
        (b"# Title\n\nSome text about pumps that goes on for a while, as text does.\n", "markdown"),
        (b"Some text about pumps that goes on for a while, as text does.\n", "text"),
        (b"", "text"),
        (PYTHON, "python"),
        (RUST, "rust"),
    ],
)
def test_content_decides_when_nothing_else_does(data: bytes, name: str) -> None:
    assert found(data) == (name, "content")
    assert found(data, "", "application/octet-stream") == (name, "content")


def test_a_detection_is_a_value() -> None:
    assert detect(b"x", "a.md", "", REGISTRY) == Detection(REGISTRY.get("markdown"), "name", "text/markdown")
